//! `/admin/api/authors`: looking through authors, and erasing what identifies one.

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use pad::{Author, AuthorId, Erasure, Timestamp};
use serde_json::{Value, json};
use store::{AuthorsAsked, Mark};
use tracing::{error, info};

use crate::AdminState;
use crate::answer::{about, json, ok, read, unavailable, wrong};
use edge::admin_only::Admin;
use identity::query::parameter;

const PAGE: usize = 50;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let after = parameter(&uri, "after").filter(|after| !after.is_empty());
    let mark = after.as_deref().map(mark);
    if mark == Some(None) {
        return wrong("after has to be what an earlier answer has said");
    }
    let asked = AuthorsAsked {
        search: parameter(&uri, "search").unwrap_or_default(),
        after: mark.flatten(),
        limit: PAGE,
    };
    match state.service.store().browse_authors(&asked).await {
        Ok(page) => ok(&json!({
            "authors": page.found.iter().map(shown).collect::<Vec<_>>(),
            "next": page.next.map(written),
        })),
        Err(error) => {
            error!("the list of authors cannot be read: {error}");
            unavailable()
        }
    }
}

/// What erasing would remove. Nothing is.
pub(crate) async fn preview(State(state): State<AdminState>, _: Admin, body: Body) -> Response {
    let author = match target(body).await {
        Ok(author) => author,
        Err(refusal) => return refusal,
    };
    let (store, now) = (state.service.store(), state.service.now());
    match store.erase_author(&author, now, true).await {
        Ok(traces) => ok(&counted(&traces)),
        Err(error) => {
            error!("the traces of an author cannot be counted: {error}");
            unavailable()
        }
    }
}

pub(crate) async fn erase(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let author = match target(body).await {
        Ok(author) => author,
        Err(refusal) => return refusal,
    };
    match state.service.anonymize_author(&author).await {
        Ok(traces) => {
            info!("{user} has erased an author");
            about(ok(&counted(&traces)), author.as_str(), "")
        }
        Err(error) => {
            let body = json!({ "error": error.to_string() });
            json(StatusCode::CONFLICT, &body)
        }
    }
}

async fn target(body: Body) -> Result<AuthorId, Response> {
    let request = read(body).await?;
    let id = request.get("author").and_then(Value::as_str);
    id.and_then(AuthorId::parse)
        .ok_or_else(|| wrong("author has to be the id of one"))
}

fn mark(text: &str) -> Option<Mark> {
    let (seen, id) = text.split_once(':')?;
    Some(Mark::Number(seen.parse().ok()?, id.to_owned()))
}

fn written(mark: Mark) -> String {
    match mark {
        Mark::Name(name) => name,
        Mark::Number(seen, id) => format!("{seen}:{id}"),
    }
}

fn shown(author: &Author) -> Value {
    json!({
        "id": author.id.as_str(),
        "name": author.name,
        "colour": author.colour.to_css(),
        "created": author.created.millis(),
        "seen": author.last_seen.millis(),
        "erased": author.erased.map(Timestamp::millis),
    })
}

/// By the names that the API has for them.
fn counted(traces: &Erasure) -> Value {
    json!({
        "affectedPads": traces.affected_pads,
        "removedTokenMappings": traces.removed_token_mappings,
        "removedExternalMappings": traces.removed_external_mappings,
        "clearedChatMessages": traces.cleared_chat_messages,
    })
}
