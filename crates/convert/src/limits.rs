//! The bounds on what is read from outside.

use std::sync::Arc;

use crate::declared::Declared;

/// What a reader accepts. Beyond a limit the input is refused with an error that names it, and
/// nothing of it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of the text in UTF-16 units, line ends included: what a pad may have.
    /// → [`Error::TextTooLong`](crate::Error::TextTooLong)
    pub text: usize,
    /// Stretches of text that look different from what is beside them. Each takes a hundred times
    /// the memory of a character. → [`Error::TooComplex`](crate::Error::TooComplex)
    pub runs: usize,
    /// Elements and texts of a page, and marks of Markdown: what a parser keeps in memory.
    /// → [`Error::TooComplex`](crate::Error::TooComplex)
    pub nodes: usize,
    /// Records of an `.etherpad` file: revisions, chat messages, authors.
    /// → [`Error::TooComplex`](crate::Error::TooComplex)
    pub records: usize,
    /// Length of the input in bytes. → [`Error::TooLarge`](crate::Error::TooLarge)
    pub bytes: usize,
    /// Length in bytes of each part of a packed file, once it is unpacked.
    /// → [`Error::TooLarge`](crate::Error::TooLarge)
    pub unpacked: usize,
    /// Elements inside one another. Building a tree takes time with the square of this.
    /// → [`Error::TooDeep`](crate::Error::TooDeep)
    pub depth: usize,
    /// Attributes of one HTML tag: the parser compares each with all before it.
    /// → [`Error::TooComplex`](crate::Error::TooComplex)
    pub attributes: u32,
    /// How many times its own size HTML may grow while unclosed tags are repeated for it, as the
    /// standard demands. → [`Error::TooComplex`](crate::Error::TooComplex)
    pub growth: usize,
    /// Attributes beside those of the core that are read.
    pub declared: Arc<Declared>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            text: 5_000_000,
            runs: 250_000,
            nodes: 500_000,
            records: 500_000,
            bytes: 50 << 20,
            unpacked: 64 << 20,
            depth: 256,
            attributes: 2_048,
            growth: 16,
            declared: Arc::default(),
        }
    }
}

impl Limits {
    /// More bytes than this are more units than a text may have, in every encoding that is read and
    /// with some white space that is not part of it.
    pub(crate) fn bytes_of_text(&self) -> usize {
        self.text.saturating_mul(3).saturating_add(1 << 16)
    }
}
