//! Secrets in the text of a settings file: masked before a browser sees it, and put back when it
//! comes from there.
//!
//! Invariant: no secret of the file is in the masked text, and a masked text that nobody has
//! changed is restored to the file as it was. Comments and layout stay, and so do line numbers.

use std::collections::HashMap;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, parse_to_ast};

use super::diagnostics::{HIDDEN, Problem, Report};
use super::model::Settings;
use super::table::{self, Row};
use super::tree::{OPTIONS, join, reference};
use super::value::Kind;

/// Names that mean a secret wherever they are, also below keys that belong to plugins.
const TELLING: [&str; 7] = [
    "apikey",
    "api_key",
    "cookiekeys",
    "passphrase",
    "password",
    "secret",
    "sessionkey",
];

/// The text without its secrets. `None` if it cannot be read: a secret may be anywhere in it.
pub fn mask(text: &str) -> Option<String> {
    let leaves = leaves(text)?;
    let hidden = leaves.iter().filter_map(|leaf| {
        let mask = leaf.mask()?;
        Some((leaf.range.clone(), quoted(&mask)))
    });
    let comments = comments(text).filter_map(|range| {
        let comment = text.get(range.clone())?;
        let mask = masked_comment(comment);
        (mask != comment).then_some((range, mask))
    });
    Some(replaced(text, hidden.chain(comments).collect()))
}

/// A masked text with the secrets of the file as it is. A mask in a place where the file has no
/// secret, or another one than it had, is a problem. What cannot be read is left as it is: the
/// reader will say so.
pub fn restore(masked: &str, file: &str) -> Result<String, Vec<Problem>> {
    let Some(found) = leaves(masked) else {
        return Ok(masked.to_owned());
    };
    let mut kept = HashMap::new();
    for leaf in leaves(file).unwrap_or_default() {
        if let Some(mask) = leaf.mask() {
            kept.insert(leaf.path.clone(), (mask, leaf));
        }
    }
    let mut report = Report::default();
    let mut changes = Vec::new();
    for leaf in found {
        let is_mask = hides(&leaf.text);
        match kept.get(&leaf.path) {
            Some((mask, original)) if *mask == leaf.text => {
                let text = file.get(original.range.clone()).unwrap_or_default();
                changes.push((leaf.range, text.to_owned()));
            }
            _ if is_mask && leaf.is_secret => {
                let key = &leaf.path;
                let text = format!(
                    "{key} has {HIDDEN} where no secret is kept; write the secret, or change it \
                     in the file itself"
                );
                report.fail(key, None, text);
            }
            _ => {}
        }
    }
    let originals = comments(file).filter_map(|range| file.get(range));
    let originals: HashMap<String, &str> = originals
        .map(|comment| (masked_comment(comment), comment))
        .collect();
    for range in comments(masked) {
        let comment = masked.get(range.clone()).unwrap_or_default();
        if let Some(original) = originals.get(comment) {
            changes.push((range, (*original).to_owned()));
        }
    }
    if report.problems.is_empty() {
        Ok(replaced(masked, changes))
    } else {
        Err(report.problems)
    }
}

/// A text or a number in the file.
struct Leaf {
    /// From the root, such as `users.ada.password`; an item of a list by its client's id, if it
    /// has one.
    path: String,
    range: Range<usize>,
    text: String,
    /// Whether what stands here is a secret, whatever it is.
    is_secret: bool,
}

impl Leaf {
    /// What is shown instead, if it is a secret.
    fn mask(&self) -> Option<String> {
        if self.text.is_empty() || !(self.is_secret || has_userinfo(&self.text)) {
            return None;
        }
        match reference(&self.text) {
            // The name of a variable is none.
            Some((_, None)) => None,
            Some((name, Some(_))) => Some(format!("${{{name}:{HIDDEN}}}")),
            None => Some(HIDDEN.to_owned()),
        }
    }
}

fn leaves(text: &str) -> Option<Vec<Leaf>> {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let parsed = parse_to_ast(text.get(mark..)?, &CollectOptions::default(), &OPTIONS).ok()?;
    let mut walk = Walk {
        mark,
        names: secret_names(),
        leaves: Vec::new(),
        seen: HashMap::new(),
    };
    walk.value("", &parsed.value?, false);
    Some(walk.leaves)
}

struct Walk {
    /// The length of the byte order mark, which the parser does not see.
    mark: usize,
    names: Vec<String>,
    leaves: Vec<Leaf>,
    /// How often each path has occurred.
    seen: HashMap<String, usize>,
}

impl Walk {
    fn value(&mut self, path: &str, value: &ast::Value, is_secret: bool) {
        match value {
            ast::Value::StringLit(text) => self.leaf(path, value, &text.value, is_secret),
            ast::Value::NumberLit(number) => self.leaf(path, value, number.value, is_secret),
            ast::Value::Object(object) => {
                for property in &object.properties {
                    let name = property.name.as_str();
                    // For short, the whole object may be a connection string.
                    let is_short = path.is_empty() && name == "dbSettings";
                    let is_text = matches!(property.value, ast::Value::StringLit(_));
                    let is_secret = is_secret || self.tells(name) || is_short && is_text;
                    self.value(&join(path, name), &property.value, is_secret);
                }
            }
            ast::Value::Array(array) => {
                for (at, item) in array.elements.iter().enumerate() {
                    let item_path = match client_id(item) {
                        Some(id) => format!("{path}[{id:?}]"),
                        None => format!("{path}[{at}]"),
                    };
                    self.value(&item_path, item, is_secret);
                }
            }
            ast::Value::BooleanLit(_) | ast::Value::NullKeyword(_) => {}
        }
    }

    fn leaf(&mut self, path: &str, value: &ast::Value, text: &str, is_secret: bool) {
        // A name may be given twice, each time with a secret of its own.
        let seen = self.seen.entry(path.to_owned()).or_default();
        *seen += 1;
        let path = match *seen {
            1 => path.to_owned(),
            again => format!("{path} ({again})"),
        };
        self.leaves.push(Leaf {
            path,
            range: value.start() + self.mark..value.end() + self.mark,
            text: text.to_owned(),
            is_secret,
        });
    }

    fn tells(&self, name: &str) -> bool {
        tells(&self.names, name)
    }
}

/// The names of all members that are secrets, from the table.
fn secret_names() -> Vec<String> {
    let mut defaults = Settings::default();
    let mut names = Vec::new();
    for row in table::rows() {
        names.extend(secrets_of(row, &mut defaults));
    }
    names
}

fn secrets_of(row: &Row, defaults: &mut Settings) -> Vec<String> {
    match row.kind(defaults) {
        Some((Kind::Secret, _)) => {
            let name = row.key.rsplit('.').next().unwrap_or_default();
            vec![name.to_lowercase()]
        }
        Some((_, members)) => members.iter().map(|name| name.to_lowercase()).collect(),
        None => Vec::new(),
    }
}

fn tells(names: &[String], name: &str) -> bool {
    let name = name.to_lowercase();
    names.contains(&name) || TELLING.iter().any(|telling| name.contains(telling))
}

fn client_id<'a>(item: &'a ast::Value) -> Option<&'a str> {
    let object = item.as_object()?;
    let id = object
        .properties
        .iter()
        .find(|it| it.name.as_str() == "client_id")?;
    Some(&id.value.as_string_lit()?.value)
}

/// Whether it is an address with a password in it, such as `https://user:password@host`.
pub(crate) fn has_userinfo(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.rsplit_once('@')
        .is_some_and(|(user, _)| user.contains(':'))
}

fn hides(text: &str) -> bool {
    text == HIDDEN || matches!(reference(text), Some((_, Some(default))) if default == HIDDEN)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Settings that are commented out may have secrets, too.
fn masked_comment(comment: &str) -> String {
    let names = secret_names();
    let mut changes = Vec::new();
    let mut name: Option<&str> = None;
    let mut end = 0;
    for range in strings(comment) {
        let between = comment.get(end..range.start).unwrap_or_default().trim();
        let inside = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
        let text = comment.get(inside.clone()).unwrap_or_default();
        let is_value = between == ":" && name.is_some_and(|name| tells(&names, name));
        if !text.is_empty() && (is_value || has_userinfo(text)) {
            changes.push((inside, HIDDEN.to_owned()));
        }
        name = Some(text);
        end = range.end;
    }
    replaced(comment, changes)
}

/// Where the comments of a text that can be read are.
fn comments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with('"') {
            string_length(rest)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        if rest.starts_with("//") || rest.starts_with("/*") {
            found.push(at..at + length);
        }
        at += length;
    }
    found.into_iter()
}

/// Where the quoted texts of a comment are, quotes included.
fn strings(comment: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = comment.get(at..).and_then(|rest| rest.find('"')) {
        let start = at + start;
        let length = comment.get(start..).map_or(1, string_length);
        found.push(start..start + length);
        at = start + length;
    }
    found
}

/// How long the quoted text is that a text begins with; one without an end takes all.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The text with other contents in these places, of which none overlap.
fn replaced(text: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(range, _)| range.start);
    let mut new = String::with_capacity(text.len());
    let mut end = 0;
    for (range, content) in changes {
        new.push_str(text.get(end..range.start).unwrap_or_default());
        new.push_str(&content);
        end = range.end;
    }
    new.push_str(text.get(end..).unwrap_or_default());
    new
}

#[cfg(test)]
mod tests;
