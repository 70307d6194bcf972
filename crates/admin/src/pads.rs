//! `/admin/api/pads`: looking through pads, and doing something to several at once.
//!
//! A page of the list costs the same however many pads there are. A search looks at a stretch of
//! them for each request and says where to go on, so a caller who wants more asks again.

mod archive;
mod details;

use std::collections::HashMap;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use pad::{PadId, Title};
use serde_json::{Map, Value, json};
use service::Visit;
use service::api::Caller;
use store::{Mark, PadLine, PadOrder, PadsAsked};
use tracing::{error, info};

use crate::AdminState;
use crate::answer::{about, ok, read, unavailable, wrong};
use edge::admin_only::Admin;
use edge::files::{Refusal, of_visit};
use identity::query::parameter;

pub(crate) use details::details;

const USUAL_PAGE: usize = 50;
const LONGEST_PAGE: usize = 200;
/// How many pads one request may act upon. A caller with more pads sends more requests, and sees
/// how far they are.
const AT_ONCE: usize = 100;
/// How many pads that are in use are shown.
const OCCUPIED: usize = 1000;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let Some(asked) = asked(&uri) else {
        return wrong(
            "sort, order, filter, after and limit have to be what the documentation says",
        );
    };
    let people = state.service.occupied_pads().await;
    let found = match parameter(&uri, "filter").as_deref() {
        Some("occupied") => occupied(&state, &asked, &people).await,
        _ => {
            let page = state.service.store().browse_pads(&asked).await;
            page.map(|page| (page.found, page.next))
        }
    };
    match found {
        Ok((lines, next)) => ok(&json!({
            "pads": lines.iter().map(|line| shown(line, &people)).collect::<Vec<_>>(),
            "next": next.map(written),
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

/// `None`: something in the address makes no sense.
fn asked(uri: &Uri) -> Option<PadsAsked> {
    let given = |name| parameter(uri, name).filter(|value| !value.is_empty());
    let order = match given("sort").as_deref() {
        None | Some("edited") => PadOrder::Edited,
        Some("name") => PadOrder::Name,
        Some("created") => PadOrder::Created,
        Some("revisions") => PadOrder::Revisions,
        Some(_) => return None,
    };
    let descending = match given("order").as_deref() {
        None => order != PadOrder::Name,
        Some("desc") => true,
        Some("asc") => false,
        Some(_) => return None,
    };
    let (in_group, untouched) = match given("filter").as_deref() {
        None | Some("occupied") => (None, false),
        Some("groups") => (Some(true), false),
        Some("untouched") => (None, true),
        Some(_) => return None,
    };
    let limit = match given("limit") {
        None => USUAL_PAGE,
        Some(limit) => limit.parse().ok().filter(|limit| *limit > 0)?,
    };
    Some(PadsAsked {
        order,
        descending,
        search: given("search").unwrap_or_default(),
        in_group,
        untouched,
        after: match given("after") {
            None => None,
            Some(text) => Some(mark(order, &text)?),
        },
        limit: limit.min(LONGEST_PAGE),
    })
}

fn mark(order: PadOrder, text: &str) -> Option<Mark> {
    if order == PadOrder::Name {
        return Some(Mark::Name(text.to_owned()));
    }
    let (value, name) = text.split_once(':')?;
    Some(Mark::Number(value.parse().ok()?, name.to_owned()))
}

fn written(mark: Mark) -> String {
    match mark {
        Mark::Name(name) => name,
        Mark::Number(value, name) => format!("{value}:{name}"),
    }
}

/// The pads that somebody is in: few enough to be one page.
async fn occupied(
    state: &AdminState,
    asked: &PadsAsked,
    people: &HashMap<PadId, usize>,
) -> Result<(Vec<PadLine>, Option<Mark>), store::Error> {
    // Titles are known once the pads are read, so those that match by name go first.
    let search = asked.search.to_lowercase();
    let by_name = |pad: &&PadId| pad.as_str().to_lowercase().contains(&search);
    let (named, others): (Vec<_>, Vec<_>) = people.keys().partition(by_name);
    let ids: Vec<PadId> = named
        .into_iter()
        .chain(others)
        .take(OCCUPIED)
        .cloned()
        .collect();
    let mut lines = state.service.store().pad_lines(&ids).await?;
    lines.retain(|line| line.matches(&asked.search));
    lines.sort_by(|a, b| {
        let by_name = a.id.cmp(&b.id);
        match asked.order {
            PadOrder::Name => by_name,
            PadOrder::Edited => a.edited.cmp(&b.edited).then(by_name),
            PadOrder::Created => a.created.cmp(&b.created).then(by_name),
            PadOrder::Revisions => a.head.cmp(&b.head).then(by_name),
        }
    });
    if asked.descending {
        lines.reverse();
    }
    Ok((lines, None))
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
