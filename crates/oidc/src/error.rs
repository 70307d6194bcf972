//! What can be wrong with a request, in the words of OAuth 2.1 and OpenID Connect.
//!
//! A description is for the developer of a client. It never repeats what was sent.

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    InvalidToken,
    UnauthorizedClient,
    UnsupportedGrantType,
    UnsupportedResponseType,
    LoginRequired,
    ConsentRequired,
    AccessDenied,
    RequestNotSupported,
    RequestUriNotSupported,
    ServerError,
}

impl ErrorKind {
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::InvalidRequest => "invalid_request",
            ErrorKind::InvalidClient => "invalid_client",
            ErrorKind::InvalidGrant => "invalid_grant",
            ErrorKind::InvalidToken => "invalid_token",
            ErrorKind::UnauthorizedClient => "unauthorized_client",
            ErrorKind::UnsupportedGrantType => "unsupported_grant_type",
            ErrorKind::UnsupportedResponseType => "unsupported_response_type",
            ErrorKind::LoginRequired => "login_required",
            ErrorKind::ConsentRequired => "consent_required",
            ErrorKind::AccessDenied => "access_denied",
            ErrorKind::RequestNotSupported => "request_not_supported",
            ErrorKind::RequestUriNotSupported => "request_uri_not_supported",
            ErrorKind::ServerError => "server_error",
        }
    }

    pub fn because(self, description: &'static str) -> Error {
        Error {
            kind: self,
            description,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {description}", .kind.name())]
pub struct Error {
    pub kind: ErrorKind,
    pub description: &'static str,
}

impl Error {
    /// The body of an answer that refuses.
    pub fn json(&self) -> Value {
        json!({"error": self.kind.name(), "error_description": self.description})
    }
}
