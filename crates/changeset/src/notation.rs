//! The notation `Z:6>1=5*0+1$!`: reading, checking and printing.
//!
//! [`Changeset::parse`] accepts exactly the canonical notation, so that `print(parse(s)) == s` (but
//! for leading zeros of attribute numbers, which other programs let pass). [`Changeset::unpack`]
//! takes what older stored data contains: anything whose operations can be told apart.

use crate::assemble::is_canonical;
use crate::error::Error;
use crate::number::{leading_number, push_number};
use crate::op::{Attribs, Changeset, Op, OpKind};
use crate::text::{NEWLINE, Text, count_newlines};

const STAR: u16 = b'*' as u16;
const BAR: u16 = b'|' as u16;
const DOLLAR: u16 = b'$' as u16;
const LONGER: u16 = b'>' as u16;
const SHORTER: u16 = b'<' as u16;
/// Between operations these are passed over, as they are by other implementations.
const SEPARATORS: [u16; 4] = [NEWLINE, b'\r' as u16, 0x2028, 0x2029];

impl Changeset {
    /// Reads a changeset and checks everything that can be checked without the text.
    pub fn parse(notation: &str) -> Result<Changeset, Error> {
        Changeset::parse_units(&Text::from(notation))
    }

    /// [`Changeset::parse`] for a notation whose characters may be lone surrogates.
    pub fn parse_units(notation: &[u16]) -> Result<Changeset, Error> {
        let header = Header::read(notation)?;
        let mut scanner = OpScanner::new(header.ops);
        let mut check = Check::new(&header);
        let mut ops = Vec::new();
        while let Some(op) = scanner.next_op()? {
            check.op(&op)?;
            ops.push(op);
        }
        let new_len = check.finish()?;
        if !header.canonical || !scanner.canonical || !is_canonical(&ops) {
            return Err(Error::NotCanonical);
        }
        Ok(Changeset {
            old_len: header.old_len,
            new_len,
            ops,
            bank: Text::from(header.bank),
        })
    }

    /// Reads a changeset from stored data without checking it.
    pub fn unpack(notation: &str) -> Result<Changeset, Error> {
        Changeset::unpack_units(&Text::from(notation))
    }

    /// [`Changeset::unpack`] for a notation whose characters may be lone surrogates.
    pub fn unpack_units(notation: &[u16]) -> Result<Changeset, Error> {
        let header = Header::read(notation)?;
        let mut scanner = OpScanner::new(header.ops);
        let mut ops = Vec::new();
        while let Some(op) = scanner.next_op()? {
            ops.push(op);
        }
        let new_len = usize::try_from(header.new_len).map_err(|_| Error::LengthMismatch)?;
        Ok(Changeset {
            old_len: header.old_len,
            new_len,
            ops,
            bank: Text::from(header.bank),
        })
    }

    /// The notation. [`ToString`] gives the same as a string, lone surrogates replaced.
    pub fn print(&self) -> Text {
        let mut out = Text::with_capacity(self.bank.len() + 16 * (self.ops.len() + 1));
        out.push_str("Z:");
        push_number(&mut out, self.old_len);
        out.push(if self.new_len >= self.old_len {
            LONGER
        } else {
            SHORTER
        });
        push_number(&mut out, self.new_len.abs_diff(self.old_len));
        for op in &self.ops {
            push_op(&mut out, op);
        }
        out.push(DOLLAR);
        out.push_units(&self.bank);
        out
    }
}

impl std::fmt::Display for Changeset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print().to_string_lossy())
    }
}

/// Reads operations alone, as in an attribution string.
pub fn parse_ops(notation: &str) -> Result<Vec<Op>, Error> {
    let units = Text::from(notation);
    let mut scanner = OpScanner::new(&units);
    let mut ops = Vec::new();
    while let Some(op) = scanner.next_op()? {
        ops.push(op);
    }
    Ok(ops)
}

pub fn print_ops<'a>(ops: impl IntoIterator<Item = &'a Op>) -> String {
    let mut out = Text::new();
    for op in ops {
        push_op(&mut out, op);
    }
    out.to_string_lossy()
}

fn push_op(out: &mut Text, op: &Op) {
    for number in op.attribs.iter() {
        out.push(STAR);
        push_number(out, number as usize);
    }
    if op.lines > 0 {
        out.push(BAR);
        push_number(out, op.lines);
    }
    out.push(u16::from(match op.kind {
        OpKind::Keep => b'=',
        OpKind::Insert => b'+',
        OpKind::Delete => b'-',
    }));
    push_number(out, op.chars);
}

struct Header<'a> {
    old_len: usize,
    /// Signed, because a header may claim to remove more than there is.
    new_len: i64,
    ops: &'a [u16],
    bank: &'a [u16],
    canonical: bool,
}

impl Header<'_> {
    fn read(notation: &[u16]) -> Result<Header<'_>, Error> {
        let rest = match notation {
            [z, colon, rest @ ..] if [*z, *colon] == [b'Z' as u16, b':' as u16] => rest,
            _ => return Err(Error::NotAChangeset),
        };
        let mut reader = Reader {
            rest,
            canonical: true,
        };
        let old_len = reader.number()?.ok_or(Error::NotAChangeset)?;
        let longer = match reader.unit() {
            Some(LONGER) => true,
            Some(SHORTER) => false,
            _ => return Err(Error::NotAChangeset),
        };
        let difference = reader.number()?.ok_or(Error::NotAChangeset)?;
        let signed = if longer {
            difference as i64
        } else {
            -(difference as i64)
        };
        let (ops, bank, has_dollar) = match reader.rest.iter().position(|&unit| unit == DOLLAR) {
            Some(at) => {
                let (ops, bank) = reader.rest.split_at(at);
                (ops, bank.get(1..).unwrap_or_default(), true)
            }
            None => (reader.rest, [].as_slice(), false),
        };
        Ok(Header {
            old_len,
            new_len: old_len as i64 + signed,
            ops,
            bank,
            canonical: reader.canonical && has_dollar && (longer || difference > 0),
        })
    }
}

/// Takes units from the front, and remembers whether every number was written the shortest way.
struct Reader<'a> {
    rest: &'a [u16],
    canonical: bool,
}

impl Reader<'_> {
    fn unit(&mut self) -> Option<u16> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take(&mut self, unit: u16) -> bool {
        let found = self.rest.first() == Some(&unit);
        if found {
            self.unit();
        }
        found
    }

    fn number(&mut self) -> Result<Option<usize>, Error> {
        let Some((value, digits)) = leading_number(self.rest)? else {
            return Ok(None);
        };
        self.canonical &= digits == 1 || self.rest.first() != Some(&(b'0' as u16));
        self.rest = self.rest.get(digits..).unwrap_or_default();
        Ok(Some(value))
    }
}

struct OpScanner<'a> {
    reader: Reader<'a>,
    canonical: bool,
}

impl OpScanner<'_> {
    fn new(units: &[u16]) -> OpScanner<'_> {
        OpScanner {
            reader: Reader {
                rest: units,
                canonical: true,
            },
            canonical: true,
        }
    }

    fn next_op(&mut self) -> Result<Option<Op>, Error> {
        while self
            .reader
            .rest
            .first()
            .is_some_and(|unit| SEPARATORS.contains(unit))
        {
            self.reader.unit();
            self.canonical = false;
        }
        if self.reader.rest.is_empty() {
            return Ok(None);
        }
        let mut attribs = Attribs::none();
        while self.reader.take(STAR) {
            let number = self.reader.number()?.ok_or(Error::InvalidOp)?;
            attribs.push(number as u32);
        }
        // The spelling of attribute numbers is not part of canonical form.
        self.reader.canonical = true;
        let mut lines = 0;
        if self.reader.take(BAR) {
            lines = self.reader.number()?.ok_or(Error::InvalidOp)?;
            self.canonical &= lines > 0;
        }
        let kind = match self.reader.unit().and_then(|unit| u8::try_from(unit).ok()) {
            Some(b'=') => OpKind::Keep,
            Some(b'+') => OpKind::Insert,
            Some(b'-') => OpKind::Delete,
            _ => return Err(Error::InvalidOp),
        };
        let chars = self.reader.number()?.ok_or(Error::InvalidOp)?;
        self.canonical &= self.reader.canonical;
        Ok(Some(Op {
            kind,
            chars,
            lines,
            attribs,
        }))
    }
}

/// Follows the operations through lengths and bank.
struct Check<'a> {
    old_len: i64,
    claimed: i64,
    consumed: i64,
    produced: i64,
    bank: &'a [u16],
}

impl<'a> Check<'a> {
    fn new(header: &Header<'a>) -> Check<'a> {
        Check {
            old_len: header.old_len as i64,
            claimed: header.new_len,
            consumed: 0,
            produced: 0,
            bank: header.bank,
        }
    }

    fn op(&mut self, op: &Op) -> Result<(), Error> {
        let chars = op.chars as i64;
        match op.kind {
            OpKind::Keep => {
                self.consumed += chars;
                self.produced += chars;
            }
            OpKind::Delete => {
                self.consumed += chars;
                if self.consumed > self.old_len {
                    return Err(Error::LengthOverrun);
                }
            }
            OpKind::Insert => {
                let (inserted, rest) = self
                    .bank
                    .split_at_checked(op.chars)
                    .ok_or(Error::BankTooShort)?;
                self.bank = rest;
                if count_newlines(inserted) != op.lines {
                    return Err(Error::InsertNewlineCount);
                }
                if op.lines > 0 && inserted.last() != Some(&NEWLINE) {
                    return Err(Error::InsertNotNewlineTerminated);
                }
                self.produced += chars;
                if self.produced > self.claimed {
                    return Err(Error::LengthOverrun);
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<usize, Error> {
        if self.produced + self.old_len - self.consumed != self.claimed {
            return Err(Error::LengthMismatch);
        }
        if !self.bank.is_empty() {
            return Err(Error::BankExcess);
        }
        usize::try_from(self.claimed).map_err(|_| Error::LengthMismatch)
    }
}
