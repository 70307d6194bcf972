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

use std::fmt;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::request::Parts;
use service::api::{Argument, Arguments};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    TooLarge,
    TooSlow,
    /// The client did not send what it had announced.
    Incomplete,
    TooManyFields,
    NoContentType,
    ContentType(String),
    Charset(String),
    /// The value of this field, or its name if the field has none that can be read.
    NotUtf8(Option<String>),
    Json(String),
    NotAnObject,
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

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::TooLarge => {
                write!(f, "the body is over {} bytes", body::MAX_BYTES)
            }
            Unreadable::TooSlow => f.write_str("the body did not arrive in time"),
            Unreadable::Incomplete => f.write_str("the body ends too early"),
            Unreadable::TooManyFields => write!(f, "there are more than {MAX_FIELDS} fields"),
            Unreadable::NoContentType => write!(f, "the body has no Content-Type; {USE}"),
            Unreadable::ContentType(kind) => {
                write!(f, "a body of type {kind} is not understood; {USE}")
            }
            Unreadable::Charset(name) => {
                write!(f, "the charset {name} is not understood; use UTF-8")
            }
            Unreadable::NotUtf8(Some(name)) => write!(f, "{name} is not valid UTF-8"),
            Unreadable::NotUtf8(None) => f.write_str("the name of a field is not valid UTF-8"),
            Unreadable::Json(reason) => write!(f, "the body is not valid JSON: {reason}"),
            Unreadable::NotAnObject => f.write_str("the body must be a JSON object"),
            Unreadable::Multipart(reason) => {
                write!(f, "the body is not a valid multipart form: {reason}")
            }
        }
    }
}

const USE: &str = "use application/x-www-form-urlencoded, multipart/form-data or application/json";

#[cfg(test)]
mod tests;
