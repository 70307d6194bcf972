//! JSON Schemas: of what functions take and give, and of the envelope around it.
//!
//! Everything that GET and POST share has a name of its own, so that generated code has one type
//! for it. Objects that we send have the members listed and no others: a tester that holds answers
//! against these schemas finds a member that nobody documented.

use serde_json::{Map, Value, json};
use service::Code;
use service::api::schema::{Member, Schema};
use service::api::{Function, Kind, Param, Version};

/// The schemas that other parts of a document refer to, by name.
pub(super) fn all(version: Version) -> Map<String, Value> {
    let mut schemas = Map::new();
    for (name, code) in FAILURES {
        schemas.insert(name.to_owned(), failure(code));
    }
    for function in super::functions_of(version) {
        if params(function, version).next().is_some() {
            schemas.insert(arguments_name(function), arguments(function, version));
        }
        schemas.insert(success_name(function), success(function));
        schemas.insert(answer_name(function), answer(function));
    }
    schemas
}

pub(super) const WRONG_PARAMETERS: &str = "WrongParameters";
pub(super) const INTERNAL_ERROR: &str = "InternalError";
pub(super) const NO_SUCH_FUNCTION: &str = "NoSuchFunction";
pub(super) const NO_CREDENTIAL: &str = "NoCredential";

const FAILURES: [(&str, Code); 4] = [
    (WRONG_PARAMETERS, Code::WrongParameters),
    (INTERNAL_ERROR, Code::Internal),
    (NO_SUCH_FUNCTION, Code::NoSuchFunction),
    (NO_CREDENTIAL, Code::Credential),
];

/// A reference to one of them.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

pub(super) fn arguments_name(function: &Function) -> String {
    type_name(function, "Arguments")
}

pub(super) fn success_name(function: &Function) -> String {
    type_name(function, "Success")
}

pub(super) fn answer_name(function: &Function) -> String {
    type_name(function, "Answer")
}

/// `createGroup`, `Success` → `CreateGroupSuccess`.
pub(super) fn type_name(function: &Function, what: &str) -> String {
    let (first, rest) = function.name.split_at(1);
    first.to_ascii_uppercase() + rest + what
}

/// The parameters that a function has in a version.
pub(super) fn params(
    function: &Function,
    version: Version,
) -> impl Iterator<Item = &'static Param> {
    function
        .params
        .iter()
        .filter(move |param| param.since <= version)
}

pub(super) fn param(param: &Param) -> Value {
    match param.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Integer => integer(),
        Kind::Boolean => json!({ "type": "boolean" }),
    }
}

/// What a body holds.
fn arguments(function: &Function, version: Version) -> Value {
    let property = |p: &'static Param| {
        let mut schema = param(p);
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), p.about.into());
        }
        (p.name.to_owned(), schema)
    };
    let properties: Map<String, Value> = params(function, version).map(property).collect();
    let required = params(function, version).filter(|param| param.required);
    let required: Vec<&str> = required.map(|param| param.name).collect();
    object(properties, &required, Map::new())
}

/// What a call that was understood is answered. It has a name, because generated code needs one.
fn answer(function: &Function) -> Value {
    json!({ "oneOf": [reference(&success_name(function)), reference(WRONG_PARAMETERS)] })
}

fn success(function: &Function) -> Value {
    // A row that cannot be read would say nothing about its data; a test keeps that from happening.
    let data = super::schema(function.result);
    envelope(Code::Ok, json!({ "type": "string", "enum": ["ok"] }), data)
}

fn failure(code: Code) -> Value {
    envelope(
        code,
        json!({ "type": "string", "description": "What is wrong." }),
        null(),
    )
}

fn envelope(code: Code, message: Value, data: Value) -> Value {
    // Not `const`: generated code checks an enumeration, and tells answers apart by this.
    let code = json!({ "type": "integer", "enum": [code as i32] });
    let members = [("code", code), ("message", message), ("data", data)];
    let properties = members.map(|(name, schema)| (name.to_owned(), schema));
    closed_object(
        properties.into_iter().collect(),
        &["code", "message", "data"],
    )
}

/// A schema in full.
pub(super) fn full(schema: &Schema) -> Value {
    match schema {
        Schema::Null => null(),
        Schema::Boolean => json!({ "type": "boolean" }),
        Schema::True => json!({ "type": "boolean", "enum": [true] }),
        Schema::Integer => integer(),
        Schema::String => json!({ "type": "string" }),
        Schema::Text(text) => json!({ "type": "string", "enum": [text] }),
        Schema::List(items) => json!({ "type": "array", "items": full(items) }),
        Schema::Map(values) => json!({ "type": "object", "additionalProperties": full(values) }),
        Schema::Object(members) => {
            let required = members.iter().filter(|member| !member.optional);
            let required: Vec<&str> = required.map(|member| member.name).collect();
            let property = |member: &Member| (member.name.to_owned(), full(&member.schema));
            closed_object(members.iter().map(property).collect(), &required)
        }
        Schema::Either(schemas) => either(schemas),
    }
}

/// Generators understand the usual cases best when they are written the short way.
fn either(schemas: &[Schema]) -> Value {
    let texts: Option<Vec<&str>> = schemas
        .iter()
        .map(|schema| match schema {
            Schema::Text(text) => Some(*text),
            _ => None,
        })
        .collect();
    match (schemas, texts) {
        (_, Some(texts)) => json!({ "type": "string", "enum": texts }),
        ([Schema::String, Schema::Null], _) => json!({ "type": ["string", "null"] }),
        ([Schema::Integer, Schema::Null], _) => {
            json!({ "type": ["integer", "null"], "format": "int64" })
        }
        _ => json!({ "anyOf": schemas.iter().map(full).collect::<Vec<_>>() }),
    }
}

/// Null and nothing else. The type alone would say so, but openapi-generator cannot read it.
fn null() -> Value {
    json!({ "type": ["object", "null"], "const": null })
}

/// Times are in milliseconds, so generated code must not take 32 bits for enough.
fn integer() -> Value {
    json!({ "type": "integer", "format": "int64" })
}

fn closed_object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let closed = ("additionalProperties".to_owned(), Value::Bool(false));
    object(properties, required, Map::from_iter([closed]))
}

fn object(properties: Map<String, Value>, required: &[&str], rest: Map<String, Value>) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.extend(rest);
    schema.into()
}
