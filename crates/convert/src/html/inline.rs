//! One line of text as HTML: styles, links, escaping and spaces.
//!
//! Tags are nested properly and all closed where a link begins or ends and at the end of the line.

use std::collections::HashMap;
use std::ops::Range;

use changeset::Pool;

use super::escape;
use super::urls::find_urls;
use crate::lines::Line;
use crate::style::{ON, Style};

/// The tags of a pool's attributes, by their numbers.
pub(super) struct Marks {
    by_number: HashMap<u32, Mark>,
}

struct Mark {
    open: String,
    close: String,
}

impl Marks {
    /// Tags for styles.
    pub fn styles(pool: &Pool) -> Marks {
        Marks::new(pool, |key, value| {
            Style::of_attribute(key, value).map(|style| Mark {
                open: format!("<{}>", style.tag),
                close: format!("</{}>", style.tag),
            })
        })
    }

    /// Tags for styles, and spans for authors and for text that was removed.
    pub fn styles_and_authors(pool: &Pool) -> Marks {
        let mut marks = Marks::styles(pool);
        let spans = Marks::new(pool, |key, value| {
            let class = match key {
                "author" if !value.is_empty() => author_class(value),
                "removed" if value == ON => "removed".to_owned(),
                _ => return None,
            };
            Some(Mark {
                open: format!("<span class=\"{class}\">"),
                close: "</span>".to_owned(),
            })
        });
        marks.by_number.extend(spans.by_number);
        marks
    }

    fn new(pool: &Pool, mark: impl Fn(&str, &str) -> Option<Mark>) -> Marks {
        let by_number = pool
            .entries()
            .filter_map(|(number, a)| Some((number, mark(&a.key, &a.value)?)))
            .collect();
        Marks { by_number }
    }
}

/// The class of an author's text. Ids are made of harmless characters, but those of imported pads
/// are only said to be.
pub(super) fn author_class(author: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let id: String = author
        .chars()
        .map(|c| if harmless(c) { c } else { '_' })
        .collect();
    format!("author{id}")
}

/// The HTML of a line.
pub(super) fn line_html(line: &Line<'_>, marks: &Marks) -> String {
    let mut writer = Writer {
        line,
        marks,
        out: String::with_capacity(line.text.len() + 16),
        run: 0,
        run_start: 0,
        open: Vec::new(),
    };
    let mut at = 0;
    for url in find_urls(&line.text) {
        writer.piece(at..url.start);
        writer.out.push_str("<a href=\"");
        let address = line.text.get(url.clone()).unwrap_or_default();
        escape::push_attribute(&mut writer.out, address);
        writer.out.push_str("\" rel=\"noreferrer noopener\">");
        at = url.end;
        writer.piece(url);
        writer.out.push_str("</a>");
    }
    writer.piece(at..line.text.len());
    keep_spaces(writer.out)
}

struct Writer<'a> {
    line: &'a Line<'a>,
    marks: &'a Marks,
    out: String,
    /// The run that the next piece starts in, and where that one starts.
    run: usize,
    run_start: usize,
    /// Numbers of the attributes whose tags are open, outermost first.
    open: Vec<u32>,
}

impl Writer<'_> {
    /// Writes a range of the text that starts where the last one ended.
    fn piece(&mut self, range: Range<usize>) {
        while let Some(run) = self.line.runs.get(self.run) {
            let run_end = self.run_start + run.chars;
            let part = range.start.max(self.run_start)..range.end.min(run_end);
            if let Some(units) = self.line.text.get(part).filter(|units| !units.is_empty()) {
                let marked = run.attribs.iter();
                let wanted: Vec<u32> = marked
                    .filter(|number| self.marks.by_number.contains_key(number))
                    .collect();
                self.switch_to(&wanted);
                escape::push_text(&mut self.out, units);
            }
            if run_end > range.end {
                break;
            }
            self.run += 1;
            self.run_start = run_end;
        }
        self.switch_to(&[]);
    }

    /// Closes and opens tags so that exactly those of `wanted` are open.
    fn switch_to(&mut self, wanted: &[u32]) {
        let kept = self
            .open
            .iter()
            .position(|number| !wanted.contains(number))
            .unwrap_or(self.open.len());
        for number in self.open.drain(kept..).rev() {
            if let Some(mark) = self.marks.by_number.get(&number) {
                self.out.push_str(&mark.close);
            }
        }
        for &number in wanted {
            if let Some(mark) = self.marks.by_number.get(&number)
                && !self.open.contains(&number)
            {
                self.open.push(number);
                self.out.push_str(&mark.open);
            }
        }
    }
}

const NO_BREAK_SPACE: &str = "&nbsp;";

/// Turns those spaces into `&nbsp;` that a browser would not show: at the start and end of the
/// line, and all but the last of several. Text is escaped, so angle brackets are those of tags.
fn keep_spaces(html: String) -> String {
    if !html.contains([' ', '\u{a0}']) {
        return html;
    }
    let mut hidden = hidden_spaces(&html);
    let mut out = String::with_capacity(html.len() + 16);
    for (at, c) in html.char_indices() {
        if hidden.last() == Some(&at) {
            hidden.pop();
            out.push_str(NO_BREAK_SPACE);
        } else if c == '\u{a0}' {
            out.push_str(NO_BREAK_SPACE);
        } else {
            out.push(c);
        }
    }
    out
}

/// Where the spaces are that a browser would not show, last one first.
fn hidden_spaces(html: &str) -> Vec<usize> {
    let mut hidden = Vec::new();
    let mut in_tag = false;
    // The end of the line hides a space as another space does.
    let mut before_space = true;
    let mut first = None;
    for (at, byte) in html.bytes().enumerate().rev() {
        match byte {
            b'>' => in_tag = true,
            b'<' => in_tag = false,
            _ if in_tag => {}
            b' ' => {
                if before_space {
                    hidden.push(at);
                }
                before_space = true;
                first = Some(at);
            }
            _ => {
                before_space = false;
                first = None;
            }
        }
    }
    if let Some(first) = first
        && hidden.last() != Some(&first)
    {
        hidden.push(first);
    }
    hidden
}
