//! Refusals of requests: not signed in, forbidden, cross-site, rate-limited.

use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use oidc::Wait;

use super::pages;
use super::sign_in::{self, SignInState};
use identity::accounts::Unproven;
use identity::principal::Denied;

/// When to try again what the store could not do.
pub const RETRY_SECONDS: u64 = 5;

/// For what is meant for one reader, once.
pub const NO_STORE: (header::HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

/// People are led to the page where they sign in and come back from; programs learn how.
pub fn denied(state: &SignInState, request: &Parts, why: Denied) -> Response {
    match why {
        Denied::Forbidden if shows_pages(request) => sign_in::pages::forbidden(state, request),
        Denied::Forbidden => {
            let text = "You are signed in, but may not do this.\n";
            (StatusCode::FORBIDDEN, [NO_STORE], text).into_response()
        }
        Denied::NotSignedIn if shows_pages(request) => {
            let path = request.uri.path_and_query();
            let path = path
                .map_or("", |path| path.as_str())
                .trim_start_matches('/');
            let next: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
            let address = format!("{}sign-in?next={next}", pages::base(&request.uri));
            (StatusCode::FOUND, [NO_STORE], [(header::LOCATION, address)]).into_response()
        }
        Denied::NotSignedIn => {
            let how = HeaderValue::from_static("Basic realm=\"padsvc\", charset=\"UTF-8\"");
            let text = "Sign in first.\n";
            let mut answer = (StatusCode::UNAUTHORIZED, [NO_STORE], text).into_response();
            // A browser would ask for the password in a window of its own, over our page.
            if !request.headers.contains_key("sec-fetch-mode") {
                answer.headers_mut().insert(header::WWW_AUTHENTICATE, how);
            }
            answer
        }
    }
}

/// CSRF: a page of another site has sent it.
pub fn cross_site() -> Response {
    let text = "This must be sent from a page of this server.\n";
    (StatusCode::FORBIDDEN, [NO_STORE], text).into_response()
}

/// Too many wrong passwords, or logins that cannot be read.
pub fn unproven(why: Unproven) -> Response {
    let (status, seconds, text) = match why {
        Unproven::Slowed(Wait(seconds)) => {
            let text = "Too many wrong passwords; please wait.\n";
            (StatusCode::TOO_MANY_REQUESTS, seconds, text)
        }
        Unproven::Unavailable => {
            let text = "Logins cannot be read or stored at the moment; please try again.\n";
            (StatusCode::SERVICE_UNAVAILABLE, RETRY_SECONDS, text)
        }
    };
    let headers = [NO_STORE, (header::RETRY_AFTER, HeaderValue::from(seconds))];
    (status, headers, text).into_response()
}

/// Whether a browser asks to show the answer to somebody.
fn shows_pages(request: &Parts) -> bool {
    let accept = request.headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    request.method == Method::GET && accept.is_some_and(|kinds| kinds.contains("text/html"))
}
