//! `/admin/api/backups`: those that are there, another one, one as a file, the test of a restore.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::Ordering;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::files::Origin;
use super::record::{self, Lease};
use super::{BackupFile, Backups, Job, Refused};
use crate::AdminState;
use crate::answer::{about, json as respond, ok, read, unavailable};
use edge::admin_only::Admin;
use edge::refuse::NO_STORE;

/// How much of a file is read at a time.
const PIECE: usize = 256 * 1024;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin) -> Response {
    let backups = &state.backups;
    // First: a job that ends meanwhile is still listed as running, and its file is there next time.
    let running = running(backups).await;
    let record = match record::read(&backups.service).await {
        Ok(record) => record,
        Err(error) => {
            error!("the record of backups cannot be read: {error}");
            return unavailable();
        }
    };
    let files = backups.files().await;
    let shown =
        |file: &BackupFile| json!({ "name": file.name, "at": file.at, "bytes": file.bytes });
    // A folder that was there before the record, or a database that was restored.
    let last = record.get("last").filter(|last| last.is_object()).cloned();
    let last = last.or_else(|| files.first().map(shown));
    ok(&json!({
        "files": files.iter().map(shown).collect::<Vec<_>>(),
        "last": last,
        "failure": record.get("failure"),
        "test": record.get("test"),
        "running": running,
        "everyHours": backups.every_hours,
        "keep": backups.keep,
    }))
}

/// The job under way, on this node or another.
async fn running(backups: &Backups) -> Option<Value> {
    let progress = backups.lock().job.clone();
    if let Some(progress) = progress {
        let kind = match progress.job {
            Job::Backup(_) => "backup",
            Job::Test => "test",
        };
        let thousandths = progress.thousandths.load(Ordering::Relaxed);
        return Some(json!({ "kind": kind, "progress": thousandths as f64 / 1_000.0 }));
    }
    let is_elsewhere = Lease::is_taken(&backups.service).await;
    is_elsewhere.then(|| json!({ "kind": "backup", "progress": null }))
}

/// An empty object asks for one. It is answered when the backup is begun.
pub(crate) async fn make(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    begin(&state, &user, Job::Backup(Origin::Request), body).await
}

/// The same, for the test of the newest one.
pub(crate) async fn test(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    begin(&state, &user, Job::Test, body).await
}

async fn begin(state: &AdminState, user: &str, job: Job, body: Body) -> Response {
    if let Err(refusal) = read(body).await {
        return refusal;
    }
    match state.backups.begin(job).await {
        Ok(name) => {
            info!("{user} begins a job on the backup {name}");
            let answer = respond(StatusCode::ACCEPTED, &json!({ "name": name }));
            about(answer, name, "")
        }
        Err(Refused::Store(error)) => {
            error!("a backup cannot be begun: {error}");
            unavailable()
        }
        Err(refused) => {
            let body = json!({ "error": refused.to_string() });
            respond(StatusCode::CONFLICT, &body)
        }
    }
}

/// A name only chooses among the files that are there; no path is made of it.
pub(crate) async fn download(
    State(state): State<AdminState>,
    _: Admin,
    Path(name): Path<String>,
) -> Response {
    let files = state.backups.files().await;
    let Some(BackupFile { name, .. }) = files.into_iter().find(|file| file.name == name) else {
        return missing();
    };
    let path = state.backups.folder.join(&name);
    let open = move || {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        Ok::<_, io::Error>((file, bytes))
    };
    let Ok(Ok((file, bytes))) = tokio::task::spawn_blocking(open).await else {
        return missing();
    };
    let headers = [
        (header::CONTENT_TYPE, "application/vnd.sqlite3".to_owned()),
        (header::CONTENT_LENGTH, bytes.to_string()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    let body = stream_file(file, state.closing.clone());
    about(([NO_STORE], headers, body).into_response(), name, "")
}

/// Breaks off when the service stops: a slow reader does not hold that up.
fn stream_file(file: File, closing: CancellationToken) -> Body {
    let pieces = stream::unfold(Some((file, closing)), |state| async move {
        let (mut file, closing) = state?;
        if closing.is_cancelled() {
            return Some((Err(io::Error::other("the service stops")), None));
        }
        let read = move || {
            let mut piece = vec![0; PIECE];
            let length = file.read(&mut piece)?;
            piece.truncate(length);
            Ok::<_, io::Error>((piece, file))
        };
        let done = tokio::task::spawn_blocking(read).await;
        match done.map_err(io::Error::other).flatten() {
            Ok((piece, _)) if piece.is_empty() => None,
            Ok((piece, file)) => Some((Ok(Bytes::from(piece)), Some((file, closing)))),
            Err(error) => Some((Err(error), None)),
        }
    });
    Body::from_stream(pieces)
}

fn missing() -> Response {
    let body = json!({ "error": "there is no such backup" });
    respond(StatusCode::NOT_FOUND, &body)
}
