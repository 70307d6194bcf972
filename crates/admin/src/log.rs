//! `GET /admin/api/log`: the last lines of the log and those that follow, as server-sent events.
//!
//! Each event is a list of lines; the first has all that are kept. It is this node's
//! log; another one has its own.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::stream;
use serde_json::{Value, json};
use tracing::level_filters::LevelFilter;

use crate::AdminState;
use crate::watcher::{self, Watcher};
use edge::admin_only::Admin;
use telemetry::log::recent::{self, Line};

const PAUSE: Duration = Duration::from_secs(1);
/// After so many pauses without a line something is sent anyhow, to see whether somebody is there.
const QUIET: u32 = 15;

pub(crate) async fn watch(State(state): State<AdminState>, _: Admin, head: Parts) -> Response {
    let watcher = match Watcher::admit(state, &head).await {
        Ok(watcher) => watcher,
        Err(refusal) => return refusal,
    };
    let reader = Reader {
        watcher,
        last: None,
    };
    watcher::respond(stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((event, reader))
    }))
}

struct Reader {
    watcher: Watcher,
    /// The number of the last line that was sent.
    last: Option<u64>,
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        let is_first = self.last.is_none();
        for _ in 0..QUIET {
            if self.last.is_some() {
                self.watcher.pause(PAUSE).await?;
            }
            self.watcher.check()?;
            let lines = recent::after(self.last.unwrap_or(0));
            let newest = lines.last().map(|line| line.number);
            self.last = newest.or(self.last).or(Some(0));
            if is_first || !lines.is_empty() {
                let event = json!({
                    "first": is_first,
                    "level": LevelFilter::current().to_string().to_uppercase(),
                    "lines": lines.iter().map(shown).collect::<Vec<_>>(),
                });
                return Some(Bytes::from(format!("data: {event}\n\n")));
            }
        }
        // A comment, which browsers ignore.
        Some(Bytes::from_static(b":\n\n"))
    }
}

fn shown(line: &Line) -> Value {
    json!({
        "number": line.number,
        "at": line.milliseconds,
        "level": line.level.as_str(),
        "from": line.target,
        "text": line.text,
    })
}
