//! Documents line by line.

use crate::assemble::Merger;
use crate::document::Document;
use crate::op::{Attribs, Op, OpKind};
use crate::pool::Pool;
use crate::text::{NEWLINE, count_newlines};

/// The lines of a text, each with its newline. What follows the last newline is a line as well.
pub fn text_lines(text: &[u16]) -> impl Iterator<Item = &[u16]> {
    text.split_inclusive(|&unit| unit == NEWLINE)
}

/// The attribution of each line, as operations that end with the line's newline.
pub fn attribution_lines(document: &Document) -> Vec<Vec<Op>> {
    let mut lines = Vec::new();
    let mut line = Merger::default();
    let mut open = false;
    for piece in document.pieces(0..document.len()) {
        for part in text_lines(piece.units) {
            let newlines = count_newlines(part);
            line.push(Op::new(
                OpKind::Insert,
                part.len(),
                newlines,
                piece.attribs.clone(),
            ));
            open = newlines == 0;
            if !open {
                lines.push(std::mem::take(&mut line).into_ops());
            }
        }
    }
    if open {
        lines.push(line.into_ops());
    }
    lines
}

/// The attribution of a whole document from that of its lines.
pub fn join_attribution_lines<'a>(lines: impl IntoIterator<Item = &'a [Op]>) -> Vec<Op> {
    let mut merger = Merger::default();
    for op in lines.into_iter().flatten() {
        merger.push(op.clone());
    }
    merger.into_ops()
}

/// The attribution of the units `start..end` of one line; without `end` to its end, the newline
/// included.
pub fn sub_attribution(line: &[Op], start: usize, end: Option<usize>) -> Vec<Op> {
    let mut merger = Merger::default();
    let mut at = 0;
    for op in line {
        let op_end = op.chars.saturating_add(at);
        let from = start.max(at);
        let to = end.unwrap_or(op_end).min(op_end);
        if from < to {
            // The newline of a line is its last unit.
            let lines = if to == op_end { op.lines } else { 0 };
            merger.push(Op::new(op.kind, to - from, lines, op.attribs.clone()));
        }
        at = op_end;
    }
    merger.into_ops()
}

/// The attribution of a document without its last newline, for copying it in front of another one.
pub fn ops_without_final_newline(document: &Document) -> Vec<Op> {
    let mut ops = document.attribution();
    let Some(last) = ops.pop() else { return ops };
    let end = document.len().saturating_sub(1);
    // The last run without the newline may end in the middle of a line.
    let (lines_before, line_start) = document.line_at(end);
    let run_start = document.len() - last.chars;
    if last.lines > 1 {
        let (lines_at_run, _) = document.line_at(run_start);
        let chars = line_start - run_start;
        let lines = lines_before - lines_at_run;
        ops.push(Op::new(last.kind, chars, lines, last.attribs.clone()));
    }
    let rest = end - line_start.max(run_start);
    if rest > 0 {
        ops.push(Op::new(last.kind, rest, 0, last.attribs));
    }
    ops
}

/// The attributes of a line's marker: the first unit of a line, if it carries `lmkr` or `list`.
pub fn line_marker<'a>(document: &'a Document, start: usize, pool: &Pool) -> Option<&'a Attribs> {
    let attribs = document.attribs_at(start)?;
    ["lmkr", "list"]
        .iter()
        .any(|key| pool.value_of(attribs, key).is_some())
        .then_some(attribs)
}
