//! What all readers make of a file: lines of text with styles and markers, and from these the runs
//! of a document.
//!
//! The runs are what comes in front of a pad's final newline, which is always there, and hold no
//! author: who imports is the caller's business.

use std::rc::Rc;

use changeset::{Attribute, NEWLINE, Text};

use crate::block::{Align, Heading, task_key};
use crate::declared::{Declared, Set};
use crate::lines::MAX_LEVEL;
use crate::links;
use crate::style::ON;
use crate::text_format::TextFormat;
use crate::{Error, Limits};

/// Text with the same attributes, these in the order of an attribute list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub text: Text,
    pub attributes: Vec<Attribute>,
}

/// Lines longer than this are broken into pieces of [`PIECE`] units: an editor that has to lay out
/// a line of a megabyte stands still.
const LONGEST_LINE: usize = 2010;

const PIECE: usize = 2000;

/// A line that was read: its text, and what each stretch of it is.
#[derive(Default)]
pub(crate) struct Line {
    pub text: Vec<u16>,
    pub runs: Vec<(usize, Kind)>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Text(TextFormat),
    /// The character in front of a line that is more than its text.
    Marker(Marker),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marker {
    pub list: Option<String>,
    /// The number of a list item.
    pub start: Option<u64>,
    pub heading: Option<Heading>,
    pub align: Option<Align>,
    /// Whether a task is done; `list` then only says how deep it is.
    pub task: Option<bool>,
    pub quote: bool,
    pub rule: bool,
    pub language: Option<Rc<str>>,
    pub declared: Set,
}

impl Marker {
    pub(crate) fn says_nothing(&self) -> bool {
        *self == Marker::default()
    }

    /// The level of the list, from 1.
    pub(crate) fn level(&self) -> Option<usize> {
        let list = self.list.as_deref()?;
        let digits = list.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.parse().ok()
    }
}

/// The value of a list attribute.
pub(crate) fn list_value(kind: &str, level: usize) -> String {
    format!("{kind}{}", level.clamp(1, MAX_LEVEL))
}

impl Line {
    pub(crate) fn push(&mut self, text: &str, kind: Kind) {
        let before = self.text.len();
        self.text.extend(text.encode_utf16());
        let chars = self.text.len() - before;
        match self.runs.last_mut() {
            _ if chars == 0 => {}
            Some((run, last)) if *last == kind => *run += chars,
            _ => self.runs.push((chars, kind)),
        }
    }

    pub(crate) fn is_marked(&self) -> bool {
        matches!(self.runs.first(), Some((_, Kind::Marker(_))))
    }

    /// Whether there is more than a marker.
    pub(crate) fn has_text(&self) -> bool {
        self.text.len() > usize::from(self.is_marked())
    }

    /// What the last characters look like.
    pub(crate) fn last_format(&self) -> Option<&TextFormat> {
        match self.runs.last() {
            Some((_, Kind::Text(format))) => Some(format),
            _ => None,
        }
    }

    /// The text from a place on, without the marker.
    pub(crate) fn text_since(&self, start: usize) -> String {
        let text = self.text.get(start.max(usize::from(self.is_marked()))..);
        String::from_utf16_lossy(text.unwrap_or_default())
    }

    /// Ends a link whose text started at a place: text that is the address itself needs none.
    /// Whether there is no text, so that the address has to be shown.
    #[must_use]
    pub(crate) fn end_link(&mut self, start: usize, address: &str) -> bool {
        let text = self.text_since(start);
        if links::is_written_out(&text, address) {
            // From the end: a line may have thousands of links.
            let mut at = self.text.len();
            for (chars, kind) in self.runs.iter_mut().rev() {
                at -= *chars;
                match kind {
                    Kind::Text(format) if at >= start => format.link = None,
                    _ => break,
                }
            }
        }
        text.is_empty()
    }

    /// Pushes what stands in front of a line, if it says anything.
    pub(crate) fn push_marker(&mut self, marker: Marker) {
        if !marker.says_nothing() {
            self.push("*", Kind::Marker(marker));
        }
    }
}

/// What a reader has read so far, as the runs it becomes: a line as such takes fifty times the
/// memory of its newline. What is beyond the limits is not kept, and makes the whole an error.
pub(crate) struct Content<'a> {
    limits: &'a Limits,
    lines: usize,
    units: usize,
    /// Neighbours of the same kind are joined.
    runs: Vec<(Text, Kind)>,
    exceeded: Option<Error>,
}

impl<'a> Content<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Content<'a> {
        Content {
            limits,
            lines: 0,
            units: 0,
            runs: Vec::new(),
            exceeded: None,
        }
    }

    /// The attributes beside those of the core that are read.
    pub(crate) fn declared(&self) -> &'a Declared {
        &self.limits.declared
    }

    /// How many lines there are.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// Adds a line, if it fits.
    pub(crate) fn push_line(&mut self, line: &Line) {
        if self.check(line).is_err() {
            return;
        }
        if self.lines > 0 {
            self.push(&[NEWLINE], &Kind::PLAIN);
        }
        self.lines += 1;
        self.push_broken(line);
    }

    /// Whether everything fits so far, and a line would that is not finished yet.
    pub(crate) fn check(&mut self, line: &Line) -> Result<(), Error> {
        let units = self.units.saturating_add(line.text.len());
        let runs = self.runs.len().saturating_add(line.runs.len());
        if self.exceeded.is_none() {
            if units > self.limits.text {
                self.exceeded = Some(Error::TextTooLong);
            } else if runs > self.limits.runs {
                self.exceeded = Some(Error::TooComplex);
            }
        }
        match &self.exceeded {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// The runs of these lines, each with its newline: the pad has an empty line behind them, so
    /// that what is appended does not join the last item of a list.
    pub(crate) fn whole_lines(mut self) -> Result<Vec<Run>, Error> {
        if self.lines > 0 {
            self.push(&[NEWLINE], &Kind::PLAIN);
        }
        self.joined_lines()
    }

    /// The runs of these lines, the last of which ends with the pad's final newline.
    pub(crate) fn joined_lines(mut self) -> Result<Vec<Run>, Error> {
        self.check(&Line::default())?;
        let run = |(text, kind): (Text, Kind)| Run {
            text,
            attributes: kind.attributes(),
        };
        Ok(self.runs.into_iter().map(run).collect())
    }

    fn push(&mut self, units: &[u16], kind: &Kind) {
        if units.is_empty() {
            return;
        }
        self.units = self.units.saturating_add(units.len());
        match self.runs.last_mut() {
            Some((text, last)) if last == kind => text.push_units(units),
            _ => self.runs.push((Text::from(units), kind.clone())),
        }
    }

    /// Pushes a line without its newline, broken if it is too long.
    fn push_broken(&mut self, line: &Line) {
        let breaks = line.text.len() > LONGEST_LINE;
        let mut rest = &*line.text;
        let mut column = 0;
        for (chars, kind) in &line.runs {
            let (mut run, after) = rest.split_at_checked(*chars).unwrap_or((rest, &[]));
            rest = after;
            while breaks && column + run.len() > PIECE {
                let (piece, more) = run.split_at(whole_characters(run, PIECE - column));
                self.push(piece, kind);
                self.push(&[NEWLINE], &Kind::PLAIN);
                run = more;
                column = 0;
            }
            self.push(run, kind);
            column += run.len();
        }
    }
}

/// A length of at most `length` units that does not end within a surrogate pair.
fn whole_characters(units: &[u16], length: usize) -> usize {
    let is_high = |unit: &u16| (0xd800..0xdc00).contains(unit);
    let splits_pair = length > 0 && units.get(length - 1).is_some_and(is_high);
    length - usize::from(splits_pair)
}

impl Kind {
    pub(crate) const PLAIN: Kind = Kind::Text(TextFormat::PLAIN);

    fn attributes(&self) -> Vec<Attribute> {
        match self {
            Kind::Text(format) => format.attributes(),
            Kind::Marker(marker) => marker.attributes(),
        }
    }
}

impl Marker {
    fn attributes(&self) -> Vec<Attribute> {
        let start = self.start.map(|start| start.to_string());
        let on = |is_on: bool| is_on.then_some(ON);
        // A task is indented by itself, the first level needs no list.
        let outer = self.level().and_then(|level| level.checked_sub(1));
        let list = match self.task {
            Some(_) => outer
                .filter(|&level| level > 0)
                .map(|level| list_value("indent", level)),
            None => self.list.clone(),
        };
        let task = |is_done: bool| self.task.filter(|&task| task == is_done).map(task_key);
        let attributes = [
            ("align", self.align.map(Align::value)),
            ("heading", self.heading.map(Heading::value)),
            ("hr", on(self.rule)),
            ("insertorder", Some("first")),
            ("lang", self.language.as_deref()),
            ("list", list.as_deref()),
            ("lmkr", Some("1")),
            ("quote", on(self.quote)),
            ("start", start.as_deref().filter(|_| self.task.is_none())),
            (task_key(true), task(true)),
            (task_key(false), task(false)),
        ];
        let attributes = attributes
            .into_iter()
            .filter_map(|(key, value)| Some(Attribute::new(key, value?)));
        let mut attributes: Vec<Attribute> =
            attributes.chain(self.declared.iter().cloned()).collect();
        attributes.sort_by(|a, b| a.key.cmp(&b.key));
        attributes
    }
}
