//! What is sent over time, as tables, and what holds whatever happens.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const MINUTE: i64 = 60 * 1_000;
const START: i64 = 500_000 * HOUR;

fn condition(name: &str) -> Condition {
    let (kind, about) = name.split_once(':').unwrap_or((name, ""));
    let json = json!({ "kind": kind });
    Condition::from_json(&json, about).unwrap()
}

/// Looks every minute from one time to another, and gives what is sent: minute, event, key.
struct Clock {
    state: State,
    minute: i64,
    sent: Vec<(i64, Event, String)>,
}

impl Clock {
    fn new() -> Clock {
        Clock {
            state: State::default(),
            minute: 0,
            sent: Vec::new(),
        }
    }

    fn until(&mut self, minute: i64, names: &[&str]) {
        let seen: Vec<Condition> = names.iter().map(|name| condition(name)).collect();
        while self.minute < minute {
            let (state, alerts) = step(&self.state, START + self.minute * MINUTE, &seen);
            self.state = State::from_json(&state.to_json()).unwrap();
            assert_eq!(self.state, state);
            let alerts = alerts.into_iter();
            let sent = alerts.map(|alert| (self.minute, alert.event, alert.key));
            self.sent.extend(sent);
            self.minute += 1;
        }
    }
}

#[test]
fn alerts_begin_are_repeated_and_end() {
    use Event::{Began, Reminder, Resolved};
    const DAY: i64 = 24 * 60;
    // What was wrong until when, in minutes; what is sent when.
    type Case<'a> = (&'a [(i64, &'a [&'a str])], &'a [(i64, Event, &'a str)]);
    let cases: &[Case] = &[
        // Not for a moment of it, nor for the log.
        (&[(10, &["disk"]), (100, &[])], &[]),
        (&[(1_000, &["log"])], &[]),
        // Once, and that it is over after it was over for an hour.
        (
            &[(20, &["disk"]), (200, &[])],
            &[(10, Began, "disk"), (80, Resolved, "disk")],
        ),
        // A short relief is none.
        (
            &[(20, &["disk"]), (79, &[]), (90, &["disk"]), (200, &[])],
            &[(10, Began, "disk"), (150, Resolved, "disk")],
        ),
        // Once a day as long as it lasts.
        (
            &[(2 * DAY + 2, &["storing"])],
            &[
                (1, Began, "storing"),
                (DAY + 1, Reminder, "storing"),
                (2 * DAY + 1, Reminder, "storing"),
            ],
        ),
        // Plugins one by one.
        (
            &[
                (3, &["plugin:a"]),
                (20, &["plugin:a", "plugin:b"]),
                (40, &["plugin:b"]),
            ],
            &[
                (1, Began, "plugin:a"),
                (4, Began, "plugin:b"),
                (25, Resolved, "plugin:a"),
            ],
        ),
        // The newest version, at once if there was another; no message that it is installed.
        (
            &[
                (100, &["update:1.1.0"]),
                (200, &["update:1.2.0"]),
                (400, &[]),
            ],
            &[(60, Began, "update"), (100, Began, "update")],
        ),
        // What matters most comes first.
        (
            &[(12, &["disk", "storing", "latency"])],
            &[
                (1, Began, "storing"),
                (5, Began, "latency"),
                (10, Began, "disk"),
            ],
        ),
    ];
    for (course, expected) in cases {
        let mut clock = Clock::new();
        for (minute, names) in *course {
            clock.until(*minute, names);
        }
        let sent: Vec<(i64, Event, &str)> = clock
            .sent
            .iter()
            .map(|(minute, event, key)| (*minute, *event, key.as_str()))
            .collect();
        assert_eq!(sent, *expected, "{course:?}");
    }
}

#[test]
fn what_is_over_the_bound_is_sent_later() {
    let names: Vec<String> = (0..25)
        .map(|number| format!("plugin:{number:02}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut clock = Clock::new();
    clock.until(200, &names);
    let minutes: Vec<i64> = clock.sent.iter().map(|(minute, ..)| *minute).collect();
    let expected = [vec![1; 10], vec![61; 10], vec![121; 5]].concat();
    assert_eq!(minutes, expected);
    assert_eq!(clock.state.active().len(), 25);
}

#[test]
fn a_clock_that_goes_back_keeps_nothing_quiet() {
    let seen = [condition("storing")];
    let (state, _) = step(&State::default(), START, &seen);
    let (state, began) = step(&state, START + MINUTE, &seen);
    assert_eq!(began.len(), 1);
    // A year back.
    let then = START - 365 * 24 * HOUR;
    let (state, quiet) = step(&state, then, &seen);
    assert_eq!(quiet, []);
    let (_, again) = step(&state, then + 24 * HOUR, &seen);
    assert_eq!(again[0].event, Event::Reminder);
}

#[test]
fn what_another_release_has_written_survives() {
    let text = br#"{"standing": {"moon": {"since": 1, "sent": 2, "phase": "full"},
        "disk": {"since": 1, "sent": 2, "about": "", "more": 3}}, "sent": [], "newer": true}"#;
    let state = State::from_json(text).unwrap();
    let (next, _) = step(&state, START, &[condition("disk")]);
    let json: Value = serde_json::from_slice(&next.to_json()).unwrap();
    assert_eq!(json["standing"]["moon"]["phase"], "full");
    assert_eq!(json["standing"]["disk"]["more"], 3);
    assert_eq!(json["newer"], true);
    assert_eq!(
        next.active().len(),
        1,
        "nothing is shown that has no words here"
    );
}

const NAMES: [&str; 6] = [
    "storing", "disk", "latency", "update:1", "plugin:a", "plugin:b",
];

proptest! {
    // Each looks at thousands of minutes.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_happens_messages_are_bounded_and_in_order(
        course in prop::collection::vec(
            (1i64..200, prop::collection::vec(any::<bool>(), NAMES.len())),
            1..12,
        ),
    ) {
        let mut clock = Clock::new();
        let mut minute = 0;
        for (minutes, flags) in &course {
            minute += minutes;
            let chosen = NAMES.iter().zip(flags).filter(|(_, chosen)| **chosen);
            let names: Vec<&str> = chosen.map(|(name, _)| *name).collect();
            clock.until(minute, &names);
        }
        // Everything ends, and nothing more is sent.
        clock.until(minute + 300, &[]);
        prop_assert!(clock.state.active().is_empty());
        for (at, ..) in &clock.sent {
            let in_hour = clock.sent.iter().filter(|(other, ..)| (at - 59..=*at).contains(other));
            prop_assert!(in_hour.count() <= PER_HOUR);
        }
        for name in NAMES {
            let key = condition(name).key();
            let mut last: Option<(i64, Event)> = None;
            for (at, event, _) in clock.sent.iter().filter(|(.., sent)| *sent == key) {
                let (before, was) = last.map_or((0, None), |(at, event)| (at, Some(event)));
                let is_open = matches!(was, Some(Event::Began | Event::Reminder));
                let is_in_order = match event {
                    Event::Began => !is_open || key == "update",
                    Event::Reminder => is_open && at - before >= 24 * 60,
                    Event::Resolved => is_open && key != "update",
                };
                prop_assert!(is_in_order, "{key} {event:?} at {at} after {was:?} at {before}");
                last = Some((*at, *event));
            }
            let is_open = matches!(last, Some((_, Event::Began | Event::Reminder)));
            prop_assert!(!is_open || key == "update", "{key} was not resolved");
        }
    }
}
