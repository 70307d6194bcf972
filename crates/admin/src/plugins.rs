//! `/admin/api/plugins`: what extends this service, and what could extend Etherpad.

mod built_in;
mod catalogue;
mod features;
pub(crate) mod installed;
pub(crate) mod plugin_page;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use crate::AdminState;
use crate::answer::ok;
use crate::settings::{broken, contents, editable};
pub(crate) use catalogue::Catalogue;
use edge::admin_only::Admin;
use settings::mask;

pub(crate) async fn get_plugins(State(state): State<AdminState>, _: Admin) -> Response {
    let file = match editable(&state) {
        Some(path) => match contents(path).await {
            Ok(text) => Some(text),
            Err(error) => return broken(path, &error),
        },
        None => None,
    };
    ok(&json!({
        "features": features::overview(&state.settings, file.as_deref()),
        "file": file.as_deref().and_then(mask),
        "custom": state.custom.overview().await,
    }))
}

pub(crate) async fn get_catalogue(State(state): State<AdminState>, _: Admin) -> Response {
    ok(&state.catalogue.overview(false).await)
}

/// However fresh the last answer is.
pub(crate) async fn refresh_catalogue(State(state): State<AdminState>, _: Admin) -> Response {
    ok(&state.catalogue.overview(true).await)
}
