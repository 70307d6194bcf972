//! Attributes and the pools that number them.
//!
//! A pool only grows: a number, once given, means the same attribute for ever. Pools that came from
//! outside may have holes; a reference into a hole means nothing.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::error::Error;
use crate::op::{Attribs, Changeset, Op};

/// A property of text. On kept text an empty value removes the key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    pub key: String,
    pub value: String,
}

impl Attribute {
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Attribute {
        Attribute {
            key: key.into(),
            value: value.into(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    attributes: BTreeMap<u32, Attribute>,
    numbers: HashMap<Attribute, u32>,
    next: u32,
}

impl Pool {
    pub fn new() -> Pool {
        Pool::default()
    }

    /// A pool as it was written down. `next` is raised where it would give a number twice. Of two
    /// attributes with one number the first has it.
    pub fn from_entries(entries: impl IntoIterator<Item = (u32, Attribute)>, next: u32) -> Pool {
        let mut pool = Pool {
            next,
            ..Pool::default()
        };
        for (number, attribute) in entries {
            if pool.attributes.contains_key(&number) {
                continue;
            }
            pool.numbers.entry(attribute.clone()).or_insert(number);
            pool.attributes.insert(number, attribute);
            pool.next = pool.next.max(number.saturating_add(1));
        }
        pool
    }

    /// Numbers and attributes, ascending.
    pub fn entries(&self) -> impl Iterator<Item = (u32, &Attribute)> {
        self.attributes
            .iter()
            .map(|(&number, attribute)| (number, attribute))
    }

    /// The entries from a number on: what was added since that was the next number.
    pub fn entries_since(&self, next: u32) -> impl Iterator<Item = (u32, &Attribute)> {
        self.attributes
            .range(next..)
            .map(|(&number, attribute)| (number, attribute))
    }

    /// The number that the next new attribute gets.
    pub fn next_number(&self) -> u32 {
        self.next
    }

    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    pub fn get(&self, number: u32) -> Option<&Attribute> {
        self.attributes.get(&number)
    }

    pub fn number_of(&self, attribute: &Attribute) -> Option<u32> {
        self.numbers.get(attribute).copied()
    }

    /// The number of an attribute, which is added if the pool does not have it yet.
    pub fn intern(&mut self, attribute: Attribute) -> u32 {
        if let Some(number) = self.number_of(&attribute) {
            return number;
        }
        let number = self.next;
        self.next = self.next.saturating_add(1);
        self.attributes.insert(number, attribute.clone());
        self.numbers.insert(attribute, number);
        number
    }

    /// [`Pool::intern`] for a pool that others read: it is copied only if it must grow.
    pub fn intern_shared(pool: &mut Arc<Pool>, attribute: &Attribute) -> u32 {
        match pool.number_of(attribute) {
            Some(number) => number,
            None => Arc::make_mut(pool).intern(attribute.clone()),
        }
    }

    /// Like [`Pool::get`], with the error that a change pointing nowhere deserves.
    pub fn resolve(&self, number: u32) -> Result<&Attribute, Error> {
        self.get(number).ok_or(Error::UnknownAttribute)
    }

    /// The value of `key` in a list; of several the last.
    pub fn value_of<'a>(&'a self, attribs: &Attribs, key: &str) -> Option<&'a str> {
        attribs
            .iter()
            .filter_map(|number| self.get(number))
            .rfind(|attribute| attribute.key == key)
            .map(|attribute| attribute.value.as_str())
    }

    /// The list of numbers for the attributes of new text: by key, without empty values. Only the
    /// attributes that remain are added to the pool, in that order.
    pub fn attribs_of_insert(&mut self, attributes: &[Attribute]) -> Attribs {
        let sorted = attributes_of_insert(attributes).into_iter();
        sorted
            .map(|attribute| self.intern(attribute.clone()))
            .collect()
    }

    /// [`Pool::attribs_of_insert`] for a pool that others read.
    pub fn attribs_of_insert_shared(pool: &mut Arc<Pool>, attributes: &[Attribute]) -> Attribs {
        let sorted = attributes_of_insert(attributes).into_iter();
        sorted
            .map(|attribute| Pool::intern_shared(pool, attribute))
            .collect()
    }

    /// Renumbers operations of this pool for another one, in order of appearance. References into
    /// holes disappear.
    pub fn move_ops(&self, ops: &[Op], target: &mut Pool) -> Vec<Op> {
        self.renumber(ops, |attribute| target.intern(attribute.clone()))
    }

    /// Renumbers a change of this pool for another one, in order of appearance.
    pub fn move_changeset(&self, change: &Changeset, target: &mut Pool) -> Changeset {
        let ops = self.move_ops(&change.ops, target);
        Changeset {
            ops,
            ..change.clone()
        }
    }

    /// [`Pool::move_changeset`] for a pool that others read.
    pub fn move_to_shared(&self, change: &Changeset, target: &mut Arc<Pool>) -> Changeset {
        let ops = self.renumber(&change.ops, |attribute| {
            Pool::intern_shared(target, attribute)
        });
        Changeset {
            ops,
            ..change.clone()
        }
    }

    fn renumber(&self, ops: &[Op], mut number: impl FnMut(&Attribute) -> u32) -> Vec<Op> {
        let mut renumbered = |op: &Op| {
            let known = op.attribs.iter().filter_map(|number| self.get(number));
            Op {
                attribs: known.map(&mut number).collect(),
                ..op.clone()
            }
        };
        ops.iter().map(&mut renumbered).collect()
    }
}

fn attributes_of_insert(attributes: &[Attribute]) -> Vec<&Attribute> {
    let mut sorted: Vec<_> = attributes.iter().filter(|a| !a.value.is_empty()).collect();
    sorted.sort_by(|a, b| cmp_units(&a.key, &b.key));
    sorted
}

/// Compares strings by their UTF-16 units, as the order of keys and values is defined.
pub fn cmp_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}
