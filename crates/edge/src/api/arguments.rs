//! The arguments of a call, from wherever a request can carry them.
//!
//! They are in the query and in a body: a form, a multipart form or a JSON object. The body comes
//! before the query, and of a repeated name the first counts. What cannot be read is refused with
//! the reason; nothing is guessed or repaired, and nothing is unbounded.

mod body;
mod content_type;
mod form;
mod json;
mod multipart;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::request::Parts;
use service::api::{Argument, Arguments};
use thiserror::Error;
use tokio::sync::OwnedSemaphorePermit;

pub(crate) use body::BodyBudget;
use body::BudgetedBody;
use content_type::Format;

/// How many fields a request may have. No function takes a tenth of that; it keeps the smallest
/// possible fields from growing into many times their size.
const MAX_FIELDS: usize = 1000;

/// Arguments, and the share of the body budget that they take until their call is over.
pub(super) struct BudgetedArguments {
    pub arguments: Arguments,
    pub permit: Option<OwnedSemaphorePermit>,
}

pub(super) async fn read(
    head: &Parts,
    body: Body,
    budget: &BodyBudget,
) -> Result<BudgetedArguments, Unreadable> {
    let mut fields = Fields::default();
    let BudgetedBody { bytes, permit } = budget.read(&head.headers, body).await?;
    if !bytes.is_empty() {
        match content_type::of(&head.headers)? {
            Format::Form => form::read(&bytes, &mut fields)?,
            Format::Multipart { boundary } => multipart::read(bytes, boundary, &mut fields).await?,
            Format::Json => json::read(&bytes, &mut fields)?,
        }
    }
    if let Some(query) = head.uri.query() {
        form::read(query.as_bytes(), &mut fields)?;
    }
    Ok(BudgetedArguments {
        arguments: fields.arguments,
        permit,
    })
}

/// Arguments as they are collected.
#[derive(Default)]
struct Fields {
    arguments: Arguments,
    count: usize,
}

impl Fields {
    fn push(&mut self, name: String, value: Argument) -> Result<(), Unreadable> {
        self.count += 1;
        if self.is_over_full() {
            return Err(Unreadable::TooManyFields);
        }
        self.arguments.push(name, value);
        Ok(())
    }

    fn is_over_full(&self) -> bool {
        self.count > MAX_FIELDS
    }
}

/// Why a request cannot be made out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Unreadable {
    #[error("the body is over {} bytes", body::MAX_BYTES)]
    TooLarge,
    #[error("the body did not arrive in time")]
    TooSlow,
    /// The client did not send what it had announced.
    #[error("the body ends too early")]
    Incomplete,
    #[error("there are more than {MAX_FIELDS} fields")]
    TooManyFields,
    #[error("the body has no Content-Type; {USE}")]
    NoContentType,
    #[error("a body of type {0} is not understood; {USE}")]
    ContentType(String),
    #[error("the charset {0} is not understood; use UTF-8")]
    Charset(String),
    /// The value of this field, or its name if the field has none that can be read.
    #[error("{} is not valid UTF-8", .0.as_deref().unwrap_or("the name of a field"))]
    NotUtf8(Option<String>),
    #[error("the body is not valid JSON: {0}")]
    Json(String),
    #[error("the body must be a JSON object")]
    NotAnObject,
    #[error("the body is not a valid multipart form: {0}")]
    Multipart(String),
}

impl Unreadable {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Unreadable::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Unreadable::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Unreadable::NoContentType | Unreadable::ContentType(_) | Unreadable::Charset(_) => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

const USE: &str = "use application/x-www-form-urlencoded, multipart/form-data or application/json";

#[cfg(test)]
mod tests;
