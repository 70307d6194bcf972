//! `/admin/update/…` and `/api/version-status`: what can be asked about updates, and asked of them.
//!
//! Administrators can acknowledge, cancel and read the log at every tier: an attempt may be left
//! over from a higher one. Installing is there from tier `manual` on, the rest not at tier `off`.

mod actions;
mod status;
mod version_status;

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use update::Tier;

use super::Site;
use updater::Updates;
pub use version_status::Answers;

pub fn router() -> Router<Arc<Site>> {
    Router::new()
        .route("/admin/update/status", get(status::status))
        .route("/admin/update/apply", post(actions::apply))
        .route("/admin/update/cancel", post(actions::cancel))
        .route("/admin/update/acknowledge", post(actions::acknowledge))
        .route("/admin/update/log", get(actions::log))
}

/// What pages ask.
pub fn for_visitors() -> Router<Arc<Site>> {
    Router::new().route("/api/version-status", get(version_status::version_status))
}

/// Updates, at every tier.
struct Present(Updates);

/// Updates, where they are not off.
struct Looking(Updates);

/// Updates, where they can be installed.
struct Acting(Updates);

impl FromRequestParts<Arc<Site>> for Present {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, site: &Arc<Site>) -> Result<Present, NotThere> {
        from_tier(site, Tier::Off).map(Present)
    }
}

impl FromRequestParts<Arc<Site>> for Looking {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, site: &Arc<Site>) -> Result<Looking, NotThere> {
        from_tier(site, Tier::Notify).map(Looking)
    }
}

impl FromRequestParts<Arc<Site>> for Acting {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, site: &Arc<Site>) -> Result<Acting, NotThere> {
        from_tier(site, Tier::Manual).map(Acting)
    }
}

fn from_tier(site: &Site, tier: Tier) -> Result<Updates, NotThere> {
    let updates = site.updates.get();
    let updates = updates.filter(|updates| updates.config.tier >= tier);
    updates.cloned().ok_or(NotThere)
}

/// The tier does not have it.
struct NotThere;

impl IntoResponse for NotThere {
    fn into_response(self) -> Response {
        (StatusCode::NOT_FOUND, "Not found\n").into_response()
    }
}
