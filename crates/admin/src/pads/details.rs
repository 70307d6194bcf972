//! `GET /admin/api/pad?pad=`: all that is known about one pad, but for what is written in it.

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use pad::{AuthorId, PadId, Title};
use serde_json::{Value, json};
use service::Service;
use store::{PadRecord, Store};
use tracing::error;

use crate::AdminState;
use crate::answer::{json as respond, ok, unavailable, wrong};
use edge::admin_only::Admin;
use identity::query::parameter;

/// How many of a pad's authors, and of the people in it, are named.
const NAMED: usize = 100;

pub(crate) async fn details(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let Some(pad) = parameter(&uri, "pad").and_then(|name| PadId::parse(&name)) else {
        return wrong("pad has to be the name of a pad");
    };
    match read(&state.service, &pad).await {
        Ok(Some(details)) => ok(&details),
        Ok(None) => {
            let body = json!({ "error": "there is no such pad" });
            respond(StatusCode::NOT_FOUND, &body)
        }
        Err(error) => {
            error!("what is known about a pad cannot be read: {error}");
            unavailable()
        }
    }
}

async fn read(service: &Service, pad: &PadId) -> Result<Option<Value>, store::Error> {
    let store = service.store();
    let Some(record) = store.pad(pad).await? else {
        return Ok(None);
    };
    let lines = store.pad_lines(std::slice::from_ref(pad)).await?;
    let saved = store.saved_revisions(record.key).await?;
    let mut authors = store.authors_of_pad(record.key).await?;
    authors.retain(|author| !author.is_system());
    let total = authors.len();
    authors.truncate(NAMED);
    Ok(Some(json!({
        "id": pad.as_str(),
        "title": record.title.as_ref().map(Title::as_str),
        "group": pad.group().map(|group| group.to_string()),
        "public": record.public,
        "created": record.created.millis(),
        "edited": record.head_time.millis(),
        "revisions": record.head.0,
        "bytes": lines.first().map(|line| line.bytes),
        "characters": characters(store, &record).await,
        "messages": record.chat_count,
        "saved": saved.len(),
        "readOnlyId": record.read_only_id.as_ref().map(ToString::to_string),
        "people": people(service, pad).await,
        "authors": named(store, &authors).await?,
        "authorCount": total,
    })))
}

/// `None`: the text cannot be read, which is no reason to hide the rest.
async fn characters(store: &Store, record: &PadRecord) -> Option<usize> {
    let head = store.load_head(record.key).await.ok().flatten()?;
    Some(head.document.len())
}

/// Everybody who is in the pad, once. A pad that nobody is in is not opened for that.
async fn people(service: &Service, pad: &PadId) -> Vec<Value> {
    if !service.occupied_pads().await.contains_key(pad) {
        return Vec::new();
    }
    let people = service.pad_users(pad).await.unwrap_or_default();
    let named = people.iter().take(NAMED);
    named
        .map(|person| json!({ "name": person.name, "colour": person.colour.to_css() }))
        .collect()
}

/// In the order in which they are given.
async fn named(store: &Store, ids: &[AuthorId]) -> Result<Vec<Value>, store::Error> {
    let authors = store.authors(ids).await?;
    let shown = authors.iter().map(|author| {
        json!({
            "id": author.id.as_str(),
            "name": author.name,
            "colour": author.colour.to_css(),
        })
    });
    Ok(shown.collect())
}
