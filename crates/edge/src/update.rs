//! `/admin/update/…` and `/api/version-status`: what can be asked about updates, and asked of them.
//!
//! Administrators can acknowledge, cancel and read the log at every tier: an attempt may be left
//! over from a higher one. Installing is there from tier `manual` on, the rest not at tier `off`.

mod actions;
mod status;
mod version_status;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use service::Service;
use update::Tier;

use super::sign_in::SignInState;
use settings::Settings;
use updater::Updates;
use version_status::Answers;

/// State of the routes about updates.
#[derive(Clone)]
pub struct UpdateState {
    updates: Updates,
    sign_in: SignInState,
    service: Arc<Service>,
    settings: Arc<Settings>,
    answers: Arc<Answers>,
}

impl UpdateState {
    pub fn new(updates: Updates, sign_in: &SignInState, service: &Arc<Service>) -> UpdateState {
        UpdateState {
            updates,
            sign_in: sign_in.clone(),
            service: Arc::clone(service),
            settings: Arc::clone(&sign_in.settings),
            answers: Arc::default(),
        }
    }
}

impl FromRef<UpdateState> for SignInState {
    fn from_ref(state: &UpdateState) -> SignInState {
        state.sign_in.clone()
    }
}

pub fn router(state: UpdateState) -> Router {
    Router::new()
        .route("/admin/update/status", get(status::status))
        .route("/admin/update/apply", post(actions::apply))
        .route("/admin/update/cancel", post(actions::cancel))
        .route("/admin/update/acknowledge", post(actions::acknowledge))
        .route("/admin/update/log", get(actions::log))
        .with_state(state)
}

/// What pages ask.
pub fn for_visitors(state: UpdateState) -> Router {
    Router::new()
        .route("/api/version-status", get(version_status::version_status))
        .with_state(state)
}

/// Updates, where they are not off.
struct Looking(Updates);

/// Updates, where they can be installed.
struct Acting(Updates);

impl FromRequestParts<UpdateState> for Looking {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, state: &UpdateState) -> Result<Looking, NotThere> {
        from_tier(state, Tier::Notify).map(Looking)
    }
}

impl FromRequestParts<UpdateState> for Acting {
    type Rejection = NotThere;

    async fn from_request_parts(_: &mut Parts, state: &UpdateState) -> Result<Acting, NotThere> {
        from_tier(state, Tier::Manual).map(Acting)
    }
}

fn from_tier(state: &UpdateState, tier: Tier) -> Result<Updates, NotThere> {
    if state.updates.config.tier >= tier {
        Ok(state.updates.clone())
    } else {
        Err(NotThere)
    }
}

/// The tier does not have it.
struct NotThere;

impl IntoResponse for NotThere {
    fn into_response(self) -> Response {
        (StatusCode::NOT_FOUND, "Not found\n").into_response()
    }
}
