//! Reading HTML: a page becomes the content of a pad.

use std::rc::Rc;

use super::collect::collect;
use super::shown::collect_shown;
use super::spaces::without_hidden_spaces;
use super::tree::{Faults, Node, Tree, parse};
use crate::runs::{Content, Line, Run};
use crate::{Error, Limits};

/// The content of a page, as the API's `setHTML` has always read it: only `div`, `p`, `pre` and
/// `li` are lines of their own, and a heading is the text in it.
pub fn read(html: &str, limits: &Limits) -> Result<Vec<Run>, Error> {
    Ok(read_with_faults(html, limits)?.0)
}

/// [`read`], and what is malformed in the page.
pub fn read_with_faults(html: &str, limits: &Limits) -> Result<(Vec<Run>, Faults), Error> {
    let mut content = Content::new(limits);
    let source = parse_within(html, limits)?;
    let page = without_hidden_spaces(&source);
    read_body(&parse(&page, limits)?, &mut content, collect)?;
    Ok((content.whole_lines()?, source.faults))
}

/// The content of a page as a browser shows it, for files and what is pasted: headings are
/// headings, every block is a line, and so is every row of a table.
pub fn read_shown(html: &str, limits: &Limits) -> Result<Vec<Run>, Error> {
    let mut content = Content::new(limits);
    read_shown_into(&mut content, html, limits)?;
    content.whole_lines()
}

pub(crate) fn read_shown_into(
    content: &mut Content<'_>,
    html: &str,
    limits: &Limits,
) -> Result<(), Error> {
    let tree = parse_within(html, limits)?;
    read_body(&tree, content, collect_shown)
}

fn parse_within(html: &str, limits: &Limits) -> Result<Tree, Error> {
    if html.len() > limits.bytes {
        return Err(Error::TooLarge);
    }
    parse(html, limits)
}

fn read_body(
    tree: &Tree,
    content: &mut Content<'_>,
    collect: fn(&Rc<Node>, &mut Content<'_>),
) -> Result<(), Error> {
    if let Some(body) = body(tree) {
        collect(&body, content);
    }
    content.check(&Line::default())
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
pub(super) fn show_spaces(line: &mut [u16]) {
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
