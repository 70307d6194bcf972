//! `/plugins/NAME/…`: files of a plugin for pages, messages of its part of a page, and routes of
//! its own.
//!
//! Only those come here who may come to pads. A plugin learns what was asked for and never by whom:
//! no address, no header, no cookie. What it answers is data: no script of it runs with our rights.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, post};
use plugins::{Failure, Installed, Plugins, RouteRequest};
use serde_json::{Map, Value, json};
use service::Service;
use tokio::time::timeout;

use super::card;
use super::files::{Limit, Refusal};
use super::origin;
use super::page_context::PageContext;
use super::pages;
use identity::accounts::Accounts;
use identity::client_ip::ClientIp;
use identity::visitor::Visitor;
use settings::Settings;

/// The most bytes of a request and of a message, and how long one may take to arrive.
const REQUEST: usize = 1_000_000;
const MESSAGE: usize = 70_000;
const REPORT: usize = 8_000;
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(10);
const REPORTED_CHARS: usize = 1_000;

const WINDOW: Duration = Duration::from_secs(60);
const REQUESTS_IN_WINDOW: u64 = 600;
const REPORTS_IN_WINDOW: u64 = 30;
const QUERY_KEYS: usize = 100;
/// Bytes of a path, and of a query, of which JSON makes twice as many at most: what the hook takes.
const PATH: usize = 1_000;
const QUERY: usize = 7_500;

/// By which names credentials of the service come among arguments. No plugin gets them.
const CREDENTIALS: [&str; 4] = ["apikey", "api_key", "cookie", "sessionid"];

/// What a plugin answers runs no script and reaches nothing of ours.
const SANDBOX: HeaderValue = HeaderValue::from_static(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     frame-ancestors 'none'",
);
/// The address of a file changes with what is in it.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// State of these routes.
#[derive(Clone)]
pub(crate) struct PluginRoutes {
    page: Arc<PageContext>,
    plugins: Arc<Plugins>,
    service: Arc<Service>,
    settings: Arc<Settings>,
    accounts: Arc<Accounts>,
    requests: Arc<Limit>,
    reports: Arc<Limit>,
}

impl PluginRoutes {
    pub(crate) fn new(
        page: &Arc<PageContext>,
        service: &Arc<Service>,
        settings: &Arc<Settings>,
        accounts: &Arc<Accounts>,
        plugins: Arc<Plugins>,
    ) -> PluginRoutes {
        PluginRoutes {
            page: Arc::clone(page),
            plugins,
            service: Arc::clone(service),
            settings: Arc::clone(settings),
            accounts: Arc::clone(accounts),
            requests: Arc::new(Limit::of(WINDOW, REQUESTS_IN_WINDOW)),
            reports: Arc::new(Limit::of(WINDOW, REPORTS_IN_WINDOW)),
        }
    }
}

pub(crate) fn router(state: PluginRoutes) -> Router {
    Router::new()
        .route("/plugins/{name}/message", post(message))
        .route("/plugins/{name}/report", post(report))
        .route("/plugins/{name}/", any(root))
        .route("/plugins/{name}/{*path}", any(below))
        .with_state(state)
}

async fn root(
    State(state): State<PluginRoutes>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    respond(&state, &name, "", request).await
}

async fn below(
    State(state): State<PluginRoutes>,
    Path((name, path)): Path<(String, String)>,
    request: Request,
) -> Response {
    let snapshot = state.plugins.registry().current();
    let installed = snapshot.get(&name).filter(|it| it.is_enabled());
    if let Some(response) = installed.and_then(|installed| file(installed, &path)) {
        return response;
    }
    respond(&state, &name, &path, request).await
}

/// A file for pages, at the address that pages have it from.
fn file(installed: &Installed, path: &str) -> Option<Response> {
    let (folder, name) = path.split_once('/')?;
    let is_for_pages = name == "client.js" || name == "client.css" || name.starts_with("assets/");
    let is_for_pages = is_for_pages || name.starts_with("locales/");
    if folder != installed.asset_folder() || !is_for_pages {
        return None;
    }
    let body = installed.package.file(name)?.to_vec();
    let (kind, is_shown) = match name.rsplit('.').next()? {
        "js" => ("text/javascript; charset=utf-8", false),
        "css" => ("text/css; charset=utf-8", false),
        "json" => ("application/json", false),
        "svg" => ("image/svg+xml", true),
        "png" => ("image/png", false),
        "woff2" => ("font/woff2", false),
        _ => ("text/plain; charset=utf-8", false),
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, FOR_GOOD);
    if is_shown {
        headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    }
    Some((headers, body).into_response())
}

/// Answers by the hook `request`.
async fn respond(state: &PluginRoutes, name: &str, path: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !matches!(parts.method, Method::GET | Method::POST) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if path.len() > PATH || parts.uri.query().is_some_and(|query| query.len() > QUERY) {
        return StatusCode::URI_TOO_LONG.into_response();
    }
    let body = match received(state, &parts, body, &state.requests, REQUEST).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let Ok(body) = String::from_utf8(body) else {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    };
    let kind = parts.headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).map(str::to_owned);
    let has_body = parts.method == Method::POST;
    let asked = RouteRequest {
        method: parts.method.to_string(),
        path: path.to_owned(),
        query: query(&parts.uri),
        base: format!(
            "{}/plugins/{name}/",
            card::root(&state.settings, &parts.uri, &parts.headers).trim_end_matches('/')
        ),
        kind: kind.filter(|_| has_body),
        body: has_body.then_some(body),
    };
    match state.plugins.request(name, asked).await {
        Ok(response) => {
            let kind = format!("{}; charset=utf-8", response.kind);
            let mut headers = HeaderMap::new();
            if let Ok(kind) = HeaderValue::from_str(&kind) {
                headers.insert(header::CONTENT_TYPE, kind);
            }
            headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::OK);
            (status, headers, response.body).into_response()
        }
        Err(Failure::NoHook) => pages::not_found_page(&state.page, &parts.uri, &parts.headers),
        Err(failure) => failed(&failure),
    }
}

/// A message of a plugin's part of a page, from somebody who may read the pad.
async fn message(
    State(state): State<PluginRoutes>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = match received(&state, &parts, body, &state.requests, MESSAGE).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    match deliver(&state, &name, &parts, &body).await {
        Ok(response) => response,
        Err(refusal) => refusal.into_response(),
    }
}

async fn deliver(
    state: &PluginRoutes,
    name: &str,
    parts: &Parts,
    body: &[u8],
) -> Result<Response, Refusal> {
    let Ok(Value::Object(mut sent)) = serde_json::from_slice::<Value>(body) else {
        return Ok(StatusCode::BAD_REQUEST.into_response());
    };
    let pad = sent.remove("padId").unwrap_or_default();
    let pad = pad.as_str().ok_or(Refusal::NoSuchPad)?;
    let visitor = Visitor::of(parts, &state.settings);
    let request = visitor.request(pad, &state.accounts, &state.settings);
    let request = request.map_err(|_| Refusal::Denied)?;
    let visit = state.service.visit(&request).await?;
    let visit = visit.ok_or(Refusal::NoSuchPad)?;
    let author = state.service.known_visitor(&request).await?;
    let author = author.map(|(author, _)| author);
    let data = sent.remove("data").unwrap_or_default();
    let answer = state
        .plugins
        .message(name, &visit.pad, author.as_ref(), visit.read_only, data);
    Ok(match answer.await {
        Ok(data) => json_response(StatusCode::OK, &json!({ "data": data })),
        Err(Failure::NoHook) => StatusCode::NOT_FOUND.into_response(),
        Err(failure) => failed(&failure),
    })
}

/// An error of a plugin's part of a page.
async fn report(
    State(state): State<PluginRoutes>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = match received(&state, &parts, body, &state.reports, REPORT).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let sent: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = sent.get("message").and_then(Value::as_str);
    let Some(text) = text else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let text: String = text.chars().take(REPORTED_CHARS).collect();
    if state.plugins.report(&name, &text) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

/// The body of a request, unless it is forged, one too many, too long or too slow.
async fn received(
    state: &PluginRoutes,
    parts: &Parts,
    body: Body,
    limit: &Limit,
    most: usize,
) -> Result<Vec<u8>, Response> {
    if parts.method != Method::GET && origin::is_cross_site(parts, &state.settings) {
        return Err(Refusal::CrossSite.into_response());
    }
    let client = ClientIp::of(&parts.extensions);
    let counted = limit.count(client.network());
    counted.map_err(Refusal::into_response)?;
    let received = timeout(ARRIVAL_TIMEOUT, to_bytes(body, most)).await;
    let bytes = received.map_err(|_| StatusCode::REQUEST_TIMEOUT.into_response())?;
    let bytes = bytes.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE.into_response())?;
    Ok(bytes.into())
}

fn query(uri: &Uri) -> Map<String, Value> {
    let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let pairs = pairs.filter(|(name, _)| !is_credential(name));
    let pairs = pairs.take(QUERY_KEYS);
    pairs
        .map(|(name, value)| (name.into_owned(), value.into_owned().into()))
        .collect()
}

/// Whether an argument is for the service itself, and says who somebody is.
pub(crate) fn is_credential(name: &str) -> bool {
    CREDENTIALS.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// A visitor learns that a plugin has failed, and not what it threw.
fn failed(failure: &Failure) -> Response {
    let text = match failure {
        Failure::Late => "the plugin did not answer in time",
        Failure::Unavailable | Failure::NoHook => "the plugin does not run at the moment",
        Failure::Failed(_) => "the plugin has failed",
    };
    json_response(StatusCode::BAD_GATEWAY, &json!({ "error": text }))
}

fn json_response(status: StatusCode, value: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, value.to_string()).into_response()
}
