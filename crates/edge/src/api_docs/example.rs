//! Example calls, as one types them into a shell.
//!
//! The page says first how to set the two variables they use, so that each can be copied as it is.

use service::api::{Function, Param, Version};

/// A call with every required argument, and the optional ones that make its point.
pub(super) fn call(function: &Function) -> String {
    let mut parts = Vec::new();
    if !function.authorizes_itself {
        parts.push("-H \"apikey: $APIKEY\"".to_owned());
    }
    for param in function.params {
        if let Some(value) = argument(function, param) {
            parts.push(format!("--data-urlencode '{}={value}'", param.name));
        }
    }
    parts.push(format!("\"$PADSVC/{}\"", path(function)));
    format!("curl {}", parts.join(" \\\n  "))
}

/// The value of a parameter in that call, if it has it.
pub(super) fn argument(function: &Function, param: &Param) -> Option<&'static str> {
    let is_shown = param.required || MAKES_THE_POINT.contains(&param.name);
    is_shown.then(|| match function.name {
        // These are about pads of groups alone.
        "setPublicStatus" | "getPublicStatus" if param.name == "padID" => {
            "g.x8Kd2mQv0aLrT5Yb$minutes"
        }
        _ => value(param.name).unwrap_or_default(),
    })
}

/// Where a function is called, below the root of the service.
pub(super) fn path(function: &Function) -> String {
    let version = Version::CURRENT.max(function.since);
    format!("api/{version}/{}", function.name)
}

/// Whether a call leaves everything as it is, so that a page may send it without asking.
pub(super) fn only_reads(function: &Function) -> bool {
    let is_question = |start: &&str| function.name.starts_with(start);
    ["get", "list", "check", "padUsers", "createDiff"]
        .iter()
        .any(is_question)
}

const MAKES_THE_POINT: [&str; 4] = ["name", "text", "deletionToken", "keepRevisions"];

/// A likely value for a parameter of this name.
fn value(name: &str) -> Option<&'static str> {
    Some(match name {
        "padID" | "padId" | "sourceID" => "notes",
        "destinationID" => "notes-copy",
        "padName" => "minutes",
        "groupID" => "g.x8Kd2mQv0aLrT5Yb",
        "authorID" | "authorId" => "a.h3Zs9cWn7pJfE1Ug",
        "sessionID" => "s.V6yRt4bXk8NqM2Do",
        "roID" => "r.c5GwP0uLj9HaS7Ie",
        "groupMapper" => "class-7b",
        "authorMapper" => "user-17",
        "name" => "Ada",
        "title" => "What we decided",
        "text" => "Hello!",
        "html" => "<p>Hello, <strong>world</strong>!</p>",
        "msg" => "reminder",
        "deletionToken" => "what createPad gave",
        "publicStatus" | "force" => "true",
        "validUntil" => "4102444800",
        "time" => "1767225600000",
        "rev" | "endRev" => "3",
        "start" | "startRev" => "0",
        "end" => "1",
        "keepRevisions" => "100",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::api::functions;

    #[test]
    fn every_parameter_has_a_likely_value() {
        for param in functions().flat_map(|function| function.params) {
            assert!(value(param.name).is_some(), "{}", param.name);
        }
    }

    #[test]
    fn calls_that_change_something_are_known() {
        let changes = functions().filter(|function| !only_reads(function));
        let names: Vec<&str> = changes.map(|function| function.name).collect();
        assert_eq!(
            names.join(" "),
            "createGroup createGroupIfNotExistsFor deleteGroup createGroupPad createAuthor \
             createAuthorIfNotExistsFor anonymizeAuthor createSession deleteSession setText \
             appendText setHTML restoreRevision appendChatMessage createPad saveRevision \
             deletePad setPublicStatus setTitle copyPad copyPadWithoutHistory movePad compactPad \
             sendClientsMessage"
        );
    }

    #[test]
    fn calls_can_be_pasted_into_a_shell() {
        let call_of = |name| call(functions().find(|f| f.name == name).unwrap());
        assert_eq!(
            call_of("setText"),
            "curl -H \"apikey: $APIKEY\" \\\n  --data-urlencode 'padID=notes' \\\n  \
             --data-urlencode 'text=Hello!' \\\n  \"$PADSVC/api/1.3.1/setText\""
        );
        for function in functions() {
            // A quote inside of an argument would end it.
            assert_eq!(
                call(function).matches('\'').count() % 2,
                0,
                "{}",
                function.name
            );
        }
    }
}
