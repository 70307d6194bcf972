//! `/admin/update/…`: the state of updates, and what administrators do about them.
//!
//! Administrators can acknowledge, cancel and read the log at every tier: an attempt may be left
//! over from a higher one. Installing is there from tier `manual` on, the rest not at tier `off`.

mod actions;
mod status;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use update::Tier;

use crate::AdminState;
use updater::Updates;

pub(crate) fn router() -> Router<AdminState> {
    Router::new()
        .route("/admin/update/status", get(status::status))
        .route("/admin/update/apply", post(actions::apply))
        .route("/admin/update/cancel", post(actions::cancel))
        .route("/admin/update/acknowledge", post(actions::acknowledge))
        .route("/admin/update/log", get(actions::log))
}

/// Updates, at every tier.
struct Present(Updates);

/// Updates, where they are not off.
struct Looking(Updates);

/// Updates, where they can be installed.
struct Acting(Updates);

impl FromRequestParts<AdminState> for Present {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, state: &AdminState) -> Result<Present, NotThere> {
        from_tier(state, Tier::Off).map(Present)
    }
}

impl FromRequestParts<AdminState> for Looking {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, state: &AdminState) -> Result<Looking, NotThere> {
        from_tier(state, Tier::Notify).map(Looking)
    }
}

impl FromRequestParts<AdminState> for Acting {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, state: &AdminState) -> Result<Acting, NotThere> {
        from_tier(state, Tier::Manual).map(Acting)
    }
}

fn from_tier(state: &AdminState, tier: Tier) -> Result<Updates, NotThere> {
    let updates = state.updates.as_ref();
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
