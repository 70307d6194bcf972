//! The rules of one pad, as pure functions and plain data.
//!
//! This crate knows what a pad is: the names of things ([`PadId`] and its kin), a pad's head and
//! history ([`Head`], [`Revision`]), how a member's change becomes a revision ([`accept()`]),
//! which changes the server makes itself ([`edit`]), the client's half of the protocol
//! ([`Replica`]), who may open, write and delete a pad ([`access`], [`Deleter`]), and its options
//! ([`PadOptions`]).
//!
//! It does not know storage, JSON, HTTP, sockets, the clock or random sources: time and entropy
//! are arguments, and what comes out is a value. It cannot fail for reasons outside its arguments.

mod ids;

pub mod limits;

mod revision;

mod accept;

mod repair;

mod final_newline;

pub mod edit;

mod replica;

mod history;

mod origin;

mod periods;

mod people;

mod chat;

mod colours;

mod deletion;

mod options;

mod title;

mod windows;

pub mod access;

pub use accept::{Rejection, Submission, accept, accept_once};
pub use chat::ChatMessage;
pub use colours::{GIVEN_COLOURS, Neighbours, any_given_colour, given_colour};
pub use deletion::{Deleter, DeletionToken, TokenHash};
pub use final_newline::{Replacement, spares_final_newline, sparing_final_newline, whole_document};
pub use history::{COARSEST, History, HistoryRequest, Stretch};
pub use ids::{
    AuthorId, AuthorToken, GroupId, MAX_PAD_NAME, PadId, ReadOnlyId, SessionId, WindowId,
    clean_text, is_bidi_control,
};
pub use options::{
    OptionRules, OptionsPatch, PadOptions, Patch, PluginName, ViewOptions, ViewPatch,
};
pub use origin::{ORIGIN_REVISIONS, Origin, origin};
pub use people::{Author, Colour, Erasure, PALETTE, Session};
pub use periods::{Credit, Period, periods};
pub use replica::{Replica, Update};
pub use revision::{Head, Rev, Revision, Step, Timestamp};
pub use title::{Title, TitleTooLong, one_line, readable};
pub use windows::{WindowRecord, WindowRecords};
