//! From a page to lines as a browser shows them: for files, and for what is pasted.
//!
//! Every block is a line, a heading is one, quotations are marked, and a row of a table is a line
//! with tabs between its cells. White space counts as a browser shows it. The twin of this is
//! `web/src/document/htmlReader.ts`; both are held to `fixtures/convert/clipboard.json`.

use std::rc::Rc;

use changeset::Attribute;

use super::collect::composed;
use super::element::{
    align_of, box_language, box_of, emoji_of, has_cell_before, is_block, is_cell, is_layout_cell,
    is_picture, is_silent, is_word_quote, keeps_spaces, language_of, level_of, list_of_shown,
    number_in, task_of, written_task,
};
use super::read::show_spaces;
use super::spaces::collapse;
use super::tree::{Data, Element, Node};
use super::word::word_item;
use crate::block::{Align, Heading};
use crate::declared::Kind as AttributeKind;
use crate::runs::{Content, Kind, Line, Marker, list_value};
use crate::style::CODE;
use crate::text_format::TextFormat;

pub(super) fn collect_shown(body: &Rc<Node>, content: &mut Content<'_>) {
    let mut page = Page {
        content,
        line: Line::default(),
        space: None,
        format: TextFormat::PLAIN,
        marker: Marker::default(),
        depth: 0,
        number: 0,
        cells: 0,
        is_apart: false,
        in_pre: false,
        keeps_spaces: false,
        box_language: None,
        is_done: false,
        after_block: false,
        after_box: false,
        pictures: 0,
    };
    page.children(body);
    page.end_line();
}

struct Page<'a, 'b> {
    content: &'a mut Content<'b>,
    /// The line that is being written.
    line: Line,
    /// A space that counts once something follows it in its line.
    space: Option<TextFormat>,
    format: TextFormat,
    /// What the next line is.
    marker: Marker,
    /// Lists and quotations around.
    depth: usize,
    /// Of the list around, the number of its last item.
    number: u64,
    /// Cells around: what is in a cell stays in its line. Lines in it are words apart.
    cells: usize,
    is_apart: bool,
    in_pre: bool,
    keeps_spaces: bool,
    /// The language that a box around code names.
    box_language: Option<Rc<str>>,
    /// In an item that is done, and struck through because it is.
    is_done: bool,
    /// Right after a heading or an aligned block a `br` is only what separates it from the next
    /// line: that is how pads are written.
    after_block: bool,
    /// Right after the box of a task.
    after_box: bool,
    pictures: usize,
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
            "br" => self.line_break(element),
            "hr" => self.rule(element),
            "img" => self.image(element),
            name => match box_of(element) {
                Some(is_done) => self.checkbox(is_done),
                None if name == "input" || is_silent(node, element, css) => {}
                None if is_block(name) || is_layout_cell(node) => self.block(node, element, css),
                None => self.styled(node, element, css),
            },
        }
    }

    fn line_break(&mut self, element: &Element) {
        if element.attribute("class") == Some("Apple-interchange-newline") {
            return;
        }
        if self.after_block {
            self.after_block = false;
        } else {
            self.start_line();
        }
    }

    fn block(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        self.end_line();
        self.after_block = false;
        let language = box_language(element).or_else(|| self.box_language.clone());
        let outer_language = std::mem::replace(&mut self.box_language, language);
        let outer_pre = self.in_pre;
        self.in_pre |= element.name() == "pre";
        if self.cells > 0 {
            self.styled(node, element, css);
            self.end_line();
        } else {
            self.block_of_lines(node, element, css);
        }
        self.in_pre = outer_pre;
        self.box_language = outer_language;
    }

    /// A block outside of tables.
    fn block_of_lines(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        let name = element.name();
        let lines_before = self.content.lines();
        let outer = self.marker.clone();
        let heading = match name {
            "pre" => Some(Heading::Code),
            "code" => None,
            name => Heading::of_value(name),
        };
        let align = align_of(element, css);
        let declared = self.declared_by(element);
        let is_declared = !declared.is_empty();
        self.marker.declared.enter(declared);
        self.marker.heading = heading.or(self.marker.heading);
        if let Some(align) = align {
            // Left is what a line without any is.
            self.marker.align = Some(align).filter(|align| *align != Align::Left);
        }
        if name == "pre" {
            self.marker.language.clone_from(&self.box_language);
        }
        if let Some((list, start)) = word_item(node, css) {
            (self.marker.list, self.marker.start) = (Some(list), start);
        }
        let is_quote = (name == "blockquote" && !outer.quote) || is_word_quote(element);
        self.marker.quote |= is_quote;
        let is_list = matches!(name, "ul" | "ol") || (name == "blockquote" && !is_quote);
        match name {
            _ if is_list => self.list(node, element, css),
            "li" => self.item(node, element, css),
            _ => self.styled(node, element, css),
        }
        let is_line = is_declared || matches!(name, "p" | "li" | "pre");
        if self.content.lines() == lines_before && is_line {
            self.start_line();
        } else {
            self.end_line();
        }
        let inner = std::mem::replace(&mut self.marker, outer);
        // A second paragraph of an item has no bullet.
        let is_inside = self.marker.list.is_some() && !is_list && name != "li";
        if is_inside && self.content.lines() > lines_before {
            (self.marker.list, self.marker.start) = (inner.list, inner.start);
            self.marker.task = None;
        }
        self.after_block = heading.is_some() || align.is_some() || is_declared;
    }

    fn declared_by(&self, element: &Element) -> Vec<Attribute> {
        let class = element.attribute("class").unwrap_or_default();
        let declared = self.content.declared();
        declared.of_class(AttributeKind::Line, class)
    }

    fn list(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        let list = match element.name() {
            "blockquote" => list_value("indent", self.depth + 1),
            _ => list_of_shown(node, element, css, self.depth),
        };
        let start = number_in(element, "start").unwrap_or(1);
        let number = std::mem::replace(&mut self.number, start.saturating_sub(1));
        self.marker.list = Some(list);
        self.marker.start = None;
        self.depth += 1;
        self.styled(node, element, css);
        self.depth -= 1;
        self.number = number;
    }

    fn item(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        let kind = self.marker.list.as_deref().unwrap_or("bullet1");
        let kind = kind.trim_end_matches(|c: char| c.is_ascii_digit());
        let level = self.marker.level().unwrap_or(1).max(level_of(element));
        let list = list_value(kind, level);
        self.number = number_in(element, "value").unwrap_or(self.number.saturating_add(1));
        self.marker.start = list.starts_with("number").then_some(self.number);
        self.marker.list = Some(list);
        self.marker.task = task_of(element);
        let is_done = self.marker.task == Some(true);
        let outer = std::mem::replace(&mut self.is_done, is_done);
        self.styled(node, element, css);
        self.is_done = outer;
    }

    /// A box in front of text makes a task of its line.
    fn checkbox(&mut self, is_done: bool) {
        if self.line.text.is_empty() && self.cells == 0 {
            self.marker.task = self.marker.task.or(Some(is_done));
            self.after_box = true;
        }
    }

    fn image(&mut self, element: &Element) {
        match emoji_of(element) {
            Some(emoji) => self.text(emoji),
            None => self.pictures += usize::from(is_picture(element)),
        }
    }

    fn rule(&mut self, element: &Element) {
        self.end_line();
        if self.cells == 0 {
            let mut declared = self.marker.declared.clone();
            declared.enter(self.declared_by(element));
            self.line.push_marker(Marker {
                rule: true,
                quote: self.marker.quote,
                declared,
                ..Marker::default()
            });
            self.start_line();
        }
    }

    fn styled(&mut self, node: &Rc<Node>, element: &Element, css: &str) {
        let is_cell = is_cell(element) && !is_layout_cell(node);
        if is_cell && has_cell_before(node) {
            self.tab();
        }
        self.cells += usize::from(is_cell);
        let name = element.name();
        let outer = self.format.clone();
        let (outer_keeps, pictures) = (self.keeps_spaces, self.pictures);
        let declared = self.content.declared();
        self.format
            .enter(name, &|name| element.attribute(name), declared);
        if self.is_done && !matches!(name, "s" | "del" | "strike") {
            self.format.set("strikethrough", outer.has("strikethrough"));
        }
        if self.in_pre {
            self.format.set(CODE, false);
            if self.cells == 0 {
                self.marker.language = language_of(element).or(self.marker.language.take());
            }
        }
        self.keeps_spaces = keeps_spaces(element, css).unwrap_or(outer_keeps);
        let (lines, units) = (self.content.lines(), self.line.text.len());
        let had_space = self.space.is_some();
        self.children(node);
        let inner = std::mem::replace(&mut self.format, outer);
        self.keeps_spaces = outer_keeps;
        if name == "a"
            && let Some(address) = inner.link
        {
            let is_one_line = lines == self.content.lines();
            let start = match is_one_line {
                true => units + usize::from(had_space && self.line.text.len() > units),
                false => 0,
            };
            self.end_link(&address, start, is_one_line && self.pictures > pictures);
        }
        if is_cell {
            self.cells -= 1;
            self.is_apart = false;
            self.space = None;
        }
    }

    /// Text that is the address itself needs no link; a picture that is one becomes the address.
    fn end_link(&mut self, address: &Rc<str>, start: usize, has_picture: bool) {
        let is_empty = self.line.end_link(start, address);
        if is_empty && has_picture {
            self.push(address);
        }
        let last = self.line.last_format().filter(|_| !is_empty);
        if let Some(space) = &mut self.space
            && last.is_some_and(|last| last.link.is_none())
        {
            space.link = None;
        }
    }

    fn text(&mut self, text: &str) {
        let text = composed(text.into());
        if !self.keeps_spaces {
            return self.words(&text);
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.start_line();
            }
            if !line.is_empty() {
                self.push(line);
            }
        }
    }

    /// Text in which any white space is one space, and none at the ends of a line.
    fn words(&mut self, text: &str) {
        let collapsed = collapse(text);
        let is_start = !self.line.has_text() || self.is_apart || self.ends_in_tab();
        if collapsed.starts_with(' ') && !is_start {
            self.space.get_or_insert_with(|| self.format.clone());
        }
        let words = collapsed.strip_prefix(' ').unwrap_or(&collapsed);
        let words = words.strip_suffix(' ').unwrap_or(words);
        if !words.is_empty() {
            self.push(words);
            if collapsed.ends_with(' ') {
                self.space.get_or_insert_with(|| self.format.clone());
            }
        }
    }

    fn ends_in_tab(&self) -> bool {
        self.line.text.last() == Some(&u16::from(b'\t'))
    }

    fn push(&mut self, words: &str) {
        self.after_block = false;
        if let Some(format) = self.space.take() {
            self.line.push(" ", Kind::Text(format));
        } else if self.is_apart && !self.ends_in_tab() {
            self.line.push(" ", Kind::PLAIN);
        }
        self.is_apart = false;
        let mut words = if self.after_box {
            words.trim_start()
        } else {
            words
        };
        self.after_box &= words.is_empty();
        let is_item = self.marker.list.as_deref().unwrap_or_default();
        if self.line.text.is_empty()
            && self.cells == 0
            && !self.in_pre
            && self.marker.task.is_none()
            && is_item.starts_with("bullet")
            && let Some((is_done, rest)) = written_task(words)
        {
            self.marker.task = Some(is_done);
            words = rest;
        }
        self.push_marker();
        self.line.push(words, Kind::Text(self.format.clone()));
    }

    fn tab(&mut self) {
        self.space = None;
        self.is_apart = false;
        self.push_marker();
        self.line.push("\t", Kind::PLAIN);
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
        self.space = None;
        let mut line = std::mem::take(&mut self.line);
        let marker = usize::from(line.is_marked());
        show_spaces(line.text.get_mut(marker..).unwrap_or_default());
        self.content.push_line(&line);
    }

    /// Ends the line unless it is empty.
    fn end_line(&mut self) {
        let is_empty = self.line.text.is_empty();
        if is_empty || self.cells > 0 {
            self.space = None;
            self.is_apart |= !is_empty;
        } else {
            self.start_line();
        }
    }
}
