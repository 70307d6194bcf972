//! Why a conversion cannot be done.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The input is longer than the limit.
    TooLarge,
    /// The text in it is longer than a pad may be.
    TextTooLong,
    /// The input is nested deeper than the limit.
    TooDeep,
    /// The input would grow far beyond its own size while it is read.
    TooComplex,
    /// The file is not JSON.
    NotJson(wtf_json::Error),
    /// The file is JSON, but not that of one pad. Says what is wrong with it.
    NotAPad(&'static str),
    /// The file is not a DOCX document, or a damaged one. Says what is wrong with it.
    NotDocx(&'static str),
    /// The file is not text.
    NotText,
    /// Files of this format can only be written.
    WriteOnly,
    /// A change does not fit the document or the pool it is said to belong to.
    Change(changeset::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooLarge => f.write_str("the input is too long"),
            Error::TextTooLong => f.write_str("its text is longer than a pad may be"),
            Error::TooDeep => f.write_str("the input is nested too deep"),
            Error::TooComplex => f.write_str("the input takes too much work to read"),
            Error::NotJson(_) => f.write_str("the file is not JSON"),
            Error::NotAPad(reason) => write!(f, "the file does not hold a pad: {reason}"),
            Error::NotDocx(reason) => write!(f, "the file is not a DOCX document: {reason}"),
            Error::NotText => f.write_str("the file is not text"),
            Error::WriteOnly => f.write_str("files of this format cannot be read"),
            Error::Change(_) => f.write_str("a change does not fit its document"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::NotJson(error) => Some(error),
            Error::Change(error) => Some(error),
            _ => None,
        }
    }
}

impl From<changeset::Error> for Error {
    fn from(error: changeset::Error) -> Error {
        Error::Change(error)
    }
}

impl From<wtf_json::Error> for Error {
    fn from(error: wtf_json::Error) -> Error {
        match error.kind {
            wtf_json::ErrorKind::TooDeep => Error::TooDeep,
            wtf_json::ErrorKind::TooManyValues => Error::TooComplex,
            _ => Error::NotJson(error),
        }
    }
}
