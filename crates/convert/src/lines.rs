//! A document line by line, as all writers see it.
//!
//! A line that is an item of a list, a heading or aligned starts with a marker character that
//! carries the attributes of that. Here the marker becomes fields of the line and leaves the text;
//! a marker that says nothing we know is ordinary text. The runs of a line cover its text exactly,
//! and no two neighbours have the same attributes.

use changeset::{Attribs, Document, NEWLINE, Text, text_lines};

use crate::block::{Align, Heading, LINE_KEYS, TASK, language, task_of_key};
use crate::declared::{Found, Kind, Meanings};
use crate::style::ON;

/// Deeper lists are written as this deep: a level is a number that anyone may have sent, and each
/// one is written as a tag of its own.
pub(crate) const MAX_LEVEL: usize = 16;

#[derive(Default)]
pub(crate) struct Line<'a> {
    /// Without marker and newline.
    pub text: Text,
    pub runs: Vec<Run<'a>>,
    pub list: Option<List<'a>>,
    pub heading: Option<Heading>,
    pub align: Option<Align>,
    /// Whether a task is done. Its list has the kind [`TASK`].
    pub task: Option<bool>,
    pub is_quote: bool,
    pub is_rule: bool,
    /// Of a line of code, its language.
    pub language: Option<&'a str>,
    /// Attributes that extensions declared, by key.
    pub declared: Vec<Found<'a>>,
}

/// Units of a line with the same attributes.
pub(crate) struct Run<'a> {
    pub chars: usize,
    pub attribs: &'a Attribs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List<'a> {
    /// `bullet`, `number`, `indent`, [`TASK`] or a word of an extension.
    pub kind: &'a str,
    /// From 1 to [`MAX_LEVEL`].
    pub level: usize,
    /// The number of a numbered item, if it is a positive one.
    pub start: Option<u32>,
}

pub(crate) fn lines<'a>(document: &'a Document, meanings: Meanings<'a>) -> Vec<Line<'a>> {
    let mut lines = Vec::with_capacity(document.newlines());
    let mut line = Line::default();
    for piece in document.pieces(0..document.len()) {
        for part in text_lines(piece.units) {
            match part.split_last() {
                Some((&NEWLINE, units)) => {
                    line.push(units, piece.attribs);
                    line.take_marker(piece.attribs, meanings);
                    lines.push(std::mem::take(&mut line));
                }
                _ => line.push(part, piece.attribs),
            }
        }
    }
    // A document ends in a newline. One that does not still loses nothing.
    if let Some(run) = line.runs.first() {
        line.take_marker(run.attribs, meanings);
        lines.push(line);
    }
    lines
}

impl<'a> Line<'a> {
    fn push(&mut self, units: &[u16], attribs: &'a Attribs) {
        if units.is_empty() {
            return;
        }
        self.text.push_units(units);
        match self.runs.last_mut() {
            Some(run) if run.attribs == attribs => run.chars += units.len(),
            _ => self.runs.push(Run {
                chars: units.len(),
                attribs,
            }),
        }
    }

    /// Turns the marker into what it says of the line. On an empty line its newline may carry the
    /// list.
    fn take_marker(&mut self, newline: &'a Attribs, meanings: Meanings<'a>) {
        let attribs = self.runs.first().map_or(newline, |run| run.attribs);
        let value = |key: &str| {
            meanings
                .pool
                .value_of(attribs, key)
                .filter(|v| !v.is_empty())
        };
        let list = value("list");
        if self.text.first() == Some(&MARKER) && value("lmkr").is_some() {
            self.heading = value("heading").and_then(Heading::of_value);
            self.align = value("align").and_then(Align::of_value);
            let is_task = |key: &&str| value(key).is_some() && task_of_key(key).is_some();
            let task = LINE_KEYS.iter().find(|key| is_task(key));
            self.task = task.and_then(|key| task_of_key(key));
            self.is_quote = value("quote") == Some(ON);
            self.is_rule = value("hr") == Some(ON);
            let language = value("lang").and_then(language);
            self.language = language.filter(|_| self.heading == Some(Heading::Code));
            self.declared = meanings.declared_in(Kind::Line, attribs);
        }
        let is_marked = self.heading.is_some() || self.align.is_some() || self.task.is_some();
        let is_marked = is_marked || self.is_quote || self.is_rule || !self.declared.is_empty();
        if list.is_none() && !is_marked {
            return;
        }
        self.list = list.and_then(kind_and_level).map(|(kind, level)| List {
            kind,
            level,
            start: value("start")
                .and_then(|start| start.parse().ok())
                .filter(|&start| start > 0),
        });
        if self.task.is_some() {
            // Indentation comes on top of what a task has by itself.
            let level = match self.list {
                Some(list) if list.kind == "indent" => (list.level + 1).min(MAX_LEVEL),
                list => list.map_or(1, |list| list.level),
            };
            self.list = Some(List {
                kind: TASK,
                level,
                start: None,
            });
        }
        self.text = self.text.get(1..).map(Text::from).unwrap_or_default();
        if let Some(run) = self.runs.first_mut() {
            run.chars -= 1;
            if run.chars == 0 {
                self.runs.remove(0);
            }
        }
    }
}

const MARKER: u16 = b'*' as u16;

/// The first letters directly followed by digits: `bullet2` is a bullet of level 2. Level 0 is no
/// list.
fn kind_and_level(value: &str) -> Option<(&str, usize)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = value;
    loop {
        let (_, word) = rest.split_at(rest.find(|c: char| c.is_ascii_lowercase())?);
        let end = word.find(|c: char| !c.is_ascii_lowercase())?;
        let (kind, after) = word.split_at(end);
        let digits = after.find(|c| !is_digit(c)).unwrap_or(after.len());
        if digits > 0 {
            let (number, _) = after.split_at(digits);
            // A number too large to read is deep enough.
            let level = number.parse().unwrap_or(usize::MAX).min(MAX_LEVEL);
            return (level > 0).then_some((kind, level));
        }
        rest = after;
    }
}
