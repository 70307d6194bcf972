//! Bounds on what a client can make a pad store, in one place: sockets, the API, imports and
//! migrations share them. `docs/limits.md` lists them for operators.
//!
//! Lengths are UTF-16 units. Data that was stored before a bound existed stays readable: only what
//! is new is checked.

use std::collections::HashSet;

use changeset::{Attribute, Changeset, Pool};

/// The longest name of an author. Imports of an Etherpad's data cut longer ones, everything else
/// refuses them.
pub const AUTHOR_NAME: usize = 255;

/// The longest key and value of an attribute.
pub const ATTRIBUTE_KEY: usize = 64;
pub const ATTRIBUTE_VALUE: usize = 4_096;

/// Attributes that one operation of a change may name, and different keys in the pool of a pad.
/// Text has each key once, so it also bounds how many attributes text can gather.
pub const ATTRIBUTE_KEYS: usize = 256;

/// Attributes that are new to a pad in one change.
pub const NEW_ATTRIBUTES: usize = 32_768;

/// Entries of a pad's pool, and the units of all of them together. Every visitor gets the whole
/// pool. Authors may take as much again, so that a pool that somebody has filled keeps nobody from
/// writing.
pub const POOL_ENTRIES: usize = 65_536;
pub const POOL_UNITS: usize = 1_000_000;

/// The longest chat message. A visitor gets up to 101 of them in one answer.
pub const CHAT_TEXT: usize = 10_000;

/// The longest title of a pad.
pub const TITLE: usize = 200;

/// Saved revisions of a pad, and the longest label and id of one.
pub const SAVED_REVISIONS: usize = 2_000;
pub const SAVED_LABEL: usize = 255;
pub const SAVED_ID: usize = 64;

/// The longest name by which another application knows an author or a group.
pub const MAPPER: usize = 1_024;

/// Options of a pad: the longest language and font, the longest name of a plugin after its `ep_`,
/// and the bytes that the options of one plugin and of all together take as JSON.
pub const OPTION_LANGUAGE: usize = 35;
pub const OPTION_FONT: usize = 100;
pub const PLUGIN_NAME: usize = 100;
pub const PLUGIN_OPTION_BYTES: usize = 64 * 1024;
pub const PLUGIN_OPTIONS_BYTES: usize = 256 * 1024;

/// The bound that a change to a pad's pool would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    #[error("an attribute's key is longer than {}", ATTRIBUTE_KEY)]
    Key,
    #[error("an attribute's value is longer than {}", ATTRIBUTE_VALUE)]
    Value,
    #[error("there are more than {} kinds of attributes", ATTRIBUTE_KEYS)]
    Keys,
    #[error("a change brings more than {} new attributes", NEW_ATTRIBUTES)]
    NewAttributes,
    #[error("the pad has too many attributes")]
    Pool,
}

/// Whether a text has at most so many units.
pub fn fits(text: &str, units: usize) -> bool {
    // No text has more units than bytes, so that most need no counting.
    text.len() <= units || text.encode_utf16().nth(units).is_none()
}

/// The longest start of a text that has at most so many units. Characters stay whole.
pub fn cut(text: &str, units: usize) -> &str {
    let mut left = units;
    let fitting = text.chars().take_while(|c| {
        let rest = left.checked_sub(c.len_utf16());
        left = rest.unwrap_or_default();
        rest.is_some()
    });
    let bytes = fitting.map(char::len_utf8).sum();
    text.get(..bytes).unwrap_or(text)
}

/// Whether an attribute is short enough.
pub fn check_attribute(attribute: &Attribute) -> Result<(), Exceeded> {
    if !fits(&attribute.key, ATTRIBUTE_KEY) {
        return Err(Exceeded::Key);
    }
    if fits(&attribute.value, ATTRIBUTE_VALUE) {
        Ok(())
    } else {
        Err(Exceeded::Value)
    }
}

/// Whether the operations of a change name few enough attributes.
pub(crate) fn check_change(change: &Changeset) -> Result<(), Exceeded> {
    let within = |op: &changeset::Op| op.attribs.iter().nth(ATTRIBUTE_KEYS).is_none();
    if change.ops.iter().all(within) {
        Ok(())
    } else {
        Err(Exceeded::Keys)
    }
}

/// Whether a pad's pool may grow from one state to the next. A pool that does not grow is never
/// looked at: most changes bring nothing new, and a pad that is beyond a bound can still be edited.
pub fn check_growth(before: &Pool, after: &Pool) -> Result<(), Exceeded> {
    let new = || after.entries_since(before.next_number());
    if new().next().is_none() {
        return Ok(());
    }
    if new().nth(NEW_ATTRIBUTES).is_some() {
        return Err(Exceeded::NewAttributes);
    }
    for (_, attribute) in new() {
        check_attribute(attribute)?;
    }
    let mut room = AttributeBudget::default();
    let is_old = |number: u32| number < before.next_number();
    for (number, attribute) in after.entries() {
        match room.take(attribute) {
            Err(exceeded) if !is_old(number) => return Err(exceeded),
            _ => {}
        }
    }
    Ok(())
}

/// The room that a pool has, taken by one attribute after the other.
#[derive(Default)]
pub struct AttributeBudget<'a> {
    entries: usize,
    units: usize,
    keys: HashSet<&'a str>,
}

impl<'a> AttributeBudget<'a> {
    /// Counts an attribute, or says which bound it is beyond.
    pub fn take(&mut self, attribute: &'a Attribute) -> Result<(), Exceeded> {
        let share = if attribute.key == "author" { 2 } else { 1 };
        // Bytes are at least as many as units, and need no counting.
        let units = attribute.key.len() + attribute.value.len();
        self.entries += 1;
        self.units = self.units.saturating_add(units);
        if self.keys.len() < ATTRIBUTE_KEYS {
            self.keys.insert(&attribute.key);
        }
        if !self.keys.contains(&*attribute.key) {
            return Err(Exceeded::Keys);
        }
        if self.entries <= share * POOL_ENTRIES && self.units <= share * POOL_UNITS {
            Ok(())
        } else {
            Err(Exceeded::Pool)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_measured_and_cut_in_units_and_never_within_a_character() {
        for (text, units, expected) in [
            ("", 0, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "abc"),
            ("äöü", 2, "äö"),
            ("a😀b", 2, "a"),
            ("a😀b", 3, "a😀"),
        ] {
            assert_eq!(cut(text, units), expected, "{text} to {units}");
            assert_eq!(fits(text, units), text == expected, "{text} in {units}");
        }
    }

    #[test]
    fn every_bound_is_documented() {
        let document = include_str!("../../../docs/limits.md").replace(',', "");
        for bound in [
            AUTHOR_NAME,
            ATTRIBUTE_KEY,
            ATTRIBUTE_VALUE,
            ATTRIBUTE_KEYS,
            NEW_ATTRIBUTES,
            POOL_ENTRIES,
            POOL_UNITS,
            CHAT_TEXT,
            SAVED_REVISIONS,
            MAPPER,
            crate::MAX_PAD_NAME,
        ] {
            let cell = format!("| {bound} ");
            assert!(document.contains(&cell), "{bound} is not in docs/limits.md");
        }
    }
}
