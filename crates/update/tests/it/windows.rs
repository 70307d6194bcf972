//! The maintenance window, on usual days and on those when clocks are changed.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use update::{Daily, Window};

use crate::data::{self, time};

#[test]
fn windows() {
    let mut zone = TimeZone::UTC;
    let mut window = None;
    data::check("windows.txt", |line| {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "zone" => zone = TimeZone::get(rest).unwrap(),
            "window" => {
                window = match data::window(rest) {
                    Window::Daily(daily) => Some(daily),
                    _ => None,
                };
            }
            moment => {
                let daily: Daily = window.unwrap();
                let moment = time(moment);
                let opening = daily.next_opening(moment, &zone).unwrap();
                return vec![format!(
                    "{}; opens next at {} ({})",
                    if daily.contains(moment, &zone) {
                        "open"
                    } else {
                        "closed"
                    },
                    opening,
                    zone.to_datetime(opening),
                )];
            }
        }
        Vec::new()
    });
}

proptest! {
    /// Looking minute by minute finds the same opening.
    #[test]
    fn the_next_opening_is_the_first(
        zone in prop::sample::select(vec![
            "UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata",
        ]),
        start in 0..1440_u16,
        length in 1..1440_u16,
        // Around both changes of clocks of 2026, or anywhere in that year.
        minute in prop_oneof![0..525_600_i64, 96_000..99_000_i64, 125_000..134_000_i64,
            425_000..444_000_i64],
    ) {
        let zone = TimeZone::get(zone).unwrap();
        let daily = Daily { start, end: (start + length) % 1440, utc: false };
        let after = time("2026-01-01T00:00Z") + SignedDuration::from_mins(minute);
        let mut moment = after;
        let mut was_open = daily.contains(moment, &zone);
        let first = loop {
            moment += SignedDuration::from_mins(1);
            let is_open = daily.contains(moment, &zone);
            if is_open && !was_open {
                break moment;
            }
            was_open = is_open;
        };
        prop_assert_eq!(daily.next_opening(after, &zone), Some(first));
    }
}
