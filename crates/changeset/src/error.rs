//! Every way in which a change can be wrong.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// Does not begin with `Z:`, a length, a sign and a difference.
    NotAChangeset,
    /// Something among the operations is not one.
    InvalidOp,
    /// A number needs more than 31 bits.
    NumberTooLarge,
    /// A delete runs past the old text, or the new text grows past its stated length.
    LengthOverrun,
    /// An insert needs more characters than the bank has left.
    BankTooShort,
    /// An insert states another number of newlines than its characters have.
    InsertNewlineCount,
    /// An insert with newlines does not end in one.
    InsertNotNewlineTerminated,
    /// The operations lead to another length than the header states.
    LengthMismatch,
    /// Characters are left in the bank.
    BankExcess,
    /// The same change has one canonical notation, and this is not it.
    NotCanonical,
    /// The text has another length than the change was made for.
    ApplyLengthMismatch,
    /// An operation reaches beyond the text or the bank.
    ReadPastEnd,
    /// The text has another number of newlines in a span than the operation states.
    ApplyNewlineCount,
    /// The pool has no attribute of that number.
    UnknownAttribute,
    /// The second of two changes does not start at the length the first one ends with.
    ComposeLengthMismatch,
    /// Two changes disagree about the newlines of the same text.
    LinesMismatch,
    /// An operation states more newlines than characters.
    MoreLinesThanChars,
    /// Two changes do not start from texts of the same length.
    FollowLengthMismatch,
    /// An attribution string does not cover its text exactly.
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

    fn message(self) -> &'static str {
        match self {
            Error::NotAChangeset => "not a changeset",
            Error::InvalidOp => "invalid operation",
            Error::NumberTooLarge => "a number is too large",
            Error::LengthOverrun => "an operation exceeds the stated lengths",
            Error::BankTooShort => "not enough characters for the inserts",
            Error::InsertNewlineCount => "an insert miscounts its newlines",
            Error::InsertNotNewlineTerminated => "an insert with newlines does not end in one",
            Error::LengthMismatch => "the operations do not lead to the stated length",
            Error::BankExcess => "more characters than the inserts use",
            Error::NotCanonical => "not in canonical form",
            Error::ApplyLengthMismatch => "made for a text of another length",
            Error::ReadPastEnd => "an operation reaches beyond the end",
            Error::ApplyNewlineCount => "an operation miscounts the newlines of the text",
            Error::UnknownAttribute => "an attribute is not in the pool",
            Error::ComposeLengthMismatch => "the second change does not continue the first",
            Error::LinesMismatch => "two changes disagree about newlines",
            Error::MoreLinesThanChars => "an operation has more newlines than characters",
            Error::FollowLengthMismatch => "two changes start from texts of different lengths",
            Error::AttributionMismatch => "the attributes do not cover the text exactly",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Error {}
