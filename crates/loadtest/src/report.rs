//! Reports: progress on standard error, the result on standard output.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _, stderr, stdout};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::LoadTest;
use super::measure::{Quantiles, Summary};

/// Where nobody watches, a line this often is enough.
const PLAIN_LINES: Duration = Duration::from_secs(5);

/// A line that changes in place on a terminal, and now and then a line elsewhere.
pub(crate) struct Display {
    bar: ProgressBar,
    last_line: Option<Mutex<Option<Instant>>>,
}

impl Display {
    pub(crate) fn new() -> Display {
        let bar = ProgressBar::new(1);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}") {
            bar.set_style(style);
        }
        Display {
            bar,
            last_line: (!stderr().is_terminal()).then(Mutex::default),
        }
    }

    pub(crate) fn getting_ready(&self, what: &str, done: usize, all: usize) {
        self.update(done as u64, all as u64, format!("{what}: {done} of {all}"));
    }

    pub(crate) fn typing(&self, passed: Duration, all: Duration, summary: &Summary) {
        let text = format!(
            "{} of {} s, {:.0} commits/s, 95 of 100 acknowledged within {}, seen within {}{}",
            passed.as_secs(),
            all.as_secs(),
            summary.rate(),
            milliseconds(summary.acknowledged.p95),
            milliseconds(summary.seen.p95),
            troubles(summary),
        );
        self.update(passed.as_millis() as u64, all.as_millis() as u64, text);
    }

    fn update(&self, done: u64, all: u64, text: String) {
        if let Some(last) = &self.last_line {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_none_or(|last| last.elapsed() >= PLAIN_LINES) {
                *last = Some(Instant::now());
                let _ = writeln!(stderr(), "{text}");
            }
        }
        self.bar.set_length(all.max(1));
        self.bar.set_position(done);
        self.bar.set_message(text);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
        self.bar.reset();
    }

    /// A part of the result.
    pub(crate) fn print(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(stdout(), "{text}");
        });
    }
}

fn troubles(summary: &Summary) -> String {
    match summary.errors.iter().map(|(_, count)| count).sum() {
        0 => String::new(),
        1 => ", 1 error".to_owned(),
        count => format!(", {count} errors"),
    }
}

/// The result of one measurement.
pub(crate) fn one(test: &LoadTest, summary: &Summary) -> String {
    let mut text = format!(
        "{} authors and {} readers in each of {} pads, {}, for {} s\n\n",
        test.authors,
        test.readers,
        test.pads,
        match test.interval {
            0 => "a commit after each answer".to_owned(),
            interval => format!("a commit every {interval} ms"),
        },
        summary.duration.as_secs(),
    );
    let _ = writeln!(
        text,
        "{:<14} {:>9} {:>9} {:>9} {:>9} {:>10}",
        "", "p50", "p95", "p99", "longest", "count"
    );
    let mut line = |name: &str, quantiles: &Quantiles| {
        let _ = writeln!(
            text,
            "{name:<14} {:>9} {:>9} {:>9} {:>9} {:>10}",
            milliseconds(quantiles.p50),
            milliseconds(quantiles.p95),
            milliseconds(quantiles.p99),
            milliseconds(quantiles.longest),
            quantiles.count,
        );
    };
    line("acknowledged", &summary.acknowledged);
    line("seen by others", &summary.seen);
    if summary.crossed.count > 0 {
        // From the acknowledgement on.
        line("other nodes", &summary.crossed);
    }
    let asked = match test.asked_rate() {
        Some(asked) => format!(" of {asked:.0} asked for"),
        None => String::new(),
    };
    let _ = write!(
        text,
        "\n{:.0} commits/s{asked}, {:.1} MB received, {:.1} MB sent, {} errors",
        summary.rate(),
        megabytes(summary.received),
        megabytes(summary.sent),
        summary.errors.iter().map(|(_, count)| count).sum::<u64>(),
    );
    push_errors(&mut text, summary);
    text
}

fn push_errors(text: &mut String, summary: &Summary) {
    for (error, count) in &summary.errors {
        let _ = write!(text, "\n  {count} times: {error}");
    }
}

/// The heading of a ramp's table.
pub(crate) fn heading() -> String {
    format!(
        "{:>8} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7}",
        "authors",
        "people",
        "commits/s",
        "ack p50",
        "ack p95",
        "ack p99",
        "seen p95",
        "seen p99",
        "errors"
    )
}

/// One step of a ramp.
pub(crate) fn row(test: &LoadTest, summary: &Summary) -> String {
    format!(
        "{:>8} {:>8} {:>10.0} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7}",
        test.authors,
        (test.authors + test.readers) * test.pads,
        summary.rate(),
        milliseconds(summary.acknowledged.p50),
        milliseconds(summary.acknowledged.p95),
        milliseconds(summary.acknowledged.p99),
        milliseconds(summary.seen.p95),
        milliseconds(summary.seen.p99),
        summary.errors.iter().map(|(_, count)| count).sum::<u64>(),
    )
}

/// How a ramp ended.
pub(crate) fn verdict(test: &LoadTest, most: Option<usize>, last: &Summary) -> String {
    let mut text = match most {
        Some(most) => format!(
            "\n{most} authors in each of {} pads are within {} ms",
            test.pads, test.limit
        ),
        None => format!(
            "\nthe first step is beyond {} ms already; begin with fewer --authors",
            test.limit
        ),
    };
    push_errors(&mut text, last);
    text
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1000.0)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
