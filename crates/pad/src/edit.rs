//! Changes that the server makes itself: texts set through the API, restored and copied documents.
//!
//! The text that a call leaves is the one Etherpad leaves, final newlines included: setting a text
//! adds a newline only where one is missing, all others put what they insert in front of the pad's
//! final newline. Every change keeps the rule of `final_newline`.

use std::collections::BTreeMap;
use std::sync::Arc;

use changeset::{Attribs, Attribute, Changeset, Document, NEWLINE, Pool, Text, splice};

use crate::final_newline::{Replacement, last_attribs};
use crate::ids::{AuthorId, clean_text};

/// A change together with the pool it needs: the pad's, and whatever is new. Made in this module
/// only, so that no other maker of changes passes by its rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PreparedEdit {
    pub change: Changeset,
    pub pool: Arc<Pool>,
}

/// A stretch of text with its attributes, as converters produce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub text: Text,
    pub attributes: Vec<Attribute>,
}

/// Replaces the whole text.
pub fn set_text(
    document: &Document,
    pool: &Arc<Pool>,
    text: &[u16],
    author: &AuthorId,
) -> PreparedEdit {
    let mut text = clean_text(text);
    if text.last() != Some(&NEWLINE) {
        text.push(NEWLINE);
    }
    let mut pool = Arc::clone(pool);
    let attribs = author_attribs(&mut pool, author);
    let change = splice(document, 0, document.len(), &text, &attribs);
    PreparedEdit { change, pool }
}

/// Adds text in front of the final newline.
pub fn append_text(
    document: &Document,
    pool: &Arc<Pool>,
    text: &[u16],
    author: &AuthorId,
) -> PreparedEdit {
    let mut pool = Arc::clone(pool);
    let attribs = author_attribs(&mut pool, author);
    let end = document.len().saturating_sub(1);
    let change = splice(document, end, 0, &clean_text(text), &attribs);
    PreparedEdit { change, pool }
}

/// The first text of a new pad, as it was given: revision 0, a change of the empty document, whose
/// newline comes behind it.
pub fn first_text(text: &[u16], author: &AuthorId) -> PreparedEdit {
    let mut pool = Arc::default();
    let attribs = if text.is_empty() {
        Attribs::none()
    } else {
        author_attribs(&mut pool, author)
    };
    let change = splice(&Document::plain(&[NEWLINE]), 0, 0, text, &attribs);
    PreparedEdit { change, pool }
}

/// Replaces everything in front of the final newline by other content, for example what an import
/// gave. Text that names no author gets `author`.
pub fn set_runs(
    document: &Document,
    pool: &Arc<Pool>,
    runs: &[Run],
    author: &AuthorId,
) -> PreparedEdit {
    let mut pool = Arc::clone(pool);
    let mut change = Replacement::of(document);
    let own = Attribute::new("author", author.as_str());
    for run in runs {
        let mut attributes = run.attributes.clone();
        if !attributes
            .iter()
            .any(|a| a.key == "author" && !a.value.is_empty())
        {
            attributes.push(own.clone());
        }
        let attribs = Pool::attribs_of_insert_shared(&mut pool, &attributes);
        change.insert(&run.text, &attribs);
    }
    // Who wrote the newline stays; that it was a line of a list or a heading does not.
    let old = last_attribs(document);
    let is_author = |number: &u32| pool.get(*number).is_some_and(|a| a.key == "author");
    let wanted: Attribs = old.iter().filter(is_author).collect();
    let known = Arc::clone(&pool);
    let removal = |removal: &Attribute| Some(Pool::intern_shared(&mut pool, removal));
    let change = change.finish(&wanted, &known, removal);
    PreparedEdit { change, pool }
}

/// Puts an earlier document of the same pad back, its final newline included: the pad's own comes
/// behind it.
pub fn restore(
    document: &Document,
    pool: &Arc<Pool>,
    old: &Document,
    author: &AuthorId,
) -> PreparedEdit {
    set_runs(document, pool, &runs_of(old, pool), author)
}

/// How many UTF-16 units of a document each author has written, most first. Text of nobody in
/// particular is left out.
pub fn shares(document: &Document, pool: &Pool) -> Vec<(AuthorId, usize)> {
    let mut units: BTreeMap<String, usize> = BTreeMap::new();
    for run in runs_of(document, pool) {
        let author = run.attributes.iter().find(|it| it.key == "author");
        if let Some(author) = author {
            *units.entry(author.value.clone()).or_default() += run.text.len();
        }
    }
    let known = |(author, units): (String, usize)| Some((AuthorId::parse(&author)?, units));
    let mut shares: Vec<(AuthorId, usize)> = units.into_iter().filter_map(known).collect();
    shares.retain(|(author, _)| !author.is_system());
    shares.sort_by_key(|(_, units)| std::cmp::Reverse(*units));
    shares
}

/// A document as runs that can be written into another pad.
pub fn runs_of(document: &Document, pool: &Pool) -> Vec<Run> {
    let resolve = |attribs: &Attribs| {
        attribs
            .iter()
            .filter_map(|number| pool.get(number))
            .cloned()
            .collect()
    };
    document
        .pieces(0..document.len())
        .map(|piece| Run {
            text: piece.units.into(),
            attributes: resolve(piece.attribs),
        })
        .collect()
}

fn author_attribs(pool: &mut Arc<Pool>, author: &AuthorId) -> Attribs {
    Pool::attribs_of_insert_shared(pool, &[Attribute::new("author", author.as_str())])
}
