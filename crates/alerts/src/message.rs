//! Messages about alerts: a mail, and the JSON document that a webhook gets. `docs/operations.md`
//! describes the document.

use serde_json::{Value, json};
use series::iso_time;

use crate::machine::{Alert, Event};
use crate::words;

const SERVICE: &str = "padsvc";
/// Of the document; a member that is added does not change it.
const VERSION: u64 = 1;

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub subject: String,
    pub body: String,
    pub document: Value,
    /// Whether it is about updates, which the updater may have mailed.
    pub is_about_updates: bool,
}

impl Message {
    /// `site` is the address of the service, if it knows it.
    pub fn new(alert: &Alert, site: Option<&str>) -> Message {
        let title = words::title(alert.kind, &alert.about);
        let text = words::text(alert.kind, &alert.about, &alert.facts);
        let (name, subject, text) = match alert.event {
            Event::Began => ("began", title, text),
            Event::Reminder => ("reminder", format!("Still: {title}"), text),
            Event::Resolved => {
                let text = format!("This does not hold any more: {title}.");
                ("resolved", format!("Resolved: {title}"), text)
            }
        };
        let mut facts = alert.facts.clone();
        let node = facts.remove("node");
        let node = node.as_ref().and_then(Value::as_str);
        let mut body = format!("{text}\n\nSince: {}\n", iso_time(alert.since));
        if let Some(node) = node {
            body += &format!("Node: {node}\n");
        }
        body += &see(site);
        Message {
            document: json!({
                "version": VERSION,
                "id": format!("{}-{name}-{}", alert.key, alert.at),
                "event": name,
                "condition": alert.kind.name(),
                "about": alert.about,
                "since": iso_time(alert.since),
                "at": iso_time(alert.at),
                "title": subject,
                "text": text,
                "details": facts,
                "node": node,
                "service": site,
            }),
            subject: format!("[{SERVICE}] {subject}"),
            body,
            is_about_updates: alert.kind.is_about_updates(),
        }
    }

    /// What an administrator sends to see whether it arrives.
    pub fn test(at: i64, site: Option<&str>) -> Message {
        let text = "This is a test. Alerts of this service arrive here.";
        let at_text = iso_time(at);
        Message {
            document: json!({
                "version": VERSION,
                "id": format!("test-{at}"),
                "event": "test",
                "condition": null,
                "about": "",
                "since": at_text,
                "at": at_text,
                "title": "Test alert",
                "text": text,
                "details": {},
                "node": null,
                "service": site,
            }),
            subject: format!("[{SERVICE}] Test alert"),
            body: format!("{text}\n\nSent: {at_text}\n{}", see(site)),
            is_about_updates: false,
        }
    }
}

fn see(site: Option<&str>) -> String {
    match site {
        Some(site) => format!("See: {site}/admin\n"),
        None => "See /admin of the service.\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Kind;

    fn alert(event: Event, kind: Kind, about: &str, facts: Value) -> Alert {
        Alert {
            event,
            key: kind.name().to_owned(),
            kind,
            about: about.to_owned(),
            facts: facts.as_object().cloned().unwrap_or_default(),
            since: 1_700_000_000_000,
            at: 1_700_000_600_000,
        }
    }

    #[test]
    fn a_message_says_what_is_wrong_since_when_and_what_to_do() {
        let facts = json!({ "free": 812_000_000_u64, "days": 3.7, "node": "10.0.0.1:9001" });
        let disk = alert(Event::Began, Kind::Disk, "", facts);
        let message = Message::new(&disk, Some("https://pads.example.org"));
        assert_eq!(message.subject, "[padsvc] The disk is nearly full");
        assert_eq!(
            message.body,
            "The disk with the data is nearly full: 0.8 GB are free. As it grows, it lasts 3 more \
             days. Free some space, or remove old history.\n\nSince: 2023-11-14T22:13:20Z\n\
             Node: 10.0.0.1:9001\nSee: https://pads.example.org/admin\n"
        );
        let document = &message.document;
        assert_eq!(document["id"], "disk-began-1700000600000");
        assert_eq!(document["details"]["free"], 812_000_000);
        assert_eq!(document["node"], "10.0.0.1:9001");
        assert_eq!(document["at"], "2023-11-14T22:23:20Z");
    }

    #[test]
    fn subjects_tell_events_apart() {
        for (event, kind, about, subject) in [
            (
                Event::Reminder,
                Kind::Backup,
                "",
                "Still: The scheduled backup failed or is late",
            ),
            (
                Event::Resolved,
                Kind::Storing,
                "",
                "Resolved: Nothing can be stored",
            ),
            (
                Event::Began,
                Kind::Plugin,
                "feed",
                "The plugin feed is switched off",
            ),
            (Event::Began, Kind::Update, "1.2.0", "Version 1.2.0 is out"),
        ] {
            let message = Message::new(&alert(event, kind, about, json!({})), None);
            assert_eq!(message.subject, format!("[padsvc] {subject}"));
            assert_eq!(message.document["title"], subject);
            assert_eq!(message.is_about_updates, kind == Kind::Update);
        }
    }

    /// What a plugin or the system says can neither add lines nor grow a message.
    #[test]
    fn texts_of_elsewhere_are_one_bounded_line() {
        let reason = format!(
            "switched off: it threw\r\nBcc: x@example.org\n{}",
            "y".repeat(5_000)
        );
        let facts = json!({ "reason": reason });
        let plugin = alert(Event::Began, Kind::Plugin, "a\nb", facts);
        let message = Message::new(&plugin, None);
        assert!(!message.subject.contains('\n'));
        assert!(message.body.contains("it threw  Bcc: x@example.org y"));
        assert!(message.body.chars().count() < 800, "{}", message.body);
    }
}
