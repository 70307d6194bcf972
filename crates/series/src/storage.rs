//! How fast the stored data grows, and how long the disk lasts at that rate.

use crate::HOUR_MILLIS;
use crate::totals::Totals;

/// Growth is that of so many hours: a month.
const HOURS: i64 = 30 * 24;
/// Of less than a day nothing follows.
const LEAST_HOURS: i64 = 24;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    pub bytes_per_day: f64,
    /// `None`: it does not grow, or the free space is not known.
    pub days_left: Option<f64>,
}

/// From hours in their order; `None` while too little is known.
pub fn growth(hours: &[(i64, Totals)], now_millis: i64, free_disk: Option<u64>) -> Option<Growth> {
    let from = now_millis.div_euclid(HOUR_MILLIS) - HOURS;
    let sized = |(hour, totals): &(i64, Totals)| Some((*hour, totals.storage?));
    let mut known = hours
        .iter()
        .filter_map(sized)
        .filter(|(hour, _)| *hour >= from);
    let first = known.next()?;
    let last = known.next_back()?;
    if last.0 - first.0 < LEAST_HOURS {
        return None;
    }
    let bytes_per_day = (last.1 as f64 - first.1 as f64) * 24.0 / (last.0 - first.0) as f64;
    let days_left = free_disk
        .filter(|_| bytes_per_day > 0.0)
        .map(|free| free as f64 / bytes_per_day);
    Some(Growth {
        bytes_per_day,
        days_left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(sizes: &[(i64, u64)]) -> Vec<(i64, Totals)> {
        let hour = |(hour, bytes): &(i64, u64)| {
            let storage = Some(*bytes);
            (
                *hour,
                Totals {
                    storage,
                    ..Totals::default()
                },
            )
        };
        sizes.iter().map(hour).collect()
    }

    #[test]
    fn growth_is_that_of_the_last_month() {
        let now = 2_000 * HOUR_MILLIS;
        let of = |sizes: &[(i64, u64)], free| growth(&hours(sizes), now, free);
        assert_eq!(of(&[], Some(1)), None);
        assert_eq!(
            of(&[(1_990, 5), (2_000, 9)], Some(1)),
            None,
            "less than a day"
        );
        let grows = of(&[(100, 0), (1_952, 1_000), (2_000, 3_000)], Some(10_000)).unwrap();
        assert_eq!(grows.bytes_per_day, 1_000.0);
        assert_eq!(grows.days_left, Some(10.0));
        let shrinks = of(&[(1_952, 3_000), (2_000, 1_000)], Some(10_000)).unwrap();
        assert_eq!(shrinks.days_left, None);
        let unknown = of(&[(1_952, 1_000), (2_000, 3_000)], None).unwrap();
        assert_eq!(unknown.days_left, None);
    }
}
