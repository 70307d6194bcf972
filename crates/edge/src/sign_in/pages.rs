//! The pages of signing in and out. They need no script and allow none, and no other page may put
//! them into a frame.

use askama::Template;
use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use oidc::{Error, Wait};

use super::SignInState;
use super::cookie::FormText;
use crate::language::Language;
use crate::pages;
use crate::refuse::NO_STORE;
use crate::shell::Shell;
use identity::accounts::NoLogin;
use identity::query::parameter;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    action: String,
    form: &'a str,
    user: &'a str,
    /// Which program one signs in for.
    program: Option<String>,
    problem: Option<String>,
    /// Where one signs in through another provider, and what that is called.
    external: Option<(String, String)>,
}

#[derive(Template)]
#[template(path = "sign_in_consent.html")]
struct Consent<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    action: String,
    form: &'a str,
    title: String,
    text: String,
}

#[derive(Template)]
#[template(path = "sign_in_notice.html")]
struct Notice<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    title: &'a str,
    text: &'a str,
    /// For the developer of a client.
    reason: Option<String>,
    /// For a button that signs out.
    form: Option<&'a str>,
    /// Whether to lead to where one signs in.
    again: bool,
}

/// Why the form is shown again.
pub enum Problem {
    Wrong,
    Stale,
    Slowed(Wait),
    Unavailable,
}

impl From<NoLogin> for Problem {
    fn from(no_login: NoLogin) -> Problem {
        match no_login {
            NoLogin::Wrong => Problem::Wrong,
            NoLogin::Slowed(wait) => Problem::Slowed(wait),
            NoLogin::Unavailable => Problem::Unavailable,
        }
    }
}

/// Where the form is sent, and where that leads.
pub struct Way<'a> {
    /// The address of the form; what brought somebody here stays in it.
    pub action: String,
    /// Where one signs in through another provider, if that is set up.
    pub external: Option<String>,
    /// The address of another site that is gone on to.
    pub leads_to: Option<&'a str>,
    /// The program there, as people know it.
    pub program: Option<&'a str>,
}

/// The form.
pub fn sign_in(
    state: &SignInState,
    head: &Parts,
    way: Way<'_>,
    user: &str,
    problem: Option<&Problem>,
) -> Response {
    let form = FormText::of(state, &head.headers);
    let shell = shell(state, head, &head.uri);
    let language = shell.language;
    let text = |problem: &Problem| match problem {
        Problem::Wrong => language.text("signIn.wrong").to_owned(),
        Problem::Stale => language.text("signIn.stale").to_owned(),
        Problem::Slowed(Wait(seconds)) => language
            .text("signIn.slowed")
            .replace("{seconds}", &seconds.to_string()),
        Problem::Unavailable => language.text("signIn.unavailable").to_owned(),
    };
    let label = &state.settings.access.login.label;
    let external = way.external.filter(|_| state.external.is_some());
    let external = external.map(|address| {
        let text = language.text("signIn.outside").replace("{provider}", label);
        (address, text)
    });
    let program = way
        .program
        .map(|name| language.text("signIn.program").replace("{program}", name));
    let template = SignIn {
        external,
        program,
        entry: bundle::SIGN_IN,
        shell,
        action: way.action,
        form: &form.text,
        user,
        problem: problem.map(text),
    };
    let status = match problem {
        None => StatusCode::OK,
        Some(Problem::Wrong | Problem::Stale) => StatusCode::FORBIDDEN,
        Some(Problem::Slowed(_)) => StatusCode::TOO_MANY_REQUESTS,
        Some(Problem::Unavailable) => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut response = guarded(state, pages::page(status, &template), way.leads_to);
    if let Some(Problem::Slowed(Wait(seconds))) = problem {
        let seconds = HeaderValue::from(*seconds);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    form.keep(state, &head.headers, &mut response);
    response
}

/// Whether somebody who is signed in goes on to a program.
pub fn consent(state: &SignInState, head: &Parts, way: Way<'_>, user: &str) -> Response {
    let form = FormText::of(state, &head.headers);
    let shell = shell(state, head, &head.uri);
    let program = way.program.unwrap_or_default();
    let text = |key| {
        let text = shell.language.text(key).replace("{user}", user);
        text.replace("{program}", program)
    };
    let template = Consent {
        entry: bundle::SIGN_IN,
        action: way.action,
        form: &form.text,
        title: text("signIn.consent"),
        text: text("signIn.consentHint"),
        shell,
    };
    let page = pages::page(StatusCode::OK, &template);
    let mut response = guarded(state, page, way.leads_to);
    form.keep(state, &head.headers, &mut response);
    response
}

/// That a client has sent somebody here with a request that makes no sense.
pub fn refused(state: &SignInState, head: &Parts, error: &Error) -> Response {
    let language = language(state, head, &head.uri);
    let title = language.text("signIn.refused");
    let text = language.text("signIn.refusedHint");
    let reason = Some(error.to_string());
    notice(
        state,
        head,
        StatusCode::BAD_REQUEST,
        (title, text),
        reason,
        None,
    )
}

/// That somebody is signed in and may not come in all the same; they may be somebody else, too.
pub fn forbidden(state: &SignInState, head: &Parts) -> Response {
    let form = FormText::of(state, &head.headers);
    let language = language(state, head, &head.uri);
    let texts = (
        language.text("signIn.forbidden"),
        language.text("signIn.forbiddenHint"),
    );
    let text = Some(form.text.as_str());
    let mut response = notice(state, head, StatusCode::FORBIDDEN, texts, None, text);
    form.keep(state, &head.headers, &mut response);
    response
}

/// That signing in through another provider did not work.
pub fn failed(state: &SignInState, head: &Parts, problem: &str) -> Response {
    let language = language(state, head, &head.uri);
    let texts = (
        language.text("signIn.refused"),
        language.text("signIn.outsideFailed"),
    );
    let reason = Some(problem.to_owned());
    notice(state, head, StatusCode::FORBIDDEN, texts, reason, None)
}

/// CSRF: a page of another site has sent the form.
pub fn cross_site(state: &SignInState, head: &Parts) -> Response {
    let language = language(state, head, &head.uri);
    let title = language.text("signIn.refused");
    let text = language.text("signIn.elsewhere");
    notice(
        state,
        head,
        StatusCode::FORBIDDEN,
        (title, text),
        None,
        None,
    )
}

/// Whether somebody really wants to sign out; `why` they are asked is a key of the texts.
pub fn sign_out(state: &SignInState, head: &Parts, why: &'static str) -> Response {
    let form = FormText::of(state, &head.headers);
    let language = language(state, head, &head.uri);
    let texts = (language.text("signOut.title"), language.text(why));
    let mut response = notice(state, head, StatusCode::OK, texts, None, Some(&form.text));
    form.keep(state, &head.headers, &mut response);
    response
}

pub fn signed_out(state: &SignInState, head: &Parts) -> Response {
    let language = language(state, head, &head.uri);
    let texts = (
        language.text("signOut.done"),
        language.text("signOut.doneHint"),
    );
    notice(state, head, StatusCode::OK, texts, None, None)
}

/// `303 See Other`: the browser follows with a GET, whatever this request was.
pub fn redirect(address: &str) -> Response {
    (
        StatusCode::SEE_OTHER,
        [NO_STORE],
        [(header::LOCATION, address)],
    )
        .into_response()
}

fn notice(
    state: &SignInState,
    head: &Parts,
    status: StatusCode,
    (title, text): (&str, &str),
    reason: Option<String>,
    form: Option<&str>,
) -> Response {
    let template = Notice {
        entry: bundle::SIGN_IN,
        shell: shell(state, head, &head.uri),
        title,
        text,
        again: reason.is_some() && form.is_none() && status == StatusCode::FORBIDDEN,
        reason,
        form,
    };
    guarded(state, pages::page(status, &template), None)
}

fn language<'a>(state: &'a SignInState, head: &Parts, uri: &Uri) -> Language<'a> {
    shell(state, head, uri).language
}

fn shell<'a>(state: &'a SignInState, head: &Parts, uri: &Uri) -> Shell<'a> {
    // What clients call the same wish.
    let asked = parameter(uri, "ui_locales").or_else(|| parameter(uri, "lang"));
    let first = asked.as_deref().and_then(|list| list.split(' ').next());
    Shell::asked_in(&state.page, &head.uri, &head.headers, first)
}

/// Browsers hold the address that a form leads on to against the policy as well, so that of the
/// client has to be in it.
fn guarded(state: &SignInState, mut response: Response, next: Option<&str>) -> Response {
    let next = next.and_then(origin).unwrap_or_default();
    let images = state.page.icon.sources();
    let policy = format!(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src {images}; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self' {next}"
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(policy.trim_end()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let (name, value) = NO_STORE;
    headers.insert(name, value);
    response
}

/// The part of an address that a policy can name; for one that is not of the web, its scheme.
fn origin(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_once(':')?;
    if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return Some(format!("{scheme}:"));
    }
    let host = rest.strip_prefix("//")?.split(['/', '?']).next()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".:-[]".contains(c);
    (!host.is_empty() && host.chars().all(is_plain)).then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_name_where_a_form_leads() {
        for (uri, expected) in [
            ("https://app.example/back?x=1", Some("https://app.example")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://[::1]:80/", Some("http://[::1]:80")),
            ("com.example.app:/back", Some("com.example.app:")),
            ("https://a;b/", None),
            ("https:", None),
        ] {
            assert_eq!(origin(uri).as_deref(), expected, "{uri}");
        }
    }
}
