//! `GET /p/:pad`: the page people write in, and `GET /p/:pad/timeslider`: its past.
//!
//! Who may not open the pad gets a page that says so, whether the pad is there or not. Who may is
//! admitted again when the page's script joins. Here a visitor gets the token by which it is the
//! same author next time, and a name that cannot be is led to the one it becomes.

use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use identity::principal::Principal;
use pad::{AuthorToken, PadId, Title};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use service::{Environment, JoinError};
use sha2::{Digest, Sha256};
use tracing::error;

use super::card::Card;
use super::origin::is_secure;
use super::pages::PagesState;
use super::shell::Shell;
use super::{custom, files, pages};
use identity::cookies;
use identity::query::parameter;
use identity::visitor::Visitor;
use settings::{Setting as _, Tier};
use system::environment::{System, random_bytes};
use system::hex;

const TOKEN_SECONDS: u32 = 60 * 24 * 60 * 60;
/// What a name may hold in an address without being written as a number.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'$');

#[derive(Template)]
#[template(path = "pad.html")]
struct PadPage<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    card: Card<'a>,
    /// Where it can be read without a script.
    read: String,
    boot: String,
    /// The script that opens the connection at once, before anything else is fetched. What stands
    /// behind a style sheet would wait for it.
    early: Option<&'static str>,
    /// Where plugins find what they import.
    import_map: String,
    custom: custom::Slots,
}

/// `GET /p?pad=NAME`, the form of the start page: leads to that pad, or to a new one.
pub(crate) async fn redirect_by_name(
    State(state): State<PagesState>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let name = parameter(&uri, "pad").unwrap_or_default();
    let name = name.trim();
    let query = query_of_new_pad(&uri);
    if name.is_empty() {
        return redirect(&format!("p/{}{query}", PadId::random(System.entropy())));
    }
    match state.service.address(name).await {
        Ok(Some(name)) => redirect(&format!("p/{}{query}", encoded(&name))),
        Ok(None) => pages::no_pad_name(&state.page, &uri, &headers, name),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// What the page of a pad needs to create it as the form says, and takes out of the address then.
fn query_of_new_pad(uri: &Uri) -> String {
    let template = parameter(uri, "template").filter(|template| !template.is_empty());
    let template = template.map(|template| format!("template={}", encoded(&template)));
    let title = parameter(uri, "title").and_then(|title| Title::cut(&title));
    let title = title.map(|title| format!("title={}", encoded(title.as_str())));
    let given: Vec<String> = template.into_iter().chain(title).collect();
    if given.is_empty() {
        return String::new();
    }
    format!("?{}", given.join("&"))
}

/// What the script shows of a pad.
#[derive(Clone, Copy)]
enum View {
    Pad,
    History,
}

pub(crate) async fn get_pad(
    State(state): State<PagesState>,
    Path(name): Path<String>,
    parts: Parts,
) -> Response {
    respond(&state, &name, View::Pad, &parts).await
}

pub(crate) async fn get_history(
    State(state): State<PagesState>,
    Path(name): Path<String>,
    parts: Parts,
) -> Response {
    respond(&state, &name, View::History, &parts).await
}

async fn respond(state: &PagesState, name: &str, view: View, parts: &Parts) -> Response {
    let (headers, uri) = (&parts.headers, &parts.uri);
    let address = match state.service.address(name).await {
        Ok(address) => address,
        Err(_) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    };
    match address {
        None => pages::no_pad_name(&state.page, uri, headers, name),
        Some(address) if address != name => {
            let query = uri.query().map(|query| format!("?{query}"));
            let name = match view {
                View::Pad => encoded(&address),
                View::History => format!("../{}/timeslider", encoded(&address)),
            };
            redirect(&(name + &query.unwrap_or_default()))
        }
        Some(_) => {
            let mut response = match admit(state, name, parts).await {
                Admitted::No => pages::denied_pad(&state.page, uri, headers),
                Admitted::After(wait) => {
                    return pages::too_many_pads(&state.page, uri, headers, wait);
                }
                Admitted::To(title) => render(state, (name, &title), view, parts).await,
            };
            set_author_token(state, headers, &mut response);
            response
        }
    }
}

/// Whether a visitor gets the page of a pad.
enum Admitted {
    /// With what the page is called: the pad's title, or its address, made readable.
    To(String),
    /// The pad does not exist, and the visitor's address may not create it now.
    After(Duration),
    No,
}

async fn admit(state: &PagesState, name: &str, parts: &Parts) -> Admitted {
    let readable = || Admitted::To(pad::readable(name));
    let visitor = Visitor::of(parts, &state.settings);
    let Ok(mut request) = visitor.request(name, &state.accounts, &state.settings) else {
        return readable();
    };
    // One that nobody can have been given is about to be replaced.
    request
        .token
        .take_if(|token| AuthorToken::parse(token).is_none());
    match state.service.visit(&request).await {
        Ok(Some(visit)) => {
            let title = state.service.title_for(&visit).await;
            title.map_or_else(|_| readable(), Admitted::To)
        }
        Ok(None) => match state.limits.new_pad(visitor.client) {
            Ok(_) => readable(),
            Err(wait) => Admitted::After(wait),
        },
        Err(JoinError::Denied) => Admitted::No,
        // The script says what is wrong, and tries again.
        Err(_) => readable(),
    }
}

async fn render(
    state: &PagesState,
    (name, title): (&str, &str),
    view: View,
    parts: &Parts,
) -> Response {
    let (headers, uri) = (&parts.headers, &parts.uri);
    let settings = &state.settings;
    let principal = state.accounts.principal(parts).await;
    let shell = Shell::of(&state.page, uri, headers);
    let nonce = hex(&random_bytes::<16>());
    let imports: Vec<_> = files::imports(&settings.files).collect();
    let boot = json!({
        "padId": name,
        "title": title,
        "base": shell.base,
        "language": shell.language.code(),
        "nonce": nonce,
        "service": settings.pages.title,
        "version": shell.version,
        "cookiePrefix": settings.access.cookies.prefix.0,
        "recentPads": settings.pages.recent_pads,
        "darkMode": settings.pages.dark_mode,
        "admin": matches!(principal, Ok(Principal::Admin(_))),
        "padOptions": settings.pages.options.to_json(),
        "versionStatus": !matches!(settings.updates.tier, Tier::Off),
        "importMaxBytes": settings.files.max_import_bytes,
        "imports": imports.iter().map(|format| format.name).collect::<Vec<_>>(),
        "importAliases": imports.iter().flat_map(|format| format.aliases).collect::<Vec<_>>(),
        "exports": files::exports(&settings.files),
        "toolbar": {
            "left": settings.pages.toolbar.left.to_json(),
            "right": settings.pages.toolbar.right.to_json(),
            "timeslider": settings.pages.toolbar.history.to_json(),
        },
        "reconnectSeconds": settings.pages.reconnect_seconds,
        "texts": state.page.words,
        "view": match view {
            View::Pad => "pad",
            View::History => "history",
        },
    });
    let import_map = import_map(&shell.base);
    let early = match view {
        View::Pad => bundle::text(bundle::EARLY.script),
        View::History => None,
    };
    let sources = [Some(&*import_map), early];
    let sources: String = sources.into_iter().flatten().map(source_of).collect();
    let template = PadPage {
        entry: bundle::PAD,
        early,
        import_map,
        custom: state.custom.slots(custom::Page::Pad, &shell.base).await,
        card: Card::new(&state.page, uri, headers, &shell, Some((name, title))),
        read: format!("{}p/{}/read", shell.base, encoded(name)),
        shell,
        // Nothing in a script element may look like its end.
        boot: boot.to_string().replace('<', "\\u003c"),
    };
    let mut response = pages::page(StatusCode::OK, &template);
    // The editor writes its styles into an element of its own, which the nonce allows.
    let styles = format!("'self' 'nonce-{nonce}'");
    let policy = state.page.policy_with(&sources, &styles, "");
    let values = response.headers_mut();
    values.insert(header::CONTENT_SECURITY_POLICY, policy);
    let private = HeaderValue::from_static("private, no-cache");
    values.insert(header::CACHE_CONTROL, private);
    response
}

/// What `padsvc` means to the scripts of plugins: one file of the bundle.
fn import_map(base: &str) -> String {
    let address = format!("{base}{}", bundle::PLUGIN.script);
    json!({"imports": {"padsvc": address}})
        .to_string()
        .replace('<', "\\u003c")
}

/// A script in the page as the policy names it: by its content, so that no other can be there.
fn source_of(script: &str) -> String {
    let digest = Sha256::digest(script.as_bytes());
    format!(" 'sha256-{}'", BASE64.encode(digest))
}

/// The token is what makes a browser the same author again. One that is there and sound stays.
fn set_author_token(state: &PagesState, headers: &HeaderMap, response: &mut Response) {
    let name = format!("{}token", state.settings.access.cookies.prefix);
    let known = cookies::of(headers).and_then(|cookies| cookies::value(cookies, &name));
    if known.is_some_and(|token| AuthorToken::parse(&token).is_some()) {
        return;
    }
    let token = AuthorToken::random([System.entropy(), System.entropy()]);
    let secure = is_secure(&state.settings, headers);
    let embedded = headers
        .get("sec-fetch-site")
        .is_some_and(|from| from == "cross-site");
    let mut cookie = format!("{name}={token}; Path=/; Max-Age={TOKEN_SECONDS}; HttpOnly");
    cookie.push_str(match (secure, embedded) {
        // Browsers that keep other sites' cookies apart take it as one of the page around us.
        (true, true) => "; Secure; SameSite=None; Partitioned",
        (true, false) => "; Secure; SameSite=Lax",
        (false, _) => "; SameSite=Lax",
    });
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Err(error) => error!("a cookie could not be written: {error}"),
    }
}

/// A redirect that is relative, since we may be below a path that we do not know.
fn redirect(address: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, address)]).into_response()
}

pub(crate) fn encoded(name: &str) -> String {
    utf8_percent_encode(name, PLAIN).to_string()
}

#[cfg(test)]
mod tests;
