//! `/admin/api/settings`: the values in force, and the file they come from.
//!
//! The file is replaced whole or not at all, after the reader that starts the service has found
//! nothing wrong with it, and what was there before stays beside it. It counts from the next start.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};
use tracing::{error, info};

use super::answer::{json, ok, read, wrong};
use crate::http::Site;
use crate::http::admin_only::Admin;
use crate::private_file;
use crate::settings::{self, Problem};

pub async fn show(State(site): State<Arc<Site>>, _: Admin) -> Response {
    let file = match editable(&site) {
        Some(path) => match contents(path).await {
            Ok(text) => Some((path, text)),
            Err(error) => return broken(path, &error),
        },
        None => None,
    };
    let text = file.as_ref().map(|(_, text)| text.as_str());
    let sections = settings::overview(&site.settings, text, &environment);
    let file = file.map(|(path, text)| json!({ "path": path.display().to_string(), "text": text }));
    ok(&json!({ "sections": sections, "file": file }))
}

/// What the reader says of a text. Nothing is written.
pub async fn check(_: Admin, body: Body) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    match request.get("text").and_then(Value::as_str) {
        Some(text) => ok(&judged(text)),
        None => wrong("text has to be the text of a settings file"),
    }
}

/// The text with other values for some keys, and what the reader says of it. Nothing is written.
pub async fn edit(_: Admin, body: Body) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let text = request.get("text").and_then(Value::as_str);
    let changes = request.get("changes").and_then(Value::as_object);
    let (Some(text), Some(changes)) = (text, changes) else {
        return wrong("text has to be the text of a settings file, changes an object");
    };
    let (text, changes) = (text.to_owned(), changes.clone());
    // The text is read anew for each change.
    let edited = tokio::task::spawn_blocking(move || edited(&text, &changes));
    match edited.await {
        Ok(answer) => ok(&answer),
        Err(error) => {
            error!("a change of settings broke off: {error}");
            json(
                StatusCode::INTERNAL_SERVER_ERROR,
                &json!({ "error": "it broke off" }),
            )
        }
    }
}

fn edited(text: &str, changes: &Map<String, Value>) -> Value {
    let (text, mut answer) = match settings::edit(text, changes) {
        Ok(text) => {
            let verdict = judged(&text);
            (text, verdict)
        }
        Err(problems) => {
            let verdict = json!({ "problems": told(&problems), "warnings": [] });
            (text.to_owned(), verdict)
        }
    };
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("text".to_owned(), text.into());
    }
    answer
}

pub async fn save(State(site): State<Arc<Site>>, Admin(user): Admin, body: Body) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let part = |name| request.get(name).and_then(Value::as_str);
    let (Some(text), Some(before)) = (part("text"), part("before")) else {
        return wrong("text and before have to be texts of a settings file");
    };
    let Some(path) = editable(&site) else {
        let body = json!({ "error": "the settings do not allow it (showSettingsInAdminPage)" });
        return json(StatusCode::FORBIDDEN, &body);
    };
    let verdict = judged(text);
    let problems = verdict.get("problems").and_then(Value::as_array);
    if problems.is_none_or(|problems| !problems.is_empty()) {
        return json(StatusCode::UNPROCESSABLE_ENTITY, &verdict);
    }
    match replaced(path.to_owned(), before.to_owned(), text.to_owned()).await {
        Ok(Some(backup)) => {
            info!("{user} has changed the settings in {}", path.display());
            ok(&json!({ "backup": backup.map(|backup| backup.display().to_string()) }))
        }
        Ok(None) => {
            let body = json!({ "error": "the file has been changed meanwhile; load it anew" });
            json(StatusCode::CONFLICT, &body)
        }
        Err(error) => broken(path, &error),
    }
}

/// The settings file, where administrators may see it.
pub fn editable(site: &Site) -> Option<&Path> {
    let path = site.settings.file.as_ref()?;
    site.settings
        .access
        .show_settings_to_admins
        .then_some(path.as_path())
}

/// A file that is not there is as good as an empty one.
pub async fn contents(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || current(&path));
    read.await.map_err(io::Error::other)?
}

fn current(path: &Path) -> io::Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok("{}\n".to_owned()),
        other => other,
    }
}

/// Replaces the file and gives the name of its copy, if there was one. `None`: it is not what it
/// was.
async fn replaced(
    path: PathBuf,
    before: String,
    text: String,
) -> io::Result<Option<Option<PathBuf>>> {
    let replace = move || {
        if current(&path)? != before {
            return Ok(None);
        }
        let mut backup = path.clone().into_os_string();
        backup.push(".before");
        let backup = PathBuf::from(backup);
        let existed = path.exists();
        if existed {
            private_file::replace(&backup, &before)?;
        }
        private_file::replace(&path, &text)?;
        Ok(Some(existed.then_some(backup)))
    };
    let replaced = tokio::task::spawn_blocking(replace);
    replaced.await.map_err(io::Error::other)?
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn judged(text: &str) -> Value {
    let (problems, warnings) = match settings::load(text, &environment) {
        Ok((_, warnings)) => (Vec::new(), warnings),
        Err(problems) => (problems, Vec::new()),
    };
    json!({ "problems": told(&problems), "warnings": told(&warnings) })
}

pub fn told(notes: &[Problem]) -> Vec<Value> {
    let told = notes.iter().map(|note| {
        json!({
            "key": note.key,
            "line": note.place.map(|place| place.line),
            "text": note.to_string(),
        })
    });
    told.collect()
}

pub fn broken(path: &Path, error: &io::Error) -> Response {
    error!("{}: {error}", path.display());
    let body = json!({ "error": format!("the settings file: {error}") });
    json(StatusCode::INTERNAL_SERVER_ERROR, &body)
}
