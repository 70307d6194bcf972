//! Renamed keys and short forms of settings.
//!
//! They are rewritten to the form in the table before the table reads them, so no later code knows
//! them.

use super::diagnostics::Report;
use super::tree::{Members, Node, Value};

pub(crate) fn rewrite(members: &mut Members, report: &mut Report) {
    short_forms(members);
    ip_logging(members, report);
    if let Some(updates) = find(members, "updates")
        && let Value::Object(updates) = &mut updates.value
    {
        repository(updates, report);
        source(updates);
    }
}

/// `sso` as the list of its clients, `dbSettings` as a connection string.
fn short_forms(members: &mut Members) {
    if let Some(node) = find(members, "sso")
        && let Value::List(_) = node.value
    {
        wrap(node, "clients");
    }
    if let Some(node) = find(members, "dbSettings")
        && node.text().is_some()
    {
        wrap(node, "connectionString");
    }
}

/// Makes a value the only member of an object.
fn wrap(node: &mut Node, name: &str) {
    let inner = node.clone();
    node.value = Value::Object(vec![(name.to_owned(), inner)]);
}

/// The flag from before there were three ways to log an address.
fn ip_logging(members: &mut Members, report: &mut Report) {
    const OLD: &str = "disableIPlogging";
    let Some(node) = take(members, OLD).filter(|node| !node.is_null()) else {
        return;
    };
    if find(members, "ipLogging").is_some_and(|node| !node.is_null()) {
        let text = format!("{OLD} is ignored, because ipLogging is given");
        return report.warn(OLD, node.place, text);
    }
    let Some(disabled) = node.flag() else {
        return report.refuse(OLD, &node, "true or false");
    };
    let mode = if disabled { "anonymous" } else { "full" };
    let text = format!("{OLD} is deprecated; write \"ipLogging\": {mode:?} instead");
    report.warn(OLD, node.place, text);
    let value = Value::Text(mode.to_owned());
    members.push(("ipLogging".to_owned(), Node { value, ..node }));
}

fn repository(updates: &mut Members, report: &mut Report) {
    const OLD: &str = "updates.githubRepo";
    let Some(node) = take(updates, "githubRepo").filter(|node| !node.is_null()) else {
        return;
    };
    if find(updates, "codehostRepo").is_some_and(|node| !node.is_null()) {
        let text = format!("{OLD} is ignored, because updates.codehostRepo is given");
        return report.warn(OLD, node.place, text);
    }
    updates.push(("codehostRepo".to_owned(), node));
}

fn source(updates: &mut Members) {
    if let Some(node) = find(updates, "source")
        && node.text() == Some("github")
    {
        node.value = Value::Text("codehost".to_owned());
    }
}

fn find<'a>(members: &'a mut Members, name: &str) -> Option<&'a mut Node> {
    let (_, node) = members.iter_mut().find(|(known, _)| known == name)?;
    Some(node)
}

fn take(members: &mut Members, name: &str) -> Option<Node> {
    let at = members.iter().position(|(known, _)| known == name)?;
    Some(members.remove(at).1)
}
