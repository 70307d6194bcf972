//! `/oidc/session/end`: signing out, for a client that can show whom it wants to sign out.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use oidc::{Parameters, read_hint};

use super::{OidcState, issuer, now};
use crate::refuse;
use crate::sign_in::{self, form, pages};

/// A client's request. One that shows an ID token of who is signed in is obeyed; others could come
/// from anybody, so the person is asked.
pub(super) async fn end_session(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let sent = match head.method {
        Method::POST => match form::read(&head, body).await {
            Ok(form) => form,
            Err(error) => return pages::refused(&state.sign_in, &head, &error),
        },
        _ => Parameters::read(head.uri.query().unwrap_or_default()),
    };
    let provider = &state.oidc.provider;
    let login = match state.sign_in.accounts.user_login(&head).await {
        Ok(login) => login.map(|(_, login)| login),
        Err(unproven) => return refuse::unproven(unproven),
    };
    let hint = hint(&state, &head, &sent).await;
    let is_meant = match (&login, &hint) {
        (Some(login), Some((user, _))) => login.user == *user,
        (None, _) => true,
        (Some(_), None) => false,
    };
    if !is_meant {
        return pages::sign_out(&state.sign_in, &head, "signOut.ask");
    }
    let next = hint.and_then(|(_, client)| provider.after_sign_out(&client, &sent));
    let answer = match next {
        Some(address) => pages::redirect(&address),
        None => pages::signed_out(&state.sign_in, &head),
    };
    sign_in::end_login(&state.sign_in, &head, answer).await
}

/// The user and the client that an ID token names.
async fn hint(state: &OidcState, head: &Parts, sent: &Parameters) -> Option<(String, String)> {
    let token = sent.get("id_token_hint").ok()??;
    let keys = state.oidc.keys.to_check(now()).await?;
    let (user, client) = read_hint(&keys, token, &issuer(state, head))?;
    let named = sent.get("client_id").ok()?;
    named
        .is_none_or(|named| named == client)
        .then_some((user, client))
}
