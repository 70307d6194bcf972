//! The functions of the contract.
//!
//! Each heading of the contract is a module: the functions as methods of [`Service`], and behind
//! them the rows of the table that [`functions`] lists. Calling by name, version gating, checking
//! of arguments and all documentation come from these rows.

mod arguments;

mod data;

mod function;

pub mod schema;

mod groups;

mod authors;

mod sessions;

mod content;

mod chat;

mod pads;

mod titles;

mod copying;

mod instance;

mod listing;

pub use crate::chat_entry::ChatEntry;
pub use arguments::{Argument, Arguments};
pub(crate) use authors::check_name;
pub(crate) use chat::with_names;
pub use data::Data;
pub use function::{Function, Heading, Kind, Param, VERSIONS, Version};
pub use instance::Stats;
pub(crate) use pads::{Issued, save_revision};

use serde_json::{Map, Value};

use crate::Service;
use crate::error::Error;

/// Every function, in the order of the contract.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    [
        groups::FUNCTIONS,
        authors::FUNCTIONS,
        sessions::FUNCTIONS,
        content::FUNCTIONS,
        chat::FUNCTIONS,
        pads::FUNCTIONS,
        titles::FUNCTIONS,
        copying::FUNCTIONS,
        instance::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

/// The function of that name, if the version has it.
pub fn function(version: Version, name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name && function.since <= version)
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Has shown a credential.
    Trusted,
    /// Has not. Only a function that judges by itself may be called then.
    Anonymous,
}

/// An object with one member that may be large; `json!` would copy it.
fn large(name: &str, value: impl Into<Value>) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value.into())]))
}

impl Service {
    /// Calls a function by name, and gives the `data` of the answer.
    pub async fn call(
        &self,
        version: Version,
        name: &str,
        arguments: Arguments,
        caller: Caller,
    ) -> Result<Data, Error> {
        let function = function(version, name).ok_or(Error::NoSuchFunction)?;
        if caller == Caller::Anonymous && !function.authorizes_itself {
            return Err(Error::Credential);
        }
        let arguments = arguments.for_call(function, version, caller);
        (function.run)(self, &arguments).await
    }
}
