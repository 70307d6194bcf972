//! Reading Markdown.
//!
//! An empty line separates paragraphs, as people write them; other blocks are lines without
//! one between. HTML inside is read as far as it is inline styles; blocks of it as a page.

use std::rc::Rc;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::tag::parse_tag;
use crate::block::{Heading, language};
use crate::declared::{Kind as AttributeKind, Set, is_line_element};
use crate::html::{Attributes, read_shown_into};
use crate::runs::{Content, Kind, Line, Marker, Run, list_value};
use crate::text_format::TextFormat;
use crate::{Error, Limits};

/// The content of a file.
pub fn read(text: &str, limits: &Limits) -> Result<Vec<Run>, Error> {
    if text.len() > limits.bytes {
        return Err(Error::TooLarge);
    }
    if has_more_marks(text, limits.nodes) {
        return Err(Error::TooComplex);
    }
    let options =
        Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::new(limits);
    let mut depth = 0_usize;
    for event in Parser::new_ext(text, options) {
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits.depth {
            return Err(Error::TooDeep);
        }
        reader.event(event)?;
        reader.content.check(&reader.line)?;
    }
    reader.end_line();
    reader.content.joined_lines()
}

/// Whether there are more places than allowed of which the parser may make something. It notes all
/// of them before it gives the first event.
fn has_more_marks(text: &str, limit: usize) -> bool {
    let is_mark = |byte: &u8| b"\n*_~`<[]!&\\|".contains(byte);
    text.bytes().filter(is_mark).nth(limit).is_some()
}

struct Reader<'a> {
    limits: &'a Limits,
    content: Content<'a>,
    line: Line,
    format: TextFormat,
    /// The tags around, each with the format outside of it.
    tags: Vec<(String, TextFormat)>,
    heading: Option<Heading>,
    /// Of the block of code around.
    language: Option<Rc<str>>,
    /// Whether the task whose box was read is done.
    task: Option<bool>,
    /// Quotations around.
    quotes: usize,
    /// Lists and quotations around: of a numbered one the number of its next item.
    around: Vec<List>,
    /// Whether the last block was a paragraph of its own.
    after_paragraph: bool,
    /// HTML of a block.
    html: String,
    /// Where the texts of the links around start: lines before, and units of the line.
    links: Vec<(usize, usize)>,
    /// Whether a cell of the table's row has been read.
    row_has_cell: bool,
    /// Elements around whose lines have declared attributes.
    elements: Vec<LineElement>,
}

struct LineElement {
    name: String,
    /// With those of the elements around it.
    declared: Set,
    /// Lines before it, and quotations around.
    lines: usize,
    quotes: usize,
}

struct List {
    kind: &'static str,
    number: u64,
    /// Whether its current item still has to be marked as one.
    is_new: bool,
}

impl<'a> Reader<'a> {
    fn new(limits: &'a Limits) -> Reader<'a> {
        Reader {
            limits,
            content: Content::new(limits),
            line: Line::default(),
            format: TextFormat::PLAIN,
            tags: Vec::new(),
            heading: None,
            language: None,
            task: None,
            quotes: 0,
            around: Vec::new(),
            after_paragraph: false,
            html: String::new(),
            links: Vec::new(),
            row_has_cell: false,
            elements: Vec::new(),
        }
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), Error> {
        if let Event::Text(text) | Event::Code(text) = &event
            && text.len() > self.limits.bytes_of_text()
        {
            return Err(Error::TextTooLong);
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag)?,
            Event::Text(text) if self.heading == Some(Heading::Code) => self.code(&text),
            Event::Text(text) => self.push(&text),
            Event::Code(text) => {
                self.open_tag("code", &|_| None);
                self.push(&text);
                self.close_tag("code");
            }
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::Html(html) => self.html.push_str(&html),
            Event::SoftBreak => self.push(" "),
            Event::HardBreak => self.start_line(),
            Event::TaskListMarker(is_done) => self.task = Some(is_done),
            Event::Rule => self.rule(),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(&text);
            }
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => {
                self.end_line();
                if self.after_paragraph && self.around.is_empty() {
                    self.start_line();
                }
                self.after_paragraph = false;
            }
            Tag::Heading { level, .. } => {
                self.start_block();
                self.heading = Some(Heading::Level(level_of(level)));
            }
            Tag::CodeBlock(kind) => {
                self.start_block();
                self.language = match kind {
                    CodeBlockKind::Fenced(info) => info
                        .split_whitespace()
                        .next()
                        .and_then(language)
                        .map(Rc::from),
                    CodeBlockKind::Indented => None,
                };
                self.heading = Some(Heading::Code);
            }
            // A quotation in a quotation is an indented one.
            Tag::BlockQuote(_) => {
                if self.quotes > 0 {
                    self.open("indent", 0);
                }
                self.start_block();
                self.quotes += 1;
            }
            Tag::List(start) => match start {
                Some(number) => self.open("number", number),
                None => self.open("bullet", 0),
            },
            Tag::Item => {
                self.end_line();
                if let Some(list) = self.around.last_mut() {
                    list.is_new = true;
                }
            }
            Tag::Table(_) | Tag::TableRow | Tag::TableHead | Tag::HtmlBlock => self.start_block(),
            Tag::TableCell if self.row_has_cell => self.push("\t"),
            Tag::TableCell => self.row_has_cell = true,
            Tag::Emphasis => self.open_tag("em", &|_| None),
            Tag::Strong => self.open_tag("strong", &|_| None),
            Tag::Strikethrough => self.open_tag("s", &|_| None),
            Tag::Link { dest_url, .. } => {
                let address = dest_url.to_string();
                self.open_tag("a", &|name| (name == "href").then_some(&address));
                let place = (self.content.lines(), self.line.text.len());
                self.links.push(place);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) -> Result<(), Error> {
        match tag {
            TagEnd::Paragraph => {
                self.end_line();
                self.after_paragraph = true;
            }
            TagEnd::Heading(_) | TagEnd::CodeBlock => {
                self.end_line();
                self.heading = None;
                self.language = None;
            }
            TagEnd::BlockQuote(_) => {
                self.end_line();
                self.quotes = self.quotes.saturating_sub(1);
                let quotes = self.quotes;
                self.elements.retain(|element| element.quotes <= quotes);
                if self.quotes > 0 {
                    self.around.pop();
                }
                self.after_paragraph = false;
            }
            TagEnd::List(_) => {
                self.end_line();
                self.around.pop();
                self.after_paragraph = false;
            }
            TagEnd::Item => {
                // An item of nothing is a line as well, unless it holds only items.
                match self.around.last() {
                    Some(list) if list.is_new => self.start_line(),
                    _ => self.end_line(),
                }
                if let Some(list) = self.around.last_mut() {
                    list.number = list.number.saturating_add(1);
                }
            }
            TagEnd::TableRow | TagEnd::TableHead => {
                self.row_has_cell = false;
                self.end_line();
            }
            TagEnd::HtmlBlock => {
                let html = std::mem::take(&mut self.html);
                if !self.line_element(html.trim()) {
                    read_shown_into(&mut self.content, &html, self.limits)?;
                }
            }
            TagEnd::Emphasis => self.close_tag("em"),
            TagEnd::Strong => self.close_tag("strong"),
            TagEnd::Strikethrough => self.close_tag("s"),
            TagEnd::Link => self.end_link(),
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, kind: &'static str, number: u64) {
        self.start_block();
        // What stands in a list is the mark of the items around it.
        if kind != "indent" {
            self.around.iter_mut().for_each(|list| list.is_new = false);
        }
        self.around.push(List {
            kind,
            number,
            is_new: false,
        });
    }

    fn start_block(&mut self) {
        self.end_line();
        self.after_paragraph = false;
    }

    fn rule(&mut self) {
        self.start_block();
        self.line.push_marker(Marker {
            rule: true,
            quote: self.quotes > 0,
            declared: self.declared(),
            ..Marker::default()
        });
        self.start_line();
    }

    fn code(&mut self, text: &str) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.start_line();
            }
            self.push(line);
        }
        self.start_line();
    }

    /// What the elements around say of a line.
    fn declared(&self) -> Set {
        let last = self.elements.last();
        last.map_or(Set::EMPTY, |element| element.declared.clone())
    }

    /// Enters or leaves an element of declared lines, if a block of HTML is just its tag.
    fn line_element(&mut self, html: &str) -> bool {
        let is_tag = html.starts_with('<') && html.ends_with('>');
        let is_one = is_tag && html.matches('<').count() == 1;
        if self.content.declared().is_empty() || !is_one {
            return false;
        }
        let (name, attributes) = parse_tag(html);
        if html.starts_with("</") {
            return self.end_line_element(&name);
        }
        let class = attributes.iter().find(|(key, _)| key == "class");
        let class = class.map_or("", |(_, class)| class);
        let attributes = self.content.declared();
        let attributes = attributes.of_class(AttributeKind::Line, class);
        // One that says nothing is noted for its end.
        let is_noted = !attributes.is_empty() || !self.elements.is_empty();
        if !is_noted || !is_line_element(&name) || self.elements.len() >= self.limits.depth {
            return false;
        }
        let mut declared = self.declared();
        declared.enter(attributes);
        self.elements.push(LineElement {
            name,
            declared,
            lines: self.content.lines(),
            quotes: self.quotes,
        });
        true
    }

    fn end_line_element(&mut self, name: &str) -> bool {
        match self.elements.last() {
            Some(element) if element.name == name => {
                // One without text is an empty line.
                if element.lines == self.content.lines() && !element.declared.is_empty() {
                    self.start_line();
                }
                self.elements.pop();
                true
            }
            _ => false,
        }
    }

    /// Tags of inline styles; others are dropped.
    fn inline_html(&mut self, html: &str) {
        let (name, attributes) = parse_tag(html);
        match (&*name, html.starts_with("</")) {
            ("br", _) => self.start_line(),
            (name, true) => self.close_tag(name),
            (name, false) => self.open_tag(name, &|name| {
                let mut attributes = attributes.iter();
                let found = attributes.find(|(known, _)| known == name);
                found.map(|(_, value)| value.as_str())
            }),
        }
    }

    fn open_tag(&mut self, name: &str, attributes: Attributes<'_>) {
        if self.tags.len() < self.limits.depth {
            self.tags.push((name.to_owned(), self.format.clone()));
            self.format.enter(name, attributes, self.content.declared());
        }
    }

    /// Ends a tag and those in it that were left open.
    fn close_tag(&mut self, name: &str) {
        if let Some(index) = self.tags.iter().rposition(|(open, _)| open == name) {
            self.tags.truncate(index + 1);
            self.format = self
                .tags
                .pop()
                .map(|(_, format)| format)
                .unwrap_or_default();
        }
    }

    fn end_link(&mut self) {
        let address = self.format.link.clone();
        self.close_tag("a");
        let Some((lines, units)) = self.links.pop() else {
            return;
        };
        let is_one_line = lines == self.content.lines();
        let start = if is_one_line { units } else { 0 };
        if let Some(address) = address
            && self.line.end_link(start, &address)
            && is_one_line
        {
            self.push(&address);
        }
    }

    fn push(&mut self, text: &str) {
        self.push_marker();
        let kind = Kind::Text(self.format.clone());
        self.line.push(&text.replace(['\n', '\r'], " "), kind);
    }

    fn push_marker(&mut self) {
        if !self.line.text.is_empty() {
            return;
        }
        let level = self.around.len();
        let mut marker = Marker {
            heading: self.heading,
            task: self.task.take(),
            quote: self.quotes > 0,
            declared: self.declared(),
            language: self.language.clone(),
            ..Marker::default()
        };
        if let Some(list) = self.around.last_mut() {
            // Only the first line of an item has its bullet or number.
            let is_item = std::mem::take(&mut list.is_new);
            let kind = if is_item { list.kind } else { "indent" };
            marker.list = Some(list_value(kind, level));
            marker.start = (kind == "number").then_some(list.number);
        }
        self.line.push_marker(marker);
    }

    fn start_line(&mut self) {
        self.push_marker();
        self.content.push_line(&std::mem::take(&mut self.line));
    }

    fn end_line(&mut self) {
        if !self.line.text.is_empty() {
            self.start_line();
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
