//! Reading HTML: a page becomes the content of a pad.
//!
//! The runs that come out are the whole text of a document, from its first character to the newline
//! at its end, and hold no author: who imports is the caller's business.

use std::rc::Rc;

use changeset::{Attribute, NEWLINE, Text};

use super::collect::{Kind, Line, collect};
use super::spaces::without_hidden_spaces;
use super::tree::{Node, Tree, parse};
use crate::style::{ON, STYLES};
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

/// The content of a page.
pub fn read(html: &str, limits: &Limits) -> Result<Vec<Run>, Error> {
    if html.len() > limits.bytes {
        return Err(Error::TooLarge);
    }
    let page = without_hidden_spaces(&parse(html, limits)?);
    let tree = parse(&page, limits)?;
    let mut lines = body(&tree).map(|body| collect(&body)).unwrap_or_default();
    let mut runs = Runs::default();
    for (index, line) in lines.iter_mut().enumerate() {
        if index > 0 {
            runs.push(&[NEWLINE], &Kind::PLAIN);
        }
        show_spaces(&mut line.text);
        runs.push_line(line);
    }
    runs.push(&[NEWLINE], &Kind::PLAIN);
    Ok(runs.into_runs())
}

fn body(tree: &Tree) -> Option<Rc<Node>> {
    let child = |node: &Rc<Node>, name: &str| {
        let children = node.children.borrow();
        let is_named = |child: &&Rc<Node>| child.element().is_some_and(|e| e.name() == name);
        children.iter().find(is_named).cloned()
    };
    child(&child(&tree.root, "html")?, "body")
}

const SPACE: u16 = b' ' as u16;

const NO_BREAK_SPACE: u16 = 0xa0;

/// Makes plain spaces of those that only were a way to write several in HTML. A no-break space
/// between two words was meant.
fn show_spaces(line: &mut [u16]) {
    let is_space = |unit: &u16| *unit == SPACE || *unit == NO_BREAK_SPACE;
    let length = line.len();
    let mut at = 0;
    for run in line.chunk_by_mut(|a, b| is_space(a) == is_space(b)) {
        let start = at;
        at += run.len();
        let inside = start > 0 && at < length;
        let meant = inside && run.iter().all(|&unit| unit == NO_BREAK_SPACE);
        if run.first().is_some_and(is_space) && !meant {
            run.fill(SPACE);
        }
    }
}

/// The runs of all lines, neighbours of the same kind joined.
#[derive(Default)]
struct Runs(Vec<(Text, Kind)>);

impl Runs {
    fn push(&mut self, units: &[u16], kind: &Kind) {
        if units.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((text, last)) if last == kind => text.push_units(units),
            _ => self.0.push((Text::from(units), kind.clone())),
        }
    }

    /// Pushes a line without its newline, broken if it is too long.
    fn push_line(&mut self, line: &Line) {
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

    fn into_runs(self) -> Vec<Run> {
        let run = |(text, kind): (Text, Kind)| Run {
            text,
            attributes: kind.attributes(),
        };
        self.0.into_iter().map(run).collect()
    }
}

/// A length of at most `length` units that does not end within a surrogate pair.
fn whole_characters(units: &[u16], length: usize) -> usize {
    let is_high = |unit: &u16| (0xd800..0xdc00).contains(unit);
    let splits_pair = length > 0 && units.get(length - 1).is_some_and(is_high);
    length - usize::from(splits_pair)
}

impl Kind {
    const PLAIN: Kind = Kind::Text([false; STYLES.len()]);

    fn attributes(&self) -> Vec<Attribute> {
        match self {
            Kind::Text(styles) => STYLES
                .iter()
                .zip(styles)
                .filter(|(_, on)| **on)
                .map(|(style, _)| Attribute::new(style.key, ON))
                .collect(),
            Kind::Marker { list, start } => {
                let start = start.map(|start| Attribute::new("start", start.to_string()));
                let marker = [("insertorder", "first"), ("list", list), ("lmkr", "1")];
                let marker = marker.map(|(key, value)| Attribute::new(key, value));
                marker.into_iter().chain(start).collect()
            }
        }
    }
}
