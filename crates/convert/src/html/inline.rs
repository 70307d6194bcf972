//! One line of text as HTML: styles, links, escaping and spaces.
//!
//! Tags are nested properly and all closed where a link begins or ends and at the end of the line.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use changeset::{Attribs, Attribute};

use super::escape;
use super::format::LINK_CLASS;
use crate::declared::{Kind, Meanings};
use crate::family;
use crate::lines::Line;
use crate::links::{self, Link};
use crate::style::{ON, Style};
use crate::values::Value;

/// The tags of a pool's attributes, by their numbers.
pub(super) struct Marks {
    by_number: BTreeMap<u32, Mark>,
    /// The URLs of links that have a name.
    links: BTreeMap<u32, Rc<str>>,
    /// Whether addresses that lack a scheme get one.
    adds_schemes: bool,
}

struct Mark {
    open: String,
    close: String,
}

impl Marks {
    /// Tags for everything that characters can look like.
    pub(super) fn styles(meanings: Meanings<'_>) -> Marks {
        let mut marks = Marks::new(meanings, |Attribute { key, value }| {
            let style = Style::of_attribute(key, value).map(|style| Mark {
                open: format!("<{}>", style.tag),
                close: format!("</{}>", style.tag),
            });
            style
                .or_else(|| {
                    let family = family::css(family::of_attribute(key, value)?);
                    Some(Mark {
                        open: format!("<span style=\"font-family:{family}\">"),
                        close: "</span>".to_owned(),
                    })
                })
                .or_else(|| Mark::of_value(Value::of_attribute(key, value)?))
        });
        let declared = Marks::new(meanings, |attribute| {
            let found = meanings.declared.find(Kind::Inline, attribute)?;
            let element = found.element();
            Some(Mark {
                open: format!("<{element} class=\"{}\">", found.class()),
                close: format!("</{element}>"),
            })
        });
        marks.by_number.extend(declared.by_number);
        let link =
            |attribute: &Attribute| match Value::of_attribute(&attribute.key, &attribute.value) {
                Some(Value::Link(url)) => Some(Rc::from(url)),
                _ => None,
            };
        let links = meanings.pool.entries();
        marks.links = links
            .filter_map(|(number, attribute)| Some((number, link(attribute)?)))
            .collect();
        marks
    }

    /// The same for people who follow links. The API's answers are as its clients know them.
    pub(super) fn with_schemes(self) -> Marks {
        Marks {
            adds_schemes: true,
            ..self
        }
    }

    /// The links of a line.
    fn links_in(&self, line: &Line<'_>) -> Vec<Link> {
        let address = |attribs: &Attribs| {
            let mut addresses = attribs.iter().filter_map(|number| self.links.get(&number));
            addresses.next().cloned()
        };
        let runs = line.runs.iter().filter(|_| !self.links.is_empty());
        let named = links::named(runs.map(|run| (run.chars, address(run.attribs))));
        links::in_line(&line.text, named)
    }

    /// Tags for styles, and spans for authors and for text that was removed.
    pub(super) fn styles_and_authors(meanings: Meanings<'_>) -> Marks {
        let mut marks = Marks::styles(meanings);
        let spans = Marks::new(meanings, |Attribute { key, value }| {
            let class = match &**key {
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

    fn new(meanings: Meanings<'_>, mark: impl Fn(&Attribute) -> Option<Mark>) -> Marks {
        let entries = meanings.pool.entries();
        let by_number = entries.filter_map(|(number, a)| Some((number, mark(a)?)));
        Marks {
            by_number: by_number.collect(),
            links: BTreeMap::new(),
            adds_schemes: false,
        }
    }
}

impl Mark {
    /// The class says exactly what the attribute does, the style shows it.
    fn of_value(value: Value<'_>) -> Option<Mark> {
        let (tag, class, style) = value_tag(value)?;
        Some(Mark {
            open: match &*style {
                "" => format!("<{tag} class=\"{class}\">"),
                style => format!("<{tag} class=\"{class}\" style=\"{style}\">"),
            },
            close: format!("</{tag}>"),
        })
    }
}

/// The tag, class and style of a value. Links have a tag of another kind.
pub(crate) fn value_tag(value: Value<'_>) -> Option<(&'static str, String, String)> {
    Some(match value {
        Value::Link(_) => return None,
        Value::Colour(colour) => (
            "span",
            format!("color:{}", colour.value()),
            format!("color:#{:06x}", colour.rgb()),
        ),
        Value::Highlight(shade) => (
            "mark",
            format!("highlight:{}", shade.name),
            format!("background-color:#{:06x}", shade.rgb),
        ),
        Value::Size(size) => (
            "span",
            format!("font-size:{size}"),
            format!("font-size:{size}px"),
        ),
        // What a mention looks like is up to the page.
        Value::Mention(author) => ("span", format!("mention:{author}"), String::new()),
    })
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
    keep_spaces(code_html(line, marks))
}

/// The HTML of a line where every space shows.
pub(super) fn code_html(line: &Line<'_>, marks: &Marks) -> String {
    let mut writer = Writer {
        line,
        marks,
        out: String::with_capacity(2 * line.text.len() + 64),
        run: 0,
        run_start: 0,
        open: Vec::new(),
    };
    let mut at = 0;
    for link in marks.links_in(line) {
        writer.piece(at..link.range.start);
        writer.out.push_str("<a ");
        if link.address.is_some() {
            let _ = write!(writer.out, "class=\"{LINK_CLASS}\" ");
        }
        writer.out.push_str("href=\"");
        let written = line.text.get(link.range.clone()).unwrap_or_default();
        match &link.address {
            Some(address) => {
                let units: Vec<u16> = address.encode_utf16().collect();
                escape::push_attribute(&mut writer.out, &units);
            }
            None => {
                if marks.adds_schemes {
                    let written = String::from_utf16_lossy(written);
                    let scheme: Vec<u16> = links::missing_scheme(&written).encode_utf16().collect();
                    escape::push_attribute(&mut writer.out, &scheme);
                }
                escape::push_attribute(&mut writer.out, written);
            }
        }
        writer.out.push_str("\" rel=\"noreferrer noopener\">");
        at = link.range.end;
        writer.piece(link.range);
        writer.out.push_str("</a>");
    }
    writer.piece(at..line.text.len());
    writer.out
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
                self.switch_to(run.attribs);
                escape::push_text(&mut self.out, units);
            }
            if run_end > range.end {
                break;
            }
            self.run += 1;
            self.run_start = run_end;
        }
        self.switch_to(&Attribs::none());
    }

    /// Closes and opens tags so that exactly those of a list of attributes are open.
    fn switch_to(&mut self, wanted: &Attribs) {
        let is_wanted = |number: &u32| wanted.iter().any(|wanted| wanted == *number);
        let kept = self.open.iter().position(|number| !is_wanted(number));
        for number in self.open.drain(kept.unwrap_or(self.open.len())..).rev() {
            if let Some(mark) = self.marks.by_number.get(&number) {
                self.out.push_str(&mark.close);
            }
        }
        for number in wanted.iter() {
            if let Some(mark) = self.marks.by_number.get(&number)
                && !self.open.contains(&number)
            {
                self.open.push(number);
                self.out.push_str(&mark.open);
            }
        }
    }
}

/// Turns those spaces into `&nbsp;` that a browser would not show: at the start and end of the
/// line, and all but the last of several. Those that are meant not to break are written so, too.
fn keep_spaces(html: String) -> String {
    let mut spaces = spaces_to_keep(&html);
    if spaces.is_empty() {
        return html;
    }
    let mut out = String::with_capacity(html.len() + 8 * spaces.len());
    let mut rest = 0;
    while let Some(space) = spaces.pop() {
        out.push_str(html.get(rest..space.start).unwrap_or_default());
        out.push_str("&nbsp;");
        rest = space.end;
    }
    out.push_str(html.get(rest..).unwrap_or_default());
    out
}

/// Where these spaces are, the last one first. Text is escaped, so angle brackets are those of
/// tags.
fn spaces_to_keep(html: &str) -> Vec<Range<usize>> {
    let mut spaces = Vec::new();
    let mut in_tag = false;
    // The end of the line hides a space as another space does.
    let mut before_space = true;
    let mut first = None;
    let bytes = html.as_bytes();
    for (at, &byte) in bytes.iter().enumerate().rev() {
        match byte {
            b'>' => in_tag = true,
            b'<' => in_tag = false,
            _ if in_tag => {}
            b' ' => {
                if before_space {
                    spaces.push(at..at + 1);
                }
                before_space = true;
                first = Some(at..at + 1);
            }
            _ => {
                // The two bytes of U+00A0.
                if byte == 0xc2 && bytes.get(at + 1) == Some(&0xa0) {
                    spaces.push(at..at + 2);
                }
                before_space = false;
                first = None;
            }
        }
    }
    if let Some(first) = first
        && spaces.last() != Some(&first)
    {
        spaces.push(first);
    }
    spaces
}
