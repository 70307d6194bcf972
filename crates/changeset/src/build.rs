//! Building canonical changes from texts instead of counts.

use crate::assemble::Assembler;
use crate::document::Document;
use crate::error::Error;
use crate::op::{Attribs, Changeset, Op, OpKind};
use crate::text::{Text, count_newlines, split_after_last_newline};

/// Writes a change from left to right. Every span is given as its text, so that newlines are
/// counted and split here and nowhere else.
pub struct Builder {
    old_len: usize,
    assembler: Assembler,
    bank: Text,
}

impl Builder {
    /// Starts a change of a text of `old_len` units.
    pub fn new(old_len: usize) -> Builder {
        Builder {
            old_len,
            assembler: Assembler::new(),
            bank: Text::new(),
        }
    }

    pub fn keep(&mut self, units: &[u16], attribs: &Attribs) {
        self.span(OpKind::Keep, units, attribs);
    }

    /// Keeps a span that the caller has measured: `lines` newlines, the last of them at its end.
    pub fn keep_counted(&mut self, chars: usize, lines: usize) {
        self.assembler.push(Op::keep(chars, lines));
    }

    /// Keeps the first `end` units of a document without looking at them one by one.
    pub fn keep_start(&mut self, document: &Document, end: usize) {
        let (lines, line_start) = document.line_at(end);
        self.keep_counted(line_start, lines);
        self.keep_counted(end - line_start, 0);
    }

    pub fn insert(&mut self, units: &[u16], attribs: &Attribs) {
        self.span(OpKind::Insert, units, attribs);
        self.bank.push_units(units);
    }

    pub fn delete(&mut self, units: &[u16]) {
        self.span(OpKind::Delete, units, &Attribs::none());
    }

    pub fn finish(self) -> Changeset {
        let (inserted, deleted) = self.assembler.totals();
        Changeset {
            old_len: self.old_len,
            new_len: (self.old_len.saturating_add(inserted)).saturating_sub(deleted),
            ops: self.assembler.finish(),
            bank: self.bank,
        }
    }

    fn span(&mut self, kind: OpKind, units: &[u16], attribs: &Attribs) {
        let (whole_lines, rest) = split_after_last_newline(units);
        let lines = count_newlines(whole_lines);
        self.assembler
            .push(Op::new(kind, whole_lines.len(), lines, attribs.clone()));
        self.assembler
            .push(Op::new(kind, rest.len(), 0, attribs.clone()));
    }
}

impl Changeset {
    /// The same change with its newlines counted and its spans split as canonical form wants, by
    /// looking at the text it was made for. Stored data of other programs needs it.
    pub fn recounted(&self, document: &Document) -> Result<Changeset, Error> {
        if self.old_len != document.len() {
            return Err(Error::ApplyLengthMismatch);
        }
        let mut builder = Builder::new(self.old_len);
        let mut at = 0;
        let mut bank = &*self.bank;
        for op in &self.ops {
            if op.kind == OpKind::Insert {
                let (units, rest) = bank.split_at_checked(op.chars).ok_or(Error::ReadPastEnd)?;
                builder.insert(units, &op.attribs);
                bank = rest;
                continue;
            }
            let end = at + op.chars;
            if end > document.len() {
                return Err(Error::ReadPastEnd);
            }
            for piece in document.pieces(at..end) {
                builder.span(op.kind, piece.units, &op.attribs);
            }
            at = end;
        }
        Ok(builder.finish())
    }
}

/// The change that replaces `deleted` units from `start` on by `inserted`. Positions beyond the
/// document are taken as its end.
pub fn splice(
    document: &Document,
    start: usize,
    deleted: usize,
    inserted: &[u16],
    attribs: &Attribs,
) -> Changeset {
    let start = start.min(document.len());
    let end = start.saturating_add(deleted).min(document.len());
    let mut builder = Builder::new(document.len());
    builder.keep_start(document, start);
    builder.delete(&document.slice(start..end));
    builder.insert(inserted, attribs);
    builder.finish()
}
