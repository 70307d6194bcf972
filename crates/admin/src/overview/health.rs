//! What an administrator should look at. No problem is a healthy service.

use serde_json::{Value, json};
use series::Growth;
use service::StorageState;
use system::disk::DiskSpace;
use telemetry::log::recent;

use crate::AdminState;
use crate::live;

/// A disk is nearly full below this many bytes, or this share of it, or when it lasts so many days.
const LEAST_FREE: u64 = 1_000_000_000;
const LEAST_SHARE: u64 = 20;
const LEAST_DAYS: f64 = 14.0;
/// Latency is that of the last five minutes, if so many changes were stored.
const LATENCY_STEPS: usize = 30;
const LEAST_CHANGES: u64 = 20;
const SLOW_MILLIS: f64 = 1_000.0;
/// Errors in the log matter for an hour.
const ERRORS_MILLIS: u64 = 60 * 60 * 1_000;

/// Each with a `kind` that the page has words for, and the numbers in them.
pub(super) fn problems(
    state: &AdminState,
    disk: Option<DiskSpace>,
    growth: Option<Growth>,
) -> Vec<Value> {
    let mut problems = Vec::new();
    if let StorageState::Failing(reason) = &*state.service.storage().borrow() {
        problems.push(json!({ "kind": "storing", "reason": reason.as_ref() }));
    }
    problems.extend(disk.and_then(|disk| full_disk(disk, growth)));
    let last = state.monitor.last(LATENCY_STEPS);
    problems.extend(slow(&last));
    let now = u64::try_from(state.service.now().millis()).unwrap_or_default();
    let errors = recent::problems().into_iter();
    let errors = errors.filter(|line| line.is_error() && line.milliseconds + ERRORS_MILLIS > now);
    let count = errors.count();
    if count > 0 {
        problems.push(json!({ "kind": "log", "count": count }));
    }
    problems.extend(live::update(state).and_then(|status| update(&status)));
    problems
}

fn full_disk(disk: DiskSpace, growth: Option<Growth>) -> Option<Value> {
    let days = growth.and_then(|growth| growth.days_left);
    let is_full = disk.free < LEAST_FREE || disk.free < disk.total / LEAST_SHARE;
    let ends_soon = days.is_some_and(|days| days < LEAST_DAYS);
    (is_full || ends_soon).then(|| json!({ "kind": "disk", "free": disk.free, "days": days }))
}

fn slow(last: &series::Totals) -> Option<Value> {
    let millis = last.stored.quantile(0.95)?;
    let is_slow = last.stored.count() >= LEAST_CHANGES && millis > SLOW_MILLIS;
    is_slow.then(|| json!({ "kind": "latency", "ms": millis }))
}

/// A failed update, or a newer version.
fn update(status: &Value) -> Option<Value> {
    let text = |place: &str| status.pointer(place).and_then(Value::as_str);
    let execution = text("/execution/status").unwrap_or_default();
    if ["preflight-failed", "rolled-back", "rollback-failed"].contains(&execution) {
        return Some(json!({ "kind": "updateFailed" }));
    }
    let newest = text("/latest/version")?;
    let is_newer = text("/currentVersion") != Some(newest);
    is_newer.then(|| json!({ "kind": "update", "version": newest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_full_before_it_is() {
        const GB: u64 = 1_000_000_000;
        let space = |free, total| DiskSpace { free, total };
        let lasting = |days| {
            Some(Growth {
                bytes_per_day: 1.0,
                days_left: Some(days),
            })
        };
        assert_eq!(full_disk(space(50 * GB, 100 * GB), None), None);
        assert_eq!(full_disk(space(50 * GB, 100 * GB), lasting(90.0)), None);
        assert!(full_disk(space(50 * GB, 100 * GB), lasting(9.0)).is_some());
        assert!(full_disk(space(4 * GB, 100 * GB), None).is_some());
        assert!(full_disk(space(GB / 2, GB), lasting(900.0)).is_some());
    }

    #[test]
    fn updates_are_named_when_there_is_something_to_do() {
        let status = |execution: &str, latest: Value| {
            update(&json!({
                "currentVersion": "1.0.0",
                "latest": latest,
                "execution": { "status": execution },
            }))
        };
        assert_eq!(status("idle", Value::Null), None);
        assert_eq!(status("idle", json!({ "version": "1.0.0" })), None);
        let newer = status("idle", json!({ "version": "1.1.0" }));
        assert_eq!(newer, Some(json!({ "kind": "update", "version": "1.1.0" })));
        let failed = status("rolled-back", json!({ "version": "1.1.0" }));
        assert_eq!(failed, Some(json!({ "kind": "updateFailed" })));
    }
}
