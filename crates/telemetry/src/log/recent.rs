//! The last warnings and errors of the log, for the admin area. They are what the log says, no
//! more, and are gone when the program ends.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use super::escaped::escape;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

const KEPT: usize = 50;
const LONGEST_LINE: usize = 500;

static LINES: Mutex<VecDeque<Line>> = Mutex::new(VecDeque::new());

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub milliseconds: u64,
    pub is_error: bool,
    pub text: String,
}

/// The newest last.
pub fn lines() -> Vec<Line> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.iter().cloned().collect()
}

/// Remembers what passes by.
pub struct Recent;

impl<S: Subscriber> Layer<S> for Recent {
    #[expect(
        clippy::disallowed_methods,
        reason = "a log line has the time it was written"
    )]
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let level = *event.metadata().level();
        if level > Level::WARN {
            return;
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        let since = UNIX_EPOCH.elapsed().unwrap_or_default();
        let line = Line {
            milliseconds: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            is_error: level == Level::ERROR,
            text: escape(&text.0).chars().take(LONGEST_LINE).collect(),
        };
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(line);
        let surplus = lines.len().saturating_sub(KEPT);
        lines.drain(..surplus);
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
    fn warnings_and_errors_are_remembered_and_nothing_else() {
        let log = tracing_subscriber::registry().with(Recent);
        tracing::subscriber::with_default(log, || {
            tracing::info!("calm");
            tracing::error!(number = 7, "broken");
            for round in 0..KEPT {
                tracing::warn!("odd {round}");
            }
        });
        let lines = lines();
        assert_eq!(lines.len(), KEPT);
        // Other tests may have warned meanwhile.
        assert!(
            lines
                .iter()
                .any(|line| line.text == "odd 49 " && !line.is_error)
        );
        assert!(lines.iter().all(|line| !line.text.contains("calm")));
    }
}
