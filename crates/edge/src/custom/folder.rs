//! The folder `custom/` in the root: the operator's own files, read into memory.
//!
//! A file that cannot be used is left out with a reason, and never keeps a page from being shown.
//! Names are short and plain, so that none leads out of the folder or needs encoding.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use axum::body::Bytes;

const MOST_FILES: usize = 100;
/// What else is in the folder is not even looked at.
const MOST_ENTRIES: usize = 1000;
const LONGEST_NAME: usize = 100;
const MOST_BYTES: u64 = 1024 * 1024;
/// A piece of a page is in every answer.
const MOST_PIECE_BYTES: u64 = 64 * 1024;

/// The pieces that are written into pages, and so are no files to be fetched.
pub(super) const PIECES: [&str; 2] = ["pad.html", "index.html"];

const TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
];

/// What was in the folder when it was last read.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Names the contents: another byte, another name.
    pub hash: String,
    /// By name: those to be fetched.
    pub files: BTreeMap<String, File>,
    /// By name: those written into pages.
    pub pieces: BTreeMap<String, String>,
    /// By name: why a file is left out.
    pub left_out: BTreeMap<String, String>,
    seen: Seen,
}

#[derive(Debug)]
pub(super) struct File {
    pub content_type: &'static str,
    pub body: Bytes,
}

/// What tells without reading whether something changed.
type Seen = Vec<(String, u64, Option<SystemTime>)>;

impl Contents {
    /// Reads the folder. One that is not there is empty.
    pub(super) fn read(folder: &Path) -> Contents {
        let mut contents = Contents::default();
        match entries(folder) {
            Ok(entries) => {
                contents.seen = seen(&entries);
                for (name, path, metadata) in entries {
                    contents.add(name, &path, &metadata);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => contents.leave_out(".".to_owned(), cannot_be_read(&error)),
        }
        contents.hash = contents.hashed();
        contents
    }

    /// The contents of now, if they are others.
    pub(super) fn newer(&self, folder: &Path) -> Option<Contents> {
        let now = entries(folder).map_or(Vec::new(), |entries| seen(&entries));
        (now != self.seen).then(|| Contents::read(folder))
    }

    fn add(&mut self, name: String, path: &Path, metadata: &Metadata) {
        let is_piece = PIECES.contains(&name.as_str());
        let most = if is_piece {
            MOST_PIECE_BYTES
        } else {
            MOST_BYTES
        };
        let Some(content_type) = content_type(&name).or(is_piece.then_some("")) else {
            return self.leave_out(name, not_a_kind());
        };
        if self.files.len() >= MOST_FILES {
            return self.leave_out(name, format!("there are more than {MOST_FILES} files"));
        }
        if metadata.len() > most {
            let text = format!("has {} bytes; {most} are allowed", metadata.len());
            return self.leave_out(name, text);
        }
        let bytes = match bounded(path, most) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return self.leave_out(name, format!("has more than {most} bytes")),
            Err(error) => return self.leave_out(name, cannot_be_read(&error)),
        };
        if !is_piece {
            let body = Bytes::from(bytes);
            self.files.insert(name, File { content_type, body });
            return;
        }
        match String::from_utf8(bytes) {
            Ok(text) => drop(self.pieces.insert(name, text)),
            Err(_) => self.leave_out(name, "is not UTF-8".to_owned()),
        }
    }

    fn leave_out(&mut self, name: String, why: String) {
        self.left_out.insert(name, why);
    }

    fn hashed(&self) -> String {
        let mut hasher = DefaultHasher::new();
        for (name, file) in &self.files {
            hasher.write(name.as_bytes());
            hasher.write_usize(file.body.len());
            hasher.write(&file.body);
        }
        format!("{:016x}", hasher.finish())
    }
}

/// Files in the order of their names, links followed. Hidden ones, copies that editors leave and
/// folders are nobody's wish to serve.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf, Metadata)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)?.take(MOST_ENTRIES) {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name.ends_with('~') {
            continue;
        }
        // A file that goes while we look is one that is not there.
        let Ok(metadata) = std::fs::metadata(&path) else {
            continue;
        };
        if metadata.is_file() {
            found.push((name.into_owned(), path, metadata));
        }
    }
    found.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    Ok(found)
}

fn seen(entries: &[(String, PathBuf, Metadata)]) -> Seen {
    let seen = entries.iter().map(|(name, _, metadata)| {
        let modified = metadata.modified().ok();
        (name.clone(), metadata.len(), modified)
    });
    seen.collect()
}

fn bounded(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    // It may have grown since it was looked at.
    let read = file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

/// `None` for names that are not served.
fn content_type(name: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let (_, ending) = name.rsplit_once('.')?;
    if name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return None;
    }
    let found = TYPES.iter().find(|(known, _)| *known == ending);
    found.map(|(_, content_type)| *content_type)
}

fn not_a_kind() -> String {
    let endings: Vec<&str> = TYPES.iter().map(|(ending, _)| *ending).collect();
    format!(
        "is none of {} and no file of plain letters, digits, `.`, `_` and `-` that ends in {}",
        PIECES.join(", "),
        endings.join(", ")
    )
}

fn cannot_be_read(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    #[test]
    fn files_are_sorted_by_what_they_are_for() {
        let folder = folder(&[
            ("pad.css", b"a {}"),
            ("pad.html", b"<p>Hi</p>"),
            ("logo.svg", b"<svg/>"),
            (".hidden.css", b""),
            ("pad.css~", b""),
        ]);
        std::fs::create_dir(folder.path().join("more.css")).unwrap();
        let contents = Contents::read(folder.path());
        let files: Vec<(&str, &str)> = contents
            .files
            .iter()
            .map(|(name, file)| (name.as_str(), file.content_type))
            .collect();
        let expected = [
            ("logo.svg", "image/svg+xml"),
            ("pad.css", "text/css; charset=utf-8"),
        ];
        assert_eq!(files, expected);
        assert_eq!(contents.pieces["pad.html"], "<p>Hi</p>");
        assert_eq!(contents.left_out, BTreeMap::new());
    }

    #[test]
    fn what_cannot_be_used_is_left_out_with_a_reason() {
        let long = vec![b'x'; 1024 * 1024 + 1];
        let folder = folder(&[
            ("pad.css", &long),
            ("pad.js", &long[1..]),
            ("pad.html", &long[..64 * 1024 + 1]),
            ("index.html", &[0xff]),
            ("other.html", b""),
            ("notes.txt", b""),
            ("two words.css", b""),
        ]);
        let contents = Contents::read(folder.path());
        assert_eq!(contents.files.keys().collect::<Vec<_>>(), ["pad.js"]);
        let starts = [
            ("index.html", "is not UTF-8"),
            ("notes.txt", "is none of"),
            ("other.html", "is none of"),
            ("pad.css", "has 1048577 bytes; 1048576 are allowed"),
            ("pad.html", "has 65537 bytes; 65536 are allowed"),
            ("two words.css", "is none of"),
        ];
        assert_eq!(contents.left_out.len(), starts.len());
        for ((name, why), (left, start)) in contents.left_out.iter().zip(starts) {
            assert_eq!(name, left);
            assert!(why.starts_with(start), "{name}: {why}");
        }
    }

    #[test]
    fn a_folder_holds_so_many_files_and_may_be_missing() {
        let files: Vec<String> = (0..=MOST_FILES).map(|at| format!("{at:03}.css")).collect();
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let folder = folder(&files);
        let contents = Contents::read(folder.path());
        assert_eq!(contents.files.len(), MOST_FILES);
        assert_eq!(
            contents.left_out["100.css"],
            "there are more than 100 files"
        );
        let none = Contents::read(&folder.path().join("none"));
        assert!(none.files.is_empty() && none.left_out.is_empty());
    }

    #[test]
    fn a_change_is_noticed_and_changes_the_name() {
        let folder = folder(&[("pad.css", b"one")]);
        let before = Contents::read(folder.path());
        assert!(before.newer(folder.path()).is_none());
        std::fs::write(folder.path().join("pad.css"), b"other").unwrap();
        let after = before.newer(folder.path()).unwrap();
        assert_ne!(before.hash, after.hash);
        std::fs::remove_file(folder.path().join("pad.css")).unwrap();
        let none = after.newer(folder.path()).unwrap();
        assert!(none.files.is_empty());
        assert!(none.newer(folder.path()).is_none());
    }
}
