//! Errors of the service, with the messages of the API.

use std::fmt;

use pad::limits::{Exceeded, SAVED_REVISIONS};

/// Why a call did not succeed. The texts are part of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    GroupMissing,
    SessionGroupMissing,
    SessionAuthorMissing,
    SessionMissing,
    AuthorMissing,
    AuthorRequired,
    AuthorErased,
    PadMissing,
    PadExists,
    PadNameExists,
    PadIdMalformed,
    PadIdForm,
    GroupPadWithoutGroup,
    NotAGroupPad,
    DestinationExists,
    DestinationGroupMissing,
    TextTooLong,
    /// An argument is longer than what is stored of it.
    TooLong(&'static str, usize),
    /// The pad would get too many attributes, or too long ones.
    Attributes(Exceeded),
    TooManySavedRevisions,
    TextIsNoString,
    RevMissing,
    RevTooHigh,
    RevsOutOfOrder,
    ChatStartTooHigh,
    ChatStartAfterEnd,
    ChatStartNegative,
    ChatEndTooHigh,
    ValidUntilInThePast,
    DeletionToken,
    /// The member came through a read-only id, or as a user who may only read.
    ReadOnly,
    /// The session that let the member in has ended.
    SessionEnded,
    NotCreator,
    KeepRevisions,
    CompactionDisabled,
    ErasureDisabled,
    /// An argument that must be a text is missing or something else.
    NotAString(&'static str),
    NotANumber(&'static str),
    Negative(&'static str),
    Float(&'static str),
    NotABoolean(&'static str),
    /// An author id that cannot be one.
    AuthorForm(&'static str),
    /// The HTML cannot be read, and why.
    Html(String),
    NoSuchFunction,
    Credential,
    /// The disk is full, or the database does not take changes. Nothing was changed.
    NotStored,
    /// The reason is in the log and nowhere else.
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

    fn fixed_text(&self) -> Option<&'static str> {
        Some(match self {
            Error::GroupMissing => "groupID does not exist",
            Error::SessionGroupMissing => "groupID doesn't exist",
            Error::SessionAuthorMissing => "authorID doesn't exist",
            Error::SessionMissing => "sessionID does not exist",
            Error::AuthorMissing => "authorID does not exist",
            Error::AuthorRequired => "authorID is required",
            Error::AuthorErased => "the author is erased",
            Error::PadMissing => "padID does not exist",
            Error::PadExists => "padID does already exist",
            Error::PadNameExists => "padName does already exist",
            Error::PadIdMalformed => "malformed padID: Remove special characters",
            Error::PadIdForm => "padID did not match requirements",
            Error::GroupPadWithoutGroup => "createPad can't create group pads",
            Error::NotAGroupPad => {
                "You can only get/set the publicStatus of pads that belong to a group"
            }
            Error::DestinationExists => "destinationID already exists",
            Error::DestinationGroupMissing => "groupID does not exist for destinationID",
            Error::TextTooLong => "text too long",
            Error::TextIsNoString => "text is no string",
            Error::RevMissing => "rev is not defined",
            Error::RevTooHigh => "rev is higher than the head revision of the pad",
            Error::RevsOutOfOrder => "startRev is higher than endRev",
            Error::ChatStartTooHigh => "start is higher or equal to the current chatHead",
            Error::ChatStartAfterEnd => "start is higher than end",
            Error::ChatStartNegative => "start is below zero",
            Error::ChatEndTooHigh => "end is higher than the current chatHead",
            Error::ValidUntilInThePast => "validUntil is in the past",
            Error::DeletionToken => "invalid deletionToken",
            Error::ReadOnly => "write attempt on a read-only pad",
            Error::SessionEnded => "the session has ended",
            Error::NotCreator => "only the creator of the pad may set its options",
            Error::KeepRevisions => "keepRevisions must be a non-negative integer",
            Error::CompactionDisabled => {
                "compactPad requires cleanup.enabled = true in settings.json"
            }
            Error::ErasureDisabled => {
                "anonymizeAuthor is disabled: set gdprAuthorErasure.enabled = true in \
                 settings.json"
            }
            Error::NoSuchFunction => "no such function",
            Error::Credential => "no or wrong API Key",
            Error::NotStored => {
                "nothing can be stored at the moment: the disk is full or the database does not \
                 accept changes; nothing was changed"
            }
            Error::Internal => "internal error",
            _ => return None,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAString(name) => write!(f, "{name} is not a string"),
            Error::NotANumber(name) => write!(f, "{name} is not a number"),
            Error::Negative(name) => write!(f, "{name} is a negative number"),
            Error::Float(name) => write!(f, "{name} is a float value"),
            Error::NotABoolean(name) => write!(f, "{name} is not a boolean"),
            Error::AuthorForm(name) => write!(f, "{name} is not an author id"),
            Error::TooLong(name, most) => {
                write!(f, "{name} is longer than {most} characters")
            }
            Error::Attributes(exceeded) => write!(f, "too many attributes: {exceeded}"),
            Error::TooManySavedRevisions => {
                write!(f, "a pad has at most {SAVED_REVISIONS} saved revisions")
            }
            Error::Html(reason) => write!(f, "html could not be read: {reason}"),
            other => f.write_str(other.fixed_text().unwrap_or_default()),
        }
    }
}

impl std::error::Error for Error {}

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

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Error {
        Error::Attributes(exceeded)
    }
}

impl From<changeset::Error> for Error {
    fn from(error: changeset::Error) -> Error {
        tracing::error!(%error, "a change that we made ourselves is wrong");
        Error::Internal
    }
}
