//! Lists as Word writes them into HTML: paragraphs, with their bullets and numbers as text.

use std::rc::Rc;

use super::tree::{Data, Node};
use crate::runs::list_value;
use crate::style::declared;

/// Whether an element holds the bullet or number of an item.
pub(super) fn is_word_symbol(css: &str) -> bool {
    declared(css, "mso-list").is_some_and(|value| value.eq_ignore_ascii_case("ignore"))
}

/// The list attribute and number of a paragraph that is an item.
pub(super) fn word_item(node: &Rc<Node>, css: &str) -> Option<(String, Option<u64>)> {
    let value = declared(css, "mso-list")?;
    let mut words = value.split_ascii_whitespace();
    let level = words.find_map(|word| word.strip_prefix("level")?.parse().ok())?;
    let symbol = symbol(node).unwrap_or_default();
    let symbol = symbol.trim();
    let counter = symbol.trim_end_matches(['.', ')']);
    let is_number = counter.len() < symbol.len()
        && !counter.is_empty()
        && counter
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.');
    if is_number {
        let last = counter.rsplit('.').next().unwrap_or_default();
        let start = last.parse().ok().filter(|&start: &u64| start > 0);
        Some((list_value("number", level), start))
    } else {
        Some((list_value("bullet", level), None))
    }
}

/// The text of the first symbol in a paragraph.
fn symbol(node: &Rc<Node>) -> Option<String> {
    node.children.borrow().iter().find_map(|child| {
        let css = child.element()?.attribute("style").unwrap_or_default();
        if is_word_symbol(css) {
            let mut text = String::new();
            push_text(child, &mut text);
            Some(text)
        } else {
            symbol(child)
        }
    })
}

fn push_text(node: &Rc<Node>, out: &mut String) {
    for child in node.children.borrow().iter() {
        match &child.data {
            Data::Text(text) => out.push_str(&text.borrow()),
            _ => push_text(child, out),
        }
    }
}
