//! The bounds on what is read from outside.

/// What a reader accepts. Beyond a limit the input is refused with an error that names it, and
/// nothing of it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
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
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 50 << 20,
            unpacked: 64 << 20,
            depth: 256,
            attributes: 2_048,
            growth: 16,
        }
    }
}
