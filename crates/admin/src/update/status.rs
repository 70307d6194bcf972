//! `GET /admin/update/status`.

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use update::status::View;

use super::Looking;
use crate::AdminState;
use edge::JSON;
use edge::refuse;
use identity::principal::{Denied, Principal};
use updater::now;

pub(super) async fn status(
    State(state): State<AdminState>,
    Looking(updates): Looking,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let principal = match state.sign_in.accounts.principal(&parts).await {
        Ok(principal) => principal,
        Err(unproven) => return refuse::unproven(unproven),
    };
    if state.settings.updates.require_admin_for_status {
        match principal {
            Principal::Admin(_) => {}
            Principal::User(_) => return refuse::denied(&state.sign_in, &parts, Denied::Forbidden),
            Principal::Anonymous => {
                return refuse::denied(&state.sign_in, &parts, Denied::NotSignedIn);
            }
        }
    }
    let roll = updates.roll();
    let view = View {
        is_admin: matches!(principal, Principal::Admin(_)),
        shows_version: state.settings.listen.expose_version,
        lock_is_held: updates.lock_is_held(),
        now: now(),
        roll: roll.as_ref(),
    };
    let status = update::status::status(&updates.owner.state(), &updates.config, view);
    let headers = [(header::CONTENT_TYPE, JSON)];
    ([refuse::NO_STORE], headers, status.to_string()).into_response()
}
