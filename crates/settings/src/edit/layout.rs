//! Layout of a text: its lines, their indentation, and what is cut and pasted in it.

use std::ops::Range;

use serde_json::Value as Json;

/// A stretch of a text and what comes in its place.
pub(super) type Cut = (Range<usize>, String);

/// The text after the cuts, which are in order and do not overlap.
pub(super) fn pasted(text: &str, cuts: &[Cut]) -> String {
    let mut whole = String::new();
    let mut done = 0;
    for (range, paste) in cuts {
        whole.push_str(text.get(done..range.start).unwrap_or_default());
        whole.push_str(paste);
        done = range.end;
    }
    whole.push_str(text.get(done..).unwrap_or_default());
    whole
}

pub(super) struct Layout<'a> {
    text: &'a str,
    /// How a line ends.
    pub line: &'static str,
    /// By how much members are indented.
    unit: &'a str,
}

impl<'a> Layout<'a> {
    /// `first` is where the first member of the whole begins.
    pub(super) fn of(text: &'a str, first: Option<usize>) -> Layout<'a> {
        let line = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let layout = Layout {
            text,
            line,
            unit: "  ",
        };
        let own = |first| {
            let unit = layout.indent(first);
            (layout.line_start(first) + unit.len() == first).then_some(unit)
        };
        match first.and_then(own).filter(|unit| !unit.is_empty()) {
            Some(unit) => Layout { unit, ..layout },
            None => layout,
        }
    }

    /// The blanks that the line of a place begins with.
    pub(super) fn indent(&self, at: usize) -> &'a str {
        let line = self.text.get(self.line_start(at)..at).unwrap_or_default();
        let blanks = line.len() - line.trim_start_matches(is_blank).len();
        line.get(..blanks).unwrap_or_default()
    }

    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    pub(super) fn is_one_line(&self, from: usize, to: usize) -> bool {
        !self.text.get(from..to).unwrap_or_default().contains('\n')
    }

    /// The whole lines around this stretch, if there is nothing else in them.
    pub(super) fn lines(&self, from: usize, to: usize) -> Option<Range<usize>> {
        let start = self.line_start(from);
        let after = self.text.get(to..)?;
        let end = to + after.find('\n')? + 1;
        let blank = |range: Range<usize>| {
            let text = self.text.get(range).unwrap_or_default();
            text.chars().all(char::is_whitespace)
        };
        (blank(start..from) && blank(to..end)).then_some(start..end)
    }

    pub(super) fn skip_blanks(&self, at: usize) -> usize {
        let after = self.text.get(at..).unwrap_or_default();
        at + after.len() - after.trim_start_matches(is_blank).len()
    }

    pub(super) fn skip_blanks_before(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.trim_end_matches(is_blank).len()
    }

    /// A value as somebody would write it whose line is indented so far.
    pub(super) fn rendered(&self, value: &Json, indent: &str) -> String {
        let inner = self.deeper(indent);
        let (open, items, close): (_, Vec<String>, _) = match value {
            Json::Object(members) if !members.is_empty() => {
                let member = |(name, value): (&String, &Json)| {
                    format!(
                        "{}: {}",
                        Json::from(name.as_str()),
                        self.rendered(value, &inner)
                    )
                };
                ('{', members.iter().map(member).collect(), '}')
            }
            Json::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                let item = |item| self.rendered(item, &inner);
                ('[', items.iter().map(item).collect(), ']')
            }
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(Json::to_string).collect();
                return format!("[{}]", items.join(", "));
            }
            other => return other.to_string(),
        };
        let line = self.line;
        let items = items.join(&format!(",{line}{inner}"));
        format!("{open}{line}{inner}{items}{line}{indent}{close}")
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(0, |line| line + 1)
    }
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}
