//! Schedule of automatic updates.

use jiff::{SignedDuration, Timestamp};

use super::{Effect, Plan};
use crate::config::Config;
use crate::feed::{Checked, is_safe_tag};
use crate::mail;
use crate::policy::Policy;
use crate::state::{Execution, Release, Trigger};
use crate::window::{Daily, Window};

/// A grace is a week at most.
const LONGEST_GRACE: u64 = 10_080;

/// Until a node asks again for its turn.
const NEXT_CLAIM_SECONDS: u64 = 10;

impl Plan {
    pub(super) fn checked(&mut self, checked: Checked, config: &Config) {
        self.state.last_check_at = Some(self.now);
        self.state.next_check_at = None;
        match checked {
            Checked::Found { release, etag } => {
                self.state.latest = Some(release);
                self.state.last_etag = etag;
            }
            Checked::Prerelease { etag } => self.state.last_etag = etag,
            Checked::Limited { until } => self.state.next_check_at = until,
            Checked::Unchanged | Checked::Failed(_) => {}
        }
        mail::note_current(&mut self.state, config);
        let (Some(latest), Some(policy)) = (self.state.latest.clone(), self.policy(config)) else {
            return;
        };
        if policy.can_notify {
            let mail = mail::outdated(&mut self.state, &latest, self.now, config);
            self.mail(mail);
        }
        self.schedule(&latest, policy, config);
    }

    fn schedule(&mut self, latest: &Release, policy: Policy, config: &Config) {
        match &self.state.execution {
            Execution::Scheduled { .. } if !policy.can_auto => self.unschedule(),
            Execution::Scheduled {
                target_tag,
                scheduled_for,
                ..
            } => {
                // Later than one made now would be: the clock went back, or the grace is shorter.
                let is_late = *scheduled_for > self.due(policy, config);
                if *target_tag != latest.tag || is_late {
                    self.arm(&latest.tag, policy, config);
                }
            }
            Execution::Idle | Execution::Verified { .. } if policy.can_auto => {
                let is_cancelled = self.state.cancelled_tag.as_ref() == Some(&latest.tag);
                if !is_cancelled && is_safe_tag(&latest.tag) {
                    self.arm(&latest.tag, policy, config);
                }
            }
            _ => {}
        }
    }

    fn arm(&mut self, tag: &str, policy: Policy, config: &Config) {
        let at = self.due(policy, config);
        self.state.cancelled_tag = None;
        self.state.execution = Execution::Scheduled {
            target_tag: tag.to_owned(),
            scheduled_for: at,
            started_at: self.now,
        };
        self.effect(Effect::ArmTimer(at));
        let mail = mail::scheduled(&mut self.state, tag, at, config);
        self.mail(mail);
    }

    pub(super) fn unschedule(&mut self) {
        self.state.execution = Execution::Idle;
        self.effect(Effect::DropTimer);
    }

    /// When an update that is found now is installed.
    fn due(&self, policy: Policy, config: &Config) -> Timestamp {
        let grace = config.grace_minutes.min(LONGEST_GRACE);
        let grace = SignedDuration::from_mins(i64::try_from(grace).unwrap_or_default());
        let at = self.now.checked_add(grace).unwrap_or(Timestamp::MAX);
        match window(policy, config) {
            Some(window) => window.open_from(at, &config.zone).unwrap_or(at),
            None => at,
        }
    }

    pub(super) fn timer_fired(&mut self, config: &Config) {
        let Execution::Scheduled {
            target_tag,
            scheduled_for,
            ..
        } = &mut self.state.execution
        else {
            return;
        };
        if self.now < *scheduled_for {
            let at = *scheduled_for;
            return self.effect(Effect::ArmTimer(at));
        }
        let tag = target_tag.clone();
        let Some(policy) = self.policy(config).filter(|policy| policy.can_auto) else {
            return self.unschedule();
        };
        let now = self.now;
        let opening = match window(policy, config) {
            Some(window) if !window.contains(now, &config.zone) => {
                window.next_opening(now, &config.zone)
            }
            _ => None,
        };
        match (opening, &mut self.state.execution) {
            (Some(at), Execution::Scheduled { scheduled_for, .. }) => {
                *scheduled_for = at;
                self.effect(Effect::ArmTimer(at));
            }
            _ => {
                if config.node.is_some() {
                    // If it is another node's turn.
                    let later = self.after(NEXT_CLAIM_SECONDS);
                    self.effect(Effect::ArmTimer(later));
                }
                self.begin_in_turn(tag, Trigger::Auto, config);
            }
        }
    }
}

/// The window that has to be waited for.
fn window(policy: Policy, config: &Config) -> Option<Daily> {
    match config.window {
        Window::Daily(daily) if policy.can_autonomous => Some(daily),
        _ => None,
    }
}
