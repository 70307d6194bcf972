//! A text of JSON with comments, of which one value at a time is changed.
//!
//! Each change reads the text again and cuts and pastes in it, so that whatever a change is not
//! about stays as it is, character by character. Members are found by their path; of several with
//! the same name the last one counts, as for the reader.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};
use serde_json::Value as Json;

use super::layout::{Cut, Layout, pasted};
use crate::tree::OPTIONS;

pub(super) struct Text(String);

impl Text {
    /// The text has to be one that the reader can read.
    pub(super) fn new(text: &str) -> Text {
        Text(text.to_owned())
    }

    pub(super) fn finish(self) -> String {
        self.0
    }

    pub(super) fn value(&self, path: &[&str]) -> Option<Json> {
        let parsed = Parsed::of(&self.0)?;
        let (_, property) = parsed.find(path)?;
        Some(property.value.clone().into())
    }

    /// Whether it is an object without members and without comments, and the only one of its name.
    pub(super) fn is_bare(&self, path: &[&str]) -> bool {
        let bare = |parsed: Parsed| {
            let (outer, property) = parsed.find(path)?;
            let Value::Object(object) = &property.value else {
                return None;
            };
            let is_one = named(outer, property.name.as_str()).count() == 1;
            let has_comments = parsed
                .comments(object.start()..object.end())
                .next()
                .is_some();
            Some(is_one && object.properties.is_empty() && !has_comments)
        };
        Parsed::of(&self.0).and_then(bare).unwrap_or_default()
    }

    /// Gives a value to the last name of the path, making the objects on the way. What is on the
    /// way already has to be objects.
    pub(super) fn put(&mut self, path: &[&str], value: &Json) {
        let cuts = Parsed::of(&self.0).and_then(|parsed| parsed.put(path, value));
        self.apply(cuts);
    }

    /// Makes a value the only member of an object in its place.
    pub(super) fn wrap(&mut self, path: &[&str], name: &str) {
        let wrapped = |parsed: Parsed| {
            let (_, property) = parsed.find(path)?;
            let (start, end) = (property.value.start(), property.value.end());
            let before = format!("{{{}: ", Json::from(name));
            Some(vec![(start..start, before), (end..end, "}".to_owned())])
        };
        let cuts = Parsed::of(&self.0).and_then(wrapped);
        self.apply(cuts);
    }

    /// Takes the value out, all of that name.
    pub(super) fn remove(&mut self, path: &[&str]) {
        loop {
            let cuts = Parsed::of(&self.0).and_then(|parsed| parsed.remove(path));
            if cuts.is_none() {
                return;
            }
            self.apply(cuts);
        }
    }

    fn apply(&mut self, cuts: Option<Vec<Cut>>) {
        if let Some(cuts) = cuts {
            self.0 = pasted(&self.0, &cuts);
        }
    }
}

struct Parsed<'a> {
    layout: Layout<'a>,
    root: Object<'a>,
    tokens: Vec<TokenAndRange<'a>>,
}

impl<'a> Parsed<'a> {
    fn of(text: &'a str) -> Option<Parsed<'a>> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let parsed = parse_to_ast(text, &collect, &OPTIONS).ok()?;
        let Value::Object(root) = parsed.value? else {
            return None;
        };
        let first = root.properties.first().map(Ranged::start);
        Some(Parsed {
            layout: Layout::of(text, first),
            root,
            tokens: parsed.tokens?,
        })
    }

    fn find(&self, path: &[&str]) -> Option<(&Object<'a>, &ObjectProp<'a>)> {
        let (last, outer) = path.split_last()?;
        let object = outer.iter().try_fold(&self.root, |object, name| {
            match &named(object, name).last()?.value {
                Value::Object(inner) => Some(inner),
                _ => None,
            }
        })?;
        Some((object, named(object, last).last()?))
    }

    fn put(&self, path: &[&str], value: &Json) -> Option<Vec<Cut>> {
        if let Some((_, property)) = self.find(path) {
            let indent = self.layout.indent(property.start());
            let place = property.value.start()..property.value.end();
            return Some(vec![(place, self.layout.rendered(value, indent))]);
        }
        let mut object = &self.root;
        let mut rest = path.iter();
        let missing = rest.by_ref().find(|name| {
            match named(object, name).last().map(|property| &property.value) {
                Some(Value::Object(inner)) => object = inner,
                _ => return true,
            }
            false
        })?;
        let nested = rest.rev().fold(value.clone(), |inner, name| {
            Json::Object([((*name).to_owned(), inner)].into_iter().collect())
        });
        Some(self.insert(object, missing, &nested))
    }

    /// A new member, after the others.
    fn insert(&self, object: &Object, name: &str, value: &Json) -> Vec<Cut> {
        let layout = &self.layout;
        let line = layout.line;
        let member =
            |indent: &str| format!("{}: {}", Json::from(name), layout.rendered(value, indent));
        let outer = layout.indent(object.start());
        let Some(last) = object.properties.last() else {
            let comments = self.comments(object.start()..object.end()).last();
            let from = comments.map_or(object.start() + 1, Ranged::end);
            let inner = layout.deeper(outer);
            let text = format!("{line}{inner}{}{line}{outer}", member(&inner));
            return vec![(from..object.end() - 1, text)];
        };
        if layout.is_one_line(object.start(), last.start()) {
            return vec![(last.end()..last.end(), format!(", {}", member(outer)))];
        }
        let inner = layout.indent(last.start());
        let comma = self.comma(last.end(), object.end());
        // A comment on the same line is about the member before.
        let mut at = comma.map_or(last.end(), |comma| comma + 1);
        for comment in self.comments(at..object.end()) {
            if layout.is_one_line(at, comment.start()) {
                at = comment.end();
            }
        }
        let text = format!("{line}{inner}{}", member(inner));
        match comma {
            Some(_) => vec![(at..at, text + ",")],
            None => vec![(last.end()..last.end(), ",".to_owned()), (at..at, text)],
        }
    }

    fn remove(&self, path: &[&str]) -> Option<Vec<Cut>> {
        let (object, property) = self.find(path)?;
        let (start, end) = (property.start(), property.end());
        let next = object
            .properties
            .iter()
            .map(Ranged::start)
            .find(|next| *next > start);
        let previous = object
            .properties
            .iter()
            .map(Ranged::end)
            .rfind(|previous| *previous < start);
        let comma = self.comma(end, next.unwrap_or(object.end()));
        let mut cuts = Vec::new();
        // The last member takes the comma before it away, so that none is left over.
        if let (None, Some(previous)) = (comma, previous)
            && let Some(comma) = self.comma(previous, start)
        {
            cuts.push((comma..comma + 1, String::new()));
        }
        let whole = comma.map_or(end, |comma| comma + 1);
        let has_comment = self.comments(end..whole).next().is_some();
        match self.layout.lines(start, whole).filter(|_| !has_comment) {
            Some(lines) => cuts.push((lines, String::new())),
            None => match comma {
                Some(comma) => {
                    cuts.push((start..end, String::new()));
                    cuts.push((comma..self.layout.skip_blanks(comma + 1), String::new()));
                }
                None => cuts.push((self.layout.skip_blanks_before(start)..end, String::new())),
            },
        }
        Some(cuts)
    }

    fn comments(&self, within: std::ops::Range<usize>) -> impl Iterator<Item = &TokenAndRange<'a>> {
        let is_comment =
            |token: &Token| matches!(token, Token::CommentLine(_) | Token::CommentBlock(_));
        let tokens = self.tokens.iter();
        tokens.filter(move |found| is_comment(&found.token) && within.contains(&found.start()))
    }

    fn comma(&self, from: usize, to: usize) -> Option<usize> {
        let mut tokens = self.tokens.iter();
        let found = tokens.find(|found| found.token == Token::Comma && found.start() >= from)?;
        (found.start() < to).then(|| found.start())
    }
}

fn named<'o, 'a>(
    object: &'o Object<'a>,
    name: &str,
) -> impl DoubleEndedIterator<Item = &'o ObjectProp<'a>> {
    let properties = object.properties.iter();
    properties.filter(move |property| property.name.as_str() == name)
}
