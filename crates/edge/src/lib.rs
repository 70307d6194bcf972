//! Everything answered over HTTP: the routes, and what happens around every request.
//!
//! Around means: the head is small enough, the answer carries our headers and a request id, and a
//! line in the access log says what it was.

mod access;
mod admin;
mod admin_only;
mod api;
mod api_docs;
mod assets;
mod card;
mod compression;
mod conversions;
mod custom;
mod files;
mod forwarded;
mod gate;
mod health;
mod icon;
mod language;
mod monitoring;
pub mod office;
mod offline;
mod oidc;
mod openapi;
mod origin;
mod paced_body;
mod pad_page;
mod page_reports;
mod pages;
mod prefix;
mod refuse;
mod robots;
mod shell;
mod sign_in;
mod update;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state, map_request};
use axum::response::Response;
use axum::routing::{any, get};
use service::Service;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::util::MapRequest;

use self::oidc::Oidc;
use access::AccessLog;
use api::{Credentials, Room};
use custom::Custom;
use files::{Files, Limit};
use forwarded::Forwarded;
use icon::Icon;
use identity::accounts::Accounts;
use identity::api_key::ApiKey;
use identity::creation_limits::CreationLimits;
use prefix::Prefix;
use settings::{Settings, Words};
use sign_in::Outside;
use updater::Updates;
use updater::restart::Restart;

/// Set on every answer that does not set its own, besides a content policy.
const HEADERS: [(HeaderName, HeaderValue); 2] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
];

/// What requests are answered from.
pub struct Site {
    service: Arc<Service>,
    credentials: Credentials,
    room: Room,
    log: AccessLog,
    files: Files,
    /// Of pages about themselves.
    reports: Limit,
    icon: Icon,
    /// Texts in the operator's own words.
    words: Words,
    custom: Custom,
    catalogue: admin::Catalogue,
    oidc: Arc<Oidc>,
    accounts: Arc<Accounts>,
    limits: Arc<CreationLimits>,
    /// Another provider where people sign in.
    outside: Option<Outside>,
    settings: Arc<Settings>,
    /// Given when the service runs.
    updates: OnceLock<Updates>,
    restart: OnceLock<Arc<Restart>>,
    version_answers: update::Answers,
    /// Calls under way. They are tasks of their own, since a call that was begun is carried out
    /// even if the client does not wait for the answer.
    calls: TaskTracker,
    /// Room for those who look on as things change.
    watchers: Arc<Semaphore>,
    /// Answers that would not end by themselves end now.
    closing: CancellationToken,
}

impl Site {
    /// `root` is where relative paths of the settings start.
    pub fn new(service: &Arc<Service>, key: ApiKey, settings: &Arc<Settings>, root: &Path) -> Site {
        let (service, settings) = (Arc::clone(service), Arc::clone(settings));
        let oidc = Arc::new(Oidc::new(&settings, root));
        let provider = Arc::clone(&oidc.provider);
        let accounts = Accounts::new(Arc::clone(&settings), provider, &root.join("var"));
        Site {
            service,
            accounts: Arc::new(accounts),
            limits: Arc::new(CreationLimits::new(&settings.creation)),
            outside: Outside::new(&settings.access.login),
            credentials: Credentials::new(vec![Box::new(key), Box::new(Arc::clone(&oidc))]),
            room: Room::new(),
            log: AccessLog::new(settings.log.ip),
            files: Files::new(&settings.files, root),
            reports: page_reports::limit(),
            words: settings.pages.messages.words(),
            icon: Icon::new(settings.pages.favicon.as_deref(), root),
            custom: Custom::new(root),
            catalogue: admin::Catalogue::new(&settings.privacy),
            oidc,
            settings,
            updates: OnceLock::new(),
            restart: OnceLock::new(),
            version_answers: update::Answers::default(),
            calls: TaskTracker::new(),
            watchers: Arc::new(Semaphore::new(admin::WATCHERS)),
            closing: CancellationToken::new(),
        }
    }

    /// From now on something can be asked about updates, and another start asked for.
    pub fn attach(&self, updates: Updates, restart: Arc<Restart>) {
        let _ = self.updates.set(updates);
        let _ = self.restart.set(restart);
    }

    pub fn accounts(&self) -> Arc<Accounts> {
        Arc::clone(&self.accounts)
    }

    pub fn creation_limits(&self) -> Arc<CreationLimits> {
        Arc::clone(&self.limits)
    }

    /// What runs.
    fn version(&self) -> &str {
        let updates = self.updates.get();
        updates.map_or(env!("CARGO_PKG_VERSION"), |updates| &updates.config.current)
    }

    /// What `/health` calls the release that runs.
    fn release_id(&self) -> &str {
        updater::release_id(&self.settings.listen, self.version())
    }

    /// Ends answers that would go on for ever.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// Waits for the calls under way and closes the store.
    pub async fn stop(&self) {
        self.calls.close();
        self.calls.wait().await;
        self.service.stop().await;
    }
}

/// `sockets` answers the one path that is not HTTP for long.
pub fn router(site: Arc<Site>, sockets: Router) -> Router {
    let behind_gate = Router::new()
        .route("/", get(pages::home))
        .route("/p", get(pad_page::by_name))
        .route("/p/{pad}", get(pad_page::pad))
        .route("/p/{pad}/timeslider", get(pad_page::history))
        .route("/custom/{*path}", get(custom::file))
        .merge(files::router())
        .merge(page_reports::router())
        .merge(update::for_visitors())
        .layer(from_fn_with_state(Arc::clone(&site), gate::visitors));
    let sockets = sockets.layer(from_fn_with_state(Arc::clone(&site), gate::sockets));
    let prefix = Prefix::of(&site.settings.listen);
    let forwarded = Forwarded::new(&site.settings);
    let routes = Router::new()
        .merge(behind_gate)
        .merge(sign_in::router())
        .merge(oidc::router())
        .merge(update::router())
        .merge(admin::router())
        .route("/admin-auth", any(admin_only::ask))
        .route("/admin-auth/", any(admin_only::ask))
        .route("/health", get(health::health))
        .merge(monitoring::router())
        .route("/favicon.ico", get(icon::icon))
        .route("/manifest.json", get(icon::manifest))
        .route("/robots.txt", get(robots::robots))
        .route("/offline.js", get(offline::script))
        .route("/api-docs", get(api_docs::page))
        .route("/api-docs.json", get(openapi::latest))
        .nest("/api", api::router())
        .route("/api/", get(api::current_version))
        .fallback(pages::nothing)
        .layer(compression::layer())
        .layer(map_request(compression::allow_plain))
        // The bundle is compressed when it is built, so its route is outside of that layer.
        .route("/assets/{*path}", get(assets::asset))
        .with_state(Arc::clone(&site))
        .merge(sockets)
        .layer(from_fn_with_state(site, around));
    // Before the routes are looked at, so not a layer of theirs.
    let stripped = MapRequest::new(routes, move |request: Request| {
        prefix.stripped(forwarded.resolved(request))
    });
    Router::new().fallback_service(stripped)
}

async fn around(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let visit = site.log.begin(&request);
    let mut response = match listener::head::is_too_large(&request) {
        true => listener::head::refusal(),
        false => paced_body::in_time(request, next).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    let headers = response.headers_mut();
    let policy = || policy(&site, "'self'", "");
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(policy);
    if site.settings.listen.expose_version
        && let Ok(server) = HeaderValue::from_str(&format!("padsvc/{}", site.version()))
    {
        headers.insert(header::SERVER, server);
    }
    visit.end(response)
}

/// What a page may load: it starts from nothing and names what our pages use. No `unsafe-inline`: a
/// script or style that found its way into a page stays text.
fn policy(site: &Site, styles: &str, more: &str) -> HeaderValue {
    let images = site.icon.sources();
    let ancestors = &site.settings.listen.frame_ancestors;
    let ancestors: Vec<&str> = ancestors.iter().map(|source| source.0.as_str()).collect();
    let frames = match (ancestors.is_empty(), more.contains("frame-ancestors")) {
        (false, false) => format!("; frame-ancestors {}", ancestors.join(" ")),
        _ => String::new(),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {styles}; img-src {images}; \
         connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'{frames}{more}"
    );
    // An address that breaks the header is none of the web, so it was not taken.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
