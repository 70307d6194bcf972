//! The maintenance window: when updates may be installed without anybody asking for it.
//!
//! A moment is inside when the clock on the wall says so; on the days when clocks are changed, too.
//! So the next opening is the first moment at which the clock shows a time in the window, whether
//! it got there by going or by being set.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// What the settings say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Unset,
    /// Something is set that cannot be understood.
    Invalid,
    Daily(Daily),
}

/// In minutes after midnight; the end is not part of it, and may be on the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Daily {
    pub start: u16,
    pub end: u16,
    /// In UTC, in place of the zone of the machine.
    pub utc: bool,
}

/// Clocks are changed so seldom that a window opens within this many days.
const DAYS: i64 = 9;

impl Daily {
    pub fn contains(self, moment: Timestamp, zone: &TimeZone) -> bool {
        let clock = self.zone(zone).to_datetime(moment);
        let minute = clock.hour() as u16 * 60 + clock.minute() as u16;
        if self.start < self.end {
            (self.start..self.end).contains(&minute)
        } else {
            minute >= self.start || minute < self.end
        }
    }

    /// The first moment after this one at which the window opens.
    pub fn next_opening(self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let zone = self.zone(zone);
        let until = after
            .checked_add(SignedDuration::from_hours(24 * DAYS))
            .ok()?;
        let today = zone.to_datetime(after).date();
        let days = (0..=DAYS).filter_map(|day| today.checked_add(day.days()).ok());
        let starts = days.flat_map(|day| self.starts_on(day, &zone));
        // The clock may also be set to a time in the window.
        let changes = zone.following(after).map(|change| change.timestamp());
        let changes = changes.take_while(|change| *change <= until);
        let second = SignedDuration::from_secs(1);
        let opens = |moment: &Timestamp| {
            let before = moment.checked_sub(second).unwrap_or(after).max(after);
            *moment > after && self.contains(*moment, &zone) && !self.contains(before, &zone)
        };
        starts.chain(changes).filter(opens).min()
    }

    /// The moment itself if the window is open, or the next opening.
    pub fn open_from(self, moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self.contains(moment, zone) {
            Some(moment)
        } else {
            self.next_opening(moment, zone)
        }
    }

    fn zone(self, local: &TimeZone) -> TimeZone {
        if self.utc {
            TimeZone::UTC
        } else {
            local.clone()
        }
    }

    /// When the clock shows the start on a day: once, or twice, or, if it is set past it, never.
    fn starts_on(self, day: Date, zone: &TimeZone) -> Vec<Timestamp> {
        let (hour, minute) = ((self.start / 60) as i8, (self.start % 60) as i8);
        let Ok(time) = Time::new(hour, minute, 0, 0) else {
            return Vec::new();
        };
        let ambiguous = zone.to_ambiguous_timestamp(day.to_datetime(time));
        let both = [ambiguous.earlier(), ambiguous.later()];
        both.into_iter().flatten().collect()
    }
}
