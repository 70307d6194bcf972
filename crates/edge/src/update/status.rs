//! `GET /admin/update/status`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use update::status::View;

use super::Looking;
use crate::api::JSON;
use crate::{Site, refuse};
use identity::principal::{Denied, Principal};
use updater::now;

pub async fn status(
    State(site): State<Arc<Site>>,
    Looking(updates): Looking,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let principal = match site.accounts.principal(&parts).await {
        Ok(principal) => principal,
        Err(wait) => return refuse::slowed(wait),
    };
    if site.settings.updates.require_admin_for_status {
        match principal {
            Principal::Admin(_) => {}
            Principal::User(_) => return refuse::closed(&site, &parts, Denied::Forbidden),
            Principal::Anonymous => return refuse::closed(&site, &parts, Denied::NotSignedIn),
        }
    }
    let view = View {
        is_admin: matches!(principal, Principal::Admin(_)),
        shows_version: site.settings.listen.expose_version,
        lock_is_held: updates.lock_is_held(),
        now: now(),
    };
    let status = update::status::status(&updates.owner.state(), &updates.config, view);
    let headers = [(header::CONTENT_TYPE, JSON)];
    ([refuse::NO_STORE], headers, status.to_string()).into_response()
}
