//! Output of a command, for people and for programs.
//!
//! People: rows as they come, a bar on the way if standard error is a terminal, a last line.
//! Programs: one JSON object in the end, whatever happens.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::operate::{Row, TaskEvent};
use telemetry::log::escaped::escape;

/// How often a bar changes in a second.
const BAR_HERTZ: u8 = 10;
/// What is over sooner has no bar: it would only flicker.
const UNSEEN: Duration = Duration::from_millis(400);
const COUNTED: &str = "{wide_bar} {human_pos} of {human_len}, {eta} left";
const MEASURED: &str = "{wide_bar} {percent} %, {eta} left";

pub(super) struct Display {
    json: bool,
    rows: Vec<Value>,
    bar: ProgressBar,
}

impl Display {
    /// Of work whose parts people can count.
    pub(super) fn new(json: bool) -> Display {
        Display::with_bar(json, COUNTED)
    }

    /// Of work whose parts mean nothing to them.
    pub(super) fn of_copying(json: bool) -> Display {
        Display::with_bar(json, MEASURED)
    }

    fn with_bar(json: bool, template: &str) -> Display {
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Display {
            json,
            rows: Vec::new(),
            bar,
        }
    }

    pub(super) fn update(&mut self, event: TaskEvent) {
        match event {
            TaskEvent::Progress { done, total } => self.progress(done, total),
            TaskEvent::Row(row) => self.row(row),
            TaskEvent::Bytes(_) | TaskEvent::End(_) | TaskEvent::Working => {}
        }
    }

    pub(super) fn progress(&self, done: u64, total: u64) {
        if self.bar.is_hidden() && self.bar.elapsed() >= UNSEEN {
            // Draws nothing where nobody watches.
            let target = ProgressDrawTarget::stderr_with_hz(BAR_HERTZ);
            self.bar.set_draw_target(target);
        }
        self.bar.set_length(total.max(1));
        self.bar.set_position(done);
    }

    pub(super) fn row(&mut self, row: Row) {
        if self.json {
            self.rows.push(row.data)
        } else {
            self.bar.suspend(|| print_line(&row.text))
        }
    }

    pub(super) fn end(self, outcome: Outcome) -> ExitCode {
        self.bar.finish_and_clear();
        let ok = outcome.as_ref().is_ok_and(|summary| summary.ok);
        match (self.json, outcome) {
            (true, outcome) => {
                let mut object = match outcome {
                    Ok(summary) => match summary.data {
                        Value::Object(object) => object,
                        other => Map::from_iter([("result".to_owned(), other)]),
                    },
                    Err(error) => Map::from_iter([("error".to_owned(), json!(error.to_string()))]),
                };
                object.insert("ok".to_owned(), json!(ok));
                if !self.rows.is_empty() {
                    object.insert("rows".to_owned(), Value::Array(self.rows));
                }
                print_line(&Value::Object(object).to_string());
            }
            (false, Ok(summary)) => print_line(&summary.text),
            (false, Err(error)) => {
                let error = format!("padsvc: {error}");
                let _ = match stderr().is_terminal() {
                    true => writeln!(stderr(), "{}", shown(&error)),
                    false => writeln!(stderr(), "{error}"),
                };
            }
        }
        if ok {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

fn print_line(line: &str) {
    // A reader that closes standard output early has seen enough; the exit code is still right.
    let _ = if stdout().is_terminal() {
        writeln!(stdout(), "{}", shown(line))
    } else {
        writeln!(stdout(), "{line}")
    };
}

/// What a terminal shows and does not obey: names of pads and texts of packages come from
/// anywhere.
fn shown(text: &str) -> String {
    let is_obeyed = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    let mut shown = String::with_capacity(text.len());
    for char in escape(text).chars() {
        match is_obeyed(char) {
            true => shown.extend(char.escape_unicode()),
            false => shown.push(char),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_that_is_shown() {
        for (text, expected) in [
            ("notes, é, 😀\n\tnext", "notes, é, 😀\n\tnext"),
            ("a\u{1b}[2Jb\u{9b}8m\r", "a\\u{1b}[2Jb\\u{9b}8m\\u{d}"),
            ("a\u{202e}b", "a\\u202eb"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn bars_look_as_they_are_meant_to() {
        for template in [COUNTED, MEASURED] {
            ProgressStyle::with_template(template).unwrap();
        }
    }
}
