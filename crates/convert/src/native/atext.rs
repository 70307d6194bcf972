//! A document as JSON, written straight from its pieces.
//!
//! The attribution is in canonical form: of text with the same attributes, what ends in a newline
//! is one operation, and what follows in the line is another.

use changeset::{Attribs, Document, NEWLINE, print_number};
use wtf_json::push_string;

pub(super) fn push_atext(out: &mut String, document: &Document) {
    out.push_str("{\"text\":");
    push_string(out, &document.text());
    out.push_str(",\"attribs\":\"");
    let mut open: Option<(&Attribs, Run)> = None;
    for piece in document.pieces(0..document.len()) {
        match &mut open {
            Some((attribs, run)) if *attribs == piece.attribs => run.add(piece.units),
            _ => {
                if let Some((attribs, run)) = open.take() {
                    run.print(out, attribs);
                }
                let mut run = Run::default();
                run.add(piece.units);
                open = Some((piece.attribs, run));
            }
        }
    }
    if let Some((attribs, run)) = open {
        run.print(out, attribs);
    }
    out.push_str("\"}");
}

/// How much text has the same attributes.
#[derive(Default)]
struct Run {
    /// Units up to the last newline, and how many newlines are in them.
    whole: usize,
    lines: usize,
    /// Units after it.
    rest: usize,
}

impl Run {
    fn add(&mut self, units: &[u16]) {
        let lines = units.iter().filter(|&&unit| unit == NEWLINE).count();
        let rest = units.iter().rev().take_while(|&&unit| unit != NEWLINE);
        match lines {
            0 => self.rest += units.len(),
            _ => {
                let after = rest.count();
                self.whole += self.rest + units.len() - after;
                self.rest = after;
                self.lines += lines;
            }
        }
    }

    fn print(&self, out: &mut String, attribs: &Attribs) {
        let mut op = |lines: usize, chars: usize| {
            for number in attribs.iter() {
                out.push('*');
                out.push_str(&print_number(number as usize));
            }
            if lines > 0 {
                out.push('|');
                out.push_str(&print_number(lines));
            }
            out.push('+');
            out.push_str(&print_number(chars));
        };
        if self.lines > 0 {
            op(self.lines, self.whole);
        }
        if self.rest > 0 {
            op(0, self.rest);
        }
    }
}
