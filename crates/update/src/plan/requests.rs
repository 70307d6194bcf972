//! Requests of administrators.

use super::{Effect, Plan, Refusal};
use crate::config::Config;
use crate::feed::is_safe_tag;
use crate::policy::policy;
use crate::roll::Roll;
use crate::state::{Execution, Outcome, Trigger};

impl Plan {
    pub(super) fn apply(&mut self, config: &Config) {
        let Some(latest) = self.state.latest.clone() else {
            return self.refuse(Refusal::NoKnownLatest);
        };
        if !is_safe_tag(&latest.tag) {
            return self.refuse(Refusal::InvalidTag);
        }
        match &self.state.execution {
            // A failed rollback needs somebody who acts, other failures one who has seen them.
            Execution::Idle
            | Execution::Verified { .. }
            | Execution::Scheduled { .. }
            | Execution::RollbackFailed { .. } => {}
            open @ (Execution::PreflightFailed { .. } | Execution::RolledBack { .. }) => {
                return self.refuse(Refusal::NotAcknowledged(open.status()));
            }
            busy => return self.refuse(Refusal::Busy(busy.status())),
        }
        let policy = policy(config, &latest, &self.state.execution);
        if !policy.can_manual {
            return self.refuse(Refusal::PolicyDenied(policy.reason));
        }
        if config.node.is_some() {
            if matches!(self.state.execution, Execution::RollbackFailed { .. }) {
                // Somebody acts, so it is known.
                self.acknowledge();
            }
            return self.begin_in_turn(latest.tag, Trigger::Manual, config);
        }
        if matches!(self.state.execution, Execution::Scheduled { .. }) {
            self.effect(Effect::DropTimer);
        }
        self.state.cancelled_tag = None;
        self.begin(latest.tag, Trigger::Manual);
    }

    /// `roll` is what the nodes share, as this one has last seen it.
    pub(super) fn cancel(&mut self, roll: Option<&Roll>, config: &Config) {
        let Some(tag) = self.abandon("admin-cancelled") else {
            return self.cancel_on_others(roll, config);
        };
        if config.node.is_some() {
            self.state.roll.cancelled_tag = Some(tag);
        }
    }

    /// Ends what can still be left alone, and gives its tag. It does not begin again by itself.
    pub(super) fn abandon(&mut self, reason: &'static str) -> Option<String> {
        let (tag, trigger, effect) = match &self.state.execution {
            Execution::Scheduled { target_tag, .. } => {
                (target_tag, Trigger::Auto, Effect::DropTimer)
            }
            Execution::Preflight {
                target_tag,
                trigger,
                ..
            } => (target_tag, *trigger, Effect::AbortPreflight),
            Execution::Draining {
                target_tag, change, ..
            } => (target_tag, change.trigger, Effect::StopDrain),
            _ => return None,
        };
        let tag = tag.clone();
        self.effect(effect);
        self.state.cancelled_tag = Some(tag.clone());
        self.ended(tag.clone(), "", Outcome::Cancelled, Some(reason), trigger);
        self.state.execution = Execution::Idle;
        Some(tag)
    }

    /// They find it in the record: the node whose turn it is, and those that would follow.
    fn cancel_on_others(&mut self, roll: Option<&Roll>, config: &Config) {
        let execution = &self.state.execution;
        let is_free = !execution.is_under_way() && !execution.has_failed();
        let under_way = roll.filter(|_| is_free).and_then(|it| it.under_way(config));
        let Some(tag) = under_way else {
            return self.refuse(Refusal::NotCancellable(execution.status()));
        };
        self.state.cancelled_tag = Some(tag.to_owned());
        self.state.roll.cancelled_tag = Some(tag.to_owned());
    }

    pub(super) fn acknowledge(&mut self) {
        match &self.state.execution {
            Execution::PreflightFailed { .. }
            | Execution::RolledBack { .. }
            | Execution::RollbackFailed { .. } => {
                self.state.execution = Execution::Idle;
                self.state.boot_count = 0;
            }
            other => self.refuse(Refusal::NotTerminal(other.status())),
        }
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.refusal = Some(refusal);
    }
}
