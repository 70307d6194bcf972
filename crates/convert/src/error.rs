//! Errors of conversions.

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The input is longer than the limit.
    #[error("the input is too long")]
    TooLarge,
    /// The text in it is longer than a pad may be.
    #[error("its text is longer than a pad may be")]
    TextTooLong,
    /// The input is nested deeper than the limit.
    #[error("the input is nested too deep")]
    TooDeep,
    /// The input would grow far beyond its own size while it is read.
    #[error("the input takes too much work to read")]
    TooComplex,
    /// The file is not JSON.
    #[error("the file is not JSON")]
    NotJson(#[source] wtf_json::Error),
    /// The file is JSON, but not that of one pad. Says what is wrong with it.
    #[error("the file does not hold a pad: {0}")]
    NotAPad(&'static str),
    /// The file is not a DOCX document, or a damaged one. Says what is wrong with it.
    #[error("the file is not a DOCX document: {0}")]
    NotDocx(&'static str),
    /// The file is not text.
    #[error("the file is not text")]
    NotText,
    /// Files of this format can only be written.
    #[error("files of this format cannot be read")]
    WriteOnly,
    /// A change does not fit the document or the pool it is said to belong to.
    #[error("a change does not fit its document")]
    Change(#[from] changeset::Error),
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
