//! Everything answered over HTTP: the routes, and what happens around every request.
//!
//! Around means: the head is small enough, the answer carries our headers and a request id, and a
//! line in the access log says what it was.

#![expect(
    clippy::disallowed_types,
    reason = "time-outs and how long requests take"
)]

mod access;
pub mod admin_only;
mod api;
mod api_docs;
mod assets;
mod auth_layer;
mod card;
mod compression;
mod conversions;
pub mod custom;
pub mod files;
mod forwarded;

mod health;
mod icon;
mod language;
mod monitoring;
pub mod office;
mod offline;
mod oidc;
pub mod openapi;
mod origin;
mod paced_body;
mod pad_page;
pub mod page_context;
mod page_reports;
pub mod pages;
mod plugin_routes;
mod prefix;
pub mod refuse;
mod robots;
pub mod shell;
pub mod sign_in;
mod version_status;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state, map_request};
use axum::response::Response;
use axum::routing::get;
use plugins::Plugins;
use service::Service;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::util::MapRequest;

use access::AccessLog;
pub use api::JSON;
use api::{ApiState, BodyBudget, Credentials};
use custom::Custom;
use files::{Files, FilesState};
use forwarded::Forwarded;
use identity::accounts::Accounts;
use identity::api_key::ApiKey;
use identity::creation_limits::CreationLimits;
use monitoring::MonitoringState;
pub use oidc::Oidc;
use oidc::OidcState;
use page_context::PageContext;
use page_reports::ReportsState;
use pages::PagesState;
use plugin_routes::PluginRoutes;
use prefix::Prefix;
use settings::Settings;
use sign_in::SignInState;
use updater::Updates;
use version_status::VersionStatusState;

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

/// What the wiring hands over.
pub struct Dependencies<'a> {
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    pub accounts: Arc<Accounts>,
    pub limits: Arc<CreationLimits>,
    pub oidc: Arc<Oidc>,
    pub key: ApiKey,
    /// `None` where no plugin can run.
    pub plugins: Option<Arc<Plugins>>,
    /// `None` where the service does not update itself.
    pub updates: Option<Updates>,
    /// Cancelled when this node ends and others go on.
    pub draining: CancellationToken,
    /// Where relative paths of the settings start.
    pub root: &'a Path,
}

/// The state of each area. Handlers get that of their own area and no other.
pub struct Edge {
    pub page: Arc<PageContext>,
    pub sign_in: SignInState,
    oidc: OidcState,
    pub pages: PagesState,
    pub files: FilesState,
    reports: ReportsState,
    plugin_routes: Option<PluginRoutes>,
    api: ApiState,
    monitoring: MonitoringState,
    version_status: Option<VersionStatusState>,
}

impl Edge {
    pub fn new(given: Dependencies<'_>) -> Edge {
        let Dependencies {
            service,
            settings,
            accounts,
            limits,
            oidc,
            key,
            plugins,
            updates,
            draining,
            root,
        } = given;
        let version = updates.as_ref().map(|updates| &updates.config.current);
        let version = version.map_or(env!("CARGO_PKG_VERSION"), String::as_str);
        let page = Arc::new(PageContext::new(&settings, root, version.to_owned()));
        let sign_in = SignInState::new(&page, &accounts, oidc.provider.lives.login.seconds);
        let credentials = Arc::new(Credentials::new(key, Arc::clone(&oidc)));
        let plugin_routes = plugins.clone();
        let plugin_routes = plugin_routes
            .map(|plugins| PluginRoutes::new(&page, &service, &settings, &accounts, plugins));
        Edge {
            oidc: OidcState {
                sign_in: sign_in.clone(),
                oidc,
            },
            pages: PagesState {
                page: Arc::clone(&page),
                service: Arc::clone(&service),
                settings: Arc::clone(&settings),
                accounts: Arc::clone(&accounts),
                limits: Arc::clone(&limits),
                custom: Arc::new(Custom::new(root)),
            },
            files: FilesState {
                page: Arc::clone(&page),
                service: Arc::clone(&service),
                settings: Arc::clone(&settings),
                accounts,
                limits,
                files: Arc::new(Files::new(&service, &settings.files, root)),
            },
            reports: ReportsState::new(&settings),
            plugin_routes,
            monitoring: MonitoringState {
                page: Arc::clone(&page),
                sign_in: sign_in.clone(),
                service: Arc::clone(&service),
                settings: Arc::clone(&settings),
                credentials: Arc::clone(&credentials),
                draining,
            },
            version_status: updates
                .map(|updates| VersionStatusState::new(updates, &service, &sign_in)),
            api: ApiState {
                service,
                settings,
                credentials,
                budget: Arc::new(BodyBudget::new()),
                plugins,
                calls: TaskTracker::new(),
            },
            page,
            sign_in,
        }
    }

    /// All routes. `sockets` answers the one path that is not HTTP for long, `admin` the admin
    /// area.
    pub fn router(&self, sockets: Router, admin: Router) -> Router {
        let sockets = sockets.layer(from_fn_with_state(
            self.sign_in.clone(),
            auth_layer::sockets,
        ));
        let around = Around {
            log: AccessLog::new(self.page.settings.log.ip),
            page: Arc::clone(&self.page),
        };
        let routes = Router::new()
            .merge(self.behind_auth())
            .merge(sign_in::router(self.sign_in.clone()))
            .merge(oidc::router(self.oidc.clone()))
            .merge(admin)
            .merge(admin_only::router(self.sign_in.clone()))
            .merge(monitoring::router(self.monitoring.clone()))
            .merge(self.for_everybody())
            .nest("/api", api::router(self.api.clone()))
            .route("/api/", get(api::current_version))
            .layer(compression::layer())
            .layer(map_request(compression::allow_plain))
            // The bundle is compressed when it is built, so its route is outside of that layer.
            .merge(assets::router(Arc::clone(&self.page)))
            .merge(sockets)
            .layer(from_fn_with_state(Arc::new(around), Around::answer));
        let prefix = Prefix::of(&self.page.settings.listen);
        let forwarded = Forwarded::new(&self.page.settings);
        // Before the routes are looked at, so not a layer of theirs.
        let stripped = MapRequest::new(routes, move |request: Request| {
            prefix.stripped(forwarded.resolved(request))
        });
        Router::new().fallback_service(stripped)
    }

    /// Routes for those who may come to pads.
    fn behind_auth(&self) -> Router {
        let (version_status, plugins) = (self.version_status.clone(), self.plugin_routes.clone());
        Router::new()
            .route("/", get(pages::home))
            .route("/p", get(pad_page::redirect_by_name))
            .route("/p/{pad}", get(pad_page::get_pad))
            .route("/p/{pad}/timeslider", get(pad_page::get_history))
            .route("/custom/{*path}", get(custom::get_file))
            .with_state(self.pages.clone())
            .merge(files::router(self.files.clone()))
            .merge(page_reports::router(self.reports.clone()))
            .merge(version_status.map_or_else(Router::new, version_status::router))
            .merge(plugins.map_or_else(Router::new, plugin_routes::router))
            .layer(from_fn_with_state(
                self.sign_in.clone(),
                auth_layer::visitors,
            ))
    }

    /// Routes that need no principal, and the answer where no route is.
    fn for_everybody(&self) -> Router {
        Router::new()
            .route("/favicon.ico", get(icon::icon))
            .route("/manifest.json", get(icon::manifest))
            .route("/robots.txt", get(robots::robots))
            .route("/offline.js", get(offline::script))
            .route("/api-docs", get(api_docs::page))
            .route("/api-docs.json", get(openapi::current))
            .fallback(pages::not_found)
            .with_state(Arc::clone(&self.page))
    }

    /// Waits for the calls under way.
    pub async fn finish_calls(&self) {
        self.api.calls.close();
        self.api.calls.wait().await;
    }
}

/// What happens around every request.
struct Around {
    log: AccessLog,
    page: Arc<PageContext>,
}

impl Around {
    async fn answer(State(around): State<Arc<Around>>, request: Request, next: Next) -> Response {
        let page = &around.page;
        let visit = around.log.begin(&request);
        let mut response = if listener::head::is_too_large(&request) {
            listener::head::refusal()
        } else {
            paced_body::in_time(request, next).await
        };
        let headers = response.headers_mut();
        for (name, value) in HEADERS {
            headers.entry(name).or_insert(value);
        }
        headers
            .entry(header::CONTENT_SECURITY_POLICY)
            .or_insert_with(|| page.policy("'self'", ""));
        if page.settings.listen.expose_version
            && let Ok(server) = HeaderValue::from_str(&format!("padsvc/{}", page.version))
        {
            headers.insert(header::SERVER, server);
        }
        visit.end(response)
    }
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
