//! `admin.lockedSettings`: settings that only somebody with access to the file can change.
//!
//! An administrator in a browser is trusted with pads, not with the machine: what names a program
//! or a file of the machine, or says which releases are installed, is locked by default.

use serde_json::Value as Json;

use super::diagnostics::{Problem, Report};
use super::edit::raw_values;
use super::load;
use super::table::{self, Field, Row};
use super::tree::Environment;

/// Locked whatever the settings say: otherwise nothing would be.
const ALWAYS: &str = "admin.lockedSettings";

/// Whether a key, or an object that it is in, is locked.
pub(crate) fn is_locked(key: &str, locked: &[String]) -> bool {
    let covers = |name: &str| {
        let rest = key.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    covers(ALWAYS) || locked.iter().any(|name| covers(name))
}

/// A problem for each locked setting that is another one in the new text. A text that cannot be
/// read has other problems.
pub fn changed(
    before: &str,
    after: &str,
    locked: &[String],
    environment: Environment,
) -> Vec<Problem> {
    let Some(new) = raw_values::whole(after) else {
        return Vec::new();
    };
    let old = raw_values::whole(before).unwrap_or_default();
    // What is written may be the same and count for something else.
    let mut effective = match (load(before, environment), load(after, environment)) {
        (Ok((old, _)), Ok((new, _))) => Some((old, new)),
        _ => None,
    };
    let mut report = Report::default();
    for row in table::rows().filter(|row| is_locked(meant(row), locked)) {
        let is_same = value(&old, row.key) == value(&new, row.key)
            && effective
                .as_mut()
                .is_none_or(|(old, new)| row.json_value(old) == row.json_value(new));
        if !is_same {
            refuse(row.key, &mut report);
        }
    }
    let unknown = |name: &&String| table::find(name).is_none() && table::below(name).is_empty();
    for name in locked.iter().filter(unknown) {
        if value(&old, name) != value(&new, name) {
            refuse(name, &mut report);
        }
    }
    report.problems
}

fn refuse(key: &str, report: &mut Report) {
    let text = format!("{key} is locked ({ALWAYS}); change it in the file itself, on the machine");
    report.fail(key, None, text);
}

fn meant(row: &Row) -> &'static str {
    match row.field {
        Field::OlderName(now) => now,
        _ => row.key,
    }
}

fn value<'a>(whole: &'a Json, key: &str) -> Option<&'a Json> {
    raw_values::value(whole, key).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(before: &str, after: &str, locked: &[&str]) -> Vec<String> {
        let locked: Vec<String> = locked.iter().map(|name| (*name).to_owned()).collect();
        let problems = changed(before, after, &locked, &|_| None);
        problems.into_iter().map(|problem| problem.key).collect()
    }

    #[test]
    fn what_is_locked_stays_as_it_is_and_the_rest_is_free() {
        let locked = ["soffice", "dbSettings", "updates.codehostRepo", "ep_plugin"];
        let file = r#"{"soffice": "/usr/bin/soffice", "title": "a"}"#;
        for (before, after, expected) in [
            (
                file,
                r#"{"title": "b", "soffice": "/usr/bin/soffice"}"#,
                &[][..],
            ),
            (
                file,
                r#"{"soffice": "/tmp/evil", "title": "a"}"#,
                &["soffice"],
            ),
            (file, r#"{"title": "a"}"#, &["soffice"]),
            ("{}", r#"{"soffice": null}"#, &[]),
            (
                "{}",
                r#"{"dbSettings": {"filename": "x", "password": "y"}}"#,
                &["dbSettings.filename", "dbSettings.password"],
            ),
            (
                "{}",
                r#"{"dbSettings": "postgres://evil"}"#,
                &["dbSettings.connectionString"],
            ),
            (
                "{}",
                r#"{"updates": {"githubRepo": "evil/x"}}"#,
                &["updates.githubRepo", "updates.codehostRepo"],
            ),
            (
                "{}",
                r#"{"admin": {"lockedSettings": []}}"#,
                &["admin.lockedSettings"],
            ),
            ("{}", r#"{"ep_plugin": {"a": 1}}"#, &["ep_plugin"]),
            // The last one counts.
            (
                file,
                r#"{"soffice": "/usr/bin/soffice", "soffice": "x"}"#,
                &["soffice"],
            ),
            ("{}", "{ nonsense", &[]),
        ] {
            assert_eq!(refused(before, after, &locked), expected, "{after}");
        }
    }
}
