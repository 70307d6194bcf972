//! Error of a function, with the message and the code that the API gives for it.

use pad::limits::{Exceeded, SAVED_REVISIONS};

/// Why a call did not succeed. The texts are part of the contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("groupID does not exist")]
    GroupMissing,
    #[error("groupID doesn't exist")]
    SessionGroupMissing,
    #[error("authorID doesn't exist")]
    SessionAuthorMissing,
    #[error("sessionID does not exist")]
    SessionMissing,
    #[error("authorID does not exist")]
    AuthorMissing,
    #[error("authorID is required")]
    AuthorRequired,
    #[error("the author is erased")]
    AuthorErased,
    #[error("padID does not exist")]
    PadMissing,
    #[error("padID does already exist")]
    PadExists,
    #[error("padName does already exist")]
    PadNameExists,
    #[error("malformed padID: Remove special characters")]
    PadIdMalformed,
    #[error("padID did not match requirements")]
    PadIdForm,
    #[error("createPad can't create group pads")]
    GroupPadWithoutGroup,
    #[error("You can only get/set the publicStatus of pads that belong to a group")]
    NotAGroupPad,
    #[error("destinationID already exists")]
    DestinationExists,
    #[error("groupID does not exist for destinationID")]
    DestinationGroupMissing,
    #[error("text too long")]
    TextTooLong,
    /// An argument is longer than what is stored of it.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// The pad would get too many attributes, or too long ones.
    #[error("too many attributes: {0}")]
    Attributes(#[from] Exceeded),
    #[error("a pad has at most {SAVED_REVISIONS} saved revisions")]
    TooManySavedRevisions,
    #[error("the revision is not saved")]
    NotSaved,
    #[error("text is no string")]
    TextIsNoString,
    #[error("rev is not defined")]
    RevMissing,
    #[error("rev is higher than the head revision of the pad")]
    RevTooHigh,
    #[error("startRev is higher than endRev")]
    RevsOutOfOrder,
    #[error("start is higher or equal to the current chatHead")]
    ChatStartTooHigh,
    #[error("start is higher than end")]
    ChatStartAfterEnd,
    #[error("start is below zero")]
    ChatStartNegative,
    #[error("end is higher than the current chatHead")]
    ChatEndTooHigh,
    #[error("validUntil is in the past")]
    ValidUntilInThePast,
    #[error("invalid deletionToken")]
    DeletionToken,
    /// The member came through a read-only id, or as a user who may only read.
    #[error("write attempt on a read-only pad")]
    ReadOnly,
    /// The session that let the member in has ended.
    #[error("the session has ended")]
    SessionEnded,
    /// A hook does not let it pass, and why.
    #[error("refused: {0}")]
    Refused(String),
    /// A hook that has to check it gave no answer.
    #[error("refused: it could not be checked, try again in a moment")]
    Unchecked,
    #[error("only the creator of the pad may set its options")]
    NotCreator,
    #[error("keepRevisions must be a non-negative integer")]
    KeepRevisions,
    #[error("compactPad requires cleanup.enabled = true in settings.json")]
    CompactionDisabled,
    #[error(
        "anonymizeAuthor is disabled: set gdprAuthorErasure.enabled = true in \
         settings.json"
    )]
    ErasureDisabled,
    /// An argument that must be a text is missing or something else.
    #[error("{0} is not a string")]
    NotAString(&'static str),
    #[error("{0} is not a number")]
    NotANumber(&'static str),
    #[error("{0} is a negative number")]
    Negative(&'static str),
    #[error("{0} is a float value")]
    Float(&'static str),
    #[error("{0} is not a boolean")]
    NotABoolean(&'static str),
    /// An author id that cannot be one.
    #[error("{0} is not an author id")]
    AuthorForm(&'static str),
    /// The HTML cannot be read, and why.
    #[error("html could not be read: {0}")]
    Html(String),
    #[error("no such function")]
    NoSuchFunction,
    #[error("no or wrong API Key")]
    Credential,
    /// The disk is full, or the database does not take changes. Nothing was changed.
    #[error(
        "nothing can be stored at the moment: the disk is full or the database does not \
         accept changes; nothing was changed"
    )]
    NotStored,
    /// The reason is in the log and nowhere else.
    #[error("internal error")]
    Internal,
}

/// The code of the response envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Ok = 0,
    WrongParameters = 1,
    Internal = 2,
    NoSuchFunction = 3,
    Credential = 4,
}

impl Error {
    pub fn code(&self) -> Code {
        match self {
            Error::Internal | Error::NotStored => Code::Internal,
            Error::NoSuchFunction => Code::NoSuchFunction,
            Error::Credential => Code::Credential,
            _ => Code::WrongParameters,
        }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        if let store::Error::NotStored(_) = error {
            // Said once in the log when it begins, and not with every call.
            tracing::debug!(%error, "a change is not stored");
            return Error::NotStored;
        }
        tracing::error!(%error, "the store failed");
        Error::Internal
    }
}

impl From<changeset::Error> for Error {
    fn from(error: changeset::Error) -> Error {
        tracing::error!(%error, "a change that we made ourselves is wrong");
        Error::Internal
    }
}
