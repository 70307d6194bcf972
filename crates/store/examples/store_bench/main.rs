//! What the store costs: commits a second, bytes on disk, bytes read, and how long reading takes.
//!
//! `store_bench commits|size|open|list [number] [--postgres CONNECTION]`. Without a connection
//! everything is measured on a database file in the folder for temporary files, which is removed
//! afterwards. Default sizes are small; the figures that are published name theirs. Speed is
//! compared with a bare loop on the same engine within the same run, because machines and disks
//! differ.

// Printing is what it is for.
#![allow(clippy::disallowed_types, clippy::print_stdout)]

mod bare;

mod commits;

mod reading;

mod trace;

use std::error::Error;
use std::path::{Path, PathBuf};

use store::{Location, Store};

const USAGE: &str =
    "usage: store_bench commits [seconds] | size [revisions] | open [revisions] | list [pads]
       [--postgres CONNECTION]";

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Outcome {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = arguments.iter().position(|word| word == "--postgres");
    let connection = match option {
        Some(at) => arguments.drain(at..).nth(1),
        None => None,
    };
    let place = Place::new(connection)?;
    let mut words = arguments.iter().map(String::as_str);
    let case = words.next();
    let number = |default: u64| match arguments.get(1) {
        Some(word) => word.parse::<u64>(),
        None => Ok(default),
    };
    match case {
        Some("commits") => commits::run(&place, number(1)?).await,
        Some("size") => reading::size(&place, number(10_000)?).await,
        Some("open") => reading::open(&place, number(20_000)?).await,
        Some("list") => reading::list(&place, number(10_000)?).await,
        _ => Err(USAGE.into()),
    }
}

/// Where to measure. A folder of our own is removed in the end.
pub struct Place {
    folder: PathBuf,
    connection: Option<String>,
}

impl Place {
    fn new(connection: Option<String>) -> Outcome<Place> {
        let name = format!("padsvc-bench-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(Place { folder, connection })
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn connection(&self) -> Option<&str> {
        self.connection.as_deref()
    }

    pub async fn open(&self) -> Outcome<Store> {
        let location = match &self.connection {
            Some(connection) => Location::Postgres(connection.clone()),
            None => Location::Embedded(self.file("pads.db")),
        };
        Ok(Store::open(location).await?)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Everything in a folder, in bytes.
pub fn weight(folder: &Path) -> Outcome<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}
