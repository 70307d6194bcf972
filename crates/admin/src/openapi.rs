//! `GET /admin/openapi.json`: `/admin/api/…` and `/admin/update/…` as code generators read them.
//!
//! Each operation is a row. A test holds the rows against the routes of the program, so none can be
//! missing or left over.

mod backups;
mod plugins;

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use crate::AdminState;
use crate::answer::{json as respond, ok};
use edge::admin_only::Admin;
use edge::openapi::schema;

const ABOUT: &str = "What the pages of the admin area ask. It is for administrators, by a login or \
    by HTTP basic authentication; what changes something is refused if a page of another site has \
    sent it. Times are milliseconds since 1970.";

struct Operation {
    method: &'static str,
    path: &'static str,
    about: &'static str,
    /// What can be in the query, all of it optional.
    query: &'static [(&'static str, &'static str)],
    body: Option<Shape>,
    status: &'static str,
    answer: Shape,
    /// Other answers than the usual ones.
    also: &'static [(&'static str, &'static str)],
}

/// What a body or an answer is.
#[derive(Clone, Copy)]
enum Shape {
    /// JSON, in the short form of schemas.
    Json(&'static str),
    /// A JSON object whose members are not listed here.
    Object,
    /// Something of this type.
    File(&'static str),
}

const FAILED: &str = "{done: [string], failed: {*: string}}";
const TRACES: &str = "{affectedPads: integer, removedTokenMappings: integer, \
    removedExternalMappings: integer, clearedChatMessages: integer}";
const VERDICT: &str = "{problems: [{key: string, line: integer|null, text: string}], \
    warnings: [{key: string, line: integer|null, text: string}]}";
const VERDICT_AND_TEXT: &str = "{problems: [{key: string, line: integer|null, text: string}], \
    warnings: [{key: string, line: integer|null, text: string}], text: string}";
const AFTER: (&str, &str) = ("after", "where to go on: `next` of the answer before");
const NOT_NOW: (&str, &str) = ("409", "It cannot be done now; `error` says why.");

const fn get(path: &'static str, about: &'static str, answer: Shape) -> Operation {
    Operation {
        method: "get",
        path,
        about,
        query: &[],
        body: None,
        status: "200",
        answer,
        also: &[],
    }
}

const fn post(path: &'static str, about: &'static str, answer: &'static str) -> Operation {
    Operation {
        method: "post",
        ..get(path, about, Shape::Json(answer))
    }
}

const OPERATIONS: &[Operation] = &[
    get(
        "/admin/api/live",
        "How things stand, again every two seconds, as server-sent events.",
        Shape::File("text/event-stream"),
    ),
    get(
        "/admin/api/log",
        "The last lines of the log of this node, and those that follow, as server-sent events.",
        Shape::File("text/event-stream"),
    ),
    Operation {
        query: &[
            (
                "search",
                "a part of a name, an action, a target or a detail",
            ),
            ("action", "how the action begins, such as `pads.`"),
            AFTER,
            ("format", "`csv` or `json`: all of it as a file"),
        ],
        ..get(
            "/admin/api/audit",
            "What administrators did, the newest first.",
            Shape::Json(
                "{lines: [{time: integer, principal: string, action: string, target: string, \
                 detail: string, done: boolean}], next: string|null, days: integer}",
            ),
        )
    },
    get(
        "/admin/api/alerts",
        "The alerts that have begun and not ended, and what became of the last message by mail and \
         to the webhook.",
        Shape::Object,
    ),
    Operation {
        body: Some(Shape::Json("{}")),
        also: &[
            ("409", "No place to send to is set."),
            ("429", "There were too many; wait a minute."),
        ],
        ..post(
            "/admin/api/alerts/test",
            "Sends a test alert, and says what became of it.",
            "{mail: {at: integer, problem: string|null}|null, webhook: {at: integer, problem: \
             string|null}|null}",
        )
    },
    get(
        "/admin/api/overview",
        "What needs a look (`health`), the last two weeks, and what is stored.",
        Shape::Object,
    ),
    Operation {
        query: &[
            ("span", "`hour`, `day`, `week` or `quarter`"),
            ("format", "`csv`: a file instead"),
        ],
        ..get(
            "/admin/api/series",
            "Time series: each a list of numbers, one for every `width` milliseconds after `from`.",
            Shape::Object,
        )
    },
    Operation {
        query: &[
            ("search", "a part of the name or of the title"),
            (
                "sort",
                "`edited`, `created`, `revisions`, `name`, `bytes` or `people`",
            ),
            ("order", "`asc` or `desc`"),
            ("filter", "`occupied`, `groups`, `ungrouped` or `untouched`"),
            ("group", "the id of a group"),
            ("since", "changed at this time or later"),
            ("before", "changed before this time"),
            ("bytes", "how many it takes at least"),
            ("from", "with `sort=name`, the name to begin at"),
            AFTER,
            ("limit", "how many at most"),
        ],
        ..get(
            "/admin/api/pads",
            "A page of the list of pads. One of a search may hold few, or none, and have a `next`.",
            Shape::Json(
                "{pads: [{id: string, title: string|null, revisions: integer, bytes: integer, \
                 edited: integer, created: integer, messages: integer, people: integer}], \
                 next: string|null, total: integer|null, measured: integer|null, \
                 weighing: boolean}",
            ),
        )
    },
    Operation {
        body: Some(Shape::Json("{pads: [string]}")),
        ..post(
            "/admin/api/pads/delete",
            "Deletes a hundred pads at most.",
            FAILED,
        )
    },
    Operation {
        body: Some(Shape::Json("{pads: [string], keep?: integer|null}")),
        ..post(
            "/admin/api/pads/compact",
            "Removes the history of a hundred pads at most; `keep` revisions stay.",
            FAILED,
        )
    },
    Operation {
        body: Some(Shape::Json("{pads: [string]}")),
        ..post(
            "/admin/api/pads/archive",
            "Renames a hundred pads at most to `archived-DATE-NAME`.",
            FAILED,
        )
    },
    Operation {
        query: &[("pad", "its name")],
        also: &[("404", "There is no such pad.")],
        ..get(
            "/admin/api/pad",
            "What is known about one pad, but for what is written in it.",
            Shape::Json(
                "{id: string, title: string|null, group: string|null, public: boolean, \
                 created: integer, edited: integer, revisions: integer, bytes: integer|null, \
                 characters: integer|null, messages: integer, saved: integer, \
                 readOnlyId: string|null, people: [{name: string|null, colour: string}], \
                 authors: [{id: string, name: string|null, colour: string}], \
                 authorCount: integer}",
            ),
        )
    },
    Operation {
        also: &[("404", "There is no such pad or format.")],
        ..get(
            "/admin/api/pads/{pad}/export/{format}",
            "A pad as a file, also one that only its group may open.",
            Shape::File("application/octet-stream"),
        )
    },
    Operation {
        query: &[("search", "a part of the name, or an id"), AFTER],
        ..get(
            "/admin/api/authors",
            "A page of the list of authors, those seen last first.",
            Shape::Json(
                "{authors: [{id: string, name: string|null, colour: string, created: integer, \
                 seen: integer, erased: integer|null}], next: string|null}",
            ),
        )
    },
    Operation {
        body: Some(Shape::Json("{author: string}")),
        ..post(
            "/admin/api/authors/preview",
            "What erasing an author would remove. Nothing is.",
            TRACES,
        )
    },
    Operation {
        body: Some(Shape::Json("{author: string}")),
        also: &[NOT_NOW],
        ..post(
            "/admin/api/authors/erase",
            "Removes what identifies an author.",
            TRACES,
        )
    },
    Operation {
        body: Some(Shape::Json("{text: string, sticky?: boolean}")),
        ..post(
            "/admin/api/message",
            "A message to everybody who is in a pad; tells to how many it went.",
            "{people: integer}",
        )
    },
    get(
        "/admin/api/nodes",
        "The processes that share the database; none unless `shared`.",
        Shape::Json(
            "{shared: boolean, nodes: [{id: string, own: boolean, version: string, \
             address: string, started: integer, silentMs: integer, draining: boolean, \
             connections: integer, members: integer, pads: integer, commits: integer, \
             replans: integer}]}",
        ),
    ),
    get(
        "/admin/api/restart",
        "Which start of the service answers.",
        Shape::Json("{start: string}"),
    ),
    Operation {
        status: "202",
        body: Some(Shape::Json("{}")),
        also: &[
            NOT_NOW,
            ("422", "The service could not start with its settings."),
        ],
        ..post(
            "/admin/api/restart",
            "Restarts the service.",
            "{start: string}",
        )
    },
    get(
        "/admin/api/settings",
        "Every setting with its value, secrets hidden, and the file.",
        Shape::Object,
    ),
    Operation {
        body: Some(Shape::Json("{text: string, before: string}")),
        also: &[
            ("403", "The file is hidden by `showSettingsInAdminPage`."),
            ("409", "The file is not what `before` says any more."),
            ("422", "The service could not start with it."),
        ],
        ..post(
            "/admin/api/settings",
            "Replaces the settings file; it counts from the next start.",
            "{backup: string|null}",
        )
    },
    Operation {
        body: Some(Shape::Json("{text: string}")),
        ..post(
            "/admin/api/settings/check",
            "What is wrong with the text of a settings file. Nothing is written.",
            VERDICT,
        )
    },
    Operation {
        body: Some(Shape::Object),
        ..post(
            "/admin/api/settings/edit",
            "The `text` of a settings file with `changes`, an object of keys and values. Nothing \
             is written.",
            VERDICT_AND_TEXT,
        )
    },
    get(
        "/admin/update/status",
        "What runs, what is newer, and what is being done about it. Everybody may ask, unless \
         `updates.requireAdminForStatus`; administrators see more.",
        Shape::Object,
    ),
    Operation {
        status: "202",
        also: &[NOT_NOW],
        ..post(
            "/admin/update/apply",
            "Installs the newest release, after people have been told.",
            "{accepted: true, drainEndsAt: string}",
        )
    },
    Operation {
        also: &[NOT_NOW],
        ..post(
            "/admin/update/cancel",
            "Takes back what is about to be installed.",
            "{cancelled: true}",
        )
    },
    Operation {
        also: &[NOT_NOW],
        ..post(
            "/admin/update/acknowledge",
            "Says that a failure has been seen.",
            "{acknowledged: true}",
        )
    },
    get(
        "/admin/update/log",
        "The end of the log of updates.",
        Shape::File("text/plain"),
    ),
];

/// All of them, in the order of the document.
fn all() -> impl Iterator<Item = &'static Operation> {
    let parts = [OPERATIONS, backups::OPERATIONS, plugins::OPERATIONS];
    parts.into_iter().flatten()
}

pub(crate) async fn openapi(State(state): State<AdminState>, _: Admin) -> Response {
    if !state.settings.access.admin_openapi {
        let body = json!({ "error": "switched off by adminOpenAPI.enabled" });
        return respond(StatusCode::NOT_FOUND, &body);
    }
    ok(&document())
}

fn document() -> Value {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for operation in all() {
        let methods = paths.entry(operation.path).or_default();
        methods.insert(operation.method.to_owned(), operation.described());
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "padsvc admin interface",
            "version": "1",
            "description": ABOUT,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "login": [] }, { "basic": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "login": { "type": "apiKey", "in": "cookie", "name": "login" },
                "basic": { "type": "http", "scheme": "basic" },
            },
        },
    })
}

impl Operation {
    fn described(&self) -> Value {
        let mut whole = Map::new();
        whole.insert("operationId".to_owned(), self.id().into());
        whole.insert("summary".to_owned(), self.about.into());
        whole.insert("parameters".to_owned(), self.parameters().into());
        if let Some(body) = self.body {
            let body = json!({ "required": true, "content": body.content() });
            whole.insert("requestBody".to_owned(), body);
        }
        whole.insert("responses".to_owned(), self.responses());
        whole.into()
    }

    /// `get /admin/api/pads` is `getPads`.
    fn id(&self) -> String {
        let words = self.path.split('/').skip(2);
        let words = words.filter(|word| *word != "api" && !word.starts_with('{'));
        let mut id = self.method.to_owned();
        for word in words {
            let (first, rest) = word.split_at(1);
            id = id + &first.to_ascii_uppercase() + rest;
        }
        id
    }

    fn parameters(&self) -> Vec<Value> {
        let text = json!({ "type": "string" });
        let named = self.path.split(['{', '}']).skip(1).step_by(2);
        let in_path = named
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": text }));
        let in_query = self.query.iter().map(|(name, about)| {
            json!({ "name": name, "in": "query", "description": about, "schema": text })
        });
        in_path.chain(in_query).collect()
    }

    fn responses(&self) -> Value {
        let mut told = vec![
            ("401", "Nobody is signed in."),
            ("403", "The user is no administrator."),
        ];
        if self.body.is_some() || !self.query.is_empty() {
            told.push(("400", "The request is wrong; `error` says why."));
        }
        told.extend(self.also);
        let told = told.into_iter();
        let mut responses: Map<String, Value> = told
            .map(|(status, about)| (status.to_owned(), json!({ "description": about })))
            .collect();
        let done = json!({ "description": "Done.", "content": self.answer.content() });
        responses.insert(self.status.to_owned(), done);
        responses.into()
    }
}

impl Shape {
    fn content(self) -> Value {
        match self {
            Shape::Json(short) => json!({ "application/json": { "schema": schema(short) } }),
            Shape::Object => json!({ "application/json": { "schema": { "type": "object" } } }),
            Shape::File(kind) => json!({ kind: {} }),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use service::api::schema::Schema;

    use super::*;

    /// Every operation: method and path.
    pub(crate) fn operations() -> Vec<(&'static str, &'static str)> {
        all()
            .map(|operation| (operation.method, operation.path))
            .collect()
    }

    #[test]
    fn every_row_can_be_read() {
        for operation in all() {
            for shape in operation.body.into_iter().chain([operation.answer]) {
                if let Shape::Json(short) = shape {
                    assert!(
                        Schema::parse(short).is_some(),
                        "{}: {short}",
                        operation.path
                    );
                }
            }
        }
        let ids: std::collections::BTreeSet<_> = all().map(Operation::id).collect();
        assert_eq!(ids.len(), all().count());
    }
}
