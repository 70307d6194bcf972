//! Playing a history again, and repairing what other programs have written into it.
//!
//! Known damage: lengths in headers that are wrong, characters in banks that nothing uses, spans
//! with newlines that end in the middle of a line, attributes in the wrong order, twice, or not in
//! the pool, and text without an author. Each is repaired without changing what the text says. A
//! revision that cannot be applied at all becomes one that changes nothing: the pad's text is
//! stored beside its history, and one lost revision must not cost the whole.

use std::ops::Range;

use changeset::{
    Attribs, Attribute, Builder, Changeset, Document, Error, NEWLINE, Op, OpKind, Pool, cmp_units,
    splice,
};
use pad::Replacement;

use super::{Authorless, LOST_ATTRIBUTE, SYSTEM_AUTHOR};

/// Stands for text that is lost.
const LOST_UNIT: u16 = 0xFFFD;

/// The document that the revisions so far lead to.
pub(super) struct Replay {
    pub document: Document,
    pub pool: Pool,
    authorless: Authorless,
}

impl Replay {
    pub(super) fn new(pool: Pool, authorless: Authorless) -> Replay {
        Replay {
            document: Document::plain(&[NEWLINE]),
            pool,
            authorless,
        }
    }

    /// Applies a stored change and returns it in canonical form.
    pub(super) fn play(&mut self, notation: &[u16]) -> Result<Changeset, Error> {
        if let Ok(change) = Changeset::parse_units(notation)
            && self.is_sound(&change)
            && let Ok(document) = self.document.apply(&change, &self.pool)
        {
            self.document = document;
            return Ok(change);
        }
        let change = self.repair(&Changeset::unpack_units(notation)?)?;
        self.document = self.document.apply(&change, &self.pool)?;
        Ok(change)
    }

    /// Makes sure that an author is in the pool, as every author of a revision is.
    pub(super) fn know_author(&mut self, author: &str) {
        // In its own database Etherpad has the system author only where it is on text.
        let is_known = author == SYSTEM_AUTHOR && self.authorless == Authorless::Stays;
        if !author.is_empty() && !is_known {
            self.pool.intern(Attribute::new("author", author));
        }
    }

    /// Changes the document to another one, if it is not the same already.
    pub(super) fn correct(&mut self, wanted: &Document) -> Result<Option<Changeset>, Error> {
        if self.agrees(wanted) {
            return Ok(None);
        }
        let document = self.document.clone();
        let mut change = Replacement::of(&document);
        let last = wanted.len().saturating_sub(1);
        let ends_well = wanted.unit_at(last) == Some(NEWLINE);
        let end = if ends_well { last } else { wanted.len() };
        for piece in wanted.pieces(0..end) {
            let attribs = self.attribs_of_insert(piece.attribs, piece.units);
            change.insert(piece.units, &attribs);
        }
        let newline = wanted.attribs_at(last).filter(|_| ends_well);
        let newline = newline.map_or_else(Attribs::none, |attribs| {
            canonical(attribs, false, &self.pool)
        });
        let known = self.pool.clone();
        let change = change.finish(&newline, &known, |removal| {
            Some(self.pool.intern(removal.clone()))
        });
        self.document = self.document.apply(&change, &self.pool)?;
        Ok(Some(change))
    }

    /// A document that a stored change turns into `after`. What the change deletes is not known;
    /// U+FFFD stands for it.
    pub(super) fn before(&self, notation: &[u16], after: &Document) -> Option<Document> {
        let change = Changeset::unpack_units(notation).ok()?;
        let mut builder = Builder::new(0);
        let mut at = 0;
        for op in &change.ops {
            match op.kind {
                OpKind::Delete => {
                    let lost = op.chars.checked_sub(op.lines)?;
                    let mut units = vec![LOST_UNIT; lost];
                    units.resize(op.chars, NEWLINE);
                    builder.insert(&units, &Attribs::none());
                }
                kind => {
                    let end = at + op.chars;
                    if end > after.len() {
                        return None;
                    }
                    if kind == OpKind::Keep {
                        insert_pieces(&mut builder, after, at..end);
                    }
                    at = end;
                }
            }
        }
        insert_pieces(&mut builder, after, at..after.len());
        let document = Document::plain(&[]).apply(&builder.finish(), &self.pool);
        document.ok().filter(|it| it.len() == change.old_len)
    }

    /// Ends the document's last line, as every pad does.
    pub(super) fn end_line(&mut self) -> Result<Option<Changeset>, Error> {
        let len = self.document.len();
        let change = splice(&self.document, len, 0, &[NEWLINE], &Attribs::none());
        self.document = self.document.apply(&change, &self.pool)?;
        Ok(Some(change))
    }

    /// Whether a canonical change says nothing that has to be repaired.
    fn is_sound(&self, change: &Changeset) -> bool {
        let mut at = 0;
        let mut bank = &*change.bank;
        change.ops.iter().all(|op| {
            if op.kind == OpKind::Insert {
                let (units, rest) = bank.split_at_checked(op.chars).unwrap_or_default();
                bank = rest;
                return self.is_canonical(&op.attribs, false) && !self.lacks_author(op, units);
            }
            let end = at + op.chars;
            let last = self.document.unit_at(end.saturating_sub(1));
            let ends_well = op.lines == 0 || last == Some(NEWLINE);
            at = end;
            ends_well
                && match op.kind {
                    OpKind::Delete => op.attribs.is_empty(),
                    _ => self.is_canonical(&op.attribs, true),
                }
        })
    }

    fn is_canonical(&self, attribs: &Attribs, is_mutation: bool) -> bool {
        let canonical = canonical(attribs, is_mutation, &self.pool);
        *attribs == canonical
    }

    fn lacks_author(&self, op: &Op, units: &[u16]) -> bool {
        !self.may_have_author(&op.attribs) && units.iter().any(|&unit| unit != NEWLINE)
    }

    /// Whether inserted text can stay as it is. A lost attribute may have been the author.
    fn may_have_author(&self, attribs: &Attribs) -> bool {
        if self.authorless == Authorless::Stays {
            return true;
        }
        let author = self.pool.value_of(attribs, "author");
        author.is_some_and(|author| !author.is_empty()) || has_lost(attribs, &self.pool)
    }

    /// The change rewritten, every span counted and split as it should be.
    fn repair(&mut self, change: &Changeset) -> Result<Changeset, Error> {
        if change.old_len != self.document.len() {
            return Err(Error::ApplyLengthMismatch);
        }
        let document = self.document.clone();
        let mut builder = Builder::new(change.old_len);
        let mut at = 0;
        let mut bank = &*change.bank;
        for op in &change.ops {
            if op.kind == OpKind::Insert {
                let (units, rest) = bank.split_at_checked(op.chars).ok_or(Error::ReadPastEnd)?;
                bank = rest;
                let attribs = self.attribs_of_insert(&op.attribs, units);
                builder.insert(units, &attribs);
                continue;
            }
            let end = at + op.chars;
            if end > document.len() {
                return Err(Error::ReadPastEnd);
            }
            let attribs = canonical(&op.attribs, true, &self.pool);
            if op.kind == OpKind::Delete {
                builder.delete(&document.slice(at..end));
            } else if attribs.is_empty() {
                keep_plain(&mut builder, &document, at..end);
            } else {
                builder.keep(&document.slice(at..end), &attribs);
            }
            at = end;
        }
        Ok(builder.finish())
    }

    /// Attributes as inserted text should have them: in order, and with an author.
    fn attribs_of_insert(&mut self, attribs: &Attribs, units: &[u16]) -> Attribs {
        let sorted = canonical(attribs, false, &self.pool);
        let has_author = self.may_have_author(&sorted);
        if has_author || units.iter().all(|&unit| unit == NEWLINE) {
            return sorted;
        }
        let system = self.pool.intern(Attribute::new("author", SYSTEM_AUTHOR));
        let with_author = sorted.iter().chain([system]).collect();
        canonical(&with_author, false, &self.pool)
    }

    /// Whether the document says the same as a stored one. What has been repaired here, and not
    /// there, does not count.
    pub(super) fn agrees(&self, stored: &Document) -> bool {
        if self.document.text() != stored.text() {
            return false;
        }
        let system = self
            .pool
            .number_of(&Attribute::new("author", SYSTEM_AUTHOR));
        let same = |ours: &Attribs, theirs: &Attribs| {
            // What a lost one did to others is not known.
            if has_lost(ours, &self.pool) || has_lost(theirs, &self.pool) {
                return true;
            }
            let theirs = canonical(theirs, false, &self.pool);
            let without_system = || -> Attribs {
                let others = ours.iter().filter(|number| Some(*number) != system);
                others.collect()
            };
            *ours == theirs || without_system() == theirs
        };
        let mut rest = self.document.attribution().into_iter();
        let mut ours = rest.next();
        for mut theirs in stored.attribution() {
            while let Some(op) = ours.as_mut().filter(|_| theirs.chars > 0) {
                if !same(&op.attribs, &theirs.attribs) {
                    return false;
                }
                let chars = op.chars.min(theirs.chars);
                op.chars -= chars;
                theirs.chars -= chars;
                if op.chars == 0 {
                    ours = rest.next();
                }
            }
        }
        true
    }
}

fn insert_pieces(builder: &mut Builder, document: &Document, range: Range<usize>) {
    for piece in document.pieces(range) {
        builder.insert(piece.units, piece.attribs);
    }
}

/// Keeps a range without copying it: most of a long text is kept by every change.
fn keep_plain(builder: &mut Builder, document: &Document, range: Range<usize>) {
    let (lines_before, _) = document.line_at(range.start);
    let (lines, line_start) = document.line_at(range.end);
    let whole_lines = line_start.max(range.start) - range.start;
    builder.keep_counted(whole_lines, lines - lines_before);
    builder.keep_counted(range.len() - whole_lines, 0);
}

fn has_lost(attribs: &Attribs, pool: &Pool) -> bool {
    let mut numbers = attribs.iter().filter_map(|number| pool.get(number));
    numbers.any(|attribute| attribute.key.starts_with(LOST_ATTRIBUTE))
}

/// A list of attributes in its order, each key once, without what the pool does not have. Of
/// several values the last counts. Only a change of kept text may have empty ones.
fn canonical(attribs: &Attribs, is_mutation: bool, pool: &Pool) -> Attribs {
    // Where a lost one belongs is not known, except that it was in its place.
    if has_lost(attribs, pool) {
        let known = attribs.iter().filter(|number| pool.get(*number).is_some());
        return known.collect();
    }
    let mut by_key: Vec<(&str, u32)> = Vec::new();
    for number in attribs.iter() {
        let Some(Attribute { key, value }) = pool.get(number) else {
            continue;
        };
        by_key.retain(|(other, _)| other != key);
        if is_mutation || !value.is_empty() {
            by_key.push((key, number));
        }
    }
    by_key.sort_by(|a, b| cmp_units(a.0, b.0));
    by_key.into_iter().map(|(_, number)| number).collect()
}
