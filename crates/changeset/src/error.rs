//! Every way in which a change can be wrong.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Error {
    /// Does not begin with `Z:`, a length, a sign and a difference.
    #[error("not a changeset")]
    NotAChangeset,
    /// Something among the operations is not one.
    #[error("invalid operation")]
    InvalidOp,
    /// A number needs more than 31 bits.
    #[error("a number is too large")]
    NumberTooLarge,
    /// A delete runs past the old text, or the new text grows past its stated length.
    #[error("an operation exceeds the stated lengths")]
    LengthOverrun,
    /// An insert needs more characters than the bank has left.
    #[error("not enough characters for the inserts")]
    BankTooShort,
    /// An insert states another number of newlines than its characters have.
    #[error("an insert miscounts its newlines")]
    InsertNewlineCount,
    /// An insert with newlines does not end in one.
    #[error("an insert with newlines does not end in one")]
    InsertNotNewlineTerminated,
    /// The operations lead to another length than the header states.
    #[error("the operations do not lead to the stated length")]
    LengthMismatch,
    /// Characters are left in the bank.
    #[error("more characters than the inserts use")]
    BankExcess,
    /// The same change has one canonical notation, and this is not it.
    #[error("not in canonical form")]
    NotCanonical,
    /// The text has another length than the change was made for.
    #[error("made for a text of another length")]
    ApplyLengthMismatch,
    /// An operation reaches beyond the text or the bank.
    #[error("an operation reaches beyond the end")]
    ReadPastEnd,
    /// The text has another number of newlines in a span than the operation states.
    #[error("an operation miscounts the newlines of the text")]
    ApplyNewlineCount,
    /// The pool has no attribute of that number.
    #[error("an attribute is not in the pool")]
    UnknownAttribute,
    /// The second of two changes does not start at the length the first one ends with.
    #[error("the second change does not continue the first")]
    ComposeLengthMismatch,
    /// Two changes disagree about the newlines of the same text.
    #[error("two changes disagree about newlines")]
    LinesMismatch,
    /// An operation states more newlines than characters.
    #[error("an operation has more newlines than characters")]
    MoreLinesThanChars,
    /// Two changes do not start from texts of the same length.
    #[error("two changes start from texts of different lengths")]
    FollowLengthMismatch,
    /// An attribution string does not cover its text exactly.
    #[error("the attributes do not cover the text exactly")]
    AttributionMismatch,
}

impl Error {
    /// The name that the shared test vectors use.
    pub fn class(self) -> &'static str {
        match self {
            Error::NotAChangeset => "NOT_A_CHANGESET",
            Error::InvalidOp => "INVALID_OP",
            Error::NumberTooLarge => "NUMBER_TOO_LARGE",
            Error::LengthOverrun => "LENGTH_OVERRUN",
            Error::BankTooShort => "BANK_TOO_SHORT",
            Error::InsertNewlineCount => "INSERT_NEWLINE_COUNT",
            Error::InsertNotNewlineTerminated => "INSERT_NOT_NEWLINE_TERMINATED",
            Error::LengthMismatch => "LENGTH_MISMATCH",
            Error::BankExcess => "BANK_EXCESS",
            Error::NotCanonical => "NOT_CANONICAL",
            Error::ApplyLengthMismatch => "APPLY_LENGTH_MISMATCH",
            Error::ReadPastEnd => "READ_PAST_END",
            Error::ApplyNewlineCount => "APPLY_NEWLINE_COUNT",
            Error::UnknownAttribute => "UNKNOWN_ATTRIBUTE",
            Error::ComposeLengthMismatch => "COMPOSE_LENGTH_MISMATCH",
            Error::LinesMismatch => "COMPOSE_LINES_MISMATCH",
            Error::MoreLinesThanChars => "OP_MORE_LINES_THAN_CHARS",
            Error::FollowLengthMismatch => "FOLLOW_LENGTH_MISMATCH",
            Error::AttributionMismatch => "ATTRIBUTION_MISMATCH",
        }
    }
}
