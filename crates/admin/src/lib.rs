//! Admin area, `/admin`: where an administrator sees what is going on and acts.
//!
//! The pages are one shell; their scripts ask `/admin/api/…`, which is JSON and described in
//! `docs/admin.md`. Every route takes an [`Admin`](edge::admin_only::Admin), so none of it is for
//! anybody else, and no page of another site can act here or show a page of ours in a frame. All
//! of them are below one layer, `audit::record`, which writes down what administrators do.

#![expect(clippy::disallowed_types, reason = "how old an answer is")]

mod alerts;
mod answer;
mod audit;
mod authors;
mod backups;
mod health;
mod latency;
mod live;
mod log;
mod message;
mod monitor;
mod nodes;
mod openapi;
mod overview;
mod pads;
mod page;
mod plugins;
mod restart;
mod settings;
mod update;
mod watcher;

use std::convert::Infallible;
use std::sync::Arc;

use ::plugins::{Manager, Plugins};
use axum::Router;
use axum::extract::FromRef;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use service::Service;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use crate::alerts::Alerts;
use crate::plugins::{Catalogue, installed, plugin_page};
use ::settings::Settings;
pub use backups::Backups;
use edge::Edge;
use edge::custom::Custom;
use edge::files::Files;
use edge::page_context::PageContext;
use edge::sign_in::SignInState;
pub use monitor::Monitor;
pub use page::paths as page_paths;
use updater::Updates;
use updater::restart::Restart;

/// What goes on whether anybody looks or not.
#[derive(Clone)]
pub struct Background {
    pub monitor: Arc<Monitor>,
    pub backups: Arc<Backups>,
    pub alerts: Arc<Alerts>,
}

/// State of the admin area.
#[derive(Clone)]
pub struct AdminState {
    page: Arc<PageContext>,
    sign_in: SignInState,
    service: Arc<Service>,
    settings: Arc<Settings>,
    files: Arc<Files>,
    custom: Arc<Custom>,
    catalogue: Arc<Catalogue>,
    monitor: Arc<Monitor>,
    backups: Arc<Backups>,
    alerts: Arc<Alerts>,
    plugins: Arc<Manager>,
    /// `None` where no plugin runs.
    plugin_host: Option<Arc<Plugins>>,
    /// `None` where the service neither updates nor restarts itself.
    updates: Option<Updates>,
    restart: Option<Arc<Restart>>,
    /// Seats for streams of live numbers.
    watchers: Arc<Semaphore>,
    /// Ends those streams, which go on for ever otherwise.
    closing: CancellationToken,
}

impl AdminState {
    pub fn new(
        edge: &Edge,
        background: &Background,
        plugins: &Arc<Manager>,
        plugin_host: Option<Arc<Plugins>>,
        updates: Option<Updates>,
        restart: Option<Arc<Restart>>,
    ) -> AdminState {
        AdminState {
            page: Arc::clone(&edge.page),
            sign_in: edge.sign_in.clone(),
            service: Arc::clone(&edge.pages.service),
            settings: Arc::clone(&edge.page.settings),
            files: Arc::clone(&edge.files.files),
            custom: Arc::clone(&edge.pages.custom),
            catalogue: Arc::new(Catalogue::new(&edge.page.settings.privacy)),
            monitor: Arc::clone(&background.monitor),
            backups: Arc::clone(&background.backups),
            alerts: Arc::clone(&background.alerts),
            plugins: Arc::clone(plugins),
            plugin_host,
            updates,
            restart,
            watchers: Arc::new(Semaphore::new(watcher::WATCHERS)),
            closing: CancellationToken::new(),
        }
    }

    /// Measures, makes backups and sends alerts, until it is dropped.
    pub async fn run(&self) -> Infallible {
        tokio::select! {
            never = self.monitor.run() => never,
            never = self.backups.run() => never,
            never = self.alerts.run(self) => never,
        }
    }

    /// Ends the answers that would go on for ever.
    pub fn close_streams(&self) {
        self.closing.cancel();
    }
}

impl FromRef<AdminState> for SignInState {
    fn from_ref(state: &AdminState) -> SignInState {
        state.sign_in.clone()
    }
}

pub fn router(state: AdminState) -> Router {
    Router::new()
        .merge(page::router())
        .merge(update::router())
        .route("/admin/openapi.json", get(openapi::openapi))
        .route("/admin/api/live", get(live::live))
        .route("/admin/api/log", get(log::watch))
        .route("/admin/api/alerts", get(alerts::show))
        .route("/admin/api/alerts/test", post(alerts::test))
        .route("/admin/api/audit", get(audit::list))
        .route("/admin/api/backups", get(backups::list).post(backups::make))
        .route("/admin/api/backups/test", post(backups::test))
        .route("/admin/api/backups/download/{name}", get(backups::download))
        .route("/admin/api/overview", get(overview::overview))
        .route("/admin/api/series", get(overview::get_series))
        .route("/admin/api/pads", get(pads::list))
        .route("/admin/api/pads/delete", post(pads::delete))
        .route("/admin/api/pads/compact", post(pads::compact))
        .route("/admin/api/pads/archive", post(pads::archive))
        .route("/admin/api/pad", get(pads::details))
        .route("/admin/api/pads/{pad}/export/{format}", get(pads::export))
        .route("/admin/api/authors", get(authors::list))
        .route("/admin/api/authors/preview", post(authors::preview))
        .route("/admin/api/authors/erase", post(authors::erase))
        .route("/admin/api/message", post(message::send))
        .route("/admin/api/nodes", get(nodes::list))
        .route("/admin/api/plugins", get(plugins::get_plugins))
        .route("/admin/api/plugins/installed", get(installed::list))
        .route("/admin/api/plugins/offers", get(installed::offers))
        .route("/admin/api/plugins/review", post(installed::review))
        .route("/admin/api/plugins/install", post(installed::install))
        .route("/admin/api/plugins/enable", post(installed::enable))
        .route("/admin/api/plugins/configure", post(installed::configure))
        .route("/admin/api/plugins/remove", post(installed::remove))
        .route(
            "/admin/api/plugins/page",
            get(plugin_page::get_page).post(plugin_page::post_action),
        )
        .route(
            "/admin/api/plugins/catalogue",
            get(plugins::get_catalogue).post(plugins::refresh_catalogue),
        )
        .route(
            "/admin/api/restart",
            get(restart::get_start).post(restart::post_restart),
        )
        .route(
            "/admin/api/settings",
            get(settings::get_settings).post(settings::post_settings),
        )
        .route("/admin/api/settings/check", post(settings::check))
        .route("/admin/api/settings/edit", post(settings::edit))
        .route_layer(from_fn_with_state(state.clone(), audit::record))
        .with_state(state)
}

#[cfg(test)]
mod tests;
