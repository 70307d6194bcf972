//! The last lines of the log, for the admin area. They are what the log says, no more, and are gone
//! when the program ends.
//!
//! Invariant: what is kept is bounded, for each kind of line by itself. So requests do not push out
//! errors, however many there are.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use super::ACCESS;
use super::escaped::one_line;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// How many lines are kept of errors, warnings, what is said for information or to find faults, and
/// requests. With lines of 100 bytes it is a quarter of a megabyte.
const KEPT: [usize; KINDS] = [200, 200, 800, 800];
const KINDS: usize = 4;
const LONGEST_LINE: usize = 500;
/// How many warnings and errors an overview shows.
const PROBLEMS: usize = 50;

static LINES: Mutex<Lines> = Mutex::new(Lines {
    last: 0,
    kinds: [const { VecDeque::new() }; KINDS],
});

struct Lines {
    /// The number of the newest line.
    last: u64,
    kinds: [VecDeque<Line>; KINDS],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Lines are counted from 1.
    pub number: u64,
    pub milliseconds: u64,
    pub level: Level,
    /// The part of the program that it is from.
    pub target: &'static str,
    pub text: String,
}

impl Line {
    pub fn is_error(&self) -> bool {
        self.level == Level::ERROR
    }
}

/// Those with a higher number that are kept, the newest last.
pub fn after(number: u64) -> Vec<Line> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let newer = |kind: &VecDeque<Line>| {
        let from = kind.partition_point(|line| line.number <= number);
        kind.iter().skip(from).cloned().collect::<Vec<_>>()
    };
    let mut found: Vec<Line> = lines.kinds.iter().flat_map(newer).collect();
    drop(lines);
    found.sort_unstable_by_key(|line| line.number);
    found
}

/// The last warnings and errors, the newest last.
pub fn problems() -> Vec<Line> {
    let mut found = after(0);
    found.retain(|line| line.level <= Level::WARN);
    let surplus = found.len().saturating_sub(PROBLEMS);
    found.split_off(surplus)
}

/// Remembers what passes by.
pub struct Recent;

impl<S: Subscriber> Layer<S> for Recent {
    #[expect(
        clippy::disallowed_methods,
        reason = "a log line has the time it was written"
    )]
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        let mut text = Text(String::new());
        event.record(&mut text);
        let since = UNIX_EPOCH.elapsed().unwrap_or_default();
        let mut line = Line {
            number: 0,
            milliseconds: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            level,
            target,
            text: one_line(text.0.trim_end())
                .chars()
                .take(LONGEST_LINE)
                .collect(),
        };
        let kind = kind(level, target);
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.last += 1;
        line.number = lines.last;
        let (Some(lines), Some(kept)) = (lines.kinds.get_mut(kind), KEPT.get(kind)) else {
            return;
        };
        lines.push_back(line);
        let surplus = lines.len().saturating_sub(*kept);
        lines.drain(..surplus);
    }
}

fn kind(level: Level, target: &str) -> usize {
    match level {
        Level::ERROR => 0,
        Level::WARN => 1,
        _ if target == ACCESS => 3,
        _ => 2,
    }
}

/// The message, and whatever else an event carries, as `name=value`.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a text cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?} "),
            name => write!(self.0, "{name}={value:?} "),
        };
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn lines_of_each_kind_are_remembered_in_their_order() {
        let log = tracing_subscriber::registry().with(Recent);
        tracing::subscriber::with_default(log, || {
            tracing::error!(number = 7, "broken\nin two");
            tracing::debug!("at length {}", "x".repeat(LONGEST_LINE));
            for round in 0..2_000 {
                tracing::info!(target: ACCESS, "request {round}");
                tracing::info!("calm {round}");
                tracing::warn!("odd {round}");
            }
        });
        let lines = after(0);
        assert_eq!(lines.len(), 1 + 200 + 800 + 800);
        assert!(lines.is_sorted_by(|one, other| one.number < other.number));
        let [first, .., last] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert_eq!(first.text, "broken\\nin two number=7");
        assert_eq!(first.target, module_path!());
        assert!(first.is_error());
        assert_eq!((last.text.as_str(), last.level), ("odd 1999", Level::WARN));
        assert!(lines.iter().any(|line| line.text == "request 1999"));
        assert_eq!(after(last.number), []);
        assert_eq!(after(last.number - 1), std::slice::from_ref(last));
        let problems = problems();
        assert_eq!(problems.len(), PROBLEMS);
        assert!(problems.iter().all(|line| line.text.starts_with("odd")));
    }
}
