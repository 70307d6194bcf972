//! `GET /p/:pad/read`: the text of a pad as a page without a script, for whatever shows pages.
//!
//! Nothing in it moves: it is the text of the moment, to be reloaded for the next one.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::response::Response;
use convert::Meanings;
use tracing::error;

use super::{FilesState, Refusal, admit};
use crate::conversions::Converter;
use crate::pad_page::encoded;
use crate::pages;
use crate::shell::Shell;

#[derive(Template)]
#[template(path = "reading.html")]
struct Reading<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    title: &'a str,
    /// The name, as it stands in addresses.
    address: String,
    /// Who has written it, in one sentence; empty if nobody has a name.
    by: String,
    /// Which revision it is.
    at: String,
    text: String,
}

pub(super) async fn get_page(
    State(state): State<FilesState>,
    Path(pad): Path<String>,
    parts: Parts,
) -> Result<Response, Refusal> {
    let visit = admit(&state, &parts, &pad).await?;
    let failed = |error: service::Error| {
        error!("a pad cannot be read: {error}");
        Refusal::Internal
    };
    let _slot = state.files.conversions.enter(Converter::Own).await?;
    let title = state.service.title_for(&visit).await.map_err(failed)?;
    let names = state.service.names_in(&visit).await.map_err(failed)?;
    let (document, pool) = state.service.content(&visit, None).await.map_err(failed)?;
    let declared = state.service.declared_attributes();
    let write = move || {
        let meanings = Meanings::new(&pool, &declared);
        convert::html::linkable_body(&document, meanings)
    };
    let text = tokio::task::spawn_blocking(write);
    let text = text.await.map_err(|_| Refusal::Internal)?;
    let shell = Shell::of(&state.page, &parts.uri, &parts.headers);
    let by = shell.language.text("read.by");
    let at = shell.language.text("read.at");
    let template = Reading {
        entry: bundle::HOME,
        title: &title,
        address: encoded(&visit.name),
        by: match names.as_slice() {
            [] => String::new(),
            names => by.replace("{names}", &names.join(", ")),
        },
        at: at.replace("{revision}", &visit.head.to_string()),
        shell,
        text,
    };
    let mut response = pages::page(StatusCode::OK, &template);
    let private = HeaderValue::from_static("private, no-cache");
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, private);
    // Alignment, sizes and fonts are style attributes, which we write from checked values.
    let policy = state
        .page
        .policy("'self'", "; style-src-attr 'unsafe-inline'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}
