//! `/admin/api/settings`: the values in force, and the file they come from.
//!
//! The file is replaced whole or not at all, after the reader that starts the service has found
//! nothing wrong with it, and what was there before stays beside it. It counts from the next start.
//!
//! Invariant: no secret of the file leaves the server. A browser sees masks in place of secrets,
//! and a mask that comes back stands for the secret that the file has there.

use std::io;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};
use tracing::{error, info};

use crate::AdminState;
use crate::answer::{about, json, ok, read, wrong};
use edge::admin_only::Admin;
use settings::{self, Problem};
use system::private_file;

pub(crate) async fn get_settings(State(state): State<AdminState>, _: Admin) -> Response {
    let file = match editable(&state) {
        Some(path) => match contents(path).await {
            Ok(text) => Some((path, text)),
            Err(error) => return broken(path, &error),
        },
        None => None,
    };
    let text = file.as_ref().map(|(_, text)| text.as_str());
    let sections = settings::overview(&state.settings, text, &settings::environment);
    let file = file.map(|(path, text)| {
        let path = path.display().to_string();
        match settings::mask(&text) {
            Some(text) => json!({ "path": path, "text": text }),
            // Where the secrets are cannot be told, so nothing is shown.
            None => {
                json!({ "path": path, "text": null, "problems": judged(&text).get("problems") })
            }
        }
    });
    ok(&json!({ "sections": sections, "file": file }))
}

/// What the reader says of a text. Nothing is written.
pub(crate) async fn check(State(state): State<AdminState>, _: Admin, body: Body) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let Some(text) = request.get("text").and_then(Value::as_str) else {
        return wrong("text has to be the text of a settings file");
    };
    match file(&state).await {
        Ok(file) => ok(&Draft::of(&state, &file, text).verdict),
        Err(refusal) => refusal,
    }
}

/// The text with other values for some keys, and what the reader says of it. Nothing is written.
pub(crate) async fn edit(State(state): State<AdminState>, _: Admin, body: Body) -> Response {
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
    let file = match file(&state).await {
        Ok(file) => file,
        Err(refusal) => return refusal,
    };
    // The text is read again for each change.
    let edited = tokio::task::spawn_blocking(move || edited(&state, &file, &text, &changes));
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

/// The text stays masked: what is new in it is what the browser has sent.
fn edited(state: &AdminState, file: &str, text: &str, changes: &Map<String, Value>) -> Value {
    let (text, mut answer) = match settings::edit(text, changes) {
        Ok(text) => {
            let verdict = Draft::of(state, file, &text).verdict;
            (text, verdict)
        }
        Err(problems) => {
            let verdict = json!({ "problems": problem_list(&problems), "warnings": [] });
            (text.to_owned(), verdict)
        }
    };
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("text".to_owned(), text.into());
    }
    answer
}

pub(crate) async fn post_settings(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let part = |name| request.get(name).and_then(Value::as_str);
    let (Some(text), Some(before)) = (part("text"), part("before")) else {
        return wrong("text and before have to be texts of a settings file");
    };
    let Some(path) = editable(&state) else {
        let body = json!({ "error": "the settings do not allow it (showSettingsInAdminPage)" });
        return json(StatusCode::FORBIDDEN, &body);
    };
    let file = match contents(path).await {
        Ok(file) => file,
        Err(error) => return broken(path, &error),
    };
    if settings::mask(&file).as_deref() != Some(before) {
        return changed_meanwhile();
    }
    let draft = Draft::of(&state, &file, text);
    let problems = draft.verdict.get("problems").and_then(Value::as_array);
    if problems.is_none_or(|problems| !problems.is_empty()) {
        return json(StatusCode::UNPROCESSABLE_ENTITY, &draft.verdict);
    }
    match replaced(path.to_owned(), file, draft.text).await {
        Ok(Some(backup)) => {
            info!("{user} has changed the settings in {}", path.display());
            let backup = backup.map(|backup| backup.display().to_string());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            about(ok(&json!({ "backup": backup })), name, "")
        }
        Ok(None) => changed_meanwhile(),
        Err(error) => broken(path, &error),
    }
}

fn changed_meanwhile() -> Response {
    let body = json!({ "error": "the file has been changed meanwhile; load it again" });
    json(StatusCode::CONFLICT, &body)
}

/// The file as it is, secrets and all; as good as empty where administrators may not see it.
async fn file(state: &AdminState) -> Result<String, Response> {
    match editable(state) {
        Some(path) => contents(path).await.map_err(|error| broken(path, &error)),
        None => Ok("{}".to_owned()),
    }
}

/// A text from a browser that could become the file.
struct Draft {
    /// With its secrets.
    text: String,
    /// What speaks against it.
    verdict: Value,
}

impl Draft {
    fn of(state: &AdminState, file: &str, masked: &str) -> Draft {
        let text = match settings::restore(masked, file) {
            Ok(text) => text,
            Err(problems) => {
                return Draft {
                    text: String::new(),
                    verdict: json!({ "problems": problem_list(&problems), "warnings": [] }),
                };
            }
        };
        let locked = &state.settings.access.locked;
        let locked = settings::changed_locked(file, &text, locked, &settings::environment);
        let mut verdict = judged(&text);
        if let Some(problems) = verdict.get_mut("problems").and_then(Value::as_array_mut) {
            problems.extend(problem_list(&locked));
        }
        Draft { text, verdict }
    }
}

/// The settings file, where administrators may see it.
pub(crate) fn editable(state: &AdminState) -> Option<&Path> {
    let path = state.settings.file.as_ref()?;
    state
        .settings
        .access
        .show_settings_to_admins
        .then_some(path.as_path())
}

/// A file that is not there is as good as an empty one.
pub(crate) async fn contents(path: &Path) -> io::Result<String> {
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

fn judged(text: &str) -> Value {
    let (problems, warnings) = match settings::load(text, &settings::environment) {
        Ok((_, warnings)) => (Vec::new(), warnings),
        Err(problems) => (problems, Vec::new()),
    };
    json!({ "problems": problem_list(&problems), "warnings": problem_list(&warnings) })
}

pub(crate) fn problem_list(notes: &[Problem]) -> Vec<Value> {
    let told = notes.iter().map(|note| {
        json!({
            "key": note.key,
            "line": note.place.map(|place| place.line),
            "text": note.to_string(),
        })
    });
    told.collect()
}

pub(crate) fn broken(path: &Path, error: &io::Error) -> Response {
    error!("{}: {error}", path.display());
    let body = json!({ "error": format!("the settings file: {error}") });
    json(StatusCode::INTERNAL_SERVER_ERROR, &body)
}
