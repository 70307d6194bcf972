//! `/admin/api/pads`: looking through pads, and doing something to several at once.
//!
//! A page of the list costs the same however many pads there are. A search looks at a stretch of
//! them for each request and says where to go on, so a caller who wants more asks again.

mod archive;
mod details;
mod wishes;

use std::collections::HashMap;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use pad::{PadId, Timestamp, Title};
use serde_json::{Map, Value, json};
use service::Visit;
use service::api::Caller;
use store::PadLine;
use tracing::{error, info};

use crate::AdminState;
use crate::answer::{about, ok, read, unavailable, wrong};
use edge::admin_only::Admin;
use edge::files::{Refusal, of_visit};

pub(crate) use details::details;

/// How many pads one request may act upon. A caller with more pads sends more requests, and sees
/// how far they are.
const AT_ONCE: usize = 100;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let Some(asked) = wishes::asked(&uri) else {
        return wrong("the parameters have to be what the documentation says");
    };
    let people = state.service.occupied_pads().await;
    let found = async {
        let found = wishes::find(&state, &asked, &people).await?;
        let total = match asked.is_first {
            true => Some(state.service.store().count_pads().await?),
            false => None,
        };
        Ok::<_, store::Error>((found, total))
    };
    match found.await {
        Ok((found, total)) => ok(&json!({
            "pads": found.lines.iter().map(|line| shown(line, &people)).collect::<Vec<_>>(),
            "next": found.next,
            "total": total,
            "measured": found.measured.map(Timestamp::millis),
            "weighing": found.weighing,
        })),
        Err(error) => {
            error!("the list of pads cannot be read: {error}");
            unavailable()
        }
    }
}

pub(crate) async fn delete(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (pads, _) = match targets(body).await {
        Ok(targets) => targets,
        Err(refusal) => return refusal,
    };
    let mut outcome = Outcome::default();
    for pad in pads {
        let deleted = state.service.delete_pad(&pad, None, Caller::Trusted).await;
        outcome.note(&pad, deleted);
    }
    outcome.respond(&user, "deleted")
}

pub(crate) async fn compact(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (pads, request) = match targets(body).await {
        Ok(targets) => targets,
        Err(refusal) => return refusal,
    };
    let keep = match request.get("keep") {
        None | Some(Value::Null) => None,
        Some(keep) => match keep.as_u64() {
            Some(keep) => Some(keep),
            None => return wrong("keep is not a number of revisions"),
        },
    };
    let mut outcome = Outcome::default();
    for pad in pads {
        let compacted = state.service.compact_pad(&pad, keep).await;
        outcome.note(&pad, compacted);
    }
    outcome.respond(&user, "compacted")
}

/// Takes pads out of use: each gets a name with the date.
pub(crate) async fn archive(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (pads, _) = match targets(body).await {
        Ok(targets) => targets,
        Err(refusal) => return refusal,
    };
    let mut outcome = Outcome::default();
    for pad in pads {
        let archived = archive::archive(&state.service, &pad).await;
        outcome.note(&pad, archived.map(drop));
    }
    outcome.respond(&user, "archived")
}

/// Any pad as a file, also one that only its group may open.
pub(crate) async fn export(
    State(state): State<AdminState>,
    _: Admin,
    Path((pad, format)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let pad = PadId::parse(&pad).ok_or(Refusal::NoSuchPad)?;
    let name = pad.as_str().to_owned();
    let record = state.service.store().pad(&pad).await;
    let record = record.map_err(|error| {
        error!("a pad cannot be exported: {error}");
        Refusal::Internal
    })?;
    let visit = Visit {
        name: pad.as_str().to_owned(),
        pad,
        head: record.ok_or(Refusal::NoSuchPad)?.head,
        read_only: true,
        is_new: false,
    };
    let file = of_visit(&state.files, &visit, None, &format).await?;
    Ok(about(file, name, format))
}

/// What became of each pad.
#[derive(Default)]
struct Outcome {
    done: Vec<String>,
    failed: Map<String, Value>,
}

impl Outcome {
    fn note(&mut self, pad: &PadId, result: Result<(), service::Error>) {
        let name = pad.as_str().to_owned();
        match result {
            Ok(()) => self.done.push(name),
            Err(error) => {
                self.failed.insert(name, error.to_string().into());
            }
        }
    }

    fn respond(self, user: &str, what: &str) -> Response {
        for pad in &self.done {
            info!("{user} has {what} the pad {pad}");
        }
        let answer = ok(&json!({ "done": self.done, "failed": self.failed }));
        let detail = match self.failed.len() {
            0 => String::new(),
            count => format!("{count} failed"),
        };
        about(answer, self.done.join(", "), detail)
    }
}

/// The pads that a request names, and the rest of it.
async fn targets(body: Body) -> Result<(Vec<PadId>, Value), Response> {
    let request = read(body).await?;
    let names = request.get("pads").and_then(Value::as_array);
    let names = names.filter(|names| names.len() <= AT_ONCE);
    let pads = names.and_then(|names| {
        let id = |name: &Value| name.as_str().and_then(PadId::parse);
        names.iter().map(id).collect::<Option<Vec<PadId>>>()
    });
    let text = "pads has to be a list of names of pads, of a hundred at most";
    let pads = pads.ok_or_else(|| wrong(text))?;
    Ok((pads, request))
}

fn shown(line: &PadLine, people: &HashMap<PadId, usize>) -> Value {
    json!({
        "id": line.id.as_str(),
        "title": line.title.as_ref().map(Title::as_str),
        "revisions": line.head.0,
        "bytes": line.bytes,
        "edited": line.edited.millis(),
        "created": line.created.millis(),
        "messages": line.chat_count,
        "people": people.get(&line.id).copied().unwrap_or_default(),
    })
}
