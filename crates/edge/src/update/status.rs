//! `GET /admin/update/status`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use update::status::View;

use super::Looking;
use crate::api::JSON;
use crate::{Site, refuse};
use identity::who::{Closed, Who};
use updater::now;

pub async fn status(
    State(site): State<Arc<Site>>,
    Looking(updates): Looking,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let who = match site.accounts.who(&parts).await {
        Ok(who) => who,
        Err(wait) => return refuse::slowed(wait),
    };
    if site.settings.updates.require_admin_for_status {
        match who {
            Who::Admin(_) => {}
            Who::User(_) => return refuse::closed(&site, &parts, Closed::NotForThem),
            Who::Anonymous => return refuse::closed(&site, &parts, Closed::NotSignedIn),
        }
    }
    let view = View {
        is_admin: matches!(who, Who::Admin(_)),
        shows_version: site.settings.listen.expose_version,
        lock_is_held: updates.lock_is_held(),
        now: now(),
    };
    let status = update::status::status(&updates.owner.state(), &updates.config, view);
    let headers = [(header::CONTENT_TYPE, JSON)];
    ([refuse::NO_STORE], headers, status.to_string()).into_response()
}
