//! What an administrator should look at: shown by the overview, and sent by alerts. No condition is
//! a healthy service.

use alerts::{Condition, Kind};
use plugins::State;
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
/// Errors in the log matter for an hour.
const ERRORS_MILLIS: u64 = 60 * 60 * 1_000;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// Each with the numbers that the page has in its words. `growth` is unknown while nothing can be
/// read.
pub(crate) async fn conditions(state: &AdminState, growth: Option<Growth>) -> Vec<Condition> {
    let mut found = Vec::new();
    if let StorageState::Failing(reason) = &*state.service.storage().borrow() {
        let facts = json!({ "reason": reason.as_ref() });
        found.push(Condition::new(Kind::Storing, facts));
    }
    let disk = state.monitor.disk();
    found.extend(disk.and_then(|disk| full_disk(disk, growth)));
    let settings = &state.settings.alerts;
    let last = state.monitor.last(LATENCY_STEPS);
    found.extend(slow(&last, settings.slow_milliseconds));
    let now = state.service.now().millis();
    let ends = state.alerts.certificate_ends();
    found.extend(ends.and_then(|ends| expiring(ends, settings.certificate_days, now)));
    found.extend(errors_in_log(now));
    found.extend(live::update(state).and_then(|status| update(&status)));
    found.extend(plugins_that_are_off(state));
    found.extend(state.backups.problem().await);
    found
}

fn errors_in_log(now: i64) -> Option<Condition> {
    let now = u64::try_from(now).unwrap_or_default();
    let errors = recent::problems().into_iter();
    let errors = errors.filter(|line| line.is_error() && line.milliseconds + ERRORS_MILLIS > now);
    let count = errors.count();
    (count > 0).then(|| Condition::new(Kind::Log, json!({ "count": count })))
}

/// Those that failures have switched off, on this node.
fn plugins_that_are_off(state: &AdminState) -> Vec<Condition> {
    let Some(host) = &state.plugin_host else {
        return Vec::new();
    };
    let snapshot = state.plugins.registry().current();
    let names = snapshot.plugins.values().map(|plugin| plugin.name());
    let off = names.filter_map(|name| {
        let health = host
            .health(name)
            .filter(|health| health.state == State::Off)?;
        let facts = json!({ "name": name, "reason": health.reason });
        Some(Condition::new(Kind::Plugin, facts).about(name.as_str()))
    });
    off.collect()
}

fn expiring(ends: i64, days: u64, now: i64) -> Option<Condition> {
    let days = i64::try_from(days).unwrap_or(i64::MAX);
    let from = ends.saturating_sub(days.saturating_mul(DAY_MILLIS));
    let facts = || json!({ "ends": ends, "days": (ends - now).div_euclid(DAY_MILLIS).max(0) });
    (now >= from).then(|| Condition::new(Kind::Certificate, facts()))
}

fn full_disk(disk: DiskSpace, growth: Option<Growth>) -> Option<Condition> {
    let days = growth.and_then(|growth| growth.days_left);
    let is_full = disk.free < LEAST_FREE || disk.free < disk.total / LEAST_SHARE;
    let ends_soon = days.is_some_and(|days| days < LEAST_DAYS);
    let facts = || json!({ "free": disk.free, "days": days });
    (is_full || ends_soon).then(|| Condition::new(Kind::Disk, facts()))
}

fn slow(last: &series::Totals, longest_millis: u64) -> Option<Condition> {
    let millis = last.stored.quantile(0.95)?;
    let is_slow = last.stored.count() >= LEAST_CHANGES && millis > longest_millis as f64;
    is_slow.then(|| Condition::new(Kind::Latency, json!({ "ms": millis })))
}

/// A failed update, or a newer version.
fn update(status: &Value) -> Option<Condition> {
    let text = |place: &str| status.pointer(place).and_then(Value::as_str);
    let execution = text("/execution/status").unwrap_or_default();
    if ["preflight-failed", "rolled-back", "rollback-failed"].contains(&execution) {
        return Some(Condition::new(Kind::UpdateFailed, Value::Null));
    }
    let newest = text("/latest/version")?;
    let is_newer = text("/currentVersion") != Some(newest);
    is_newer.then(|| Condition::new(Kind::Update, json!({ "version": newest })).about(newest))
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
            .map(|condition| condition.to_json())
        };
        assert_eq!(status("idle", Value::Null), None);
        assert_eq!(status("idle", json!({ "version": "1.0.0" })), None);
        let newer = status("idle", json!({ "version": "1.1.0" }));
        assert_eq!(newer, Some(json!({ "kind": "update", "version": "1.1.0" })));
        let failed = status("rolled-back", json!({ "version": "1.1.0" }));
        assert_eq!(failed, Some(json!({ "kind": "updateFailed" })));
    }

    #[test]
    fn a_certificate_needs_a_look_some_days_before_it_ends() {
        let ends = 100 * DAY_MILLIS;
        let days = |now: i64| {
            let found = expiring(ends, 14, now)?;
            found.facts.get("days").and_then(Value::as_i64)
        };
        assert_eq!(days(ends - 14 * DAY_MILLIS - 1), None);
        assert_eq!(days(ends - 14 * DAY_MILLIS), Some(14));
        assert_eq!(days(ends - 1), Some(0));
        assert_eq!(days(ends + DAY_MILLIS), Some(0));
    }

    #[test]
    fn storing_is_slow_if_many_changes_took_longer_than_the_setting() {
        let stored = |count: u64| {
            let mut cumulative = [0; series::BUCKETS];
            cumulative[series::BUCKETS - 1] = count;
            series::Totals {
                stored: series::Latencies::of_cumulative(cumulative),
                ..series::Totals::default()
            }
        };
        assert_eq!(slow(&stored(19), 10), None);
        assert!(slow(&stored(20), 10).is_some());
        assert_eq!(slow(&stored(20), 60_000), None);
    }
}
