//! Position of an author: the start of a line of its own.
//!
//! An author needs no copy of the text for that, only to know how long it is and how much of it
//! comes before the line. Changes of others before the line move it.

use changeset::print_number;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The newest revision heard of.
    pub rev: u64,
    /// How long the text is.
    units: usize,
    /// What comes before the line: units, and newlines among them.
    before: usize,
    lines: usize,
}

/// One step of a change.
struct Step {
    kind: u8,
    lines: usize,
    units: usize,
}

impl Place {
    /// At the beginning of a text.
    pub(crate) fn new(rev: u64, units: usize) -> Place {
        Place {
            rev,
            units,
            before: 0,
            lines: 0,
        }
    }

    /// The change that writes a text here.
    pub(crate) fn insertion(&self, text: &str) -> String {
        let keep = match self.before {
            0 => String::new(),
            before => format!("|{}={}", print_number(self.lines), print_number(before)),
        };
        let number = |text: &str| print_number(text.chars().count());
        let (whole_lines, rest) = text.split_at(text.rfind('\n').map_or(0, |at| at + 1));
        let mut insert = String::new();
        if !whole_lines.is_empty() {
            let lines = print_number(whole_lines.matches('\n').count());
            insert = format!("*0|{lines}+{}", number(whole_lines));
        }
        if !rest.is_empty() {
            insert += &format!("*0+{}", number(rest));
        }
        let units = print_number(self.units);
        format!("Z:{units}>{}{keep}{insert}${text}", number(text))
    }

    /// One's own insertion of that length was accepted.
    pub(crate) fn accepted(&mut self, rev: u64, units: usize) {
        self.rev = self.rev.max(rev);
        self.units += units;
    }

    /// Somebody else's change was accepted. What it inserts is given back, as JSON writes it.
    pub(crate) fn changed<'a>(&mut self, rev: u64, changeset: &'a str) -> Option<&'a str> {
        let mut rest = changeset.strip_prefix("Z:")?;
        take_number(&mut rest)?;
        rest = rest.get(1..)?;
        take_number(&mut rest)?;
        self.batched(rev, rest)
    }

    /// The same for a change of a batch, which has no lengths before its steps.
    pub(crate) fn batched<'a>(&mut self, rev: u64, change: &'a str) -> Option<&'a str> {
        let mut rest = change;
        let mut at = 0;
        while let Some(step) = take_step(&mut rest) {
            match step.kind {
                b'+' => self.units += step.units,
                b'-' => self.units = self.units.saturating_sub(step.units),
                _ => {}
            }
            match step.kind {
                b'+' if at <= self.before => {
                    self.before += step.units;
                    self.lines += step.lines;
                    at += step.units;
                }
                b'-' if at + step.units <= self.before => {
                    self.before -= step.units;
                    self.lines = self.lines.saturating_sub(step.lines);
                }
                b'=' => at += step.units,
                _ => {}
            }
        }
        self.rev = rev;
        rest.strip_prefix('$')
    }
}

fn take_step(rest: &mut &str) -> Option<Step> {
    let mut lines = 0;
    loop {
        let kind = *rest.as_bytes().first()?;
        if kind == b'$' {
            return None;
        }
        *rest = rest.get(1..)?;
        let number = take_number(rest)?;
        match kind {
            b'*' => {}
            b'|' => lines = number,
            _ => {
                return Some(Step {
                    kind,
                    lines,
                    units: number,
                });
            }
        }
    }
}

fn take_number(rest: &mut &str) -> Option<usize> {
    let mut value = 0usize;
    let mut digits = 0;
    for byte in rest.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'z' => byte - b'a' + 10,
            _ => break,
        };
        value = value.checked_mul(36)?.checked_add(usize::from(digit))?;
        digits += 1;
    }
    *rest = rest.get(digits..)?;
    (digits > 0).then_some(value)
}

#[cfg(test)]
mod tests {
    use changeset::{Attribute, Changeset, Document, Pool, Text, Tie, follow};

    use super::*;

    /// Authors write in turn and at once on a real document; every change must fit, and everybody
    /// stays in its own line.
    #[test]
    fn places_follow_what_others_write() {
        let mut pool = Pool::new();
        pool.intern(Attribute::new("author", "a.x"));
        let mut document = Document::plain(&Text::from("Welcome\n"));
        let mut places = [Place::new(0, 8); 5];
        let texts = ["\n", "a", "bc", "def", "g"];
        for (rev, round) in (0..60).enumerate() {
            let (one, other) = (round % 5, (round * 3 + 1) % 5);
            let text = texts[if round < 10 { 0 } else { 1 + round % 4 }];
            let first = Changeset::parse(&places[one].insertion(text)).unwrap();
            let at_once = Changeset::parse(&places[other].insertion(text)).unwrap();
            let mut changes = vec![(one, first.clone())];
            if one != other {
                let second = follow(&first, &at_once, Tie::First, &pool).unwrap();
                changes.push((other, second));
            }
            for (author, change) in changes {
                document = document.apply(&change, &pool).unwrap();
                for (number, place) in places.iter_mut().enumerate() {
                    if number == author {
                        place.accepted(rev as u64, text.len())
                    } else {
                        let shown = change.to_string();
                        assert_eq!(place.changed(rev as u64, &shown), Some(text));
                    }
                }
            }
        }
        for place in places {
            assert_eq!(place.units, document.len());
            assert_eq!(document.line_start(place.lines), place.before);
        }
    }

    #[test]
    fn what_others_delete_moves_a_place_too() {
        let mut place = Place {
            rev: 1,
            units: 20,
            before: 10,
            lines: 2,
        };
        assert_eq!(place.changed(2, "Z:k<4=1|1-4$"), Some(""));
        let moved = Place {
            rev: 2,
            units: 16,
            before: 6,
            lines: 1,
        };
        assert_eq!(place, moved);
        assert_eq!(place.insertion("xy"), "Z:g>2|1=6*0+2$xy");
        assert_eq!(place.changed(3, "nonsense"), None);
    }
}
