//! What can be wrong with a request, in the words of OAuth 2.1 and OpenID Connect.
//!
//! A description is for the developer of a client. It never repeats what was sent.

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    InvalidToken,
    UnauthorizedClient,
    UnsupportedGrantType,
    UnsupportedResponseType,
    LoginRequired,
    RequestNotSupported,
    RequestUriNotSupported,
    ServerError,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::InvalidRequest => "invalid_request",
            Kind::InvalidClient => "invalid_client",
            Kind::InvalidGrant => "invalid_grant",
            Kind::InvalidToken => "invalid_token",
            Kind::UnauthorizedClient => "unauthorized_client",
            Kind::UnsupportedGrantType => "unsupported_grant_type",
            Kind::UnsupportedResponseType => "unsupported_response_type",
            Kind::LoginRequired => "login_required",
            Kind::RequestNotSupported => "request_not_supported",
            Kind::RequestUriNotSupported => "request_uri_not_supported",
            Kind::ServerError => "server_error",
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
    pub kind: Kind,
    pub description: &'static str,
}

impl Error {
    /// The body of an answer that refuses.
    pub fn json(&self) -> Value {
        json!({"error": self.kind.name(), "error_description": self.description})
    }
}
