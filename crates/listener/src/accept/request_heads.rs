//! A check of the request heads of HTTP/1: every line ends with CR LF.
//!
//! The parser behind this takes a bare LF for the end of a line too. A proxy before us may not, and
//! then the two see different headers in the same bytes (request smuggling). The check follows the
//! framing of requests, and changes the LF that must not be there into a NUL, which no head may
//! hold, and ends the head: the parser refuses it with a 400. Whatever the check does not
//! understand ends it, since the parser refuses that as well.

/// A longer line is refused by the parser.
const LINE_BYTES: usize = super::HEAD_BYTES;
const PREFACE: &[u8] = b"PRI * HTTP/2.0";

#[derive(Default)]
pub(super) struct RequestHeads {
    place: Place,
    /// The line so far, without its end.
    line: Vec<u8>,
    /// What the lines of this head say about the body.
    is_begun: bool,
    is_chunked: bool,
    length: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Place {
    #[default]
    Head,
    Body(u64),
    ChunkSize,
    Trailers,
    /// The head is spoilt, and has to end for the parser to look at it.
    Spoilt,
    /// What follows is no HTTP/1, or is refused.
    Over,
    /// The rest of a chunk with the end of its line.
    Chunk(u64),
}

impl RequestHeads {
    /// Looks at what a client has sent.
    pub(super) fn check(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let taken = match self.place {
                Place::Over | Place::Spoilt => return,
                Place::Body(left) => self.skip(left, bytes.len(), Place::Body, Place::Head),
                Place::Chunk(left) => self.skip(left, bytes.len(), Place::Chunk, Place::ChunkSize),
                Place::Head | Place::ChunkSize | Place::Trailers => self.read_line(bytes),
            };
            bytes = bytes.get_mut(taken..).unwrap_or_default();
        }
    }

    /// What the parser has to read next in place of what the client sends.
    pub(super) fn ending(&mut self) -> Option<&'static [u8]> {
        (self.place == Place::Spoilt).then(|| {
            self.place = Place::Over;
            &b"\n\n"[..]
        })
    }

    /// Looks at what is answered: after a switch of protocols there are no heads.
    pub(super) fn answered(&mut self, bytes: &[u8]) {
        if bytes.starts_with(b"HTTP/1.1 101 ") {
            self.place = Place::Over;
        }
    }

    fn skip(&mut self, left: u64, there: usize, on: fn(u64) -> Place, then: Place) -> usize {
        let taken = left.min(there as u64);
        self.place = match left - taken {
            0 => then,
            left => on(left),
        };
        taken as usize
    }

    /// Reads up to the end of a line, and says how much that was.
    fn read_line(&mut self, bytes: &mut [u8]) -> usize {
        let end = memchr::memchr(b'\n', bytes);
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        if self.line.len() + part.len() > LINE_BYTES {
            self.place = Place::Over;
            return bytes.len();
        }
        self.line.extend_from_slice(part);
        let Some(end) = end else {
            return bytes.len();
        };
        let line = std::mem::take(&mut self.line);
        match line.strip_suffix(b"\r") {
            Some(line) => self.place = self.after(line),
            None => {
                if let Some(byte) = bytes.get_mut(end) {
                    *byte = 0;
                }
                self.place = Place::Spoilt;
            }
        }
        end + 1
    }

    fn after(&mut self, line: &[u8]) -> Place {
        match self.place {
            Place::ChunkSize => match chunk_size(line) {
                Some(0) => Place::Trailers,
                Some(size) => Place::Chunk(size + 2),
                None => Place::Over,
            },
            Place::Trailers if line.is_empty() => Place::Head,
            Place::Head if line.is_empty() => self.end_of_head(),
            Place::Head if !self.is_begun => {
                self.is_begun = true;
                match line {
                    PREFACE => Place::Over,
                    _ => Place::Head,
                }
            }
            Place::Head => self.header(line).map_or(Place::Over, |()| Place::Head),
            other => other,
        }
    }

    /// `None`: nobody can tell where the body ends.
    fn header(&mut self, line: &[u8]) -> Option<()> {
        let colon = memchr::memchr(b':', line)?;
        let (name, value) = line.split_at_checked(colon)?;
        let value = str::from_utf8(value.get(1..)?).unwrap_or_default().trim();
        if name.eq_ignore_ascii_case(b"content-length") {
            self.length = value.parse().ok()?;
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            let last = value.rsplit(',').next()?.trim();
            self.is_chunked = last.eq_ignore_ascii_case("chunked");
            self.is_chunked.then_some(())?;
        }
        Some(())
    }

    fn end_of_head(&mut self) -> Place {
        let head = std::mem::take(self);
        match (head.is_chunked, head.length) {
            (true, _) => Place::ChunkSize,
            (false, 0) => Place::Head,
            (false, length) => Place::Body(length),
        }
    }
}

fn chunk_size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?;
    let digits = str::from_utf8(digits).ok()?.trim();
    // Far below what could overflow when the end of the line is added.
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|size| *size < 1 << 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    /// Whether all of it passes, however it is cut into parts.
    fn passes(text: &str) -> bool {
        let outcomes = [1, 2, 3, 7, usize::MAX].map(|size| {
            let mut heads = RequestHeads::default();
            let mut bytes = text.as_bytes().to_vec();
            for part in bytes.chunks_mut(size) {
                heads.check(part);
            }
            bytes == text.as_bytes()
        });
        assert!(outcomes.iter().all(|one| *one == outcomes[0]), "{text:?}");
        outcomes[0]
    }

    #[test]
    fn lines_of_heads_end_with_both_characters() {
        let post = |headers: &str, body: &str| {
            format!("POST / HTTP/1.1\r\nhost: a\r\n{headers}\r\n\r\n{body}")
        };
        let plain = post("Content-Length: 4", "a\n\nb");
        let chunked = post(
            "Transfer-Encoding: gzip, Chunked",
            "A;x=y\r\n01234567\n9\r\n1\r\n\n\r\n0\r\ntrailer: x\r\n\r\n",
        );
        for text in [GET, &plain, &chunked] {
            assert!(passes(text));
            assert!(passes(&format!("{text}{GET}")));
            // The check finds the next head behind every kind of body.
            for bad in [
                "GET / HTTP/1.1\nhost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nhost: a\n\r\n",
                "GET / HTTP/1.1\r\nhost: a\r\nx: y\nz: w\r\n\r\n",
                "GET / HTTP/1.1\r\nhost: a\r\n\n",
                "\nGET / HTTP/1.1\r\nhost: a\r\n\r\n",
            ] {
                assert!(!passes(&format!("{text}{bad}")), "{bad:?}");
            }
        }
        assert!(passes(&format!("\r\n{GET}")));
    }

    #[test]
    fn what_is_no_head_passes() {
        let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n";
        let unclear = "POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n\n\n";
        for text in [preface, unclear] {
            assert!(passes(text), "{text:?}");
        }
        let mut heads = RequestHeads::default();
        heads.check(&mut GET.as_bytes().to_vec());
        heads.answered(b"HTTP/1.1 101 Switching Protocols\r\n");
        let mut frames = *b"\x81\x01\n\n\n";
        heads.check(&mut frames);
        assert_eq!(&frames, b"\x81\x01\n\n\n");
    }
}
