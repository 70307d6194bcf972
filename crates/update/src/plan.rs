//! The plan: what an event makes of the state, and what has to be carried out.
//!
//! `(state, event, now, config) → (state, effects)`. The caller writes the new state to disk before
//! it carries out the first effect, carries them out in their order, and reports what became of
//! them as further events. So whatever is interrupted, `boot` finds on disk how far it had got.

mod boot;

mod requests;

mod roll;

mod schedule;

use jiff::{SignedDuration, Timestamp};

use crate::config::Config;
use crate::feed::Checked;
use crate::mail::{self, Mail};
use crate::policy::{Policy, Reason, policy};
use crate::roll::{Claim, Roll};
use crate::state::{Change, Execution, LastResult, Outcome, State, Trigger};
use crate::target::release_folder;

pub use boot::boot;

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The program has started and knows its settings.
    Started,
    Checked(Checked),
    /// The time that was armed has come.
    TimerFired,
    Apply,
    /// With what the nodes share, as this one has last seen it.
    Cancel(Option<Box<Roll>>),
    Acknowledge,
    PreflightPassed(Found),
    PreflightFailed(String),
    DrainEnded,
    /// The new program lies in its folder.
    Installed,
    StepFailed(String),
    /// What ran before is back, or could not be put back for this reason.
    RolledBack(Option<String>),
    /// The service that runs answers that it is healthy.
    Healthy,
    HealthTimedOut,
    /// This node and the record of the roll have been compared, with what it asked for.
    Synced(Box<Roll>, Option<Claim>),
}

/// What pre-flight found out about both ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub from_sha: String,
    pub from_release: String,
    pub commit: String,
    pub version: String,
    /// Other nodes take over the people of this one.
    pub hands_over: bool,
}

/// The actions to take.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Instead of any that is armed.
    ArmTimer(Timestamp),
    DropTimer,
    Mail(Mail),
    Preflight {
        tag: String,
        trigger: Trigger,
    },
    /// Nobody waits for what it finds any more.
    AbortPreflight,
    Drain {
        until: Timestamp,
        /// People are informed, and nobody new comes in.
        is_announced: bool,
    },
    StopDrain,
    /// Fetch, check out and build; the program goes to its folder.
    Install {
        tag: String,
        change: Change,
    },
    /// What is started next is the new program.
    Switch {
        release: String,
    },
    /// Put back what ran before: without a compiler, without the network.
    Restore {
        change: Change,
    },
    AwaitHealth {
        until: Timestamp,
    },
    /// Other releases than these are not needed any more.
    Keep {
        releases: Vec<String>,
    },
    /// Ask for this node's turn to be updated.
    Claim(Claim),
    /// Stop in an orderly way, so that the supervisor restarts the program.
    Exit,
}

/// Why what an administrator asked for was not begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoKnownLatest,
    InvalidTag,
    Busy(&'static str),
    /// The last attempt has failed, and nobody has acknowledged it yet.
    NotAcknowledged(&'static str),
    PolicyDenied(Reason),
    NotCancellable(&'static str),
    NotTerminal(&'static str),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub state: State,
    pub effects: Vec<Effect>,
    pub refusal: Option<Refusal>,
}

pub fn step(state: &State, event: Event, now: Timestamp, config: &Config) -> Step {
    let mut plan = Plan::of(state, now);
    plan.apply_event(event, config);
    plan.finish()
}

/// What ran before is back, unless there was a problem. Needs no settings: it may happen before
/// they are read.
pub fn rolled_back(state: &State, problem: Option<String>, now: Timestamp) -> Step {
    let mut plan = Plan::of(state, now);
    plan.rolled_back(problem);
    plan.finish()
}

/// The new version cannot show whether it works: it does not even start.
pub fn abandoned(state: &State, reason: String, now: Timestamp) -> Step {
    let mut plan = Plan::of(state, now);
    plan.step_failed(reason);
    plan.finish()
}

/// A step in the making.
struct Plan {
    state: State,
    effects: Vec<Effect>,
    refusal: Option<Refusal>,
    now: Timestamp,
}

impl Plan {
    fn of(state: &State, now: Timestamp) -> Plan {
        Plan {
            state: state.clone(),
            effects: Vec::new(),
            refusal: None,
            now,
        }
    }

    fn finish(self) -> Step {
        Step {
            state: self.state,
            effects: self.effects,
            refusal: self.refusal,
        }
    }

    fn apply_event(&mut self, event: Event, config: &Config) {
        match event {
            Event::Started => self.started(config),
            Event::Checked(checked) => self.checked(checked, config),
            Event::TimerFired => self.timer_fired(config),
            Event::Apply => self.apply(config),
            Event::Cancel(roll) => self.cancel(roll.as_deref(), config),
            Event::Acknowledge => self.acknowledge(),
            Event::PreflightPassed(found) => self.preflight_passed(found, config),
            Event::PreflightFailed(reason) => self.preflight_failed(reason, config),
            Event::DrainEnded => self.drain_ended(),
            Event::Installed => self.installed(config),
            Event::StepFailed(reason) => self.step_failed(reason),
            Event::RolledBack(problem) => self.rolled_back(problem),
            Event::Healthy => self.healthy(),
            Event::HealthTimedOut => self.health_timed_out(),
            Event::Synced(roll, claim) => self.synced(&roll, claim.as_ref(), config),
        }
    }

    fn policy(&self, config: &Config) -> Option<Policy> {
        let latest = self.state.latest.as_ref()?;
        Some(policy(config, latest, &self.state.execution))
    }

    fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    fn mail(&mut self, mail: Option<Mail>) {
        self.effects.extend(mail.map(Effect::Mail));
    }

    fn after(&self, seconds: u64) -> Timestamp {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        let later = self.now.checked_add(SignedDuration::from_secs(seconds));
        later.unwrap_or(Timestamp::MAX)
    }

    fn begin(&mut self, tag: String, trigger: Trigger) {
        self.state.boot_count = 0;
        self.state.execution = Execution::Preflight {
            target_tag: tag.clone(),
            started_at: self.now,
            trigger,
        };
        self.effect(Effect::Preflight { tag, trigger });
    }

    fn preflight_passed(&mut self, found: Found, config: &Config) {
        let Execution::Preflight {
            target_tag,
            trigger,
            ..
        } = &self.state.execution
        else {
            return;
        };
        let is_announced = !found.hands_over;
        let seconds = if is_announced {
            config.drain_seconds
        } else {
            0
        };
        let until = self.after(seconds);
        let change = Change {
            trigger: *trigger,
            to_release: release_folder(target_tag, &found.commit),
            from_sha: found.from_sha,
            from_release: found.from_release,
            commit: found.commit,
            version: found.version,
        };
        self.state.execution = Execution::Draining {
            target_tag: target_tag.clone(),
            drain_ends_at: until,
            started_at: self.now,
            change,
        };
        self.effect(Effect::Drain {
            until,
            is_announced,
        });
    }

    fn preflight_failed(&mut self, reason: String, config: &Config) {
        let Execution::Preflight {
            target_tag,
            trigger,
            ..
        } = self.state.execution.clone()
        else {
            return;
        };
        let outcome = Outcome::PreflightFailed;
        self.ended(target_tag.clone(), "", outcome, Some(&reason), trigger);
        self.state.execution = Execution::PreflightFailed {
            target_tag,
            reason,
            at: self.now,
        };
        let mail = mail::failed(&mut self.state, config);
        self.mail(mail);
    }

    fn drain_ended(&mut self) {
        let Execution::Draining {
            target_tag, change, ..
        } = self.state.execution.clone()
        else {
            return;
        };
        self.effect(Effect::Install {
            tag: target_tag.clone(),
            change: change.clone(),
        });
        self.state.execution = Execution::Executing {
            target_tag,
            started_at: self.now,
            change,
        };
    }

    fn installed(&mut self, config: &Config) {
        let Execution::Executing {
            target_tag, change, ..
        } = self.state.execution.clone()
        else {
            return;
        };
        self.state.boot_count = 0;
        self.effect(Effect::Switch {
            release: change.to_release.clone(),
        });
        self.effect(Effect::Exit);
        self.state.execution = Execution::PendingVerification {
            target_tag,
            deadline_at: self.after(config.health_check_seconds),
            change,
        };
    }

    fn step_failed(&mut self, reason: String) {
        if let Execution::Executing {
            target_tag, change, ..
        }
        | Execution::PendingVerification {
            target_tag, change, ..
        } = self.state.execution.clone()
        {
            self.roll_back(target_tag, change, reason);
        }
    }

    fn health_timed_out(&mut self) {
        if let Execution::PendingVerification {
            target_tag, change, ..
        } = self.state.execution.clone()
        {
            self.roll_back(target_tag, change, "health-check-timeout".to_owned());
        }
    }

    fn roll_back(&mut self, target_tag: String, change: Change, reason: String) {
        self.effect(Effect::Restore {
            change: change.clone(),
        });
        self.state.execution = Execution::RollingBack {
            reason,
            target_tag,
            at: self.now,
            change,
        };
    }

    fn rolled_back(&mut self, problem: Option<String>) {
        let Execution::RollingBack {
            reason,
            target_tag,
            change,
            ..
        } = self.state.execution.clone()
        else {
            return;
        };
        let (reason, outcome) = match problem {
            None => (reason, Outcome::RolledBack),
            Some(problem) => (
                format!("{reason}; rollback: {problem}"),
                Outcome::RollbackFailed,
            ),
        };
        let sha = change.from_sha;
        self.ended(
            target_tag.clone(),
            &sha,
            outcome,
            Some(&reason),
            change.trigger,
        );
        let at = self.now;
        self.state.execution = match outcome {
            Outcome::RolledBack => Execution::RolledBack {
                reason,
                target_tag,
                restored_sha: sha,
                at,
            },
            _ => Execution::RollbackFailed {
                reason,
                target_tag,
                from_sha: sha,
                at,
            },
        };
        self.effect(Effect::Exit);
    }

    fn healthy(&mut self) {
        let Execution::PendingVerification {
            target_tag, change, ..
        } = self.state.execution.clone()
        else {
            return;
        };
        let outcome = Outcome::Verified;
        self.ended(
            target_tag.clone(),
            &change.from_sha,
            outcome,
            None,
            change.trigger,
        );
        self.state.execution = Execution::Verified {
            target_tag,
            verified_at: self.now,
        };
        self.effect(Effect::Keep {
            releases: vec![change.to_release, change.from_release],
        });
    }

    fn ended(
        &mut self,
        target_tag: String,
        from_sha: &str,
        outcome: Outcome,
        reason: Option<&str>,
        trigger: Trigger,
    ) {
        self.state.boot_count = 0;
        self.state.last_result = Some(LastResult {
            target_tag,
            from_sha: from_sha.to_owned(),
            outcome,
            reason: reason.map(str::to_owned),
            at: self.now,
            trigger: Some(trigger),
        });
    }
}
