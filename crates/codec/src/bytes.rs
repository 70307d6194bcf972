//! Numbers of variable length. Seven bits to a byte, the lowest first; the high bit says that more
//! follow. No number takes more than ten bytes.

use super::Malformed;

const CONTINUES: u8 = 0x80;

pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= u64::from(CONTINUES) {
        out.push(number as u8 | CONTINUES);
        number >>= 7;
    }
    out.push(number as u8);
}

pub fn put_size(out: &mut Vec<u8>, size: usize) {
    put_number(out, size as u64);
}

/// Small numbers of either sign stay short.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

pub fn put_str(out: &mut Vec<u8>, text: &str) {
    put_size(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Takes values from the front of some bytes.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.rest.split_first().ok_or(Malformed("too short"))?;
        self.rest = rest;
        Ok(first)
    }

    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & !CONTINUES);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & CONTINUES == 0 {
                return Ok(number);
            }
        }
        Err(Malformed("a number is too large"))
    }

    pub fn size(&mut self) -> Result<usize, Malformed> {
        usize::try_from(self.number()?).map_err(|_| Malformed("a number is too large"))
    }

    pub fn signed(&mut self) -> Result<i64, Malformed> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// How many things follow, of which each takes a byte at least. This is what keeps a wrong
    /// count from allocating memory that the data cannot fill.
    pub fn count(&mut self) -> Result<usize, Malformed> {
        let count = self.size()?;
        if count > self.rest.len() {
            return Err(Malformed("a count is too large"));
        }
        Ok(count)
    }

    pub fn take(&mut self, size: usize) -> Result<&'a [u8], Malformed> {
        let taken = self.rest.split_at_checked(size);
        let (taken, rest) = taken.ok_or(Malformed("too short"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn str(&mut self) -> Result<&'a str, Malformed> {
        let size = self.size()?;
        std::str::from_utf8(self.take(size)?).map_err(|_| Malformed("a name is not text"))
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }
}
