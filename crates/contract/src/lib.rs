//! Terms of the API: what its functions take and answer, without the functions.
//!
//! A call comes as a [`Version`], [`Arguments`] by name and a [`Caller`]. [`CallArguments`] are
//! what a function may read of them, by its [`Param`]s; it answers [`Data`] of a [`schema`], or an
//! [`Error`]. The texts and codes of errors are part of the contract. The functions themselves are
//! in `service`, which gives these terms to its callers under its own names.

mod arguments;

mod data;

mod error;

mod param;

pub mod schema;

mod version;

pub use arguments::{Argument, Arguments, CallArguments, Caller};
pub use data::Data;
pub use error::{Code, Error};
pub use param::{AUTHOR_ID, EDITING_AUTHOR, GROUP_ID, Kind, PAD_ID, Param, REV, SESSION_ID};
pub use version::{VERSIONS, Version};
