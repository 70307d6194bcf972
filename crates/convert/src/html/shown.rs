//! From a page to lines as a browser shows them: for files, and for what is pasted.
//!
//! Every block is a line, a heading is one, quotations are indented, and a row of a table is a
//! line with tabs between its cells.

use std::rc::Rc;

use super::collect::{is_list_symbol, list_of, one_line};
use super::format::is_hidden;
use super::read::show_spaces;
use super::tree::{Data, Element, Node};
use super::word::{is_word_symbol, word_item};
use crate::block::{Align, Heading, language, task_of_key};
use crate::runs::{Content, Kind, Line, Marker, list_value};
use crate::style::{CODE, declares};
use crate::text_format::TextFormat;

pub(super) fn collect_shown(body: &Rc<Node>, content: &mut Content<'_>) {
    let mut page = Page {
        content,
        line: Line::default(),
        format: TextFormat::PLAIN,
        marker: Marker::default(),
        depth: 0,
        number: 0,
        cells: 0,
        preformatted: false,
        after_block: false,
        after_box: false,
    };
    page.children(body);
    page.end_line();
}

struct Page<'a, 'b> {
    content: &'a mut Content<'b>,
    /// The line that is being written.
    line: Line,
    format: TextFormat,
    /// What the next line is.
    marker: Marker,
    /// Lists and quotations around.
    depth: usize,
    /// Of the list around, the number of its last item.
    number: u64,
    /// Cells around: what is in a cell stays in its line.
    cells: usize,
    preformatted: bool,
    /// Right after a heading or an aligned block a `br` is only what separates it from the next
    /// line: that is how pads are written.
    after_block: bool,
    /// Right after the box of a task.
    after_box: bool,
}

impl Page<'_, '_> {
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
        let css = element.attribute("style").unwrap_or_default();
        match element.name() {
            "br" if self.after_block => self.after_block = false,
            "br" => self.start_line(),
            "script" | "style" | "template" => {}
            "hr" => self.rule(),
            "input" => self.checkbox(element),
            _ if is_word_symbol(css) => {}
            _ if is_hidden(element, css) || is_list_symbol(element) => {}
            name if is_block(name) => self.block(node, element, css),
            _ => self.styled(node, element),
        }
    }

    fn block(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        let name = element.name();
        self.end_line();
        self.after_block = false;
        let lines_before = self.content.lines();
        let outer = (self.marker.clone(), self.preformatted);
        let heading = heading_of(name);
        let align = align_of(css);
        self.marker.heading = heading.or(self.marker.heading);
        self.marker.align = align.or(self.marker.align);
        self.preformatted |= name == "pre";
        let item = word_item(node, css);
        if let Some((list, start)) = item {
            (self.marker.list, self.marker.start) = (Some(list), start);
        }
        let is_quote = name == "blockquote" && !self.marker.quote;
        self.marker.quote |= is_quote;
        let is_list = matches!(name, "ul" | "ol" | "blockquote") && !is_quote;
        match name {
            _ if is_list => self.list(node, element),
            "li" => self.item(node, element),
            _ => self.styled(node, element),
        }
        if self.content.lines() == lines_before && matches!(name, "p" | "li" | "pre") {
            self.start_line();
        } else {
            self.end_line();
        }
        let inner = std::mem::replace(&mut self.marker, outer.0);
        self.preformatted = outer.1;
        // A second paragraph of an item has no bullet.
        let is_inside = self.marker.list.is_some() && !is_list && name != "li";
        if is_inside && self.content.lines() > lines_before {
            (self.marker.list, self.marker.start) = (inner.list, inner.start);
            self.marker.task = None;
        }
        self.after_block = heading.is_some() || align.is_some();
    }

    fn list(&mut self, node: &Rc<Node>, element: &Element) {
        let list = match element.name() {
            "blockquote" => list_value("indent", self.depth + 1),
            _ => list_of(node, element, self.depth),
        };
        let start = number_in(element, "start").unwrap_or(1);
        let number = std::mem::replace(&mut self.number, start.saturating_sub(1));
        self.marker.list = Some(list);
        self.marker.start = None;
        self.depth += 1;
        self.styled(node, element);
        self.depth -= 1;
        self.number = number;
    }

    fn item(&mut self, node: &Rc<Node>, element: &Element) {
        let list = self.marker.list.take();
        let list = list.unwrap_or_else(|| list_value("bullet", 1));
        self.number = number_in(element, "value").unwrap_or(self.number.saturating_add(1));
        self.marker.start = list.starts_with("number").then_some(self.number);
        self.marker.list = Some(list);
        self.marker.task = task_of(element);
        self.styled(node, element);
    }

    /// A box in front of text makes a task of its line.
    fn checkbox(&mut self, element: &Element) {
        if element.attribute("type") == Some("checkbox") && self.line.text.is_empty() {
            let is_checked = element.attribute("checked").is_some();
            self.marker.task = self.marker.task.or(Some(is_checked));
            self.after_box = true;
        }
    }

    fn rule(&mut self) {
        self.end_line();
        if self.cells == 0 {
            self.line.push_marker(Marker {
                rule: true,
                quote: self.marker.quote,
                ..Marker::default()
            });
            self.start_line();
        }
    }

    fn styled(&mut self, node: &Rc<Node>, element: &Element) {
        let is_cell = matches!(element.name(), "td" | "th");
        if is_cell && has_cell_before(node) {
            self.push("\t");
        }
        self.cells += usize::from(is_cell);
        let outer = self.format.clone();
        self.format
            .enter(element.name(), &|name| element.attribute(name));
        if self.preformatted {
            self.format.set(CODE, false);
            self.marker.language = language_of(element).or(self.marker.language.take());
        }
        let (lines, units) = (self.content.lines(), self.line.text.len());
        self.children(node);
        let inner = std::mem::replace(&mut self.format, outer);
        if element.name() == "a"
            && let Some(address) = inner.link
        {
            let is_one_line = lines == self.content.lines();
            let start = if is_one_line { units } else { 0 };
            if self.line.end_link(start, &address) && is_one_line {
                self.push(&address);
            }
        }
        self.cells -= usize::from(is_cell);
    }

    fn text(&mut self, text: &str) {
        if !self.preformatted {
            return self.text_in_line(text);
        }
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
        let text = if self.line.text.is_empty() {
            text.trim_start_matches('\n')
        } else {
            text
        };
        self.push(&one_line(text));
    }

    fn push(&mut self, text: &str) {
        self.after_block = false;
        let text = if self.after_box {
            text.trim_start()
        } else {
            text
        };
        self.after_box &= text.is_empty();
        self.push_marker();
        self.line.push(text, Kind::Text(self.format.clone()));
    }

    /// Only the first line of a list item has its bullet or number; the others are indented.
    fn push_marker(&mut self) {
        if !self.line.text.is_empty() {
            return;
        }
        self.line.push_marker(self.marker.clone());
        if self.marker.list.is_some() {
            self.marker.list = Some(list_value("indent", self.depth));
            self.marker.start = None;
        }
        self.marker.task = None;
    }

    fn start_line(&mut self) {
        self.after_block = false;
        self.after_box = false;
        if self.cells > 0 {
            return self.end_line();
        }
        self.push_marker();
        let mut line = std::mem::take(&mut self.line);
        show_spaces(&mut line.text);
        self.content.push_line(&line);
    }

    /// Ends the line unless it is empty. In a cell, lines are words apart.
    fn end_line(&mut self) {
        let Some(&last) = self.line.text.last() else {
            return;
        };
        let is_apart = last == u16::from(b' ') || last == u16::from(b'\t');
        match (self.cells > 0, is_apart) {
            (false, _) => self.start_line(),
            (true, false) => self.push(" "),
            (true, true) => {}
        }
    }
}

/// Whether an item is a task: by its class, or as Google Docs says it.
fn task_of(element: &Element) -> Option<bool> {
    let class = element.attribute("class").unwrap_or_default();
    let by_class = class.split_ascii_whitespace().find_map(task_of_key);
    by_class.or_else(|| {
        let is_box = element.attribute("role") == Some("checkbox");
        is_box.then(|| element.attribute("aria-checked") == Some("true"))
    })
}

/// The language of code in a class such as `language-rust`.
fn language_of(element: &Element) -> Option<Rc<str>> {
    let mut words = element.attribute("class")?.split_ascii_whitespace();
    let name = words.find_map(|word| {
        let name = word.strip_prefix("language-");
        name.or_else(|| word.strip_prefix("lang-"))
    })?;
    language(name).map(Rc::from)
}

fn heading_of(name: &str) -> Option<Heading> {
    match name {
        "pre" => Some(Heading::Code),
        "code" => None,
        name => Heading::of_value(name),
    }
}

/// The alignment in a style. Left is what a line without any is.
fn align_of(css: &str) -> Option<Align> {
    [Align::Centre, Align::Right, Align::Justify]
        .into_iter()
        .find(|align| declares(css, "text-align", align.value()))
}

fn number_in(element: &Element, attribute: &str) -> Option<u64> {
    let number = element.attribute(attribute)?.trim().parse().ok();
    number.filter(|&number: &u64| number <= u64::from(u32::MAX))
}

fn has_cell_before(node: &Rc<Node>) -> bool {
    let Some(row) = node.parent() else {
        return false;
    };
    let children = row.children.borrow();
    let mut cells = children.iter().filter(|child| {
        let element = child.element();
        element.is_some_and(|element| matches!(element.name(), "td" | "th"))
    });
    cells.next().is_some_and(|first| !Rc::ptr_eq(first, node))
}

/// Elements that are shown as lines of their own.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hr"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "option"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tr"
            | "ul"
    )
}
