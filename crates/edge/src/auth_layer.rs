//! Auth layer: authenticates every request for pads, over HTTP or by a socket.
//!
//! A request that passes carries the proof of its principal. Without one a visitor is anonymous, so
//! a route outside of this layer lets nobody in where people have to sign in.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::middleware::Next;
use axum::response::Response;

use super::sign_in::{SignInState, cookie};
use super::{origin, refuse};
use identity::principal::Proof;

/// Lets through who may come to pads at all, and leads others to where they sign in.
pub(crate) async fn visitors(
    State(state): State<SignInState>,
    request: Request,
    next: Next,
) -> Response {
    let accounts = &state.accounts;
    if !accounts.are_asked_for() {
        return next.run(request).await;
    }
    let (mut head, body) = request.into_parts();
    let proof = match accounts.proof(&head).await {
        Ok(proof) => proof,
        Err(unproven) => return refuse::unproven(unproven),
    };
    if let Err(why) = accounts.pad_rights(&proof) {
        return refuse::denied(&state, &head, why);
    }
    let headers = head.headers.clone();
    let login = accounts.login_text(&head);
    let login = login.filter(|text| matches!(&proof, Proof::Login(login) if login.is_of(text)));
    head.extensions.insert(proof);
    let mut response = next.run(Request::from_parts(head, body)).await;
    // What lasts longer for being used lasts longer in the browser, too.
    if let Some(text) = login {
        cookie::keep_login(&state, &headers, &text, &mut response);
    }
    response
}

/// Lets all connections through: each is refused in its own protocol if it may not stay. A socket
/// that a page of another origin opens carries no credential of the visitor: neither cookies
/// (author token, group sessions, login) nor `Authorization`. Browsers attach those to every
/// handshake, let pages of any origin open websockets, and Chromium tells no more about the page
/// than `Origin`.
pub(crate) async fn sockets(
    State(state): State<SignInState>,
    request: Request,
    next: Next,
) -> Response {
    let (mut head, body) = request.into_parts();
    if origin::is_cross_site(&head, &state.settings) {
        origin::warn_once(&head);
        head.headers.remove(COOKIE);
        head.headers.remove(AUTHORIZATION);
    } else if state.accounts.are_asked_for() {
        match state.accounts.proof(&head).await {
            Ok(proof) => {
                head.extensions.insert(proof);
            }
            Err(unproven) => return refuse::unproven(unproven),
        }
    }
    next.run(Request::from_parts(head, body)).await
}
