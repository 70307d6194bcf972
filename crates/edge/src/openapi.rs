//! `GET /api/openapi.json`, also at `/api-docs.json`, and `GET /api/<version>/openapi.json`: the
//! API as code generators and testers read it.
//!
//! The documents are made from the table of functions and from nothing else, so they cannot say
//! anything that is not so: a version has exactly the functions and parameters that calls of this
//! version have.

mod operations;
mod schemas;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use service::api::schema::Schema;
use service::api::{Function, Heading, Version, functions};

use super::api;

const ABOUT: &str = "Controls pads, groups, authors and sessions from another application. Every \
    function can be called with GET or POST; a long text has to go into the body of a POST, since \
    the head of a request may have 8192 bytes at most. An answer is always an object with `code`, \
    `message` and `data`: 0 and `ok` if all is well, otherwise what is wrong.";

pub async fn current() -> Response {
    of(Version::CURRENT).into_response()
}

pub async fn of_version(Path(version): Path<String>) -> Response {
    match version.parse() {
        Ok(version) => of(version).into_response(),
        Err(_) => api::no_such_function().await,
    }
}

fn of(version: Version) -> impl IntoResponse {
    /// They never change while the program runs.
    static DOCUMENTS: LazyLock<BTreeMap<Version, Bytes>> = LazyLock::new(|| {
        let entry = |version| (version, document(version).to_string().into());
        Version::all().map(entry).collect()
    });
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        // Any page may read a description of the API.
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (
        headers,
        DOCUMENTS.get(&version).cloned().unwrap_or_default(),
    )
}

/// The JSON Schema of a value, from the short form.
pub fn schema(short: &str) -> Value {
    Schema::parse(short).map_or(json!({}), |schema| schemas::full(&schema))
}

/// The functions that a version has, in the order of the table.
fn functions_of(version: Version) -> impl Iterator<Item = &'static Function> {
    functions().filter(move |function| function.since <= version)
}

/// The whole document.
pub(super) fn document(version: Version) -> Value {
    let paths: Map<String, Value> = functions_of(version)
        .map(|function| operations::path(function, version))
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "padsvc API",
            "version": version.as_str(),
            "description": ABOUT,
            "contact": { "name": "padsvc" },
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        // Without a host it holds wherever the server is; generators know no other such form.
        "servers": [{ "url": format!("/api/{version}") }],
        "security": operations::security(),
        "tags": tags(version),
        "paths": paths,
        "components": {
            "securitySchemes": security_schemes(),
            "responses": operations::all_responses(version),
            "schemas": schemas::all(version),
        },
    })
}

/// The headings that the version has functions under.
fn tags(version: Version) -> Vec<Value> {
    let mut headings: Vec<Heading> = functions_of(version)
        .map(|function| function.heading)
        .collect();
    headings.dedup();
    let tag = |heading: Heading| json!({ "name": heading.title(), "description": heading.about() });
    headings.into_iter().map(tag).collect()
}

fn security_schemes() -> Value {
    json!({
        operations::API_KEY: {
            "type": "apiKey",
            "in": "query",
            "name": "apikey",
            "description": "The key in the server's APIKEY.txt.",
        },
        operations::API_KEY_HEADER: {
            "type": "apiKey",
            "in": "header",
            "name": "apikey",
            "description": "The same key; a header is not written into logs of proxies.",
        },
        operations::BEARER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "A token from the server's token endpoint, or the API key.",
        },
    })
}

#[cfg(test)]
mod tests;
