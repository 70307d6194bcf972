//! From a page to lines of text with styles and list markers, as the API has always done it.
//!
//! The page is read once from its start, as someone would who types it into a pad: `div`, `p`,
//! `pre` and `li` are lines of their own, `br` starts a new line, everything else is the text in
//! it. Files are read by `shown.rs`.

use std::borrow::Cow;
use std::rc::Rc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::read::show_spaces;
use super::tree::{Data, Element, Node};
use crate::declared::{Kind as AttributeKind, Set};
use crate::runs::{Content, Kind, Line, Marker, list_value};
use crate::text_format::TextFormat;

/// The lines of a page. There is none for what would follow the last line.
pub(super) fn collect(body: &Rc<Node>, content: &mut Content<'_>) {
    let mut collector = Collector {
        content,
        line: Line::default(),
        format: TextFormat::PLAIN,
        list: None,
        depth: 0,
        number: None,
        start: None,
        preformatted: false,
        declared: Set::EMPTY,
        after_declared: false,
    };
    collector.children(body);
    collector.start_line_unless_empty();
}

struct Collector<'a, 'b> {
    content: &'a mut Content<'b>,
    /// The line that is being written.
    line: Line,
    format: TextFormat,
    list: Option<String>,
    /// Lists around.
    depth: usize,
    /// Counts numbered lists, and items of other lists after the first of these.
    number: Option<u64>,
    /// The number for the markers of the current item.
    start: Option<u64>,
    preformatted: bool,
    /// What the lines of the elements around are.
    declared: Set,
    /// Right after a declared block a `br` is only what separates it from the next line.
    after_declared: bool,
}

impl Collector<'_, '_> {
    fn children(&mut self, node: &Rc<Node>) {
        for child in node.children.borrow().iter() {
            match &child.data {
                Data::Text(text) => self.text(&text.borrow()),
                Data::Element(element) => self.element(child, element),
                Data::Comment | Data::Root => {}
            }
        }
    }

    fn element(&mut self, node: &Rc<Node>, element: &Element) {
        let class = element.attribute("class").unwrap_or_default();
        let declared = self.content.declared();
        let declared = declared.of_class(AttributeKind::Line, class);
        if declared.is_empty() || matches!(element.name(), "br" | "hr") {
            return self.element_of_page(node, element);
        }
        let outer = self.declared.clone();
        self.declared.enter(declared);
        let (lines, units) = (self.content.lines(), self.line.text.len());
        self.element_of_page(node, element);
        if (lines, units) == (self.content.lines(), self.line.text.len()) && units == 0 {
            self.push_marker();
        }
        self.after_declared = self.line.text.is_empty() && !ends_in_break(node);
        self.declared = outer;
    }

    fn element_of_page(&mut self, node: &Rc<Node>, element: &Element) {
        let is_block = matches!(element.name(), "div" | "p" | "pre" | "li");
        if is_block {
            self.start_line_unless_empty();
        }
        let lines_before = self.content.lines();
        match element.name() {
            "br" if std::mem::take(&mut self.after_declared) => {}
            "br" => self.start_line(),
            "script" | "style" => {}
            _ if node.children.borrow().is_empty() || is_list_symbol(element) => {}
            _ => self.styled(node, element),
        }
        if is_block {
            if self.content.lines() == lines_before {
                self.start_line();
            } else {
                self.start_line_unless_empty();
            }
            self.after_declared = false;
        }
    }

    fn styled(&mut self, node: &Rc<Node>, element: &Element) {
        let outer = self.format.clone();
        self.format.enter_recorded(element, self.content.declared());
        let preformatted = self.preformatted;
        self.preformatted |= element.name() == "pre";
        self.in_list(node, element);
        self.preformatted = preformatted;
        self.format = outer;
    }

    fn in_list(&mut self, node: &Rc<Node>, element: &Element) {
        let name = element.name();
        let list = match name {
            "ul" | "ol" => Some(list_of(node, element, self.depth)),
            "li" if self.list.is_none() => Some("bullet1".to_owned()),
            _ => None,
        };
        let Some(list) = list else {
            if name == "li" {
                self.number_item(node);
            }
            return self.children(node);
        };
        let is_number = list.starts_with("number");
        let outer = self.list.replace(list);
        let depth = self.depth;
        if name == "li" {
            self.number_item(node);
        } else {
            self.depth += 1;
            if is_number {
                self.number = Some(self.number.unwrap_or_default() + 1);
            }
        }
        self.children(node);
        self.depth = depth;
        self.list = outer;
        if self.list.is_none() {
            self.start = None;
        }
    }

    fn number_item(&mut self, node: &Rc<Node>) {
        self.start = self.number;
        let parent = node.parent();
        let parent = parent.as_ref().and_then(|parent| parent.element());
        let parent = parent.map_or("", |element| element.name());
        let is_number = self
            .list
            .as_ref()
            .is_some_and(|list| list.starts_with("number"));
        let steps = u64::from(is_number && parent != "ol") + u64::from(parent == "ul");
        self.number = self.number.map(|number| number + steps);
    }

    fn text(&mut self, text: &str) {
        if !self.preformatted {
            return self.text_in_line(text);
        }
        let text = text.strip_suffix('\n').unwrap_or(text);
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.start_line();
            }
            self.text_in_line(line);
        }
    }

    fn text_in_line(&mut self, text: &str) {
        if text.bytes().all(|byte| byte == b'\r' || byte == b'\n') {
            return;
        }
        let at_start = self.line.text.is_empty();
        let text = if at_start {
            text.trim_start_matches('\n')
        } else {
            text
        };
        if at_start {
            self.push_marker();
        }
        self.after_declared = false;
        let kind = Kind::Text(self.format.clone());
        self.line.push(&one_line(text), kind);
    }

    fn push_marker(&mut self) {
        self.line.push_marker(Marker {
            list: self.list.clone(),
            start: self.start.filter(|_| self.list.is_some()),
            declared: self.declared.clone(),
            ..Marker::default()
        });
    }

    fn start_line(&mut self) {
        if self.line.text.is_empty() {
            self.push_marker();
        }
        let mut line = std::mem::take(&mut self.line);
        show_spaces(&mut line.text);
        self.content.push_line(&line);
    }

    fn start_line_unless_empty(&mut self) {
        if !self.line.text.is_empty() {
            self.start_line();
        }
    }
}

fn ends_in_break(node: &Rc<Node>) -> bool {
    let children = node.children.borrow();
    let last = children.last().and_then(|child| child.element());
    last.is_some_and(|element| element.name() == "br")
}

/// Text without line breaks and tabs, its characters composed. A break and a blank beside it are
/// one blank.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    composed(without_breaks(text))
}

/// Text whose characters are composed.
pub(super) fn composed(text: Cow<'_, str>) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => Cow::Owned(text.nfc().collect()),
    }
}

fn without_breaks(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\r', '\t']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\n', Some(' ')) | (' ', Some('\n')) => {
                chars.next();
                out.push(' ');
            }
            ('\n' | '\r', _) => out.push(' '),
            ('\t', _) => out.push_str("        "),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The list attribute for the items of a `ul` or `ol`, below `depth` others.
pub(super) fn list_of(node: &Rc<Node>, element: &Element, depth: usize) -> String {
    let class = element.attribute("class");
    if let Some(value) = class.and_then(named_list) {
        return value.to_owned();
    }
    let kind = match element.name() {
        "ol" => "number",
        _ if is_indent(node, class) => "indent",
        _ => "bullet",
    };
    list_value(kind, depth + 1)
}

/// The value in a class such as `list-bullet2`.
fn named_list(class: &str) -> Option<&str> {
    class
        .split_ascii_whitespace()
        .filter_map(|word| word.strip_prefix("list-"))
        .find(|value| {
            let digits = value.trim_start_matches(|c: char| c.is_ascii_lowercase());
            digits.len() < value.len()
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Whether a `ul` only indents: its class says so, or that of the first list in it that has one.
fn is_indent(node: &Rc<Node>, class: Option<&str>) -> bool {
    let says_so = |class: &str| class.contains("indent");
    match class {
        Some(class) => says_so(class),
        None => node
            .children
            .borrow()
            .iter()
            .filter_map(|child| child.element())
            .filter(|child| child.name() == "ul")
            .find_map(|child| child.attribute("class"))
            .is_some_and(says_so),
    }
}

/// The bullets and numbers that an office program writes out as text.
pub(super) fn is_list_symbol(element: &Element) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    class
        .split_ascii_whitespace()
        .any(|word| matches!(word, "Numbering_20_Symbols" | "Bullet_20_Symbols"))
}
