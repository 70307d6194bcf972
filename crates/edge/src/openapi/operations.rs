//! Paths: each function as one GET and one POST operation, and what they may answer.

use serde_json::{Map, Value, json};
use service::api::{Function, Param, Version, function};

use super::schemas;

pub(super) const API_KEY: &str = "apiKey";
pub(super) const API_KEY_HEADER: &str = "apiKeyHeader";
pub(super) const BEARER: &str = "bearer";

/// The function that answers 404 while the settings do not allow it.
const CAN_BE_DISABLED: &str = "anonymizeAuthor";
const DISABLED: &str = "Disabled";

/// How a caller may show a credential: any one of these.
pub(super) fn security() -> Vec<Value> {
    [API_KEY, API_KEY_HEADER, BEARER]
        .map(|scheme| json!({ scheme: [] }))
        .to_vec()
}

/// A function's path and what can be done with it.
pub(super) fn path(function: &Function, version: Version) -> (String, Value) {
    let get = operation(function, version, Method::Get);
    let post = operation(function, version, Method::Post);
    (
        format!("/{}", function.name),
        json!({ "get": get, "post": post }),
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Method {
    Get,
    Post,
}

fn operation(function: &Function, version: Version, method: Method) -> Value {
    let suffix = match method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let mut operation = Map::new();
    let mut set = |name: &str, value: Value| operation.insert(name.to_owned(), value);
    set(
        "operationId",
        format!("{}Using{suffix}", function.name).into(),
    );
    set("tags", json!([function.heading.title()]));
    set("summary", function.about.trim_end_matches('.').into());
    set(
        "description",
        format!("Since version {}.", function.since).into(),
    );
    if function.authorizes_itself {
        // Without any credential too: the function looks at its arguments instead.
        let mut security = security();
        security.push(json!({}));
        set("security", security.into());
    }
    let params: Vec<&Param> = schemas::params(function, version).collect();
    match method {
        _ if params.is_empty() => None,
        Method::Get => set("parameters", params.iter().map(|p| parameter(p)).collect()),
        Method::Post => set("requestBody", body(function, &params)),
    };
    set("responses", responses(function, method));
    operation.into()
}

fn parameter(param: &Param) -> Value {
    json!({
        "name": param.name,
        "in": "query",
        "required": param.required,
        "description": param.about,
        "schema": schemas::param(param),
    })
}

fn body(function: &Function, params: &[&Param]) -> Value {
    let schema = json!({ "schema": schemas::reference(&schemas::arguments_name(function)) });
    json!({
        "required": params.iter().any(|param| param.required),
        "content": {
            // In this order: generators that take one take the first, and one that mixes up types
            // of the same shape ends with the last and means it.
            "application/json": schema,
            "application/x-www-form-urlencoded": schema,
            "multipart/form-data": schema,
        },
    })
}

fn responses(function: &Function, method: Method) -> Value {
    let mut responses = Map::from_iter([("200".to_owned(), reference(&own_name(function)))]);
    for shared in SHARED {
        let applies = match shared.status {
            "401" => !function.authorizes_itself,
            _ => method == Method::Post || !shared.about_bodies,
        };
        if applies {
            responses.insert(shared.status.to_owned(), reference(shared.name));
        }
    }
    if function.name == CAN_BE_DISABLED {
        responses.insert("404".to_owned(), reference(DISABLED));
    }
    responses.into()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}

/// The answers that operations refer to by name: those of the functions, and the shared ones.
pub(super) fn all_responses(version: Version) -> Map<String, Value> {
    let mut responses: Map<String, Value> = super::functions_of(version)
        .map(|function| (own_name(function), own_response(function)))
        .collect();
    for shared in SHARED {
        let response = match shared.schema {
            Some(name) => response(shared.about, schemas::reference(name)),
            None => json!({
                "description": shared.about,
                "content": { "text/plain": { "schema": { "type": "string" } } },
            }),
        };
        responses.insert(shared.name.to_owned(), response);
    }
    if function(version, CAN_BE_DISABLED).is_some() {
        let schema = schemas::reference(schemas::WRONG_PARAMETERS);
        let about = "The settings do not allow it.";
        responses.insert(DISABLED.to_owned(), response(about, schema));
    }
    responses
}

fn own_name(function: &Function) -> String {
    schemas::answer_name(function)
}

fn own_response(function: &Function) -> Value {
    response(
        "Done, or refused because of the parameters; the code tells.",
        schemas::reference(&schemas::answer_name(function)),
    )
}

fn response(about: &str, schema: Value) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": schema } } })
}

/// An answer that many functions have in common.
struct Shared {
    status: &'static str,
    name: &'static str,
    about: &'static str,
    /// `None` for an answer that is plain text.
    schema: Option<&'static str>,
    /// Whether only a request with a body can get it.
    about_bodies: bool,
}

const SHARED: &[Shared] = &[
    Shared {
        status: "400",
        name: "Unreadable",
        about: "The query or the body cannot be read.",
        schema: Some(schemas::WRONG_PARAMETERS),
        about_bodies: false,
    },
    Shared {
        status: "401",
        name: "NoCredential",
        about: "No credential, or a wrong one.",
        schema: Some(schemas::NO_CREDENTIAL),
        about_bodies: false,
    },
    Shared {
        status: "404",
        name: "NoSuchFunction",
        about: "This version has no such function.",
        schema: Some(schemas::NO_SUCH_FUNCTION),
        about_bodies: false,
    },
    Shared {
        status: "408",
        name: "TooSlow",
        about: "The body did not arrive in time.",
        schema: Some(schemas::WRONG_PARAMETERS),
        about_bodies: true,
    },
    Shared {
        status: "413",
        name: "TooLarge",
        about: "The body is larger than 50 MB.",
        schema: Some(schemas::WRONG_PARAMETERS),
        about_bodies: true,
    },
    Shared {
        status: "415",
        name: "NotUnderstood",
        about: "The body is of a type or in a charset that is not understood.",
        schema: Some(schemas::WRONG_PARAMETERS),
        about_bodies: true,
    },
    Shared {
        status: "431",
        name: "HeadTooLarge",
        about: "The head of the request is larger than 8192 bytes; use a body.",
        schema: None,
        about_bodies: false,
    },
    Shared {
        status: "500",
        name: "InternalError",
        about: "Something is wrong with the server; the reason is in its log.",
        schema: Some(schemas::INTERNAL_ERROR),
        about_bodies: false,
    },
];
