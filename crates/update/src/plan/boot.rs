//! Recovery at startup from the state that the last run left behind.
//!
//! It comes in two parts. `boot` is the first thing the program does, before it reads settings or
//! opens anything, so that whatever makes a new version crash is counted. The other part comes when
//! the settings are known.

use jiff::Timestamp;

use super::{Effect, Plan, Step};
use crate::config::{Config, Tier};
use crate::mail;
use crate::state::{Execution, Outcome, State};

/// So many starts of a new version may fail; the one after them puts the old version back.
const MAX_BOOTS: u32 = 2;

/// `running` is the version of the program that starts.
pub fn boot(state: &State, running: &str, now: Timestamp) -> Step {
    let mut plan = Plan::of(state, now);
    if let Execution::PendingVerification { .. } = plan.state.execution {
        plan.state.boot_count = plan.state.boot_count.saturating_add(1);
    }
    match plan.state.execution.clone() {
        // Nothing had been changed yet.
        Execution::Preflight {
            target_tag,
            trigger,
            ..
        } => plan.interrupted(target_tag, trigger),
        Execution::Draining {
            target_tag, change, ..
        } => plan.interrupted(target_tag, change.trigger),
        Execution::Executing {
            target_tag, change, ..
        } => plan.roll_back(target_tag, change, "interrupted".to_owned()),
        Execution::RollingBack {
            reason,
            target_tag,
            change,
            ..
        } => plan.roll_back(target_tag, change, reason),
        Execution::PendingVerification {
            target_tag, change, ..
        } => {
            if change.version != running {
                // Interrupted before the switch, or the supervisor does not follow it.
                let reason = format!("the restart ran {running} and not {}", change.version);
                plan.roll_back(target_tag, change, reason);
            } else if plan.state.boot_count > MAX_BOOTS {
                let reason = "health-check-failed-or-crash-loop".to_owned();
                plan.roll_back(target_tag, change, reason);
            }
        }
        _ => {}
    }
    plan.finish()
}

impl Plan {
    fn interrupted(&mut self, tag: String, trigger: crate::state::Trigger) {
        self.ended(tag, "", Outcome::Cancelled, Some("interrupted"), trigger);
        self.state.execution = Execution::Idle;
    }

    pub(super) fn started(&mut self, config: &Config) {
        match &mut self.state.execution {
            Execution::Scheduled { .. } if config.tier == Tier::Off => {
                self.state.execution = Execution::Idle;
            }
            Execution::Scheduled { scheduled_for, .. } => {
                let at = *scheduled_for;
                self.effect(Effect::ArmTimer(at));
            }
            Execution::PendingVerification { .. } => {
                let until = self.after(config.health_check_seconds);
                if let Execution::PendingVerification { deadline_at, .. } =
                    &mut self.state.execution
                {
                    *deadline_at = until;
                }
                self.effect(Effect::AwaitHealth { until });
            }
            _ => {}
        }
        mail::note_current(&mut self.state, config);
        let mail = mail::failed(&mut self.state, config);
        self.mail(mail);
    }
}
