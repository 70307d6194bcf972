//! `POST /p/:pad/import`: a file becomes the content of a pad.

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use convert::{Codec, FileFormat, Format, Limits, native};
use futures_util::StreamExt;
use multer::{Constraints, Field, Multipart, SizeLimit};
use pad::edit::Run;
use serde_json::json;
use service::{JoinRequest, Visit};
use tokio::sync::OwnedSemaphorePermit;
use tracing::{error, info};

use super::{FilesState, Refusal, join_request, unconverted};
use crate::conversions::{Converter, LARGE_UPLOAD};
use crate::office::Conversion;
use crate::origin;
use identity::visitor::Visitor;

/// A file as a browser sends it.
struct Upload {
    ending: String,
    content: Vec<u8>,
    /// Held as long as a large one is in memory.
    large: Option<OwnedSemaphorePermit>,
}

/// What a file holds.
enum Content {
    Runs(Vec<convert::Run>),
    Pad(Box<native::Pad>),
}

pub(super) async fn import(
    State(state): State<FilesState>,
    Path(pad): Path<String>,
    request: Request,
) -> Response {
    match import_upload(&state, &pad, request).await {
        Ok(whole) => {
            let body = json!({
                "code": 0,
                "message": "ok",
                "data": { "directDatabaseAccess": whole },
            });
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (kind, body.to_string()).into_response()
        }
        Err(refusal) => refusal.envelope(),
    }
}

/// Returns whether the pad was replaced with its whole history.
async fn import_upload(state: &FilesState, pad: &str, request: Request) -> Result<bool, Refusal> {
    let (parts, body) = request.into_parts();
    if origin::is_cross_site(&parts, &state.settings) {
        return Err(Refusal::CrossSite);
    }
    let request = join_request(state, &parts, pad)?;
    let visit = state.service.visit_to_write(&request).await?;
    let boundary = parts.headers.get(header::CONTENT_TYPE);
    let boundary = boundary.and_then(|kind| multer::parse_boundary(kind.to_str().ok()?).ok());
    let upload = receive(state, boundary.ok_or(Refusal::Upload)?, body).await?;
    let upload = readable(state, upload).await?;
    let file_bytes = upload.content.len();
    let unknown_endings = state.settings.files.unknown_endings;
    let limits = Limits {
        bytes: usize::MAX,
        text: state.settings.pads.max_text,
        declared: state.service.declared_attributes(),
        ..Limits::default()
    };
    // Until the pad has it: what is read takes memory too.
    let _slot = state.files.conversions.enter(Converter::Own).await?;
    let read = move || read(&upload, unknown_endings, &limits);
    let content = tokio::task::spawn_blocking(read).await;
    let content = content.map_err(|error| {
        error!("an import ended early: {error}");
        Refusal::Internal
    })??;
    let bytes = match &content {
        // All of it is stored.
        Content::Pad(_) => file_bytes,
        // Pictures, and what else makes a file large, are not.
        Content::Runs(runs) => runs.iter().map(|run| run.text.len()).sum(),
    };
    let client = Visitor::of(&parts, &state.settings).client;
    let counted = state.limits.add_history(client, bytes);
    counted.map_err(Refusal::TooMuch)?;
    if !visit.is_new {
        return store(state, &request, &visit, content).await;
    }
    let new_pad = state.limits.new_pad(client);
    let new_pad = new_pad.map_err(Refusal::TooManyPads)?;
    let stored = store(state, &request, &visit, content).await?;
    new_pad.used();
    Ok(stored)
}

async fn receive(state: &FilesState, boundary: String, body: Body) -> Result<Upload, Refusal> {
    let most = state.settings.files.max_import_bytes as u64;
    let limits = SizeLimit::new().whole_stream(most.saturating_add(64 * 1024));
    let limits = Constraints::new().size_limit(limits.for_field("file", most));
    let parts = body
        .into_data_stream()
        .map(|part| part.map_err(std::io::Error::other));
    let mut form = Multipart::with_constraints(parts, boundary, limits);
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() != Some("file") {
            continue;
        }
        let name = field.file_name().unwrap_or_default().to_owned();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let ending = ending.to_ascii_lowercase();
        return content_of(state, field, ending).await;
    }
    Err(Refusal::Upload)
}

/// Beyond a size that few files have, senders wait for one another.
async fn content_of(
    state: &FilesState,
    mut field: Field<'_>,
    ending: String,
) -> Result<Upload, Refusal> {
    let mut content = Vec::new();
    let mut large = None;
    while let Some(part) = field.chunk().await.map_err(broken)? {
        if large.is_none() && content.len() + part.len() > LARGE_UPLOAD {
            large = Some(state.files.conversions.large_upload().await?);
        }
        content.extend_from_slice(&part);
    }
    Ok(Upload {
        ending,
        content,
        large,
    })
}

/// The file in a format that we read.
async fn readable(state: &FilesState, upload: Upload) -> Result<Upload, Refusal> {
    let Some(conversion) = FileFormat::named(&upload.ending).and_then(Conversion::import) else {
        return Ok(upload);
    };
    let office = state.files.office.as_ref();
    let office = office.ok_or(Refusal::NeedsConverter)?;
    let content = office.convert(upload.content, conversion).await;
    Ok(Upload {
        ending: conversion.to.to_owned(),
        content: content.map_err(unconverted)?,
        large: upload.large,
    })
}

fn broken(error: multer::Error) -> Refusal {
    match error {
        multer::Error::FieldSizeExceeded { .. } | multer::Error::StreamSizeExceeded { .. } => {
            Refusal::TooLarge
        }
        _ => Refusal::Upload,
    }
}

fn read(upload: &Upload, unknown_endings: bool, limits: &Limits) -> Result<Content, Refusal> {
    let unreadable = |error: convert::Error| match error {
        convert::Error::TextTooLong => Refusal::TooLarge,
        error => Refusal::Conversion(error.to_string()),
    };
    let format = FileFormat::named(&upload.ending).and_then(|format| format.codec);
    let format = match format {
        Some(Codec::Native) => {
            let read = native::read_within(&upload.content, limits);
            let (pad, warnings) = read.map_err(unreadable)?;
            for warning in warnings.iter().take(10) {
                info!("in an imported file: {warning}");
            }
            return Ok(Content::Pad(Box::new(pad)));
        }
        Some(Codec::Document(format)) => format,
        None if unknown_endings => Format::Text,
        None => return Err(Refusal::NoSuchFormat),
    };
    let runs = convert::import(format, &upload.content, limits).map_err(unreadable)?;
    Ok(Content::Runs(runs))
}

async fn store(
    state: &FilesState,
    request: &JoinRequest,
    visit: &Visit,
    content: Content,
) -> Result<bool, Refusal> {
    let (done, whole) = match content {
        Content::Pad(pad) => (
            state.service.import_native(request, visit, *pad).await,
            true,
        ),
        Content::Runs(runs) => {
            let runs = runs.into_iter().map(|run| Run {
                text: run.text,
                attributes: run.attributes,
            });
            let done = state.service.import(request, visit, runs.collect()).await;
            (done.map(|()| true), false)
        }
    };
    match done {
        Ok(true) => Ok(whole),
        Ok(false) => Err(Refusal::PadHasData),
        Err(service::Error::TextTooLong) => Err(Refusal::TooLarge),
        Err(error @ service::Error::Attributes(_)) => Err(Refusal::Conversion(error.to_string())),
        Err(service::Error::PadMissing) => Err(Refusal::NoSuchPad),
        Err(service::Error::NotStored) => Err(Refusal::NotStored),
        Err(error) => {
            error!("a file cannot be imported: {error}");
            Err(Refusal::Internal)
        }
    }
}
