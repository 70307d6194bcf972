//! What changed between two revisions, as HTML: who wrote what, and what was removed.
//!
//! The document after the changes is shown with the removed text put back in its place. That needs
//! attributes of its own, which are numbered in a copy of the pool: a pad does not change because
//! someone looks at it.

use changeset::{
    Attribs, Attribute, Builder, Changeset, Document, NEWLINE, Op, OpKind, Pool, compose,
};

use super::inline::{Marks, author_class};
use super::write::body_with;
use crate::Error;
use crate::declared::Meanings;
use crate::style::ON;

/// The changes `revisions`, each with its author, made to `base`: the HTML, and the authors in the
/// order they appear.
pub fn diff<'a>(
    base: &Document,
    revisions: &[(Changeset, &str)],
    pool: impl Into<Meanings<'a>>,
    colour_of: &dyn Fn(&str) -> Option<String>,
) -> Result<(String, Vec<String>), Error> {
    let Meanings { pool, declared } = pool.into();
    let mut pool = pool.clone();
    let base = without_authors(base, &mut pool)?;
    let mut authors: Vec<String> = Vec::new();
    let mut changes = Vec::new();
    for (change, author) in revisions {
        if clears_authorship(change, &pool) {
            continue;
        }
        changes.push(with_author(change, author, &mut pool));
        if !authors.iter().any(|known| known == author) {
            authors.push((*author).to_owned());
        }
    }
    let document = match compose_all(&changes, &pool)? {
        Some(change) => {
            let removed = put_back_removed(&base, &change, &mut pool)?;
            base.apply(&change, &pool)?.apply(&removed, &pool)?
        }
        None => base,
    };
    let style = style_sheet(&pool, colour_of);
    let meanings = Meanings {
        pool: &pool,
        declared,
    };
    let marks = Marks::styles_and_authors(meanings);
    let body = body_with(&document, meanings, &marks);
    Ok((style + &body, authors))
}

fn without_authors(document: &Document, pool: &mut Pool) -> Result<Document, Error> {
    let no_author = Attribs::from_iter([pool.intern(Attribute::new("author", ""))]);
    let mut builder = Builder::new(document.len());
    for piece in document.pieces(0..document.len()) {
        builder.keep(piece.units, &no_author);
    }
    Ok(document.apply(&builder.finish(), pool)?)
}

/// Whether a change only takes all authors off the text.
fn clears_authorship(change: &Changeset, pool: &Pool) -> bool {
    let [op] = change.ops.as_slice() else {
        return false;
    };
    let covers_all = op.chars == change.old_len || op.chars + 1 == change.old_len;
    let mut attributes = op.attribs.iter().map(|number| pool.get(number));
    let clears = attributes
        .next()
        .flatten()
        .is_some_and(|attribute| attribute.key == "author" && attribute.value.is_empty());
    op.kind == OpKind::Keep && covers_all && clears && attributes.next().is_none()
}

/// The change, with its author on every restyling and deletion. The attributes of a deletion mean
/// nothing when it is applied, but composing carries them along.
fn with_author(change: &Changeset, author: &str, pool: &mut Pool) -> Changeset {
    let author = pool.intern(Attribute::new("author", author));
    let removed = pool.intern(Attribute::new("removed", ON));
    let mut change = change.clone();
    for op in &mut change.ops {
        match op.kind {
            OpKind::Delete => {
                op.attribs.push(author);
                op.attribs.push(removed);
            }
            OpKind::Keep if !op.attribs.is_empty() => op.attribs.push(author),
            OpKind::Keep | OpKind::Insert => {}
        }
    }
    change
}

/// All changes as one. Halves are composed first: one after another, thousands of small changes
/// would each copy all that came before.
fn compose_all(changes: &[Changeset], pool: &Pool) -> Result<Option<Changeset>, Error> {
    Ok(match changes {
        [] => None,
        [change] => Some(change.clone()),
        _ => {
            let (first, second) = changes.split_at(changes.len() / 2);
            match (compose_all(first, pool)?, compose_all(second, pool)?) {
                (Some(first), Some(second)) => Some(compose(&first, &second, pool)?),
                (first, second) => first.or(second),
            }
        }
    })
}

/// The change that brings back, into the document after `change`, what `change` removed: deleted
/// text, and before restyled text a copy of how it looked.
fn put_back_removed(
    base: &Document,
    change: &Changeset,
    pool: &mut Pool,
) -> Result<Changeset, Error> {
    let mut builder = Builder::new(change.new_len);
    let mut at = 0;
    for op in &change.ops {
        let end = at + op.chars;
        if op.kind != OpKind::Insert && end > base.len() {
            return Err(changeset::Error::ReadPastEnd.into());
        }
        match op.kind {
            OpKind::Insert => {
                builder.keep_counted(op.chars, op.lines);
                continue;
            }
            OpKind::Delete => {
                for piece in base.pieces(at..end) {
                    let attribs = piece.attribs.iter().chain(op.attribs.iter()).collect();
                    builder.insert(piece.units, &attribs);
                }
            }
            OpKind::Keep => {
                let is_marker = op.chars == 1 && base.unit_at(at) == Some(u16::from(b'*'));
                if op.attribs.is_empty() || is_marker {
                    builder.keep_counted(op.chars, op.lines);
                } else {
                    show_restyled(base, at, op, &mut builder, pool)?;
                }
            }
        }
        at = end;
    }
    Ok(builder.finish())
}

fn show_restyled(
    base: &Document,
    at: usize,
    op: &Op,
    builder: &mut Builder,
    pool: &mut Pool,
) -> Result<(), Error> {
    let plain = Attribs::none();
    let text = base.slice(at..at + op.chars);
    let mut start = at;
    for stretch in text.split(|&unit| unit == NEWLINE) {
        let end = start + stretch.len();
        for piece in base.pieces(start..end) {
            let attribs = looks_before(piece.attribs, &op.attribs, pool)?;
            builder.insert(piece.units, &attribs);
        }
        builder.keep(stretch, &plain);
        if end < at + op.chars {
            builder.keep(&[NEWLINE], &plain);
        }
        start = end + 1;
    }
    Ok(())
}

/// Attributes for a copy of text as it was before `change`: removed, and the old values of what was
/// changed.
fn looks_before(old: &Attribs, change: &Attribs, pool: &mut Pool) -> Result<Attribs, Error> {
    let mut attributes = vec![Attribute::new("removed", ON)];
    for number in change.iter() {
        let Attribute { key, value } = pool.resolve(number)?;
        let old_value = pool.value_of(old, key).unwrap_or_default();
        if old_value != value {
            attributes.push(Attribute::new(key, old_value));
        }
    }
    Ok(pool.attribs_of_insert(&attributes))
}

/// A rule for each author who has a colour, and one for what was removed.
fn style_sheet(pool: &Pool, colour_of: &dyn Fn(&str) -> Option<String>) -> String {
    let mut css = "<style>\n".to_owned();
    for (_, Attribute { key, value }) in pool.entries() {
        if key == "author" && !value.is_empty() {
            let class = author_class(value);
            if let Some(colour) = colour_of(value).filter(|colour| is_colour(colour)) {
                css.push_str(&format!(".{class} {{background-color: {colour}}}\n"));
            }
        }
        if key == "removed" {
            css.push_str(REMOVED_STYLE);
        }
    }
    css.push_str("</style>");
    css
}

const REMOVED_STYLE: &str = ".removed {text-decoration: line-through; \
    -ms-filter:'progid:DXImageTransform.Microsoft.Alpha(Opacity=80)'; \
    filter: alpha(opacity=80); opacity: 0.8; }\n";

/// A colour by number or name. Nothing else may reach a style sheet.
fn is_colour(colour: &str) -> bool {
    let name = colour.strip_prefix('#').unwrap_or(colour);
    !matches!(name, "" | "null") && name.chars().all(|c| c.is_ascii_alphanumeric())
}
