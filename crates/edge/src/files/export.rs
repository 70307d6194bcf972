//! `GET /p/:pad/export/:type`.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use convert::pdf::Missing;
use convert::{Codec, FileFormat, Format, Meanings};
use futures_util::stream;
use pad::Rev;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use service::{NativeFile, Visit};
use tokio::runtime::Handle;
use tracing::{error, warn};

use super::{Files, FilesState, Refusal, admit, unconverted};
use crate::conversions::{Conversions, Converter};
use crate::office::{Conversion, Office};
use identity::query::parameter;

/// What may be shown of an exported page that somebody opens after all: no script, nothing from
/// elsewhere.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// What makes a file.
enum Maker<'a> {
    Document(Format),
    /// LibreOffice, from a DOCX.
    Office(&'a Office, Conversion),
    Native,
}

impl<'a> Maker<'a> {
    /// With LibreOffice at hand, it also makes the PDFs.
    fn of(format: &FileFormat, office: Option<&'a Office>) -> Result<Maker<'a>, Refusal> {
        match (Conversion::export(format), office, format.codec) {
            (Some(conversion), Some(office), _) => Ok(Maker::Office(office, conversion)),
            (_, _, Some(Codec::Document(format))) => Ok(Maker::Document(format)),
            (_, _, Some(Codec::Native)) => Ok(Maker::Native),
            (_, _, None) => Err(Refusal::NeedsConverter),
        }
    }
}

pub(super) async fn get_newest(
    State(state): State<FilesState>,
    Path((pad, format)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Refusal> {
    let rev = parameter(&parts.uri, "revs");
    export(&state, &parts, &pad, rev.as_deref(), &format).await
}

pub(super) async fn get_revision(
    State(state): State<FilesState>,
    Path((pad, rev, format)): Path<(String, String, String)>,
    parts: Parts,
) -> Result<Response, Refusal> {
    export(&state, &parts, &pad, Some(&rev), &format).await
}

async fn export(
    state: &FilesState,
    parts: &Parts,
    pad: &str,
    rev: Option<&str>,
    format: &str,
) -> Result<Response, Refusal> {
    let visit = admit(state, parts, pad).await?;
    of_visit(&state.files, &visit, rev, format).await
}

/// For somebody who may have the file.
pub async fn of_visit(
    files: &Files,
    visit: &Visit,
    rev: Option<&str>,
    format: &str,
) -> Result<Response, Refusal> {
    let format = FileFormat::named(format).ok_or(Refusal::NoSuchFormat)?;
    let maker = Maker::of(format, files.office.as_ref())?;
    let rev: Option<Rev> = rev
        .map(|number| number.parse().map(Rev))
        .transpose()
        .map_err(|_| Refusal::NotARevision)?;
    let body = match maker {
        Maker::Native => {
            let _slot = files.conversions.enter(Converter::Own).await?;
            let file = files.service.native_file(visit, rev).await;
            let conversions = Arc::clone(&files.conversions);
            whole_history(file.map_err(internal)?, conversions)
        }
        Maker::Document(format) => document(files, visit, rev, format).await?.into(),
        Maker::Office(office, conversion) => {
            let docx = document(files, visit, rev, Format::Docx).await?;
            let converted = office.convert(docx, conversion).await;
            converted.map_err(unconverted)?.into()
        }
    };
    let mut response = body.into_response();
    describe(response.headers_mut(), &visit.name, format);
    Ok(response)
}

async fn document(
    files: &Files,
    visit: &Visit,
    rev: Option<Rev>,
    format: Format,
) -> Result<Vec<u8>, Refusal> {
    let _slot = files.conversions.enter(Converter::Own).await?;
    let (document, pool) = files.service.content(visit, rev).await.map_err(internal)?;
    let title = files.service.title_for(visit).await.map_err(internal)?;
    let fonts = Arc::clone(&files.fonts);
    let declared = files.service.declared_attributes();
    let write = move || {
        let meanings = Meanings::new(&pool, &declared);
        convert::export(format, &title, &document, meanings, &*fonts)
    };
    let exported = tokio::task::spawn_blocking(write).await;
    let exported = exported.map_err(|error| {
        error!("an export ended early: {error}");
        Refusal::Internal
    })?;
    if !exported.missing.is_empty() {
        warn!("no font for a PDF has {}", listed(&exported.missing));
    }
    Ok(exported.file)
}

/// A few of the characters, by number and not as text: the log shows nothing of a pad.
fn listed(missing: &[Missing]) -> String {
    let name = |missing: &Missing| format!("U+{:04X}", u32::from(missing.character));
    let names: Vec<String> = missing.iter().take(10).map(name).collect();
    let others = match missing.len().saturating_sub(names.len()) {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    names.join(", ") + &others
}

/// Sends parts as they are written, each away from the tasks that serve requests: one may hold a
/// whole text. If one cannot be written, the answer breaks off, so that nobody takes it for whole.
fn whole_history(file: NativeFile, conversions: Arc<Conversions>) -> Body {
    let parts = stream::try_unfold((file, conversions), |(mut file, conversions)| async move {
        // Held while a part is written, and not while it is sent: a reader may be slow.
        let _slot = conversions
            .go_on()
            .await
            .map_err(|_| service::Error::Internal)?;
        let write = move || (Handle::current().block_on(file.next()), file);
        let written = tokio::task::spawn_blocking(write).await;
        match written {
            Ok((Ok(Some(part)), file)) => Ok(Some((Bytes::from(part), (file, conversions)))),
            Ok((Ok(None), _)) => Ok(None),
            Ok((Err(error), _)) => {
                error!("an export broke off: {error}");
                Err(error)
            }
            Err(error) => {
                error!("an export ended early: {error}");
                Err(service::Error::Internal)
            }
        }
    });
    Body::from_stream(parts)
}

fn describe(headers: &mut HeaderMap, name: &str, format: &FileFormat) {
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(format.media_type),
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_ORIGIN,
        HeaderValue::from_static("*"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-store"),
    );
    let ending = format.name;
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_.$ ".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let exact = utf8_percent_encode(name, NON_ALPHANUMERIC);
    let text =
        format!("attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{exact}.{ending}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
}

fn internal(error: service::Error) -> Refusal {
    match error {
        service::Error::PadMissing => Refusal::NoSuchPad,
        other => {
            error!("a pad cannot be exported: {other}");
            Refusal::Internal
        }
    }
}
