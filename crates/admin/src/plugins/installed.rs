//! `/admin/api/plugins/…`: installing plugins and looking after them.
//!
//! An archive is the body of a request; what the administrator agrees to is in the query, with the
//! SHA-256 of the package that was shown. A review and the installation after it each carry the
//! archive, so nothing is kept in between, and nothing is installed but what was shown. In place of
//! an archive there can be a form with the files of a folder.

mod describe;
mod folder;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use plugin::package::ARCHIVE;
use plugin::{Name, PadPatterns, Permission};
use plugins::{Consent, FetchError, ManageError};
use semver::Version;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::{error, info};

use crate::AdminState;
use crate::answer::{about, json as respond, ok, read, unavailable, wrong};
use edge::admin_only::Admin;
use identity::query::parameter;

/// What is installed, with texts in the language of the query where the plugin has them.
pub(crate) async fn list(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let language = parameter(&uri, "language").unwrap_or_default();
    let snapshot = state.plugins.registry().current();
    let plugins = snapshot.plugins.values();
    let plugins = plugins.map(|plugin| {
        let host = state.plugin_host.as_ref();
        let health = host.and_then(|host| host.health(plugin.name()));
        describe::installed(plugin, health.as_ref(), &language)
    });
    ok(&json!({
        "plugins": plugins.collect::<Vec<Value>>(),
        "unusable": snapshot.unusable,
    }))
}

/// What the catalogue offers; asked when somebody looks.
pub(crate) async fn offers(State(state): State<AdminState>, _: Admin) -> Response {
    match state.plugins.catalogue().await {
        Ok(catalogue) => ok(&json!({
            "plugins": catalogue.entries.iter().map(Value::from).collect::<Vec<_>>(),
            "skipped": catalogue.skipped,
        })),
        Err(ManageError::Fetch(FetchError::Forbidden)) => {
            ok(&json!({ "off": "privacy.pluginCatalog" }))
        }
        Err(ManageError::Fetch(FetchError::NoAddress)) => {
            ok(&json!({ "off": "plugins.catalogue" }))
        }
        Err(error) => ok(&json!({ "problem": error.to_string() })),
    }
}

pub(crate) async fn review(
    State(state): State<AdminState>,
    _: Admin,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let archive = match archive(&state, &uri, &headers, body).await {
        Ok(archive) => archive,
        Err(refusal) => return refusal,
    };
    match state.plugins.review(&archive) {
        Ok(review) => ok(&describe::review(&review)),
        Err(error) => refused(&error),
    }
}

pub(crate) async fn install(
    State(state): State<AdminState>,
    Admin(user): Admin,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Some(sha256) = parameter(&uri, "sha256") else {
        return wrong("sha256 has to be that of the package that was reviewed");
    };
    let granted = parameter(&uri, "granted").unwrap_or_default();
    let granted = granted.split_whitespace().map(str::parse::<Permission>);
    let consent = match granted.collect() {
        Ok(granted) => Consent {
            sha256,
            granted,
            browsers: parameter(&uri, "browsers").as_deref() == Some("true"),
        },
        Err(error) => return wrong(&error.to_string()),
    };
    let archive = match archive(&state, &uri, &headers, body).await {
        Ok(archive) => archive,
        Err(refusal) => return refusal,
    };
    // Administrators are not trusted with the machine, nor with what it alone can reach. Also not
    // what is granted already: this package is another one than the operator has looked at.
    let asked = state.plugins.review(&archive);
    let asked = asked.map(|review| review.manifest.permissions);
    let asked = asked.unwrap_or_default();
    if let Some(permission) = asked.iter().find(|it| it.is_in_own_network()) {
        let text = format!(
            "{permission} is a host of the service's own network, which is granted on its machine: \
             padsvc plugins install"
        );
        return respond(StatusCode::FORBIDDEN, &json!({ "error": text }));
    }
    let now = state.service.now();
    match state.plugins.install(&archive, &consent, now).await {
        Ok(plugin) => {
            let (name, version) = (plugin.name(), &plugin.record.version);
            info!("{user} has installed the plugin {name} {version}");
            let answer = ok(&json!({ "name": name, "version": version }));
            about(answer, name.as_str(), version)
        }
        Err(error) => refused(&error),
    }
}

pub(crate) async fn enable(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (name, request) = match named(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let Some(enabled) = request.get("enabled").and_then(Value::as_bool) else {
        return wrong("enabled has to be true or false");
    };
    info!("{user} switches the plugin {name}");
    let outcome = state.plugins.set_enabled(name.as_str(), enabled).await;
    // Also one that was switched off after failures.
    if let Some(host) = state.plugin_host.as_ref().filter(|_| enabled) {
        host.switch_on(&name);
    }
    let detail = if enabled { "enabled" } else { "disabled" };
    about(done(outcome), name.as_str(), detail)
}

pub(crate) async fn configure(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (name, request) = match named(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let nothing = json!({});
    let values = request.get("values").unwrap_or(&nothing);
    let pads = request.get("pads").map(PadPatterns::deserialize);
    let pads = match pads.transpose() {
        Ok(pads) => pads,
        Err(error) => return wrong(&format!("pads: {error}")),
    };
    info!("{user} sets settings of the plugin {name}");
    // The names of the settings; a value may be a secret.
    let keys = values.as_object().into_iter().flat_map(|map| map.keys());
    let keys = keys.map(String::as_str).collect::<Vec<_>>().join(", ");
    let configured = state
        .plugins
        .configure(name.as_str(), values, pads.as_ref());
    about(done(configured.await), name.as_str(), keys)
}

pub(crate) async fn remove(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let name = match named(body).await {
        Ok((name, _)) => name,
        Err(refusal) => return refusal,
    };
    info!("{user} removes the plugin {name}");
    about(
        done(state.plugins.remove(name.as_str()).await),
        name.as_str(),
        "",
    )
}

/// The body, or what the catalogue has if the query names a plugin.
async fn archive(
    state: &AdminState,
    uri: &Uri,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, Response> {
    let Some(name) = parameter(uri, "name") else {
        if let Some(boundary) = folder::boundary(headers) {
            let archive = folder::archive(body, boundary).await;
            return archive.map_err(|error| refused(&error));
        }
        let bytes = to_bytes(body, ARCHIVE).await;
        return bytes.map_err(|_| wrong("the archive is too long, or broke off"));
    };
    let name: Name = name.parse().map_err(|_| wrong("there is no such plugin"))?;
    let version = parameter(uri, "version").map(|text| text.parse::<Version>());
    let version = version
        .transpose()
        .map_err(|_| wrong("there is no such version"))?;
    let fetched = state.plugins.fetch(&name, version.as_ref()).await;
    fetched.map(Bytes::from).map_err(|error| refused(&error))
}

/// The body of a request that names a plugin.
pub(super) async fn named(body: Body) -> Result<(Name, Value), Response> {
    let request = read(body).await?;
    let name = request.get("name").and_then(Value::as_str);
    match name.and_then(|name| name.parse().ok()) {
        Some(name) => Ok((name, request)),
        None => Err(wrong("name has to be that of a plugin")),
    }
}

fn done(outcome: Result<(), ManageError>) -> Response {
    match outcome {
        Ok(()) => ok(&json!({})),
        Err(error) => refused(&error),
    }
}

fn refused(error: &ManageError) -> Response {
    let status = match error {
        ManageError::Store(reason) => {
            error!("plugins: {reason}");
            return unavailable();
        }
        ManageError::NotInstalled(_) => StatusCode::NOT_FOUND,
        ManageError::Changed | ManageError::NotAsShown => StatusCode::CONFLICT,
        ManageError::Fetch(_) => StatusCode::BAD_GATEWAY,
        _ => StatusCode::BAD_REQUEST,
    };
    respond(status, &json!({ "error": error.to_string() }))
}
