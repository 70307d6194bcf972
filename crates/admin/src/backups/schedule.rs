//! When a backup is due, and when it is late.

use serde_json::Value;

const MINUTE_MILLIS: i64 = 60 * 1_000;
const HOUR_MILLIS: i64 = 60 * MINUTE_MILLIS;
/// A failed one is tried again after this time.
const RETRY_MILLIS: i64 = 15 * MINUTE_MILLIS;
/// So much later than planned is late.
const GRACE_MILLIS: i64 = HOUR_MILLIS;

/// What became of scheduled backups, in milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct History {
    /// Since when there could be one.
    pub since: i64,
    pub succeeded: Option<i64>,
    pub tried: Option<i64>,
    pub failure: Option<String>,
}

impl History {
    pub(super) fn of(record: &Value, since: i64) -> History {
        let time = |name: &str| record.get(name).and_then(Value::as_i64);
        let failure = record.get("scheduleFailure").and_then(Value::as_str);
        History {
            since,
            succeeded: time("scheduled"),
            tried: time("tried"),
            failure: failure.map(str::to_owned),
        }
    }

    pub(super) fn is_due(&self, every_hours: u64, now: i64) -> bool {
        let every = millis(every_hours);
        // A time that is yet to come is that of a wrong clock.
        let over = |time: Option<i64>, pause: i64| {
            time.filter(|time| *time <= now)
                .is_none_or(|time| time.saturating_add(pause) <= now)
        };
        every > 0 && over(self.succeeded, every) && over(self.tried, RETRY_MILLIS.min(every))
    }

    pub(super) fn is_late(&self, every_hours: u64, now: i64) -> bool {
        let every = millis(every_hours);
        let last = self.succeeded.unwrap_or(self.since);
        let is_overdue = last.saturating_add(every).saturating_add(GRACE_MILLIS) < now;
        // A start makes up for what was due while nothing ran.
        let had_time = self.since.saturating_add(GRACE_MILLIS) < now;
        every > 0 && (self.failure.is_some() || is_overdue && had_time)
    }
}

fn millis(hours: u64) -> i64 {
    i64::try_from(hours)
        .unwrap_or(i64::MAX)
        .saturating_mul(HOUR_MILLIS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000 * HOUR_MILLIS;

    fn history(succeeded: Option<i64>, tried: Option<i64>) -> History {
        let ago = |age: i64| NOW - age * MINUTE_MILLIS;
        History {
            since: ago(9_000),
            succeeded: succeeded.map(ago),
            tried: tried.map(ago),
            failure: None,
        }
    }

    #[test]
    fn a_backup_is_due_when_the_last_is_old_and_a_failed_one_waits() {
        // Every so many hours; the last success and the last attempt, in minutes before now.
        for (every, succeeded, tried, due) in [
            (0, None, None, false),
            (24, None, None, true),
            (24, Some(23 * 60), Some(23 * 60), false),
            (24, Some(24 * 60), Some(24 * 60), true),
            (24, Some(25 * 60), Some(14), false),
            (24, Some(25 * 60), Some(15), true),
            (24, None, Some(14), false),
            (1, Some(60), Some(60), true),
            // A clock that was a day ahead.
            (24, Some(-24 * 60), Some(-24 * 60), true),
        ] {
            let found = history(succeeded, tried).is_due(every, NOW);
            assert_eq!(found, due, "{every} {succeeded:?} {tried:?}");
        }
    }

    #[test]
    fn a_backup_is_late_after_an_hour_or_a_failure() {
        assert!(!history(Some(25 * 60), None).is_late(24, NOW));
        assert!(history(Some(25 * 60 + 1), None).is_late(24, NOW));
        assert!(!history(Some(9_000), None).is_late(0, NOW));
        assert!(history(None, None).is_late(24, NOW));
        let mut failed = history(Some(5), Some(5));
        assert!(!failed.is_late(24, NOW));
        failed.failure = Some("no room".to_owned());
        assert!(failed.is_late(24, NOW));
        let mut started = history(Some(9_000), None);
        started.since = NOW;
        assert!(!started.is_late(24, NOW));
    }
}
