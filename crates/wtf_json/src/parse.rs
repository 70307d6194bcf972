//! Reading JSON.

use changeset::Text;

use super::{Error, ErrorKind, Json, MAX_DEPTH, MAX_VALUES, Number, Object};

/// Reads one value.
pub fn parse(json: &[u8]) -> Result<Json, Error> {
    let mut parser = Parser::new(json)?;
    let value = parser.value(0)?;
    parser.end()?;
    Ok(value)
}

/// Reads an object member by member, so that not all of a large file is held at once.
pub fn entries(json: &[u8]) -> Result<Entries<'_>, Error> {
    let mut parser = Parser::new(json)?;
    if parser.next_byte() != Some(b'{') {
        return Err(parser.error(ErrorKind::NotAnObject));
    }
    parser.at += 1;
    Ok(Entries {
        parser,
        state: Some(Members::First),
    })
}

/// The members of an object, in order. Ends after the first error.
pub struct Entries<'a> {
    parser: Parser<'a>,
    /// Where in the object the parser is; `None` once it is through.
    state: Option<Members>,
}

impl Iterator for Entries<'_> {
    type Item = Result<(Text, Json), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let state = self.state.take()?;
        self.parser.values_left = MAX_VALUES;
        let member = self.parser.member(state, 1);
        match member {
            Ok(Some(member)) => {
                self.state = Some(Members::More);
                Some(Ok(member))
            }
            Ok(None) => self.parser.end().err().map(Err),
            Err(error) => Some(Err(error)),
        }
    }
}

enum Members {
    First,
    More,
}

struct Parser<'a> {
    json: &'a str,
    at: usize,
    values_left: usize,
}

impl<'a> Parser<'a> {
    fn new(json: &'a [u8]) -> Result<Parser<'a>, Error> {
        let json = str::from_utf8(json).map_err(|error| Error {
            kind: ErrorKind::NotUtf8,
            at: error.valid_up_to(),
        })?;
        // Editors put this mark in front of files.
        let at = if json.starts_with('\u{feff}') { 3 } else { 0 };
        Ok(Parser {
            json,
            at,
            values_left: MAX_VALUES,
        })
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error { kind, at: self.at }
    }

    fn unexpected(&self) -> Error {
        self.error(match self.byte() {
            Some(_) => ErrorKind::UnexpectedByte,
            None => ErrorKind::UnexpectedEnd,
        })
    }

    fn byte(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space.
    fn next_byte(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn end(&mut self) -> Result<(), Error> {
        match self.next_byte() {
            None => Ok(()),
            Some(_) => Err(self.error(ErrorKind::TrailingData)),
        }
    }

    /// Takes a byte that has to be next.
    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.next_byte() != Some(byte) {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a value that is inside `depth` others.
    fn value(&mut self, depth: usize) -> Result<Json, Error> {
        let first = self.next_byte();
        if matches!(first, Some(b'[' | b'{')) && depth >= MAX_DEPTH {
            return Err(self.error(ErrorKind::TooDeep));
        }
        let left = self.values_left.checked_sub(1);
        self.values_left = left.ok_or(self.error(ErrorKind::TooManyValues))?;
        match first {
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Json, Error> {
        let words = [
            ("null", Json::Null),
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
        ];
        let rest = self.json.get(self.at..).unwrap_or_default();
        for (word, value) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.unexpected())
    }

    fn array(&mut self, depth: usize) -> Result<Json, Error> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        if self.next_byte() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            match self.next_byte() {
                Some(b',') => self.at += 1,
                _ => break,
            }
        }
        self.expect(b']')?;
        Ok(Json::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Json, Error> {
        self.expect(b'{')?;
        let mut members = Object::new();
        let mut state = Members::First;
        while let Some(member) = self.member(state, depth)? {
            members.push(member);
            state = Members::More;
        }
        Ok(Json::Object(members))
    }

    /// The next member of an object, or `None` at its end.
    fn member(&mut self, state: Members, depth: usize) -> Result<Option<(Text, Json)>, Error> {
        match (self.next_byte(), state) {
            (Some(b'}'), _) => {
                self.at += 1;
                return Ok(None);
            }
            (Some(b','), Members::More) => self.at += 1,
            (Some(b'"'), Members::First) => {}
            _ => return Err(self.unexpected()),
        }
        if self.next_byte() != Some(b'"') {
            return Err(self.unexpected());
        }
        let name = self.string()?;
        self.expect(b':')?;
        Ok(Some((name, self.value(depth)?)))
    }

    fn number(&mut self) -> Result<Json, Error> {
        let start = self.at;
        while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        let digits = self.json.get(start..self.at).unwrap_or_default();
        let number = digits.parse::<Number>().map_err(|_| Error {
            kind: ErrorKind::InvalidNumber,
            at: start,
        })?;
        // Reading a fraction, the library is fast rather than exact in the last digit.
        let exact = digits.parse().ok().filter(|_| number.is_f64());
        let exact = exact.and_then(Number::from_f64);
        Ok(Json::Number(exact.unwrap_or(number)))
    }

    fn string(&mut self) -> Result<Text, Error> {
        self.expect(b'"')?;
        let mut text = Text::new();
        loop {
            let rest = self.json.get(self.at..).unwrap_or_default();
            let plain = rest
                .bytes()
                .position(|b| b == b'"' || b == b'\\' || b < b' ');
            let plain = plain.unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.error(ErrorKind::ControlCharacter)),
                None => return Err(self.error(ErrorKind::UnexpectedEnd)),
            }
        }
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Result<u16, Error> {
        let invalid = self.error(ErrorKind::InvalidEscape);
        self.at += 1;
        let letter = self.byte().ok_or(invalid)?;
        self.at += 1;
        Ok(u16::from(match letter {
            b'"' | b'\\' | b'/' => letter,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let digits = self.json.get(self.at..self.at + 4).ok_or(invalid)?;
                self.at += 4;
                // `from_str_radix` would take a sign.
                let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                return u16::from_str_radix(digits, 16)
                    .ok()
                    .filter(|_| is_hex)
                    .ok_or(invalid);
            }
            _ => return Err(invalid),
        }))
    }
}
