//! What an element says about its line, for those who read a page as a browser shows it.
//!
//! The twin of `web/src/document/htmlElements.ts`; both are held to
//! `fixtures/convert/clipboard.json`.

use std::rc::Rc;

use super::collect::{is_list_symbol, list_of};
use super::format::is_hidden;
use super::tree::{Data, Element, Node};
use super::word::is_word_symbol;
use crate::block::{Align, language, task_of_key};
use crate::runs::list_value;
use crate::style::declared;

fn words(element: &Element) -> impl Iterator<Item = &str> {
    let class = element.attribute("class").unwrap_or_default();
    class.split_ascii_whitespace()
}

/// Whether nothing of an element is read: it is not shown, or is the bullet that a program has
/// written out, or where Word says that a paragraph ends.
pub(super) fn is_silent(node: &Rc<Node>, element: &Element, css: &str) -> bool {
    let name = element.name();
    let is_kept_out = matches!(
        name,
        "audio"
            | "canvas"
            | "head"
            | "iframe"
            | "meta"
            | "noembed"
            | "noframes"
            | "noscript"
            | "object"
            | "script"
            | "style"
            | "svg"
            | "template"
            | "title"
            | "video"
    );
    is_kept_out
        || is_word_symbol(css)
        || is_hidden(element, css)
        || is_list_symbol(element)
        || words(element).any(|word| word == "EOP")
        || (name == "o:p" && is_blank(node))
}

fn is_blank(node: &Rc<Node>) -> bool {
    node.children
        .borrow()
        .iter()
        .all(|child| match &child.data {
            Data::Text(text) => text.borrow().trim().is_empty(),
            _ => is_blank(child),
        })
}

/// The alignment that a block says.
pub(super) fn align_of(element: &Element, css: &str) -> Option<Align> {
    let value = declared(css, "text-align").or_else(|| element.attribute("align"))?;
    let word = value.split_ascii_whitespace().next()?.to_ascii_lowercase();
    Align::of_value(&word)
}

/// Whether spaces and line ends count, if an element says.
pub(super) fn keeps_spaces(element: &Element, css: &str) -> Option<bool> {
    let value = declared(css, "white-space").or_else(|| declared(css, "white-space-collapse"));
    let value = value.unwrap_or_default().to_ascii_lowercase();
    let starts = |words: [&str; 3]| words.into_iter().any(|word| value.starts_with(word));
    if element.name() == "pre" || starts(["pre", "break-spaces", "preserve"]) {
        return Some(true);
    }
    starts(["normal", "nowrap", "collapse"]).then_some(false)
}

/// The language of code in a class such as `language-rust`.
pub(super) fn language_of(element: &Element) -> Option<Rc<str>> {
    let name = words(element).find_map(|word| {
        let name = word.strip_prefix("language-");
        name.or_else(|| word.strip_prefix("lang-"))
    })?;
    language(name).map(Rc::from)
}

/// The language that the box around code names, as GitHub writes it.
pub(super) fn box_language(element: &Element) -> Option<Rc<str>> {
    let name = words(element).find_map(|word| word.strip_prefix("highlight-source-"))?;
    language(name).map(Rc::from)
}

/// The list attribute for the items of a `ul` or `ol`, below `depth` others.
pub(super) fn list_of_shown(node: &Rc<Node>, element: &Element, css: &str, depth: usize) -> String {
    let list = list_of(node, element, depth);
    let style = declared(css, "list-style-type").or_else(|| declared(css, "list-style"));
    let is_bare = style.is_some_and(|style| style.to_ascii_lowercase().starts_with("none"));
    let is_unnamed = !words(element).any(|word| word.starts_with("list-"));
    if is_bare && is_unnamed && element.name() == "ul" {
        return list_value("indent", depth + 1);
    }
    list
}

/// How deep an item says to be itself.
pub(super) fn level_of(item: &Element) -> usize {
    let level = number_in(item, "aria-level").or_else(|| number_in(item, "data-aria-level"));
    level.and_then(|level| level.try_into().ok()).unwrap_or(0)
}

pub(super) fn number_in(element: &Element, attribute: &str) -> Option<u64> {
    let number = element.attribute(attribute)?.trim().parse().ok();
    number.filter(|&number: &u64| number <= u64::from(u32::MAX))
}

/// Whether an item is a task: by its class, or as an attribute says it.
pub(super) fn task_of(item: &Element) -> Option<bool> {
    words(item).find_map(task_of_key).or_else(|| {
        let is_box = item.attribute("role") == Some("checkbox");
        let checked = item.attribute("aria-checked").filter(|_| is_box);
        let value = checked.or_else(|| item.attribute("data-checked"))?;
        (!value.is_empty()).then_some(value == "true")
    })
}

/// Whether the box of a task is ticked, if an element is one or stands for one.
pub(super) fn box_of(element: &Element) -> Option<bool> {
    if element.name() == "input" {
        let is_box = element.attribute("type") == Some("checkbox");
        return is_box.then(|| element.attribute("checked").is_some());
    }
    words(element).find_map(|word| match word {
        "checkbox-on" => Some(true),
        "checkbox-off" => Some(false),
        _ => None,
    })
}

/// The task that an item is by a box in brackets at its start, and its text.
pub(super) fn written_task(text: &str) -> Option<(bool, &str)> {
    const SPACES: [char; 2] = [' ', '\u{a0}'];
    let (mark, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_done = match mark {
        "x" | "X" => true,
        " " | "\u{a0}" => false,
        _ => return None,
    };
    rest.starts_with(SPACES)
        .then(|| (is_done, rest.trim_start_matches(SPACES)))
}

pub(super) fn is_word_quote(element: &Element) -> bool {
    words(element).any(|word| word.starts_with("MsoQuote") || word.starts_with("MsoIntenseQuote"))
}

pub(super) fn is_cell(element: &Element) -> bool {
    matches!(element.name(), "td" | "th")
}

/// Whether a cell only places parts of a page or mail, and is no cell of a row.
pub(super) fn is_layout_cell(node: &Rc<Node>) -> bool {
    node.element().is_some_and(is_cell) && has_table(node)
}

fn has_table(node: &Rc<Node>) -> bool {
    node.children.borrow().iter().any(|child| {
        let is_table = child.element().is_some_and(|e| e.name() == "table");
        is_table || has_table(child)
    })
}

pub(super) fn has_cell_before(node: &Rc<Node>) -> bool {
    let Some(row) = node.parent() else {
        return false;
    };
    let children = row.children.borrow();
    let mut before = children.iter().take_while(|child| !Rc::ptr_eq(child, node));
    // The first cell tells for all: a row of hundreds is read in time.
    let first = before.find(|child| child.element().is_some_and(is_cell));
    first.is_some_and(|first| !is_layout_cell(first))
}

/// The character that a picture stands for.
pub(super) fn emoji_of(image: &Element) -> Option<&str> {
    let text = image.attribute("alt")?;
    let is_emoji =
        |c: char| matches!(c, '\u{200d}'..='\u{3299}' | '\u{fe0f}' | '\u{1f000}'..='\u{1fbff}');
    let is_short = !text.is_empty() && text.encode_utf16().count() <= 16;
    (is_short && text.chars().all(is_emoji)).then_some(text)
}

/// Whether something is lost with a picture: not with boxes of tasks, nor with those that only
/// count readers.
pub(super) fn is_picture(image: &Element) -> bool {
    let is_box = image.attribute("aria-roledescription") == Some("checkbox");
    !is_box && !matches!(image.attribute("width"), Some("0" | "1"))
}

/// Elements that are shown as lines of their own.
pub(super) fn is_block(name: &str) -> bool {
    const BLOCKS: &str = " address article aside blockquote caption center dd details dialog div \
        dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main \
        menu nav ol option p pre section summary table tr ul ";
    BLOCKS.split_ascii_whitespace().any(|block| block == name)
}
