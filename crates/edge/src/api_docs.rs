//! `GET /api-docs`: the API as people read it.
//!
//! One page with every function of the table: what it takes, what it gives, a call to try and its
//! answer. It is complete without a script, which sends calls from the page, and loads nothing from
//! elsewhere.

mod answers;
mod example;
mod shape;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use service::api::schema::Schema;
use service::api::{Function, Heading, Kind, Param, VERSIONS, Version, functions};

use super::page_context::PageContext;
use super::pages;
use super::shell::Shell;

#[derive(Template)]
#[template(path = "api_docs.html")]
struct ApiDocs<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    version: &'static str,
    versions: Vec<&'static str>,
    sections: Vec<Section>,
}

/// A heading of the contract and what is below it.
struct Section {
    title: &'static str,
    about: &'static str,
    /// Where links to it lead.
    id: String,
    functions: Vec<Entry>,
}

/// A function, ready to be shown.
struct Entry {
    name: &'static str,
    since: Option<&'static str>,
    about: &'static str,
    is_open: bool,
    params: Vec<Parameter>,
    result: String,
    call: String,
    /// Where it is called, below the root of the service.
    path: String,
    /// Whether a call may change something.
    is_change: bool,
    answer: String,
}

struct Parameter {
    name: &'static str,
    kind: &'static str,
    required: bool,
    since: Option<&'static str>,
    about: &'static str,
    /// Its value in the call that is shown, if it is there.
    example: Option<&'static str>,
}

pub(crate) async fn page(
    State(context): State<Arc<PageContext>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let template = ApiDocs {
        entry: bundle::API_DOCS,
        shell: Shell::of(&context, &uri, &headers),
        version: Version::CURRENT.as_str(),
        versions: VERSIONS.iter().rev().copied().collect(),
        sections: sections(),
    };
    pages::page(StatusCode::OK, &template)
}

/// The table, cut at its headings.
fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for function in functions() {
        match sections.last_mut() {
            Some(last) if last.title == function.heading.title() => {
                last.functions.push(entry(function));
            }
            _ => sections.push(section(function.heading, function)),
        }
    }
    sections
}

fn section(heading: Heading, first: &Function) -> Section {
    Section {
        title: heading.title(),
        about: heading.about(),
        id: heading.title().to_lowercase().replace(' ', "-"),
        functions: vec![entry(first)],
    }
}

fn entry(function: &Function) -> Entry {
    Entry {
        name: function.name,
        since: later(function.since),
        about: function.about,
        is_open: function.authorizes_itself,
        params: function
            .params
            .iter()
            .map(|param| parameter(function, param))
            .collect(),
        result: Schema::parse(function.result).map_or(String::new(), |s| shape::write(&s)),
        call: example::call(function),
        path: example::path(function),
        is_change: !example::only_reads(function),
        answer: answers::answer(function.name).unwrap_or_default(),
    }
}

fn parameter(function: &Function, param: &Param) -> Parameter {
    Parameter {
        name: param.name,
        kind: kind(param.kind),
        required: param.required,
        since: later(param.since),
        about: param.about,
        example: example::argument(function, param),
    }
}

pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Integer => "integer",
        Kind::Boolean => "boolean",
    }
}

/// What has always been there needs no mark.
fn later(since: Version) -> Option<&'static str> {
    let first = Version::all().next();
    (Some(since) != first).then(|| since.as_str())
}

#[cfg(test)]
mod reference;

#[cfg(test)]
mod tests;
