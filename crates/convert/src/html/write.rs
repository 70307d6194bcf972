//! A document as HTML.
//!
//! Lists are written the way programs that read our exports know them: the last item of a list
//! stays open, a deeper list stands in the open item above it, and an item without text has no tag.
//! Headings and aligned lines stand in a tag of their own and are followed by `br` like every line.

use std::collections::BTreeMap;
use std::fmt::Write;

use changeset::Document;

use super::escape;
use super::inline::{Marks, code_html, line_html};
use crate::block::{Heading, task_key};
use crate::declared::{Kind, Meanings, PARAGRAPH};
use crate::lines::{Line, List, lines};
use crate::slugs::Slugs;

/// The body of a document, without the tag around it.
pub fn body<'a>(document: &'a Document, pool: impl Into<Meanings<'a>>) -> String {
    let meanings = pool.into();
    body_with(document, meanings, &Marks::styles(meanings))
}

/// The same for a page to read: headings have names, for links that lead to them, and boxes labels.
pub fn linkable_body<'a>(document: &'a Document, pool: impl Into<Meanings<'a>>) -> String {
    let meanings = pool.into();
    let writer = Writer {
        slugs: Some(Slugs::default()),
        ..Writer::default()
    };
    writer.write(document, meanings, &Marks::styles(meanings).with_schemes())
}

/// A document as the API's `getHTML` answers it.
pub fn get_html<'a>(document: &'a Document, pool: impl Into<Meanings<'a>>) -> String {
    let body = body(document, pool);
    format!("<!DOCTYPE HTML><html><body>{body}</body></html>")
}

/// A document as a file of its own.
pub fn page<'a>(title: &str, document: &'a Document, pool: impl Into<Meanings<'a>>) -> String {
    let meanings = pool.into();
    let mut escaped_title = String::new();
    let units: Vec<u16> = title.encode_utf16().collect();
    escape::push_text(&mut escaped_title, &units);
    let body = body_with(document, meanings, &Marks::styles(meanings).with_schemes());
    let line_style = match meanings.has(Kind::Line) {
        true => DECLARED_STYLE,
        false => "",
    };
    format!(
        "<!doctype html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <title>{escaped_title}</title>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"generator\" content=\"padsvc\">\n\
         <meta name=\"author\" content=\"padsvc\">\n\
         <style>{LIST_STYLE}{line_style}</style>\n\
         </head>\n\
         <body>\n\
         {body}\n\
         </body>\n\
         </html>\n"
    )
}

/// Numbers come from the `start` of each list; the styles only tell the levels apart.
const LIST_STYLE: &str = "\n\
    body { white-space: normal; overflow-wrap: anywhere; }\n\
    ul.indent, ul.tasklist { list-style-type: none; }\n\
    :is(h1, h2, h3, h4, h5, h6, pre, p) + br { display: none; }\n\
    ol ol { list-style-type: lower-latin; }\n\
    ol ol ol { list-style-type: lower-roman; }\n";

/// Elements of declared lines are followed by `br` as well.
const DECLARED_STYLE: &str = ":is(div, aside, section) + br { display: none; }\n";

pub(super) fn body_with(document: &Document, meanings: Meanings<'_>, marks: &Marks) -> String {
    Writer::default().write(document, meanings, marks)
}

/// Lines of code in one language, one after another, are one block.
fn is_same_block(a: &Line<'_>, b: &Line<'_>) -> bool {
    let is_plain = |line: &Line<'_>| line.language.is_some() && line.list.is_none();
    is_plain(a) && is_plain(b) && a.language == b.language && a.declared == b.declared
}

/// The HTML of a line inside the tags that make it a heading or align it.
fn in_block(line: &Line<'_>, id: &str, html: String) -> String {
    let Around { open, class, close } = Around::of(line);
    let tag = match (line.heading, line.align) {
        (None, None) if class.is_empty() && open.is_empty() => return html,
        (None, None) if class.is_empty() => return format!("{open}{html}{close}"),
        (heading, _) => heading.map_or(PARAGRAPH, Heading::tag),
    };
    let style = line.align.map_or_else(String::new, |align| {
        format!(" style=\"text-align: {};\"", align.value())
    });
    format!("{open}<{tag}{id}{class}{style}>{html}</{tag}>{close}")
}

/// What stands around a line for its declared attributes.
#[derive(Default)]
struct Around {
    open: String,
    /// The attribute of the tag inside: a paragraph can hold no block, so it is one with that.
    class: String,
    close: String,
}

impl Around {
    fn of(line: &Line<'_>) -> Around {
        let mut classes = Vec::new();
        let (mut open, mut close) = (String::new(), String::new());
        for found in &line.declared {
            match found.element() {
                PARAGRAPH => classes.push(found.class()),
                element => {
                    let _ = write!(open, "<{element} class=\"{}\">", found.class());
                    close = format!("</{element}>{close}");
                }
            }
        }
        Around {
            open,
            class: class_attribute(&classes),
            close,
        }
    }
}

fn class_attribute(classes: &[String]) -> String {
    match classes {
        [] => String::new(),
        classes => format!(" class=\"{}\"", classes.join(" ")),
    }
}

/// What was written last, as far as it decides about list items.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    ListStart,
    ItemEnd,
    ListEnd,
}

#[derive(Default)]
struct Writer<'a> {
    out: String,
    last: Last,
    /// The lists that are open, as levels counted from 0 and kinds.
    open: Vec<(usize, &'a str)>,
    /// Level to the number of items written there. A number of 0 says that a list has ended and
    /// the next one starts over.
    counts: BTreeMap<usize, u64>,
    /// The names of headings, on a page to read.
    slugs: Option<Slugs>,
}

impl<'a> Writer<'a> {
    fn write(mut self, document: &'a Document, meanings: Meanings<'a>, marks: &Marks) -> String {
        self.out.reserve(document.len() * 2);
        let lines = lines(document, meanings);
        for stretch in lines.chunk_by(|a, b| a.is_quote == b.is_quote) {
            let is_quote = stretch.first().is_some_and(|line| line.is_quote);
            if is_quote {
                self.emit("<blockquote>", Last::Other);
            }
            self.stretch(stretch, marks);
            if is_quote {
                self.emit("</blockquote>", Last::Other);
                self.counts.clear();
            }
        }
        self.out
    }

    /// Writes lines that are all quoted, or all not.
    fn stretch(&mut self, lines: &[Line<'a>], marks: &Marks) {
        let mut previous = None;
        let mut index = 0;
        for block in lines.chunk_by(is_same_block) {
            index += block.len();
            for (line, at) in block.iter().zip(index + 1 - block.len()..) {
                match (line.list, line.language) {
                    (Some(list), _) => {
                        let html = in_block(line, "", line_html(line, marks));
                        self.item(list, line.task, &html, previous, lines.get(at));
                    }
                    (None, Some(language)) if at == index => self.code(block, language, marks),
                    (None, Some(_)) => {}
                    (None, None) if line.is_rule => self.rule(line, &line_html(line, marks)),
                    (None, None) => {
                        let html = in_block(line, &self.id(line), line_html(line, marks));
                        self.paragraph(&html);
                    }
                }
                previous = line.list;
            }
        }
    }

    /// The attribute that names a heading.
    fn id(&mut self, line: &Line<'_>) -> String {
        let is_heading = matches!(line.heading, Some(Heading::Level(_)));
        let slugs = self.slugs.as_mut().filter(|_| is_heading);
        let slug = slugs.map(|slugs| slugs.next(&line.text));
        slug.map_or_else(String::new, |slug| format!(" id=\"{slug}\""))
    }

    fn rule(&mut self, line: &Line<'_>, html: &str) {
        self.counts.clear();
        let classes: Vec<String> = line.declared.iter().map(|found| found.class()).collect();
        self.emit(&format!("<hr{}>", class_attribute(&classes)), Last::Other);
        if !html.is_empty() {
            self.paragraph(html);
        }
    }

    /// Writes a block of code. Its language consists of harmless characters.
    fn code(&mut self, lines: &[Line<'_>], language: &str, marks: &Marks) {
        self.counts.clear();
        let around = lines.first().map(Around::of);
        let Around { open, class, close } = around.unwrap_or_default();
        let _ = write!(
            self.out,
            "{open}<pre{class}><code class=\"language-{language}\">"
        );
        for line in lines {
            self.out.push_str(&code_html(line, marks));
            self.out.push('\n');
        }
        self.emit(&format!("</code></pre>{close}<br>"), Last::Other);
    }

    fn paragraph(&mut self, html: &str) {
        self.counts.clear();
        self.emit(html, Last::Other);
        self.emit("<br>", Last::Other);
    }

    fn item(
        &mut self,
        list: List<'a>,
        task: Option<bool>,
        html: &str,
        previous: Option<List<'_>>,
        next_line: Option<&Line<'_>>,
    ) {
        let List { kind, level, .. } = list;
        let next = next_line.and_then(|line| line.list);
        let next_is_empty_number =
            next_line.is_some_and(|line| line.list.is_some_and(is_number) && line.text.is_empty());
        if !previous.is_some_and(|previous| is_same_list(previous, list)) {
            self.open_lists(list, previous, next_is_empty_number);
        }
        if let Some(is_done) = task {
            let checked = if is_done { " checked" } else { "" };
            // So that screen readers say what a box stands for.
            let (label, end) = match self.slugs {
                Some(_) => ("<label>", "</label>"),
                None => ("", ""),
            };
            let _ = write!(
                self.out,
                "<li class=\"{}\">{label}<input type=\"checkbox\" disabled{checked}>",
                task_key(is_done)
            );
            self.emit(html, Last::Other);
            self.out.push_str(end);
        } else if !html.is_empty() {
            self.emit("<li>", Last::Other);
            self.emit(html, Last::Other);
            if is_number(list) {
                *self.counts.entry(level).or_default() += 1;
            }
        }
        if next.is_some_and(|next| is_same_list(next, list))
            && (task.is_some() || !html.is_empty())
            && !next_is_empty_number
        {
            self.emit("</li>", Last::ItemEnd);
        }
        if next.is_none_or(|next| next.level < level || next.kind != kind) {
            self.close_lists(list, next);
        }
    }

    fn open_lists(
        &mut self,
        list: List<'a>,
        previous: Option<List<'_>>,
        next_is_empty_number: bool,
    ) {
        let List { kind, level, .. } = list;
        if self.open.contains(&(level, kind)) {
            return;
        }
        for depth in common_level(previous, list)..level {
            self.open.push((depth, kind));
            if matches!(self.last, Last::ListStart | Last::ItemEnd) && !next_is_empty_number {
                self.emit("<li>", Last::Other);
            }
            self.open_list(list);
        }
    }

    fn open_list(&mut self, list: List<'a>) {
        match list.kind {
            "number" => {
                let start = match (self.counts.get(&list.level), list.start) {
                    (Some(0), _) | (None, None) => None,
                    (Some(count), _) => Some(count + 1),
                    (None, Some(start)) => {
                        let start = u64::from(start);
                        self.counts.insert(list.level, start - 1);
                        Some(start)
                    }
                };
                self.out.push_str("<ol");
                if let Some(start) = start {
                    let _ = write!(self.out, " start=\"{start}\"");
                }
                self.emit(" class=\"number\">", Last::ListStart);
            }
            "indent" => self.emit(
                "<ul class=\"indent\" style=\"list-style-type: none;\">",
                Last::ListStart,
            ),
            kind => {
                // A kind is made of lower-case letters only.
                let _ = write!(self.out, "<ul class=\"{kind}\">");
                self.last = Last::ListStart;
            }
        }
    }

    fn close_lists(&mut self, list: List<'a>, next: Option<List<'_>>) {
        for depth in common_level(next, list)..list.level {
            self.open
                .retain(|&(level, kind)| level != depth && kind != list.kind);
            if is_number(list) && depth + 1 > next.map_or(0, |next| next.level) {
                self.counts.insert(depth + 1, 0);
            }
            if self.last == Last::ListEnd {
                self.emit("</li>", Last::ItemEnd);
            }
            let end = if is_number(list) { "</ol>" } else { "</ul>" };
            self.emit(end, Last::ListEnd);
        }
    }

    fn emit(&mut self, html: &str, last: Last) {
        self.out.push_str(html);
        self.last = last;
    }
}

fn is_number(list: List<'_>) -> bool {
    list.kind == "number"
}

fn is_same_list(a: List<'_>, b: List<'_>) -> bool {
    (a.level, a.kind) == (b.level, b.kind)
}

/// How many lists a neighbouring line has open that `list` is in as well.
fn common_level(neighbour: Option<List<'_>>, list: List<'_>) -> usize {
    neighbour
        .filter(|neighbour| neighbour.kind == list.kind)
        .map_or(0, |neighbour| neighbour.level)
}
