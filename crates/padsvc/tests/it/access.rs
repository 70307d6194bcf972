//! Who gets what: every route and every message of sockets against every kind of caller, held
//! against lists that somebody has read line by line (`fixtures/access/`).
//!
//! Routes and messages are found in the source, so that a new one cannot be left out.

mod callers;
mod forgery;
pub(crate) mod routes;
mod sockets;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::logins;
use crate::postgresql;
use crate::server::{Server, TempRoot};

/// A server where nobody has to sign in, and one where everybody does.
const SERVERS: [(&str, bool); 2] = [("open", false), ("closed", true)];

/// Where callers get what they show, and where they show it.
struct Place {
    made: Server,
    /// Another node. `None`: the same server.
    other: Option<Server>,
    _roots: Vec<TempRoot>,
}

impl Place {
    fn one_server(name: &str, signing_in: bool) -> Place {
        let (made, root) = start(name, signing_in);
        Place {
            made,
            other: None,
            _roots: vec![root],
        }
    }

    /// `None`: there is no PostgreSQL here.
    fn two_nodes(name: &str, signing_in: bool) -> Option<Place> {
        let database = Cluster::shared()?.database();
        let mut more = more(signing_in);
        // Tokens are for this address, whichever node is asked.
        more["publicURL"] = json!("http://127.0.0.1:9");
        let settings: Value = serde_json::from_str(&logins::settings(&more)).unwrap();
        let roots = ["one", "other"].map(|node| {
            let name = format!("{name}_{node}");
            postgresql::root(&name, &database, settings.clone())
        });
        let [one, other] = &roots;
        let made = Server::start(one);
        made.data("createPad", &json!({ "padID": "plan", "text": "base" }));
        let other = Server::start_beside(&made, other);
        Some(Place {
            made,
            other: Some(other),
            _roots: roots.into(),
        })
    }

    fn asked(&self) -> &Server {
        self.other.as_ref().unwrap_or(&self.made)
    }
}

fn start(name: &str, signing_in: bool) -> (Server, TempRoot) {
    logins::start(name, &more(signing_in))
}

fn more(signing_in: bool) -> Value {
    json!({
        "requireAuthentication": signing_in,
        "importExportRateLimiting": { "max": 100_000 },
        "commitRateLimiting": { "points": 100_000 },
        "sso": [{
            "client_id": "robot",
            "client_secret": "robot's",
            "grant_types": ["client_credentials"],
            "response_types": [],
            "redirect_uris": [],
            "extraParams": [{ "name": "admin", "value": "true" }],
        }],
    })
}

/// The pads that a caller may ask for, each of them its own.
fn pads(server: &Server, group: &str, caller: &str) -> Vec<(&'static str, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let plain = format!("of-{caller}");
    server.data("createPad", &json!({ "padID": plain, "text": "base" }));
    let of_group = |name: &str| {
        let pad =
            json!({ "groupID": group, "padName": format!("{name}-{caller}"), "text": "base" });
        text(&server.data("createGroupPad", &pad)["padID"])
    };
    let (closed, public) = (of_group("closed"), of_group("public"));
    server.data(
        "setPublicStatus",
        &json!({ "padID": public, "publicStatus": true }),
    );
    let read_only = |pad: &str| {
        let id = server.data("getReadOnlyID", &json!({ "padID": pad }));
        text(&id["readOnlyID"])
    };
    vec![
        ("a pad", plain.clone()),
        ("a pad, read-only id", read_only(&plain)),
        ("a new pad", format!("new-{caller}")),
        ("a group's pad", closed.clone()),
        ("a group's pad, read-only id", read_only(&closed)),
        ("a group's public pad", public),
        ("a group's new pad", format!("{group}$new-{caller}")),
    ]
}

/// What came out for whom: one outcome to a line, so that a list can be read.
struct List {
    text: String,
    /// How many callers are everybody.
    callers: usize,
}

impl List {
    fn of(callers: usize) -> List {
        let text = String::new();
        List { text, callers }
    }

    fn case(&mut self, title: &str, cells: &[(String, String)]) {
        let mut outcomes: Vec<(&str, Vec<&str>)> = Vec::new();
        for (caller, outcome) in cells {
            match outcomes.iter_mut().find(|(known, _)| known == outcome) {
                Some((_, callers)) => callers.push(caller),
                None => outcomes.push((outcome, vec![caller])),
            }
        }
        writeln!(self.text, "{title}").unwrap();
        for (outcome, callers) in &outcomes {
            let callers = if callers.len() == self.callers {
                "everybody".to_owned()
            } else {
                callers.join(", ")
            };
            writeln!(self.text, "  {outcome}: {callers}").unwrap();
        }
    }

    fn compare(&self, name: &str) {
        let file = project(&format!("fixtures/access/{name}.txt"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, &self.text).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        let mut title = "";
        let lines = self.text.lines().chain(["the end"]);
        for (found, listed) in lines.zip(expected.lines().chain(["the end"])) {
            if !found.starts_with(' ') {
                title = found;
            }
            assert_eq!(
                found, listed,
                "{name}, {title}; UPDATE_EXPECT=1 rewrites the list"
            );
        }
    }
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The texts in quotes that follow a mark in a file of the program, on the same line or the next.
fn marked(path: &str, mark: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project(path)).unwrap();
    let parts = text.split(mark).skip(1);
    let quoted = parts.filter_map(|part| part.trim_start().strip_prefix('"'));
    quoted
        .map(|part| part.split('"').next().unwrap().to_owned())
        .collect()
}
