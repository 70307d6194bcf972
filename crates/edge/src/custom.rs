//! The operator's own styles, scripts and pieces of HTML in the pages of pads and the first page.
//!
//! They are files in the folder `custom/` of the root, so that they outlive updates. Their
//! addresses change with what is in the folder, so browsers may keep them for good. No page where
//! people sign in or administer has any of it.

mod folder;

use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tracing::warn;

use self::folder::Contents;
use super::pages::{self, PagesState};

const FOLDER: &str = "custom";
/// In a piece of HTML, stands for where the files of the folder are.
const PLACE: &str = "{custom}";
/// How long the folder is taken to be as it was.
const FRESH: Duration = Duration::from_secs(1);

/// A page that has places for what is the operator's own.
#[derive(Clone, Copy)]
pub enum Page {
    First,
    Pad,
}

impl Page {
    /// What the names of its files begin with.
    fn name(self) -> &'static str {
        match self {
            Page::First => "index",
            Page::Pad => "pad",
        }
    }
}

/// What is the operator's own in one page; addresses are from the service's root.
#[derive(Default)]
pub struct Slots {
    pub style: Option<String>,
    pub script: Option<String>,
    pub html: Option<String>,
}

pub struct Custom {
    folder: PathBuf,
    now: Mutex<Now>,
}

struct Now {
    contents: Arc<Contents>,
    looked: Instant,
}

impl Custom {
    /// `root` is the folder that the service lives in.
    pub fn new(root: &FilePath) -> Custom {
        let folder = root.join(FOLDER);
        let contents = Arc::new(Contents::read(&folder));
        warn_of_left_out(&folder, &contents);
        let looked = Instant::now();
        Custom {
            folder,
            now: Mutex::new(Now { contents, looked }),
        }
    }

    /// What belongs into a page that is at `base` of the root.
    pub async fn slots(&self, page: Page, base: &str) -> Slots {
        let contents = self.contents().await;
        let address = |ending| {
            let name = format!("{}.{ending}", page.name());
            let is_there = contents.files.contains_key(&name);
            is_there.then(|| format!("{FOLDER}/{}/{name}", contents.hash))
        };
        let piece = contents.pieces.get(&format!("{}.html", page.name()));
        let place = format!("{base}{FOLDER}/{}/", contents.hash);
        Slots {
            style: address("css"),
            script: address("js"),
            html: piece.map(|html| html.replace(PLACE, &place)),
        }
    }

    /// For the admin area: the folder, what of it is used, and what is not and why.
    pub async fn overview(&self) -> Value {
        let contents = self.contents().await;
        let mut files = serde_json::Map::new();
        for (name, file) in &contents.files {
            files.insert(name.clone(), json!({ "bytes": file.body.len() }));
        }
        for (name, html) in &contents.pieces {
            files.insert(name.clone(), json!({ "bytes": html.len() }));
        }
        for (name, why) in &contents.left_out {
            files.insert(name.clone(), json!({ "problem": why }));
        }
        json!({ "folder": self.folder.display().to_string(), "files": files })
    }

    /// What is in the folder, read again now and then. A request that comes during a read gets
    /// what was there.
    async fn contents(&self) -> Arc<Contents> {
        let contents = {
            let mut now = self.lock();
            let contents = Arc::clone(&now.contents);
            if now.looked.elapsed() < FRESH {
                return contents;
            }
            now.looked = Instant::now();
            contents
        };
        let folder = self.folder.clone();
        let before = Arc::clone(&contents);
        let looking = tokio::task::spawn_blocking(move || before.newer(&folder));
        let Ok(Some(newer)) = looking.await else {
            return contents;
        };
        warn_of_left_out(&self.folder, &newer);
        let newer = Arc::new(newer);
        self.lock().contents = Arc::clone(&newer);
        newer
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        // Nothing under this lock can panic halfway.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn warn_of_left_out(folder: &FilePath, contents: &Contents) {
    for (name, why) in &contents.left_out {
        warn!("{} is left out: it {why}", folder.join(name).display());
    }
}

/// `GET /custom/HASH/NAME`. A page from before a change still gets the file, as it is now.
pub async fn get_file(
    State(state): State<PagesState>,
    Path(path): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let contents = state.custom.contents().await;
    let found = path
        .split_once('/')
        .and_then(|(hash, name)| Some((hash, contents.files.get(name)?)));
    let Some((hash, file)) = found else {
        return pages::not_found_page(&state.page, &uri, &headers);
    };
    // Who may not come to pads does not get these either, so no cache between us may keep them.
    let caching = if hash == contents.hash {
        "private, max-age=31536000, immutable"
    } else {
        "private, no-cache"
    };
    let headers = [
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_TYPE, file.content_type),
    ];
    (headers, file.body.clone()).into_response()
}
