//! The cookies of signing in: whose the browser is, which form it was given, and whether it is away
//! to sign in elsewhere.
//!
//! None can be read by a script. The form's is there to be sent along with the form that holds
//! the same text: another site can make a browser send a form, but does not know what to write
//! into it.

use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::response::Response;
use oidc::same;
use tracing::error;

use super::SignInState;
use crate::origin::is_secure;
use identity::accounts::{BROWSER, LOGIN};
use identity::cookies;
use settings::SameSite;
use system::environment::random_bytes;
use system::hex;

const FORM: &str = "form";
const PENDING: &str = "journey";
/// How long a browser stays known after it signed in, in seconds: a year.
const KNOWN_SECONDS: u64 = 365 * 24 * 60 * 60;

/// Lets the browser of somebody who has just shown the password keep the login, and that it has
/// signed in.
pub fn signed_in(
    state: &SignInState,
    head: &Parts,
    (user, login): (&str, &str),
    response: &mut Response,
) {
    keep_login(state, &head.headers, login, response);
    let device = state.accounts.device_cookie(head, user);
    let rest = format!("{device}; SameSite=Lax; Max-Age={KNOWN_SECONDS}");
    set(state, &head.headers, BROWSER, &rest, response);
}

/// Lets the browser keep a login, for as long as the settings say.
pub fn keep_login(state: &SignInState, headers: &HeaderMap, login: &str, response: &mut Response) {
    let cookies = &state.settings.access.cookies;
    let same_site = match (cookies.same_site, is_secure(&state.settings, headers)) {
        // Who comes back from another provider comes from another site.
        (SameSite::Strict, _) if state.external.is_none() => "Strict",
        (SameSite::None, true) => "None",
        // Browsers drop it otherwise.
        (SameSite::Lax | SameSite::Strict, _) | (SameSite::None, false) => "Lax",
    };
    let life = match cookies.lifetime_milliseconds {
        0 => String::new(),
        _ => format!("; Max-Age={}", state.login_seconds),
    };
    let rest = format!("{login}; SameSite={same_site}{life}");
    set(state, headers, LOGIN, &rest, response);
}

pub fn drop_login(state: &SignInState, headers: &HeaderMap, response: &mut Response) {
    set(state, headers, LOGIN, "; SameSite=Lax; Max-Age=0", response);
}

/// The pending authorization of somebody who signs in at an external provider. It must come along
/// when that site sends them back, so it is never strict.
pub fn pending_authorization(state: &SignInState, headers: &HeaderMap) -> Option<String> {
    value(state, headers, PENDING)
}

pub fn keep_authorization(
    state: &SignInState,
    headers: &HeaderMap,
    (text, seconds): (&str, u64),
    response: &mut Response,
) {
    let rest = format!("{text}; SameSite=Lax; Max-Age={seconds}");
    set(state, headers, PENDING, &rest, response);
}

pub fn drop_authorization(state: &SignInState, headers: &HeaderMap, response: &mut Response) {
    set(
        state,
        headers,
        PENDING,
        "; SameSite=Lax; Max-Age=0",
        response,
    );
}

/// What goes into a form of ours: the text that the browser holds already, so that forms in two
/// windows are both good, or a new one.
pub struct FormText {
    pub text: String,
    is_new: bool,
}

impl FormText {
    pub fn of(state: &SignInState, headers: &HeaderMap) -> FormText {
        let known = value(state, headers, FORM).filter(|text| is_sound(text));
        FormText {
            is_new: known.is_none(),
            text: known.unwrap_or_else(|| hex(&random_bytes::<32>())),
        }
    }

    pub fn keep(&self, state: &SignInState, headers: &HeaderMap, response: &mut Response) {
        if self.is_new {
            let rest = format!("{}; SameSite=Lax", self.text);
            set(state, headers, FORM, &rest, response);
        }
    }
}

/// Whether a form is one that we gave to this browser.
pub fn is_our_form(state: &SignInState, headers: &HeaderMap, text: Option<&str>) -> bool {
    let known = value(state, headers, FORM).filter(|known| is_sound(known));
    known.is_some_and(|known| text.is_some_and(|text| same(&known, text)))
}

fn is_sound(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn value(state: &SignInState, headers: &HeaderMap, name: &str) -> Option<String> {
    let name = format!("{}{name}", state.settings.access.cookies.prefix);
    cookies::value(cookies::of(headers)?, &name)
}

fn set(state: &SignInState, headers: &HeaderMap, name: &str, rest: &str, response: &mut Response) {
    let prefix = &state.settings.access.cookies.prefix;
    let secure = if is_secure(&state.settings, headers) {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!("{prefix}{name}={rest}; Path=/; HttpOnly{secure}");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Err(error) => error!("a cookie could not be written: {error}"),
    }
}
