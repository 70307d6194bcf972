//! Changes that the server makes itself: texts set through the API, restored and copied documents.
//!
//! Every function gives a change of the whole document that leaves exactly one final newline where
//! the caller gave a text without one, and none more than the caller asked for.

use std::sync::Arc;

use changeset::{Attribs, Attribute, Builder, Changeset, Document, NEWLINE, Pool, Text, splice};

use crate::ids::{AuthorId, clean_text};

/// A change together with the pool it needs: the pad's, and whatever is new.
#[derive(Clone, Debug)]
pub struct Prepared {
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
) -> Prepared {
    let mut text = clean_text(text);
    if text.last() != Some(&NEWLINE) {
        text.push(NEWLINE);
    }
    let mut pool = Arc::clone(pool);
    let attribs = author_attribs(&mut pool, author);
    let change = splice(document, 0, document.len(), &text, &attribs);
    Prepared { change, pool }
}

/// Adds text in front of the final newline.
pub fn append_text(
    document: &Document,
    pool: &Arc<Pool>,
    text: &[u16],
    author: &AuthorId,
) -> Prepared {
    let mut pool = Arc::clone(pool);
    let attribs = author_attribs(&mut pool, author);
    let end = document.len().saturating_sub(1);
    let change = splice(document, end, 0, &clean_text(text), &attribs);
    Prepared { change, pool }
}

/// The first text of a new pad: revision 0, a change of the empty document.
pub fn first_text(text: &[u16], author: &AuthorId) -> Prepared {
    let mut text = clean_text(text);
    if text.last() == Some(&NEWLINE) {
        text = text.get(..text.len() - 1).unwrap_or_default().into();
    }
    let mut pool = Arc::default();
    let attribs = if text.is_empty() {
        Attribs::none()
    } else {
        author_attribs(&mut pool, author)
    };
    let change = splice(&Document::plain(&[NEWLINE]), 0, 0, &text, &attribs);
    Prepared { change, pool }
}

/// Replaces the whole document by other content, for example what an import gave. Text that names
/// no author gets `author`.
pub fn set_runs(
    document: &Document,
    pool: &Arc<Pool>,
    runs: &[Run],
    author: &AuthorId,
) -> Prepared {
    let mut pool = Arc::clone(pool);
    let mut builder = Builder::new(document.len());
    builder.delete(&document.text());
    let own = Attribute::new("author", author.as_str());
    let mut last = None;
    for run in runs {
        let mut attributes = run.attributes.clone();
        if !attributes
            .iter()
            .any(|a| a.key == "author" && !a.value.is_empty())
        {
            attributes.push(own.clone());
        }
        builder.insert(
            &run.text,
            &Pool::attribs_of_insert_shared(&mut pool, &attributes),
        );
        last = run.text.last().or(last);
    }
    if last != Some(&NEWLINE) {
        builder.insert(
            &[NEWLINE],
            &Pool::attribs_of_insert_shared(&mut pool, &[own]),
        );
    }
    Prepared {
        change: builder.finish(),
        pool,
    }
}

/// Puts an earlier document of the same pad back.
pub fn restore(
    document: &Document,
    pool: &Arc<Pool>,
    old: &Document,
    author: &AuthorId,
) -> Prepared {
    set_runs(document, pool, &runs_of(old, pool), author)
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
