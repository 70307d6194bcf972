//! The functions of the contract.
//!
//! Each heading of the contract is a module: the functions as methods of [`Service`], and behind
//! them the rows of the table that [`functions`] lists. Calling by name, version gating, checking
//! of arguments and all documentation come from these rows.

mod function;

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
pub(crate) use authors::check_name;
pub(crate) use chat::with_names;
pub use contract::{Argument, Arguments, Caller, Data, Kind, Param, VERSIONS, Version, schema};
pub use function::{Function, Heading};
pub use instance::Stats;
pub(crate) use pads::{Issued, save_revision};

use serde_json::{Map, Value};

use crate::Service;
use contract::Error;

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
        let arguments = arguments.for_call(function.params, version, caller);
        (function.run)(self, &arguments).await
    }
}

#[cfg(test)]
mod tests {
    use super::functions;
    use super::schema::Schema;

    #[test]
    fn every_row_is_in_the_short_form() {
        for function in functions() {
            assert!(
                Schema::parse(function.result).is_some(),
                "{}: {}",
                function.name,
                function.result
            );
        }
    }
}
