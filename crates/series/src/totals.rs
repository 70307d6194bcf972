//! Sums over a stretch of time, and over nodes, from which every number of a chart is made.

use serde_json::{Map, Value, json};

use crate::latencies::Latencies;
use crate::step::Step;
use crate::{STEP_MILLIS, latencies::BUCKETS};

/// What the numbers of a [`Point`] are, in their order. Latencies are in milliseconds, sizes in
/// bytes, changes by the second, calls and errors by the minute.
pub const SERIES: [&str; 12] = [
    "people",
    "connections",
    "changes",
    "storedP50",
    "storedP95",
    "deliveredP50",
    "deliveredP95",
    "calls",
    "errors",
    "memory",
    "storage",
    "freeDisk",
];

pub type Point = [Option<f64>; SERIES.len()];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many steps were measured.
    pub steps: u64,
    /// Sums over the steps.
    pub people: u64,
    pub connections: u64,
    pub memory: u64,
    pub changes: u64,
    pub calls: u64,
    pub errors: u64,
    /// The last that are known.
    pub storage: Option<u64>,
    pub free_disk: Option<u64>,
    pub stored: Latencies,
    pub delivered: Latencies,
}

impl Totals {
    pub fn of(step: &Step) -> Totals {
        Totals {
            steps: 1,
            people: step.gauges.people,
            connections: step.gauges.connections,
            memory: step.gauges.memory,
            changes: step.changes.into(),
            calls: step.calls.into(),
            errors: step.errors.into(),
            storage: step.gauges.storage,
            free_disk: step.gauges.free_disk,
            stored: step.stored(),
            delivered: step.delivered(),
        }
    }

    /// Adds what came later, or what another node has counted at the same time.
    pub fn join(&mut self, later: &Totals) {
        for (sum, more) in [
            (&mut self.steps, later.steps),
            (&mut self.people, later.people),
            (&mut self.connections, later.connections),
            (&mut self.memory, later.memory),
            (&mut self.changes, later.changes),
            (&mut self.calls, later.calls),
            (&mut self.errors, later.errors),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.storage = later.storage.or(self.storage);
        self.free_disk = later.free_disk.or(self.free_disk);
        self.stored.join(&later.stored);
        self.delivered.join(&later.delivered);
    }

    /// The numbers of a stretch of so many milliseconds. Of several nodes there are more steps than
    /// fit into it; their people add up. A part that was not measured does not count as empty.
    pub fn point(&self, width_millis: i64) -> Point {
        let most = u64::try_from(width_millis / STEP_MILLIS).unwrap_or_default();
        let steps = self.steps.min(most.max(1));
        if steps == 0 {
            return Point::default();
        }
        let mean = |sum: u64| Some(sum as f64 / steps as f64);
        let seconds = steps as f64 * STEP_MILLIS as f64 / 1_000.0;
        let per_minute = |count: u64| Some(count as f64 * 60.0 / seconds);
        [
            mean(self.people),
            mean(self.connections),
            Some(self.changes as f64 / seconds),
            self.stored.quantile(0.5),
            self.stored.quantile(0.95),
            self.delivered.quantile(0.5),
            self.delivered.quantile(0.95),
            per_minute(self.calls),
            per_minute(self.errors),
            mean(self.memory),
            self.storage.map(|bytes| bytes as f64),
            self.free_disk.map(|bytes| bytes as f64),
        ]
    }

    /// As it is stored. Names that a later release adds are left out by this one.
    pub fn to_json(&self) -> String {
        json!({
            "steps": self.steps,
            "people": self.people,
            "connections": self.connections,
            "memory": self.memory,
            "changes": self.changes,
            "calls": self.calls,
            "errors": self.errors,
            "storage": self.storage,
            "freeDisk": self.free_disk,
            "stored": self.stored.0,
            "delivered": self.delivered.0,
        })
        .to_string()
    }

    /// What is missing counts as none. `None`: it is no object.
    pub fn from_json(text: &str) -> Option<Totals> {
        let value: Value = serde_json::from_str(text).ok()?;
        let map = value.as_object()?;
        let optional = |name: &str| map.get(name).and_then(Value::as_u64);
        let number = |name: &str| optional(name).unwrap_or_default();
        Some(Totals {
            steps: number("steps"),
            people: number("people"),
            connections: number("connections"),
            memory: number("memory"),
            changes: number("changes"),
            calls: number("calls"),
            errors: number("errors"),
            storage: optional("storage"),
            free_disk: optional("freeDisk"),
            stored: latencies(map, "stored"),
            delivered: latencies(map, "delivered"),
        })
    }
}

fn latencies(map: &Map<String, Value>, name: &str) -> Latencies {
    let mut counts = [0; BUCKETS];
    let found = map.get(name).and_then(Value::as_array);
    for (bucket, count) in counts.iter_mut().zip(found.into_iter().flatten()) {
        *bucket = count.as_u64().unwrap_or_default();
    }
    Latencies(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HOUR_MILLIS;

    fn hour(people: u64, steps: u64) -> Totals {
        Totals {
            steps,
            people: people * steps,
            changes: 5 * 10 * steps,
            calls: 10 * steps,
            ..Totals::default()
        }
    }

    fn people(totals: &Totals) -> Option<f64> {
        totals.point(HOUR_MILLIS)[0]
    }

    #[test]
    fn nodes_add_up_and_times_are_averaged() {
        let full = 360;
        assert_eq!(people(&Totals::default()), None);
        assert_eq!(people(&hour(7, full)), Some(7.0));
        assert_eq!(
            people(&hour(7, 10)),
            Some(7.0),
            "a part of an hour is no less busy"
        );
        let mut nodes = hour(7, full);
        nodes.join(&hour(3, full));
        assert_eq!(people(&nodes), Some(10.0));
        let mut restarted = hour(8, 180);
        restarted.join(&hour(4, 180));
        assert_eq!(people(&restarted), Some(6.0));
        let point = hour(7, full).point(HOUR_MILLIS);
        assert_eq!((point[2], point[7]), (Some(5.0), Some(60.0)));
    }

    #[test]
    fn what_is_stored_is_read_again_and_by_other_releases() {
        let mut totals = hour(7, 3);
        totals.storage = Some(9);
        totals.stored.0[4] = 8;
        assert_eq!(Totals::from_json(&totals.to_json()), Some(totals));
        let other = r#"{"steps": 2, "stored": [1], "later": true}"#;
        let read = Totals::from_json(other).unwrap();
        assert_eq!(
            (read.steps, read.stored.count(), read.storage),
            (2, 1, None)
        );
        assert_eq!(Totals::from_json("[]"), None);
    }
}
