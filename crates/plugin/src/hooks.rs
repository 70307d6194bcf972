//! Hooks: the moments at which a plugin is called, in one table.
//!
//! The table is what the manifest is checked against, what the service sends, and what
//! docs/plugins.md lists. No argument holds a client's address, a token, a key, a cookie or a
//! password: authors are ids and names, pads are ids and texts.

mod table;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameter::Parameter;
use crate::permission::PermissionKind;
pub use table::HOOKS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Hook {
    Started,
    Stopping,
    PadCreated,
    PadOpened,
    PadChanged,
    RevisionSaved,
    PadDeleted,
    PadCopied,
    MemberJoined,
    MemberLeft,
    Timer,
    NewPadText,
    ClientVars,
    ChatMessage,
    MemberNamed,
    Access,
    MemberMessage,
    Message,
    Request,
    ApiCall,
    AdminPage,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct HookRow {
    pub hook: Hook,
    pub name: &'static str,
    pub wait: Wait,
    /// What the plugin must be granted for the service to call it.
    pub permission: Option<PermissionKind>,
    pub arguments: &'static [Parameter],
    /// What the handler may return; empty where nothing is waited for.
    pub answer: &'static str,
    pub meaning: &'static str,
    /// Whether its answer can refuse what a person does. A plugin says what no answer means.
    pub decides: bool,
}

/// Whether the service waits for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Called after the fact. The service goes on at once; an answer is ignored.
    Never,
    /// The service waits so long, and goes on without the plugin after that.
    Budget { default_ms: u32, max_ms: u32 },
}

impl Hook {
    pub fn row(self) -> &'static HookRow {
        // The order of both is the same (tested), so the first is never the answer.
        HOOKS.get(self as usize).unwrap_or(&table::FIRST)
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether people in pads wait for it, for something that they do there.
    pub fn is_in_pads(self) -> bool {
        self.row().wait == table::IN_PAD
    }

    /// The longest wait for an answer, `None` if there is no waiting.
    pub fn budget_ms(self) -> Option<u32> {
        match self.row().wait {
            Wait::Never => None,
            Wait::Budget { default_ms, .. } => Some(default_ms),
        }
    }
}

impl FromStr for Hook {
    type Err = ();

    fn from_str(text: &str) -> Result<Hook, ()> {
        let found = HOOKS.iter().find(|row| row.name == text);
        found.map(|row| row.hook).ok_or(())
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_one_row_for_each_hook_in_order() {
        assert_eq!(HOOKS.len(), Hook::AdminPage as usize + 1);
        for (index, row) in HOOKS.iter().enumerate() {
            assert_eq!(row.hook as usize, index, "{}", row.name);
            assert_eq!(row.hook.row().name, row.name);
            assert_eq!(row.name.parse(), Ok(row.hook));
            let json = serde_json::to_string(&row.hook).unwrap();
            assert_eq!(json, format!("\"{}\"", row.name));
            assert_eq!(row.answer.is_empty(), row.wait == Wait::Never);
            // What may be refused is waited for, and by people in pads.
            assert!(!row.decides || row.hook.is_in_pads(), "{}", row.name);
            if let Wait::Budget { default_ms, max_ms } = row.wait {
                assert!(default_ms <= max_ms);
            }
        }
        assert_eq!("padOpen".parse::<Hook>(), Err(()));
    }

    #[test]
    fn no_argument_is_named_like_something_secret() {
        for row in HOOKS {
            for argument in row.arguments {
                let name = argument.name.to_lowercase();
                for secret in [
                    "ip", "address", "token", "key", "cookie", "password", "session", "header",
                    "secret", "agent", "host", "login",
                ] {
                    assert!(name != secret, "{}: {name}", row.name);
                    assert!(
                        secret.len() < 4 || !name.contains(secret),
                        "{}: {name}",
                        row.name
                    );
                }
            }
        }
    }
}
