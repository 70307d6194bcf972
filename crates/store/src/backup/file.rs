//! Copies of an embedded database, page by page.
//!
//! What others write meanwhile gathers in the log beside the database until the copy is made.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::{Report, because};
use crate::engine::LockedFile;
use crate::error::Error;
use crate::schema::VERSIONS;

/// How much is copied between two reports of progress: four megabytes.
const PAGES: i32 = 1_000;
/// How long to wait for somebody who is just recovering the database.
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes a file under another name first, so that it is there completely or not at all.
pub(super) fn write(to: &Path, fill: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    let draft = with_ending(to, ".partial");
    let written = fill(&draft).and_then(|()| rename(&draft, to));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

pub(super) fn backup(from: &Path, draft: &Path, report: Report<'_>) -> Result<(), Error> {
    let source = open(from)?;
    known_version(&source, from)?;
    copy(&source, draft, report)
}

/// Looks whether a copy can be restored.
pub fn examine(from: &Path) -> Result<(), Error> {
    sound(from).map(drop)
}

pub(super) fn restore(
    from: &Path,
    to: &Path,
    replace: bool,
    report: Report<'_>,
) -> Result<(), Error> {
    let (source, _) = sound(from)?;
    let locked = LockedFile::lock(to)?;
    let to = &locked.path;
    if to.exists() && !replace {
        return Err(because(to, "it is there already"));
    }
    write(to, |draft| {
        copy(&source, draft, report)?;
        set_aside(to)
    })
}

/// A copy that is whole, and the version of its schema, which this release knows.
pub(super) fn sound(path: &Path) -> Result<(Connection, u32), Error> {
    let source = open(path)?;
    let version = known_version(&source, path)?;
    let found = source.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found.map_err(|error| because(path, error))?.as_str() {
        "ok" => Ok((source, version)),
        problem => Err(Error::Corrupt(format!("{}: {problem}", path.display()))),
    }
}

fn open(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags);
    let connection = connection.map_err(|error| because(path, error))?;
    let patient = connection.busy_timeout(PATIENCE);
    patient.map_err(|error| because(path, error))?;
    Ok(connection)
}

/// Begins a transaction that is held as long as the connection, so that all that is read is of one
/// state, and looks whether it is one that this release knows.
fn known_version(source: &Connection, path: &Path) -> Result<u32, Error> {
    let begun = source.execute_batch("BEGIN");
    begun.map_err(|error| because(path, error))?;
    let sql = "SELECT version, readable_from FROM schema";
    let found = source.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
    let (found, readable_from): (u32, u32) =
        found.map_err(|error| because(path, format!("it is no database of padsvc: {error}")))?;
    let known = VERSIONS.last().map_or(0, |version| version.number);
    if readable_from > known {
        Err(Error::TooNew { found, known })
    } else {
        Ok(found)
    }
}

fn copy(source: &Connection, draft: &Path, report: Report<'_>) -> Result<(), Error> {
    let mut target = create(draft)?;
    run(source, &mut target, report).map_err(|error| because(draft, error))?;
    finish(target, draft)
}

/// An empty database, without a schema.
pub(super) fn create(draft: &Path) -> Result<Connection, Error> {
    // What an attempt before has left.
    let _ = fs::remove_file(draft);
    // Pads are nobody's business but the owner's.
    let mut options = OpenOptions::new();
    let made = options.write(true).create_new(true).mode(0o600).open(draft);
    drop(made.map_err(|error| because(draft, error))?);
    Connection::open(draft).map_err(|error| because(draft, error))
}

/// Closes a database whose file is on disk when this returns.
pub(super) fn finish(target: Connection, draft: &Path) -> Result<(), Error> {
    // Without this the copy would have files beside it as soon as somebody looks at it.
    let sql = "PRAGMA journal_mode = DELETE";
    let single = target.query_row(sql, [], |_| Ok(()));
    single.map_err(|error| because(draft, error))?;
    target.close().map_err(|(_, error)| because(draft, error))?;
    let flushed = File::open(draft).and_then(|file| file.sync_all());
    flushed.map_err(|error| because(draft, error))
}

fn run(
    source: &Connection,
    target: &mut Connection,
    report: Report<'_>,
) -> Result<(), rusqlite::Error> {
    let backup = Backup::new(source, target)?;
    loop {
        let step = backup.step(PAGES)?;
        let progress = backup.progress();
        let total = u64::try_from(progress.pagecount).unwrap_or_default();
        let left = u64::try_from(progress.remaining).unwrap_or_default();
        report(total.saturating_sub(left), total);
        match step {
            StepResult::Done => return Ok(()),
            StepResult::Busy | StepResult::Locked => std::thread::sleep(Duration::from_millis(10)),
            _ => {}
        }
    }
}

/// Keeps a database that is about to be replaced. Its log is brought into it first: beside another
/// database it would spoil that.
fn set_aside(path: &Path) -> Result<(), Error> {
    if !path.exists() {
        return Ok(());
    }
    let failed = |error: rusqlite::Error| because(path, error);
    let connection = Connection::open(path).map_err(failed)?;
    let sql = "PRAGMA journal_mode = DELETE";
    connection.query_row(sql, [], |_| Ok(())).map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    rename(path, &with_ending(path, ".replaced"))
}

/// Gives a file another name, on disk when this returns.
fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let folder = match to.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let renamed = fs::rename(from, to).and_then(|()| File::open(folder)?.sync_all());
    renamed.map_err(|error: io::Error| because(to, error))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
