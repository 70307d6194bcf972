//! Schedule of the checks for new releases: regularly, soon after a first failure, and not before
//! the code host allows it.

use jiff::{SignedDuration, Timestamp};

use crate::feed::Checked;
use crate::state::State;

/// The longest wait after a first failure: the network may not be up yet.
const RETRY: SignedDuration = SignedDuration::from_mins(15);
const LONGEST_INTERVAL_HOURS: u64 = 7 * 24;

#[derive(Clone, Debug)]
pub struct CheckSchedule {
    interval: SignedDuration,
    is_failing: bool,
}

impl CheckSchedule {
    pub fn new(interval_hours: u64) -> CheckSchedule {
        let hours = interval_hours.clamp(1, LONGEST_INTERVAL_HOURS);
        let hours = i64::try_from(hours).unwrap_or_default();
        CheckSchedule {
            interval: SignedDuration::from_hours(hours),
            is_failing: false,
        }
    }

    /// Whether the last check failed.
    pub fn is_failing(&self) -> bool {
        self.is_failing
    }

    /// The first check after a start.
    pub fn first(&self, state: &State, now: Timestamp) -> Timestamp {
        state.next_check_at.unwrap_or(now)
    }

    /// The next check after one that ended now.
    pub fn after(&mut self, checked: &Checked, now: Timestamp) -> Timestamp {
        let later = |wait| now.checked_add(wait).unwrap_or(Timestamp::MAX);
        let regular = later(self.interval);
        let had_failed = self.is_failing;
        self.is_failing = matches!(checked, Checked::Failed(_));
        match checked {
            Checked::Failed(_) if !had_failed => regular.min(later(RETRY)),
            Checked::Limited { until: Some(until) } => regular.max(*until),
            _ => regular,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn minutes(minutes: i64) -> Timestamp {
        NOW + SignedDuration::from_mins(minutes)
    }

    fn failed() -> Checked {
        Checked::Failed("no network".to_owned())
    }

    #[test]
    fn only_a_first_failure_is_retried_soon() {
        let mut schedule = CheckSchedule::new(6);
        for (checked, at) in [
            (failed(), 15),
            (failed(), 360),
            (Checked::Unchanged, 360),
            (failed(), 15),
        ] {
            assert_eq!(schedule.after(&checked, NOW), minutes(at), "{checked:?}");
        }
    }

    #[test]
    fn a_rate_limit_of_the_code_host_delays_a_check_and_never_hastens_it() {
        for (until, at) in [(None, 60), (Some(minutes(5)), 60), (Some(minutes(90)), 90)] {
            let next = CheckSchedule::new(1).after(&Checked::Limited { until }, NOW);
            assert_eq!(next, minutes(at), "{until:?}");
        }
    }

    #[test]
    fn a_start_waits_as_long_as_the_code_host_asked() {
        let schedule = CheckSchedule::new(1);
        let mut state = State::default();
        assert_eq!(schedule.first(&state, NOW), NOW);
        state.next_check_at = Some(minutes(90));
        assert_eq!(schedule.first(&state, NOW), minutes(90));
    }

    #[test]
    fn an_interval_is_an_hour_to_a_week() {
        for (hours, minutes_later) in [(0, 60), (2, 120), (u64::MAX, 7 * 24 * 60)] {
            let next = CheckSchedule::new(hours).after(&Checked::Unchanged, NOW);
            assert_eq!(next, minutes(minutes_later), "{hours}");
        }
    }
}
