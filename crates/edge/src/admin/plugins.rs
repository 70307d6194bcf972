//! `/admin/api/plugins`: what extends this service, and what could extend Etherpad.

mod built_in;
mod catalogue;
mod features;

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use super::answer::ok;
use super::settings::{broken, contents, editable};
use crate::Site;
use crate::admin_only::Admin;
pub use catalogue::Catalogue;
use settings::mask;

pub async fn show(State(site): State<Arc<Site>>, _: Admin) -> Response {
    let file = match editable(&site) {
        Some(path) => match contents(path).await {
            Ok(text) => Some(text),
            Err(error) => return broken(path, &error),
        },
        None => None,
    };
    ok(&json!({
        "features": features::overview(&site.settings, file.as_deref()),
        "file": file.as_deref().and_then(mask),
        "custom": site.custom.overview().await,
    }))
}

pub async fn catalogue(State(site): State<Arc<Site>>, _: Admin) -> Response {
    ok(&site.catalogue.show(false).await)
}

/// However fresh the last answer is.
pub async fn fetch_catalogue(State(site): State<Arc<Site>>, _: Admin) -> Response {
    ok(&site.catalogue.show(true).await)
}
