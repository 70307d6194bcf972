//! `/p/:pad/export/:type` and `/p/:pad/import`: pads as files; `/p/:pad/read`: as a page to read.
//!
//! Who may open a pad may export it, who may write in it may import. Files are made away from the
//! tasks that serve requests, since a long one takes a while.

mod export;
mod import;
mod limit;
mod reading;
mod refusal;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::request::Parts;
use axum::routing::{get, post};
use convert::FileFormat;
use convert::fonts::{FamilyFiles, Library};
use convert::pdf::Standard;
use service::{JoinError, JoinRequest, Service, Visit};
use tracing::warn;

use super::page_context::PageContext;
use crate::conversions::Conversions;
use crate::office::{self, Office};
pub use export::of_visit;
use identity::accounts::Accounts;
use identity::creation_limits::CreationLimits;
use identity::visitor::Visitor;
pub use limit::Limit;
pub use refusal::Refusal;
use settings::{Files as Settings, PdfFallback, PdfFont};

/// State of the routes for files.
#[derive(Clone)]
pub struct FilesState {
    pub page: Arc<PageContext>,
    pub service: Arc<Service>,
    pub settings: Arc<settings::Settings>,
    pub accounts: Arc<Accounts>,
    pub limits: Arc<CreationLimits>,
    pub files: Arc<Files>,
}

/// What the files of all pads share.
pub struct Files {
    service: Arc<Service>,
    fonts: Arc<Library>,
    office: Option<Office>,
    /// Whose turn it is, in and out.
    conversions: Arc<Conversions>,
    limit: Limit,
}

impl Files {
    /// Fonts that cannot be used are said so once, in the log.
    pub fn new(service: &Arc<Service>, settings: &Settings, root: &Path) -> Files {
        let families: Vec<FamilyFiles> = settings.pdf_fonts.iter().map(family).collect();
        let (fonts, unusable) = Library::load(&families, root, true);
        for font in unusable {
            warn!("{font}");
        }
        let conversions = Arc::<Conversions>::default();
        let office = settings.soffice.as_ref();
        let office = office.map(|path| Office::new(path.into(), Arc::clone(&conversions)));
        Files {
            service: Arc::clone(service),
            fonts: Arc::new(fonts),
            office,
            conversions,
            limit: Limit::of(
                Duration::from_millis(settings.rate_window_milliseconds),
                settings.requests_in_window,
            ),
        }
    }
}

pub fn router(state: FilesState) -> Router {
    Router::new()
        .route("/p/{pad}/export/{format}", get(export::get_newest))
        .route("/p/{pad}/{rev}/export/{format}", get(export::get_revision))
        .route("/p/{pad}/read", get(reading::get_page))
        .route("/p/{pad}/import", post(import::import))
        .with_state(state)
}

/// The names of the formats that a pad can be exported as, those that most people want first.
pub fn exports(settings: &Settings) -> Vec<&'static str> {
    let office = settings.soffice.is_some();
    let is_offered = |format: &&FileFormat| match format.name {
        "docx" => settings.docx_export,
        _ => format.codec.is_some() || office,
    };
    let formats = FileFormat::ALL.iter().filter(is_offered);
    formats.map(|format| format.name).collect()
}

/// The formats of files that can be imported.
pub fn imports(settings: &Settings) -> impl Iterator<Item = &'static FileFormat> {
    let office = settings.soffice.is_some();
    let formats = FileFormat::ALL.iter();
    formats.filter(move |format| format.reads || office)
}

/// The request of a visitor who comes for one file, within the rate limit of its address.
fn join_request(state: &FilesState, parts: &Parts, pad: &str) -> Result<JoinRequest, Refusal> {
    let visitor = Visitor::of(parts, &state.settings);
    state.files.limit.count(visitor.client.network())?;
    let request = visitor.request(pad, &state.accounts, &state.settings);
    request.map_err(|_| Refusal::Denied)
}

/// Lets a visitor in to read.
async fn admit(state: &FilesState, parts: &Parts, pad: &str) -> Result<Visit, Refusal> {
    let request = join_request(state, parts, pad)?;
    let visit = state.service.visit(&request).await?;
    visit.ok_or(Refusal::NoSuchPad)
}

impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Refusal {
        match error {
            JoinError::Name | JoinError::Missing => Refusal::NoSuchPad,
            JoinError::Denied | JoinError::NameTooLong | JoinError::UnknownRevision => {
                Refusal::Denied
            }
            JoinError::Unchecked => Refusal::Unchecked,
            JoinError::Unavailable => Refusal::Internal,
            JoinError::NotStored => Refusal::NotStored,
        }
    }
}

/// Why LibreOffice did not give a file, for the client.
fn unconverted(failure: office::Failure) -> Refusal {
    match failure {
        office::Failure::Busy => Refusal::Busy,
        office::Failure::TooLong => Refusal::Unconverted("it takes too long"),
        office::Failure::Failed => Refusal::Unconverted("the converter cannot do it"),
    }
}

fn family((name, font): (&String, &PdfFont)) -> FamilyFiles {
    let path = |file: &Option<String>| file.as_ref().map(Into::into);
    FamilyFiles {
        name: name.clone(),
        regular: path(&font.regular),
        bold: path(&font.bold),
        italic: path(&font.italic),
        bold_italic: path(&font.bold_italic),
        fallback: Some(match font.fallback {
            PdfFallback::Helvetica => Standard::Helvetica,
            PdfFallback::Times => Standard::Times,
            PdfFallback::Courier => Standard::Courier,
        }),
    }
}

#[cfg(test)]
pub(crate) mod tests;
