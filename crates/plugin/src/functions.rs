//! Functions that a plugin can call, in one table.
//!
//! The worker makes them from it (`padsvc.pads.getText`), the service checks permission and
//! arguments by it, and docs/plugins.md lists it. What a plugin writes is by the system author.

mod table;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use thiserror::Error;

use crate::parameter::{ArgumentError, Parameter, check_list};
use crate::permission::{Permission, PermissionKind, grants};
pub use table::FUNCTIONS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    PadsList,
    PadsExists,
    PadsGetText,
    PadsGetHtml,
    PadsGetTitle,
    PadsGetRevisionsCount,
    PadsGetChanges,
    PadsGetAuthorship,
    PadsListAuthors,
    PadsLastEdited,
    PadsCreate,
    PadsSetText,
    PadsAppendText,
    PadsSetTitle,
    PadsCopy,
    PadsDelete,
    PadsNotice,
    ChatAppend,
    ChatHistory,
    AuthorsName,
    HttpFetch,
    StorageGet,
    StorageSet,
    StorageDelete,
    StorageList,
    TimersEvery,
    TimersAfter,
    TimersCancel,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRow {
    pub function: Function,
    /// As JavaScript has it, below `padsvc`: a group, a dot, a name.
    pub name: &'static str,
    pub permission: PermissionKind,
    pub parameters: &'static [Parameter],
    pub answer: &'static str,
    pub meaning: &'static str,
}

/// Why a call is refused before anything is done. The plugin sees the text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    #[error("{function} takes the permission {permission}, which is not granted")]
    NotGranted {
        function: &'static str,
        permission: &'static str,
    },
    #[error("{function}: {error}")]
    Arguments {
        function: &'static str,
        error: ArgumentError,
    },
}

impl Function {
    pub fn row(self) -> &'static FunctionRow {
        // The order of both is the same (tested), so the first is never the answer.
        FUNCTIONS.get(self as usize).unwrap_or(&table::FIRST)
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Checks a call: the permission first, then each argument. Afterwards there is an argument
    /// for each parameter; what was left out is `null`.
    pub fn check(
        self,
        granted: &BTreeSet<Permission>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, CallError> {
        let row = self.row();
        if !grants(granted, row.permission) {
            return Err(CallError::NotGranted {
                function: row.name,
                permission: row.permission.name(),
            });
        }
        check_list(row.parameters, arguments).map_err(|error| CallError::Arguments {
            function: row.name,
            error,
        })
    }
}

impl FromStr for Function {
    type Err = ();

    fn from_str(text: &str) -> Result<Function, ()> {
        let found = FUNCTIONS.iter().find(|row| row.name == text);
        found.map(|row| row.function).ok_or(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Function {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Function {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Function, D::Error> {
        let text = String::deserialize(source)?;
        let unknown = |()| serde::de::Error::custom("there is no such function");
        text.parse().map_err(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn table_has_one_row_for_each_function_in_order() {
        assert_eq!(FUNCTIONS.len(), Function::TimersCancel as usize + 1);
        for (index, row) in FUNCTIONS.iter().enumerate() {
            assert_eq!(row.function as usize, index, "{}", row.name);
            assert_eq!(row.function.row().name, row.name);
            assert_eq!(row.name.parse(), Ok(row.function));
            assert_eq!(row.name.split('.').count(), 2, "{}", row.name);
            let required = row.parameters.iter().take_while(|it| !it.is_optional);
            let any = row.parameters.iter().filter(|it| !it.is_optional);
            assert_eq!(required.count(), any.count(), "{}", row.name);
            let json = serde_json::to_string(&row.function).unwrap();
            assert_eq!(
                serde_json::from_str::<Function>(&json).unwrap(),
                row.function
            );
        }
    }

    #[test]
    fn permission_comes_before_arguments() {
        let granted: BTreeSet<_> = [Permission::PadsRead].into();
        let check = |function: Function, arguments: &Value| {
            let arguments = arguments.as_array().unwrap().clone();
            match function.check(&granted, arguments) {
                Ok(values) => Value::from(values).to_string(),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(check(Function::PadsGetText, &json!(["a"])), r#"["a",null]"#);
        assert_eq!(
            check(Function::PadsGetText, &json!(["a", -1])),
            "pads.getText: revision must be a whole number from 0 to 2147483648"
        );
        assert_eq!(
            check(Function::PadsDelete, &json!([])),
            "pads.delete takes the permission pads:write, which is not granted"
        );
    }

    #[test]
    fn every_permission_but_routes_has_a_function() {
        for (kind, name, _) in crate::permission::KINDS {
            let is_used = FUNCTIONS.iter().any(|row| row.permission == *kind);
            assert_eq!(is_used, *kind != PermissionKind::Routes, "{name}");
        }
    }
}
