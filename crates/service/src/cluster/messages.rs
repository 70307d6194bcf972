//! Messages to members of other nodes, as notes carry them.

use std::str::FromStr;
use std::sync::Arc;

use pad::{AuthorId, OptionsPatch, Timestamp};
use serde_json::{Value, json};

use crate::live::Event;
use crate::options;

/// What members of other nodes get, in the form of a note.
pub(crate) struct Message;

impl Message {
    pub(crate) fn custom(kind: &str, time: Timestamp) -> String {
        json!({ "custom": kind, "time": time.millis() }).to_string()
    }

    pub(crate) fn announcement(text: &str, sticky: bool, time: Timestamp) -> String {
        json!({ "announcement": text, "sticky": sticky, "time": time.millis() }).to_string()
    }

    pub(crate) fn suggested_name(to: &AuthorId, name: &str) -> String {
        json!({ "nameFor": to.as_str(), "name": name }).to_string()
    }

    /// What was set of a pad's options, and the name of the author who did.
    pub(crate) fn options(patch: &OptionsPatch, by: Option<&str>) -> String {
        json!({ "options": options::to_json(patch), "by": by }).to_string()
    }

    /// The event that a note stands for. `None`: a later release has written it.
    pub(super) fn event(body: &str) -> Option<Event> {
        let body = Value::from_str(body).ok()?;
        let text = |name: &str| Some(Arc::from(body.get(name)?.as_str()?));
        let time = || Some(Timestamp(body.get("time")?.as_i64()?));
        if let Some(kind) = text("custom") {
            return Some(Event::Custom {
                kind,
                time: time()?,
            });
        }
        if let Some(text) = text("announcement") {
            return Some(Event::Announcement {
                text,
                sticky: body.get("sticky")?.as_bool()?,
                time: time()?,
            });
        }
        if let Some(to) = text("nameFor") {
            return Some(Event::NameSuggested {
                to: AuthorId::parse(&to)?,
                name: text("name")?,
            });
        }
        let options = options::from_json(body.get("options")?);
        Some(Event::OptionsChanged {
            options: Arc::new(options),
            by: body.get("by")?.as_str().map(str::to_owned),
        })
    }
}
