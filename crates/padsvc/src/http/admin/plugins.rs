//! `/admin/api/plugins`: what extends this service.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use super::answer::ok;
use crate::http::Site;
use crate::http::admin_only::Admin;

pub async fn show(State(site): State<Arc<Site>>, _: Admin) -> Response {
    ok(&json!({ "custom": site.custom.overview().await }))
}
