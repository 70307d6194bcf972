//! Test of a restore: a backup is restored into a folder of its own, opened as the service opens
//! its database, and checked completely. The backup itself is only read.

use std::fs;
use std::path::{Path, PathBuf};

use store::{Location, Mark, PadOrder, PadsAsked, Problem, Store};

use super::error::BackupError;
use super::{files, on_thread};

/// How many pads are listed at a time.
const PAGE: usize = 500;
/// More problems are not listed.
const LISTED: usize = 100;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub pads: u64,
    pub revisions: u64,
    pub problems: Vec<String>,
}

pub(super) async fn run(
    folder: PathBuf,
    name: String,
    report: impl FnMut(u64, u64) + Send + 'static,
) -> Result<Found, BackupError> {
    let place = files::unfinished(&folder, "restore");
    let database = Location::Embedded(place.join("pads.db"));
    let to = database.clone();
    let restored = on_thread(move || restore(&folder, &name, &to, report)).await;
    let found = match restored {
        Ok(()) => check(database).await.map_err(BackupError::from),
        Err(reason) => Err(reason),
    };
    let removed = on_thread(move || fs::remove_dir_all(&place).map_err(BackupError::at(&place)));
    // What stays is removed by the next job.
    let _ = removed.await;
    found
}

fn restore(
    folder: &Path,
    name: &str,
    to: &Location,
    mut report: impl FnMut(u64, u64),
) -> Result<(), BackupError> {
    let from = folder.join(name);
    let metadata = fs::metadata(&from).map_err(BackupError::at(&from))?;
    files::prepare(folder, metadata.len())?;
    if let Location::Embedded(file) = to
        && let Some(place) = file.parent()
    {
        fs::create_dir(place).map_err(BackupError::at(place))?;
    }
    Ok(store::restore(&from, to, false, &mut report)?)
}

async fn check(database: Location) -> Result<Found, store::Error> {
    let store = Store::open(database).await?;
    let found = check_all(&store).await;
    store.close().await;
    found
}

async fn check_all(store: &Store) -> Result<Found, store::Error> {
    let mut found = Found {
        problems: store.check_engine().await?.problems,
        ..Found::default()
    };
    found.problems.extend(store.check_tables().await?);
    let mut after: Option<Mark> = None;
    loop {
        let asked = PadsAsked {
            order: PadOrder::Name,
            descending: false,
            search: String::new(),
            in_group: None,
            untouched: false,
            after,
            limit: PAGE,
        };
        let page = store.browse_pads(&asked).await?;
        for pad in page.found {
            found.pads += 1;
            found.revisions += pad.head.0 + 1;
            let problems = match store.check_pad(&pad.id).await {
                Ok(problems) => problems.iter().map(Problem::to_string).collect(),
                Err(error @ store::Error::Corrupt(_)) => vec![error.to_string()],
                Err(error) => return Err(error),
            };
            let problems = problems.into_iter();
            let problems =
                problems.map(|problem: String| format!("{}: {problem}", pad.id.as_str()));
            found.problems.extend(problems);
            found.problems.truncate(LISTED);
        }
        after = page.next;
        if after.is_none() {
            return Ok(found);
        }
    }
}
