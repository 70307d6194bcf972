//! `/oidc/session/end`: signing out, for a client that can show whom it wants to sign out.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use oidc::{Parameters, read_hint};

use super::{Site, issuer, now};
use crate::sign_in::{self, form, pages};

/// A client's request. One that shows an ID token of who is signed in is obeyed; others could come
/// from anybody, so the person is asked.
pub async fn ask(State(site): State<Arc<Site>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let sent = match head.method {
        Method::POST => match form::read(&head, body).await {
            Ok(form) => form,
            Err(error) => return pages::refused(&site, &head, &error),
        },
        _ => Parameters::read(head.uri.query().unwrap_or_default()),
    };
    let provider = &site.oidc.provider;
    let login = site.accounts.login_text(&head);
    let login = login.and_then(|text| provider.login(&text, now()));
    let hint = hint(&site, &head, &sent);
    let is_meant = match (&login, &hint) {
        (Some(login), Some((user, _))) => login.user == *user,
        (None, _) => true,
        (Some(_), None) => false,
    };
    if !is_meant {
        return pages::sign_out(&site, &head, "signOut.ask");
    }
    let next = hint.and_then(|(_, client)| provider.after_sign_out(&client, &sent));
    let answer = match next {
        Some(address) => pages::go_to(&address),
        None => pages::signed_out(&site, &head),
    };
    sign_in::over(&site, &head, answer)
}

/// The user and the client that an ID token names.
fn hint(site: &Site, head: &Parts, sent: &Parameters) -> Option<(String, String)> {
    let token = sent.get("id_token_hint").ok()??;
    let keys = site.oidc.keys.to_check(now())?;
    let (user, client) = read_hint(&keys, token, &issuer(site, head))?;
    let named = sent.get("client_id").ok()?;
    named
        .is_none_or(|named| named == client)
        .then_some((user, client))
}
