//! A document as Markdown.

use changeset::Document;

use super::escape::{push_address, push_code, push_spaces, push_text};
use crate::block::Heading;
use crate::declared::{Found, Kind, Meanings, PARAGRAPH};
use crate::family;
use crate::html::value_tag;
use crate::lines::{Line, List, lines};
use crate::numbers::{Number, Numbers};
use crate::parts::{Part, heading_of, parts};
use crate::style::{CODE, STYLES, Style};
use crate::text_format::TextFormat;
use crate::values::{Value, is_offered_size};

pub fn write<'a>(document: &'a Document, pool: impl Into<Meanings<'a>>) -> String {
    let meanings = pool.into();
    let lines = lines(document, meanings);
    let mut writer = Writer::default();
    for stretch in lines.chunk_by(|a, b| a.is_quote == b.is_quote) {
        if stretch.first().is_some_and(|line| line.is_quote) {
            let mut quoted = Writer::default();
            quoted.stretch(stretch, meanings);
            writer.quotation(&quoted.out);
        } else {
            writer.stretch(stretch, meanings);
        }
    }
    writer.out.truncate(writer.out.trim_end_matches('\n').len());
    writer.out.push('\n');
    writer.out
}

/// Lines of code in one language, one after another, are one block.
fn is_same_block(a: &Line<'_>, b: &Line<'_>) -> bool {
    a.language.is_some() && a.language == b.language && a.list.is_none() && b.list.is_none()
}

/// What the line before is, as far as it decides how the next one is separated.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    /// Nothing, or an empty line.
    #[default]
    Empty,
    Text,
    Item,
    Quote(usize),
    Code,
    Heading,
    /// What stands between empty lines: a quotation, a fenced block of code, a rule.
    Block,
}

#[derive(Default)]
struct Writer {
    out: String,
    last: Last,
    numbers: Numbers,
    /// The items that are open: their kinds, and the column their text starts in.
    open: Vec<(String, usize)>,
}

/// The number of an item cannot be longer.
const LARGEST_NUMBER: u32 = 999_999_999;

impl Writer {
    /// Writes lines that are all quoted, or all not. Those of the same declared attributes are in
    /// one element, whose tags stand between empty lines: what is in it is Markdown.
    fn stretch(&mut self, lines: &[Line<'_>], meanings: Meanings<'_>) {
        for same in lines.chunk_by(|a, b| a.declared == b.declared) {
            let declared = same.first().map_or(&[][..], |line| &line.declared);
            for found in declared {
                self.start_block();
                let tag = format!("<{} class=\"{}\">", element_of(found), found.class());
                self.out.push_str(&tag);
            }
            self.blocks(same, meanings);
            for found in declared.iter().rev() {
                self.start_block();
                self.out.push_str(&format!("</{}>", element_of(found)));
            }
        }
    }

    fn blocks(&mut self, lines: &[Line<'_>], meanings: Meanings<'_>) {
        for block in lines.chunk_by(is_same_block) {
            match block {
                [first, ..] if first.language.is_some() && first.list.is_none() => {
                    self.fenced(block, meanings);
                }
                _ => block
                    .iter()
                    .for_each(|line| self.line(line, &parts(line, meanings), meanings)),
            }
        }
    }

    fn start_block(&mut self) {
        self.numbers.next(None);
        self.open.clear();
        self.separate(Last::Block);
        self.last = Last::Block;
    }

    fn quotation(&mut self, text: &str) {
        self.start_block();
        let quoted = text.trim_end_matches('\n').split('\n').map(|line| {
            if line.is_empty() {
                ">".to_owned()
            } else {
                format!("> {line}")
            }
        });
        self.out.push_str(&quoted.collect::<Vec<_>>().join("\n"));
    }

    fn fenced(&mut self, lines: &[Line<'_>], meanings: Meanings<'_>) {
        self.start_block();
        let mut text = String::new();
        for line in lines {
            let parts = parts(line, meanings);
            parts.iter().for_each(|part| text.push_str(&part.text));
            text.push('\n');
        }
        let text = text.replace('\r', " ");
        let longest = text.split(|c| c != '`').map(str::len).max();
        let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
        let language = lines.first().and_then(|line| line.language);
        let language = language.unwrap_or_default();
        self.out
            .push_str(&format!("{fence}{language}\n{text}{fence}"));
    }

    fn line(&mut self, line: &Line<'_>, parts: &[Part], meanings: Meanings<'_>) {
        if line.is_rule && line.list.is_none() {
            self.start_block();
            self.out.push_str("---");
            if parts.is_empty() {
                return;
            }
        }
        let number = self.numbers.next(line.list);
        let heading = heading_of(line, parts);
        let kind = match (line.list, heading) {
            (Some(list), _) if list.kind == "indent" => Last::Quote(list.level),
            (Some(_), _) => Last::Item,
            (None, Some(Heading::Code)) => Last::Code,
            (None, Some(Heading::Level(_))) => Last::Heading,
            (None, None) if parts.is_empty() => Last::Empty,
            (None, None) => Last::Text,
        };
        self.separate(kind);
        match line.list {
            Some(list) if kind == Last::Item => self.open_item(list, number),
            _ => self.open.clear(),
        }
        match line.task {
            Some(true) => self.out.push_str("[x] "),
            Some(false) => self.out.push_str("[ ] "),
            None => {}
        }
        if let Last::Quote(level) = kind {
            self.out.push_str(&"> ".repeat(level));
        }
        match heading {
            Some(Heading::Level(level)) => {
                self.out.push_str(&"#".repeat(usize::from(level)));
                self.out.push(' ');
            }
            Some(Heading::Code) if kind == Last::Code => {
                self.out.push_str("    ");
                let text: String = parts.iter().map(|part| &*part.text).collect();
                self.out.push_str(&text.replace('\r', " "));
                self.last = kind;
                return;
            }
            _ => {}
        }
        self.text(parts, meanings);
        self.last = kind;
    }

    /// Ends the line before, so that one of this kind can follow.
    fn separate(&mut self, kind: Last) {
        let ending = match (self.last, kind) {
            (Last::Text, Last::Text) => "  \n",
            (Last::Quote(a), Last::Quote(b)) if a == b => "  \n",
            (Last::Item, Last::Item) | (Last::Code, Last::Code) => "\n",
            (Last::Empty, _) => "",
            _ => "\n\n",
        };
        if kind != Last::Empty {
            self.out.push_str(ending);
        } else if self.last != Last::Empty {
            self.out.push_str("\n\n");
        }
    }

    /// Writes the bullet or number of an item, below the item it belongs to. An item that skips
    /// levels stands in items of its own.
    fn open_item(&mut self, list: List<'_>, number: Number) {
        self.open.truncate(list.level);
        let is_next = self.open.len() == list.level
            && self.open.last().is_some_and(|(kind, _)| kind == list.kind);
        if self.open.len() == list.level {
            self.open.pop();
        }
        // Two lists of the same look would be one.
        if number.is_first && !is_next && list.level == 1 && self.last == Last::Item {
            self.out.push('\n');
        }
        let column = self.open.last().map_or(0, |(_, column)| *column);
        self.out.push_str(&" ".repeat(column));
        for level in self.open.len() + 1..=list.level {
            let value = if level == list.level { number.value } else { 1 };
            let marker = match list.kind {
                "number" => format!("{}. ", value.min(LARGEST_NUMBER)),
                _ => "- ".to_owned(),
            };
            let column = self.open.last().map_or(0, |(_, column)| *column) + marker.len();
            self.out.push_str(&marker);
            self.open.push((list.kind.to_owned(), column));
        }
    }

    /// Writes a line's text. White space at its ends is not shown by Markdown, so it is spelt out.
    fn text(&mut self, parts: &[Part], meanings: Meanings<'_>) {
        let text: String = parts.iter().map(|part| &*part.text).collect();
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len().max(start);
        let mut at = 0;
        for (index, part) in parts.iter().enumerate() {
            let previous = index.checked_sub(1).and_then(|index| parts.get(index));
            let is_alone = [previous, parts.get(index + 1)]
                .into_iter()
                .flatten()
                .all(|neighbour| looks_plain(&neighbour.format));
            let part_end = at + part.text.len();
            let cut = |place: usize| place.clamp(at, part_end) - at;
            let (before, rest) = part.text.split_at(cut(start));
            let (text, after) = rest.split_at(cut(end).saturating_sub(before.len()));
            let link = part.link.as_ref().filter(|link| link.needs_address());
            let is_linked = |other: Option<&Part>| other.is_some_and(|p| p.link == part.link);
            if link.is_some() && !is_linked(previous) {
                self.open_link();
            }
            let tags = tags_of(&part.format, meanings);
            self.part(part, &tags, [before, text, after], is_alone, at <= start);
            if let Some(link) = link.filter(|_| !is_linked(parts.get(index + 1))) {
                self.out.push_str("](");
                push_address(&mut self.out, &link.url());
                self.out.push(')');
            }
            at = part_end;
        }
    }

    /// A link after an exclamation mark would be a picture.
    fn open_link(&mut self) {
        if self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
        self.out.push('[');
    }

    /// Writes a part of a line: its text, with the white space that has to be spelt out around it.
    fn part(
        &mut self,
        part: &Part,
        tags: &[Tag],
        [before, text, after]: [&str; 3],
        is_alone: bool,
        at_start: bool,
    ) {
        if is_code_span(part) && before.is_empty() && after.is_empty() {
            return push_code(&mut self.out, text);
        }
        // The signs of Markdown mean what they should only around words, and not next to each
        // other. Tags always do.
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let sign = match tags {
            [tag] if is_alone && part.link.is_none() => tag.sign,
            _ => None,
        };
        let (mut chars, mut last) = (part.text.chars(), part.text.chars());
        let sign = sign.filter(|_| is_word(chars.next()) && is_word(last.next_back()));
        match sign {
            Some(sign) => self.out.push_str(sign),
            None => tags.iter().for_each(|tag| self.out.push_str(&tag.open)),
        }
        push_spaces(&mut self.out, before);
        let is_address = part.link.as_ref().is_some_and(|link| {
            !link.is_named
                && *link.address == *text
                && text.contains(':')
                && !text.contains(['<', '>'])
        });
        if is_address {
            self.out.push_str(&format!("<{text}>"))
        } else {
            push_text(&mut self.out, text, at_start && tags.is_empty())
        }
        push_spaces(&mut self.out, after);
        match sign {
            Some(sign) => self.out.push_str(sign),
            None => tags.iter().rev().for_each(|tag| {
                self.out.push_str(&format!("</{}>", tag.name));
            }),
        }
    }
}

/// What stands around text that looks in some way.
struct Tag {
    name: &'static str,
    open: String,
    /// The shorter way to write it.
    sign: Option<&'static str>,
}

/// Of fonts and sizes, those that the page offers: others are the look of the file that they come
/// from.
fn tags_of(format: &TextFormat, meanings: Meanings<'_>) -> Vec<Tag> {
    let is_written = |style: &&Style| format.has(style.key) && !style.tags_read.is_empty();
    let styles = STYLES.iter().filter(is_written).map(|style| Tag {
        name: style.tag,
        open: format!("<{}>", style.tag),
        sign: style.markdown,
    });
    let values = [
        format.colour.map(Value::Colour),
        format.highlight.map(Value::Highlight),
        offered_size(format).map(Value::Size),
    ];
    let values = values.into_iter().flatten().filter_map(value_tag);
    let values = values.map(|(name, class, style)| Tag {
        name,
        open: format!("<{name} class=\"{class}\" style=\"{style}\">"),
        sign: None,
    });
    let family = offered_family(format).map(|family| Tag {
        name: "span",
        open: format!("<span style=\"font-family:{family}\">"),
        sign: None,
    });
    let declared = format.declared.iter();
    let declared = declared.filter_map(|a| meanings.declared.find(Kind::Inline, a));
    let declared = declared.map(|found| Tag {
        name: found.element(),
        open: format!("<{} class=\"{}\">", found.element(), found.class()),
        sign: None,
    });
    let all = styles.chain(values).chain(family);
    all.chain(declared).collect()
}

/// Markdown makes paragraphs of lines by itself, and there is none in another.
fn element_of(found: &Found<'_>) -> &'static str {
    match found.element() {
        PARAGRAPH => "div",
        element => element,
    }
}

fn offered_size(format: &TextFormat) -> Option<u8> {
    format.size.filter(|size| is_offered_size(*size))
}

fn offered_family(format: &TextFormat) -> Option<&'static str> {
    family::offered(format.family.as_deref()?)
}

fn looks_plain(format: &TextFormat) -> bool {
    let is_plain = format.styles == TextFormat::PLAIN.styles;
    let has_font = offered_size(format).is_some() || offered_family(format).is_some();
    let has_font = has_font || !format.declared.is_empty();
    is_plain && format.colour.is_none() && format.highlight.is_none() && !has_font
}

/// Whether a part is code and nothing else. Of backticks, nothing between them can be escaped.
fn is_code_span(part: &Part) -> bool {
    let mut rest = part.format.clone();
    rest.set(CODE, false);
    let is_address = part.link.as_ref().is_some_and(|link| !link.is_named);
    part.has(CODE) && looks_plain(&rest) && !is_address && !part.text.contains(['\0', '\r'])
}
