//! The final newline of a pad, which every change made by the server spares.
//!
//! A document ends in a newline. Etherpad's page and its timeslider apply a change line by line,
//! and fail on one that deletes that newline and puts several pieces in its place: the page keeps
//! its old text, and the history behind such a revision cannot be read. So a change of ours leaves
//! the final newline where it is, or inserts one piece that ends in another.

use changeset::{
    Attribs, Attribute, Builder, Changeset, Document, Error, NEWLINE, OpKind, Pool, cmp_units,
};

/// Whether a change keeps the final newline, or inserts one piece that ends in a newline.
pub fn spares_final_newline(change: &Changeset) -> bool {
    let consumes = |kind: OpKind| kind != OpKind::Insert;
    let consumed: usize = change
        .ops
        .iter()
        .filter(|op| consumes(op.kind))
        .map(|op| op.chars)
        .sum();
    let last = change.ops.iter().rfind(|op| consumes(op.kind));
    let deletes = last.is_some_and(|op| op.kind == OpKind::Delete) && consumed == change.old_len;
    let mut inserts = change.ops.iter().filter(|op| op.kind == OpKind::Insert);
    match (inserts.next(), inserts.next()) {
        _ if !deletes => true,
        (Some(only), None) => only.lines > 0,
        _ => false,
    }
}

/// The same change of `before`, written so that the final newline stays: the newline that ends the
/// new text is left out, and the old one gets its attributes. Takes nothing away from it for which
/// `pool` has no number; nobody sees the difference.
pub fn sparing_final_newline(
    change: &Changeset,
    before: &Document,
    pool: &Pool,
) -> Result<Changeset, Error> {
    if spares_final_newline(change) {
        return Ok(change.clone());
    }
    let after = before.apply(change, pool)?;
    if final_newline(before).is_none() || final_newline(&after).is_none() {
        return Ok(change.clone());
    }
    let last = change.ops.iter().rposition(|op| op.kind != OpKind::Delete);
    let mut builder = Builder::new(before.len());
    let (mut at, mut bank) = (0, &*change.bank);
    for (index, op) in change.ops.iter().enumerate() {
        let ends_text = usize::from(Some(index) == last);
        if op.kind == OpKind::Insert {
            let (units, rest) = bank.split_at_checked(op.chars).ok_or(Error::ReadPastEnd)?;
            bank = rest;
            let kept = units.len() - ends_text;
            builder.insert(units.get(..kept).unwrap_or_default(), &op.attribs);
            continue;
        }
        let end = at + op.chars;
        if op.kind == OpKind::Delete {
            builder.delete(&before.slice(at..end.min(before.len() - 1)));
        } else {
            builder.keep(&before.slice(at..end - ends_text), &op.attribs);
            builder.delete(&before.slice(end - ends_text..end));
        }
        at = end;
    }
    let (old, new) = (last_attribs(before), last_attribs(&after));
    let mutation = mutation(&old, &new, pool, |removal| pool.number_of(removal));
    builder.keep(&[NEWLINE], &mutation);
    Ok(builder.finish())
}

/// A change that replaces everything in front of the final newline.
pub struct Replacement<'a> {
    document: &'a Document,
    builder: Builder,
}

impl Replacement<'_> {
    pub fn of(document: &Document) -> Replacement<'_> {
        let mut builder = Builder::new(document.len());
        let end = final_newline(document).unwrap_or(document.len());
        builder.delete(&document.slice(0..end));
        Replacement { document, builder }
    }

    /// Adds text behind what was inserted before.
    pub fn insert(&mut self, units: &[u16], attribs: &Attribs) {
        self.builder.insert(units, attribs);
    }

    /// The change. The final newline gets the attributes `wanted`; `number_of` gives the number of
    /// an attribute that takes one away, if the pool can have it.
    pub fn finish(
        mut self,
        wanted: &Attribs,
        pool: &Pool,
        number_of: impl FnMut(&Attribute) -> Option<u32>,
    ) -> Changeset {
        if final_newline(self.document).is_some() {
            let old = last_attribs(self.document);
            let mutation = mutation(&old, wanted, pool, number_of);
            self.builder.keep(&[NEWLINE], &mutation);
        } else {
            // Damaged data: there is none to keep.
            self.builder.insert(&[NEWLINE], wanted);
        }
        self.builder.finish()
    }
}

/// The change that makes a document of the empty one, attributes included.
pub fn whole_document(document: &Document, pool: &Pool) -> Changeset {
    let empty = Document::plain(&[NEWLINE]);
    let mut change = Replacement::of(&empty);
    let end = final_newline(document).unwrap_or(document.len());
    for piece in document.pieces(0..end) {
        change.insert(piece.units, piece.attribs);
    }
    // The empty document has no attributes that could be taken away.
    change.finish(&last_attribs(document), pool, |_| None)
}

/// Where the final newline is.
fn final_newline(document: &Document) -> Option<usize> {
    let last = document.len().checked_sub(1)?;
    (document.unit_at(last) == Some(NEWLINE)).then_some(last)
}

/// The attributes of the final newline.
pub(crate) fn last_attribs(document: &Document) -> Attribs {
    let last = final_newline(document).and_then(|last| document.attribs_at(last));
    last.cloned().unwrap_or_else(Attribs::none)
}

/// What a keep has to say so that text with the attributes `old` has those of `new`.
fn mutation(
    old: &Attribs,
    new: &Attribs,
    pool: &Pool,
    mut number_of: impl FnMut(&Attribute) -> Option<u32>,
) -> Attribs {
    let key_of = |number: u32| pool.get(number).map(|attribute| attribute.key.as_str());
    let has = |attribs: &Attribs, wanted: u32| attribs.iter().any(|number| number == wanted);
    let added = new.iter().filter(|number| !has(old, *number));
    let mut said: Vec<(&str, u32)> = added
        .filter_map(|number| Some((key_of(number)?, number)))
        .collect();
    for key in old.iter().filter_map(key_of) {
        if !new.iter().any(|number| key_of(number) == Some(key))
            && let Some(number) = number_of(&Attribute::new(key, ""))
        {
            said.push((key, number));
        }
    }
    said.sort_by(|a, b| cmp_units(a.0, b.0));
    said.into_iter().map(|(_, number)| number).collect()
}
