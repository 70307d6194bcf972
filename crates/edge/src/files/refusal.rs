//! Why there is no file, or why one is not taken.

use std::time::Duration;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::conversions::Busy;

#[derive(Debug)]
pub enum Refusal {
    TooMany(Duration),
    /// The address has stored more than it may in a minute.
    TooMuch(Duration),
    /// It has created more pads than it may.
    TooManyPads(Duration),
    NoSuchPad,
    NoSuchFormat,
    /// The format takes a converter that is not set up.
    NeedsConverter,
    NotARevision,
    Denied,
    /// A plugin that has to decide about it gave no answer.
    Unchecked,
    /// CSRF: a page of another site sent it.
    CrossSite,
    Upload,
    TooLarge,
    PadHasData,
    /// What is wrong with the file.
    Conversion(String),
    /// Too many files are being converted.
    Busy,
    /// Why the converter did not give a file.
    Unconverted(&'static str),
    /// The disk is full, or the database does not take changes.
    NotStored,
    Internal,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Refusal::TooMany(_) | Refusal::TooMuch(_) | Refusal::TooManyPads(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Refusal::NoSuchPad | Refusal::NoSuchFormat | Refusal::NeedsConverter => {
                StatusCode::NOT_FOUND
            }
            Refusal::Denied | Refusal::CrossSite => StatusCode::FORBIDDEN,
            Refusal::Busy | Refusal::NotStored | Refusal::Unchecked => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Refusal::Internal | Refusal::Unconverted(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    fn text(&self) -> String {
        match self {
            Refusal::TooMany(_) => "Too many files were asked for; please wait a little.",
            Refusal::TooMuch(_) => {
                "Too much was written from your network in the last minute; please wait a little."
            }
            Refusal::TooManyPads(_) => {
                "Too many pads were created from your network in the last minute; please wait a \
                 little."
            }
            Refusal::NoSuchPad => "There is no such pad.",
            Refusal::NoSuchFormat => "There is no such format.",
            Refusal::NeedsConverter => "This format needs `soffice` to be set up on the server.",
            Refusal::NotARevision => "A revision is a whole number that is not negative.",
            Refusal::Denied => "You may not do this with this pad.",
            Refusal::Unchecked => {
                "A plugin that has to check this did not answer; please try again in a moment."
            }
            Refusal::CrossSite => "This must be sent from a page of this server.",
            Refusal::Upload => "A file is sent as the field `file` of a multipart form.",
            Refusal::TooLarge => "The file is too large.",
            Refusal::PadHasData => "The pad has ten revisions or more, which would be lost.",
            Refusal::Conversion(reason) => return format!("The file cannot be read: {reason}."),
            Refusal::Busy => "Too many files are being converted; please try again in a minute.",
            Refusal::Unconverted(reason) => {
                return format!("The file cannot be converted: {reason}.");
            }
            Refusal::NotStored => {
                "Nothing can be stored at the moment; please try again later. Nothing was changed."
            }
            Refusal::Internal => "Something went wrong on the server.",
        }
        .to_owned()
    }

    /// The words that programs know an import's failure by.
    fn word(&self) -> &'static str {
        match self {
            Refusal::TooLarge => "maxFileSize",
            Refusal::PadHasData => "padHasData",
            Refusal::Conversion(_)
            | Refusal::Unconverted(_)
            | Refusal::NoSuchFormat
            | Refusal::NeedsConverter => "convertFailed",
            Refusal::Internal | Refusal::NotStored => "internalError",
            _ => "uploadFailed",
        }
    }

    /// The answer to an import: the same refusal, for programs.
    pub fn envelope(self) -> Response {
        let status = self.status();
        let plain = matches!(
            self,
            Refusal::Denied
                | Refusal::CrossSite
                | Refusal::TooMany(_)
                | Refusal::TooMuch(_)
                | Refusal::TooManyPads(_)
                | Refusal::Busy
        );
        if plain || status == StatusCode::NOT_FOUND && matches!(self, Refusal::NoSuchPad) {
            return self.into_response();
        }
        let (status, code) = match self {
            Refusal::Internal | Refusal::NotStored => (status, 2),
            _ => (StatusCode::BAD_REQUEST, 1),
        };
        let body =
            json!({ "code": code, "message": self.word(), "reason": self.text(), "data": null });
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (status, kind, body.to_string()).into_response()
    }
}

impl From<Busy> for Refusal {
    fn from(_: Busy) -> Refusal {
        Refusal::Busy
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status(), self.text()).into_response();
        let wait = match self {
            // Never zero: that would say "now".
            Refusal::TooMany(left) | Refusal::TooMuch(left) | Refusal::TooManyPads(left) => {
                Some(left.as_secs().saturating_add(1))
            }
            Refusal::Busy | Refusal::NotStored => Some(60),
            _ => None,
        };
        if let Some(seconds) = wait {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
