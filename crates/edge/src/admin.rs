//! `/admin`: where an administrator sees what is going on and acts.
//!
//! The pages are one shell; their scripts ask `/admin/api/…`, which is JSON and described in
//! `docs/admin.md`. Every route takes an [`Admin`](super::admin_only::Admin), so none of it is for
//! anybody else, and no page of another site can act here or show a page of ours in a frame.

mod answer;
mod authors;
mod latency;
mod live;
mod message;
mod openapi;
mod pads;
mod page;
mod plugins;
mod restart;
mod settings;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::Site;
pub use live::WATCHERS;
pub use plugins::Catalogue;

pub fn router() -> Router<Arc<Site>> {
    Router::new()
        .route("/admin", get(page::page))
        .route("/admin/", get(page::to_dashboard))
        .route("/admin/pads", get(page::page))
        .route("/admin/authors", get(page::page))
        .route("/admin/message", get(page::page))
        .route("/admin/settings", get(page::page))
        .route("/admin/update", get(page::page))
        .route("/admin/plugins", get(page::page))
        .route("/admin/help", get(page::page))
        .route("/admin/openapi.json", get(openapi::openapi))
        .route("/admin/api/live", get(live::live))
        .route("/admin/api/pads", get(pads::list))
        .route("/admin/api/pads/delete", post(pads::delete))
        .route("/admin/api/pads/compact", post(pads::compact))
        .route("/admin/api/pads/{pad}/export/{format}", get(pads::export))
        .route("/admin/api/authors", get(authors::list))
        .route("/admin/api/authors/preview", post(authors::preview))
        .route("/admin/api/authors/erase", post(authors::erase))
        .route("/admin/api/message", post(message::send))
        .route("/admin/api/plugins", get(plugins::show))
        .route(
            "/admin/api/plugins/catalogue",
            get(plugins::catalogue).post(plugins::fetch_catalogue),
        )
        .route("/admin/api/restart", get(restart::show).post(restart::ask))
        .route(
            "/admin/api/settings",
            get(settings::show).post(settings::save),
        )
        .route("/admin/api/settings/check", post(settings::check))
        .route("/admin/api/settings/edit", post(settings::edit))
}

#[cfg(test)]
mod tests;
