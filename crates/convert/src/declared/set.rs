//! The declared attributes that a stretch of text or a line has while it is read or written.

use std::rc::Rc;

use changeset::Attribute;

/// More of them on one character are not read from a file: each run has its own list of them.
const ON_ONE: usize = 8;

/// By key, each once. Shared: most stretches of a file have the same ones or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set(Option<Rc<[Attribute]>>);

impl Set {
    pub(crate) const EMPTY: Set = Set(None);

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.0.as_deref().unwrap_or_default().iter()
    }

    /// All of a document, where their number is bounded by what is stored.
    pub(crate) fn of(attributes: impl Iterator<Item = Attribute>) -> Set {
        let attributes: Rc<[Attribute]> = attributes.collect();
        Set((!attributes.is_empty()).then_some(attributes))
    }

    /// Takes what an element says: the innermost counts.
    pub(crate) fn enter(&mut self, attributes: Vec<Attribute>) {
        if attributes.is_empty() {
            return;
        }
        let mut all: Vec<Attribute> = self.iter().cloned().collect();
        for attribute in attributes {
            match all.binary_search_by(|known| known.key.cmp(&attribute.key)) {
                Ok(at) => all.splice(at..=at, [attribute]).for_each(drop),
                Err(at) if all.len() < ON_ONE => all.insert(at, attribute),
                Err(_) => {}
            }
        }
        *self = Set(Some(all.into()));
    }
}
