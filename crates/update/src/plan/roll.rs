//! What a node makes of the record that it shares with the others.

use super::{Effect, Plan, Refusal};
use crate::config::Config;
use crate::feed::is_safe_tag;
use crate::policy::policy;
use crate::roll::{Claim, Halt, Roll};
use crate::state::{Execution, Outcome, Release, Trigger};
use crate::version::is_newer;

/// Why this node does not go on, as the state shows it.
const OTHER_NODE: &str = "other-node";
const TURN_LOST: &str = "turn-lost";

impl Plan {
    /// Begins, or asks for the turn first where there are other nodes.
    pub(super) fn begin_in_turn(&mut self, tag: String, trigger: Trigger, config: &Config) {
        if config.node.is_some() {
            self.effect(Effect::Claim(Claim { tag, trigger }));
        } else {
            self.begin(tag, trigger);
        }
    }

    /// `claim` is what this node has asked for.
    pub(super) fn synced(&mut self, roll: &Roll, claim: Option<&Claim>, config: &Config) {
        let Some(node) = &config.node else {
            return;
        };
        let is_ours = roll.is_turn_of(node);
        self.learn_cancelled(roll);
        if !is_ours {
            self.lose_turn();
        }
        self.learn_halt(roll.halt.as_ref());
        match claim {
            Some(claim) if is_ours => self.have_turn(claim, roll),
            Some(claim) if claim.trigger == Trigger::Manual => {
                let halted = roll.halt.is_some().then(|| self.state.execution.status());
                self.refuse(match halted {
                    Some(status) => Refusal::NotAcknowledged(status),
                    None => Refusal::Busy(OTHER_NODE),
                });
            }
            Some(_) => {}
            None => self.follow(roll, config),
        }
    }

    fn learn_cancelled(&mut self, roll: &Roll) {
        if self.state.roll.cancelled_tag == roll.cancelled_tag {
            self.state.roll.cancelled_tag = None;
        }
        if roll.cancelled_tag.as_deref() != self.state.execution.target_tag() {
            return;
        }
        match &self.state.execution {
            Execution::Scheduled { target_tag, .. } => {
                self.state.cancelled_tag = Some(target_tag.clone());
                self.unschedule();
            }
            // What is past that goes on, and the others do not follow.
            _ => drop(self.abandon("admin-cancelled")),
        }
    }

    /// This node was taken for lost. What it can still leave alone, it does.
    fn lose_turn(&mut self) {
        let (tag, trigger, effect) = match self.state.execution.clone() {
            Execution::Preflight {
                target_tag,
                trigger,
                ..
            } => (target_tag, trigger, Effect::AbortPreflight),
            Execution::Draining {
                target_tag, change, ..
            } => (target_tag, change.trigger, Effect::StopDrain),
            Execution::Executing { .. } => return self.step_failed(TURN_LOST.to_owned()),
            // The new version runs: it is verified, or taken back.
            _ => return,
        };
        self.effect(effect);
        self.ended(tag, "", Outcome::Cancelled, Some(TURN_LOST), trigger);
        self.state.execution = Execution::Idle;
    }

    fn learn_halt(&mut self, halt: Option<&Halt>) {
        let known = self.state.roll.halt.as_ref();
        if known == halt.map(|halt| &halt.id) {
            return;
        }
        let has_failed = self.state.execution.has_failed();
        match halt {
            // Reported now, or there is a newer failure.
            Some(halt) if has_failed => self.state.roll.halt = Some(halt.id.clone()),
            Some(halt) if known.is_none() => self.show_halt(halt),
            Some(_) => self.state.roll.halt = None,
            None => {
                if has_failed {
                    // Acknowledged on another node.
                    self.state.execution = Execution::Idle;
                    self.state.boot_count = 0;
                }
                self.state.roll.halt = None;
            }
        }
    }

    /// Nothing is installed here either until somebody has acknowledged it.
    fn show_halt(&mut self, halt: &Halt) {
        if self.state.execution.is_under_way() {
            return;
        }
        if matches!(self.state.execution, Execution::Scheduled { .. }) {
            self.effect(Effect::DropTimer);
        }
        self.state.roll.halt = Some(halt.id.clone());
        self.state.execution = Execution::PreflightFailed {
            target_tag: halt.target_tag.clone(),
            reason: format!(
                "{OTHER_NODE}: {}: {}: {}",
                halt.address, halt.outcome, halt.reason
            ),
            at: halt.at,
        };
    }

    fn have_turn(&mut self, claim: &Claim, roll: &Roll) {
        let is_scheduled = match &self.state.execution {
            Execution::Scheduled { target_tag, .. } => *target_tag == claim.tag,
            Execution::Idle | Execution::Verified { .. } => false,
            _ => return,
        };
        // Otherwise it was cancelled meanwhile, and the turn is returned with the next look.
        let is_wanted = match claim.trigger {
            Trigger::Auto => is_scheduled,
            Trigger::Manual => self.state.roll.cancelled_tag.as_ref() != Some(&claim.tag),
        };
        if !is_wanted {
            return;
        }
        if matches!(self.state.execution, Execution::Scheduled { .. }) {
            self.effect(Effect::DropTimer);
        }
        self.state.cancelled_tag = None;
        self.learn_release(roll.target.as_ref());
        self.begin(claim.tag.clone(), claim.trigger);
    }

    /// Asks for the turn if an administrator wants a newer release on all nodes.
    fn follow(&mut self, roll: &Roll, config: &Config) {
        let Some(target) = &roll.target else {
            return;
        };
        let is_free = roll.turn.is_none() && roll.halt.is_none();
        let is_cancelled = self.state.roll.cancelled_tag.as_ref() == Some(&target.tag);
        let is_ready = matches!(
            self.state.execution,
            Execution::Idle | Execution::Verified { .. } | Execution::Scheduled { .. }
        );
        let may = policy(config, target, &self.state.execution).can_manual;
        if is_free && is_ready && may && !is_cancelled && is_safe_tag(&target.tag) {
            self.learn_release(Some(target));
            self.effect(Effect::Claim(Claim {
                tag: target.tag.clone(),
                trigger: Trigger::Manual,
            }));
        }
    }

    fn learn_release(&mut self, release: Option<&Release>) {
        let Some(release) = release else {
            return;
        };
        let latest = self.state.latest.as_ref();
        if latest.is_none_or(|latest| is_newer(&release.version, &latest.version)) {
            self.state.latest = Some(release.clone());
        }
    }
}
