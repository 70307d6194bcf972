//! Words of alerts: what a condition is called, and what it means with its numbers. In English,
//! like all mail to the administrator; the admin area has the same in its languages.

use serde_json::Value;
use series::iso_time;

use crate::condition::{Facts, Kind};

/// No text of elsewhere, such as an error of the system, is longer in a message.
const LONGEST: usize = 500;
const GB: f64 = 1e9;

pub(crate) fn title(kind: Kind, about: &str) -> String {
    let title = match kind {
        Kind::Storing => "Nothing can be stored",
        Kind::Disk => "The disk is nearly full",
        Kind::Latency => "Storing takes long",
        Kind::Certificate => "The certificate expires soon",
        Kind::Backup => "The scheduled backup failed or is late",
        Kind::UpdateFailed => "An update failed",
        Kind::Plugin => return format!("The plugin {} is switched off", line(about)),
        Kind::Update => return format!("Version {} is out", line(about)),
        Kind::Log => "There are errors in the log",
    };
    title.to_owned()
}

/// What it is with its numbers, and what to do.
pub(crate) fn text(kind: Kind, about: &str, facts: &Facts) -> String {
    let number = |name: &str| facts.get(name).and_then(Value::as_f64);
    let reason = facts.get("reason").and_then(Value::as_str).map(line);
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    match kind {
        Kind::Storing => format!(
            "Nothing can be stored{reason}. Check the disk or the database; meanwhile, what people \
             type stays in their browsers."
        ),
        Kind::Disk => {
            let free = number("free").unwrap_or_default() / GB;
            let days = number("days").filter(|days| *days < 365.0);
            let days = days.map_or(String::new(), |days| {
                format!(
                    " As it grows, it lasts {} more days.",
                    days.max(0.0).floor()
                )
            });
            format!(
                "The disk with the data is nearly full: {free:.1} GB are free.{days} Free some \
                 space, or remove old history."
            )
        }
        Kind::Latency => format!(
            "Changes take {:.0} ms (p95 of five minutes) until they are stored. Check the load on \
             the disk or the database.",
            number("ms").unwrap_or_default()
        ),
        Kind::Certificate => {
            let ends = facts.get("ends").and_then(Value::as_i64);
            let ends = ends.map_or("soon".to_owned(), iso_time);
            format!(
                "The HTTPS certificate of the service expires: {ends}. Renew it and restart the \
                 service; browsers refuse it after that time."
            )
        }
        Kind::Backup => {
            let last = facts.get("at").and_then(Value::as_i64);
            let last = last.map_or("There is none yet.".to_owned(), |at| {
                format!("The last one was made {}.", iso_time(at))
            });
            format!("The scheduled backup failed or is late{reason}. {last}")
        }
        Kind::UpdateFailed => {
            "An update failed. See why on the page of updates; none is installed \
             by itself until it is acknowledged there."
                .to_owned()
        }
        Kind::Plugin => format!(
            "The plugin {} does not run any more{reason}. Enable it again on the page of plugins \
             when the cause is repaired.",
            line(about)
        ),
        Kind::Update => format!("Version {} was released. Plan an upgrade.", line(about)),
        Kind::Log => "There are errors in the log of the service.".to_owned(),
    }
}

/// A text of elsewhere on one line.
fn line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(LONGEST).map(plain).collect()
}
