//! Roll: an update that goes through the nodes of a cluster one by one.
//!
//! The nodes share one record, [`Roll`]. A node changes it only by [`sync`], in a transaction, and
//! hands what it finds there to its plan. The turn is a lease that outlives the process which took
//! it, because an update restarts that: a node takes it before pre-flight and returns it once the
//! new version is verified. Time alone never hands a turn to another node. A turn that runs out
//! stops the roll, as every failure does, until an administrator acknowledges. So two nodes are
//! never updated at once, whatever their clocks say.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::mail::Mail;
use crate::state::{Execution, Release, State, Trigger};
use crate::version::is_newer;

/// How long a node may be silent during its turn, besides the time to get healthy.
const SILENCE: SignedDuration = SignedDuration::from_mins(15);
/// A release is started three times at most.
const STARTS: i64 = 3;
/// Less than the time after which a mail is repeated.
const MAILED: SignedDuration = SignedDuration::from_hours(29 * 24);
const MAILS: usize = 50;

/// What the nodes share. Keys that this version does not know survive being written by it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Roll {
    /// The release that an administrator wants on all nodes.
    pub target: Option<Release>,
    pub turn: Option<Turn>,
    pub halt: Option<Halt>,
    /// An administrator has cancelled this one: no node schedules it again by itself.
    pub cancelled_tag: Option<String>,
    /// The mails that were sent, and when.
    pub mails: BTreeMap<String, Timestamp>,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The node that is updated now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// [`NodeName::id`].
    pub node: String,
    pub address: String,
    pub tag: String,
    /// Without a sign of life until then the node is lost.
    pub until: Timestamp,
}

/// Why the roll has stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Halt {
    pub id: String,
    /// The node that failed.
    pub address: String,
    pub target_tag: String,
    pub outcome: String,
    pub reason: String,
    pub at: Timestamp,
}

/// A node, as it is known in rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    /// The same after a restart, and no other node's.
    pub id: String,
    /// Where other nodes reach it.
    pub address: String,
}

/// A request for the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub tag: String,
    pub trigger: Trigger,
}

/// What a node remembers of the roll over restarts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RollMemory {
    /// Tells installations apart.
    pub installation: Option<String>,
    /// The halt that the state shows, or that was acknowledged here and not in the record yet.
    pub halt: Option<String>,
    /// The release that was cancelled here and not in the record yet.
    pub cancelled_tag: Option<String>,
}

impl RollMemory {
    pub(crate) fn is_empty(&self) -> bool {
        *self == RollMemory::default()
    }
}

impl Roll {
    pub fn is_turn_of(&self, node: &NodeName) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.node == node.id)
    }

    /// The release that is being installed on some node, or that this one would install next.
    pub(crate) fn under_way(&self, config: &Config) -> Option<&str> {
        let turn = self.turn.as_ref().map(|turn| turn.tag.as_str());
        let target = self.target.as_ref();
        let target = target.filter(|it| is_newer(&it.version, &config.current));
        turn.or(target.map(|target| target.tag.as_str()))
    }

    /// Whether a mail is still to send: no node has sent it.
    pub fn take_mail(&mut self, mail: &Mail, now: Timestamp) -> bool {
        let is_recent = |at: &Timestamp| now.duration_since(*at) < MAILED;
        if self.mails.get(&mail.key).is_some_and(is_recent) {
            return false;
        }
        self.mails.insert(mail.key.clone(), now);
        while self.mails.len() > MAILS {
            let oldest = self.mails.iter().min_by_key(|(_, at)| **at);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            self.mails.remove(&oldest);
        }
        true
    }

    /// The newest failure counts: who has acknowledged an older one did not know of it.
    fn stop(&mut self, halt: Halt) {
        self.halt = Some(halt);
        self.target = None;
    }

    fn cancel(&mut self, tag: &str) {
        if self.target.as_ref().is_some_and(|target| target.tag == tag) {
            self.target = None;
        }
        self.cancelled_tag = Some(tag.to_owned());
    }
}

impl Halt {
    /// `None`: nothing has failed.
    fn of(execution: &Execution, node: &NodeName) -> Option<Halt> {
        let (Execution::PreflightFailed {
            target_tag,
            reason,
            at,
        }
        | Execution::RolledBack {
            target_tag,
            reason,
            at,
            ..
        }
        | Execution::RollbackFailed {
            target_tag,
            reason,
            at,
            ..
        }) = execution
        else {
            return None;
        };
        Some(Halt {
            id: format!("{}/{at}", node.id),
            address: node.address.clone(),
            target_tag: target_tag.clone(),
            outcome: execution.status().to_owned(),
            reason: reason.clone(),
            at: *at,
        })
    }

    fn lost(turn: &Turn, now: Timestamp) -> Halt {
        Halt {
            id: format!("{}/{now}", turn.node),
            address: turn.address.clone(),
            target_tag: turn.tag.clone(),
            outcome: "lost".to_owned(),
            reason: "the node gives no sign of life since it began".to_owned(),
            at: now,
        }
    }
}

/// What becomes of the record when a node in this state comes to it.
pub fn sync(
    roll: &Roll,
    state: &State,
    claim: Option<&Claim>,
    now: Timestamp,
    config: &Config,
) -> Roll {
    let mut roll = roll.clone();
    let Some(node) = &config.node else {
        return roll;
    };
    let execution = &state.execution;
    let is_known = |halt: &Halt| Some(&halt.id) == state.roll.halt.as_ref();
    match Halt::of(execution, node) {
        Some(halt) if state.roll.halt.is_none() => roll.stop(halt),
        Some(_) => {}
        // Acknowledged here.
        None if roll.halt.as_ref().is_some_and(is_known) => roll.halt = None,
        None => {}
    }
    if let Some(tag) = &state.roll.cancelled_tag {
        roll.cancel(tag);
    }
    keep_turn(&mut roll, execution, node, now, config);
    if let Some(claim) = claim
        && roll.turn.is_none()
        && roll.halt.is_none()
    {
        roll.turn = Some(turn(node, &claim.tag, now, config));
        let latest = state.latest.as_ref();
        let release = latest.filter(|latest| latest.tag == claim.tag);
        if claim.trigger == Trigger::Manual {
            // An administrator means all nodes.
            roll.target = release.cloned().or(roll.target);
            roll.cancelled_tag.take_if(|tag| *tag == claim.tag);
        }
    }
    roll
}

/// Extends, returns or takes back the turn of this node, and notices that another one is lost.
fn keep_turn(
    roll: &mut Roll,
    execution: &Execution,
    node: &NodeName,
    now: Timestamp,
    config: &Config,
) {
    let tag = execution.target_tag().unwrap_or_default();
    let extended = turn(node, tag, now, config);
    match &roll.turn {
        Some(turn) if turn.node == node.id && execution.is_under_way() => {
            let left = turn.until.duration_since(now);
            // Not with every look at the record.
            if left < limit(config) / 2 || left > limit(config) || turn.tag != tag {
                roll.turn = Some(extended);
            }
        }
        Some(turn) if turn.node == node.id => {
            roll.turn = None;
            // Interrupted: the others do not go on as if it had worked, nor does it try for ever.
            roll.target
                .take_if(|_| !matches!(execution, Execution::Verified { .. }));
        }
        Some(turn) if turn.until < now => {
            let halt = Halt::lost(turn, now);
            roll.turn = None;
            roll.stop(halt);
        }
        Some(_) => {}
        // The release before this one knew of no turns, or the record is lost.
        None if execution.is_under_way() && roll.halt.is_none() => roll.turn = Some(extended),
        None => {}
    }
}

fn turn(node: &NodeName, tag: &str, now: Timestamp, config: &Config) -> Turn {
    Turn {
        node: node.id.clone(),
        address: node.address.clone(),
        tag: tag.to_owned(),
        until: now.checked_add(limit(config)).unwrap_or(Timestamp::MAX),
    }
}

fn limit(config: &Config) -> SignedDuration {
    let seconds = i64::try_from(config.health_check_seconds).unwrap_or(i64::MAX);
    SILENCE.saturating_add(SignedDuration::from_secs(seconds.saturating_mul(STARTS)))
}
