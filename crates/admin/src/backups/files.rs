//! Files of backups: written under another name, looked over, and only then named as one.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use series::iso_time;
use store::Location;
use system::disk;

use super::error::BackupError;

const BEGIN: &str = "pads-";
const END: &str = ".db";
/// What is being written, or was when a process ended. It may be a folder.
const UNFINISHED: &str = "unfinished-";
/// Room that is left for others, who may share the disk.
const RESERVE_BYTES: u64 = 100_000_000;

/// Why there is a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Schedule,
    Request,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackupFile {
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub at: i64,
    pub bytes: u64,
}

pub(super) fn name(now: i64, origin: Origin) -> String {
    let time = iso_time(now).replace(':', "-");
    format!("{BEGIN}{time}{}", ending(origin))
}

/// Those on schedule must not be pushed out by those that somebody asked for.
fn ending(origin: Origin) -> &'static str {
    match origin {
        Origin::Schedule => END,
        Origin::Request => "-manual.db",
    }
}

/// Copies the database, whose size is known, and looks the copy over.
pub(super) fn make(
    location: &Location,
    folder: &Path,
    name: &str,
    bytes: u64,
    mut report: impl FnMut(u64, u64),
) -> Result<BackupFile, BackupError> {
    prepare(folder, bytes)?;
    let (draft, path) = (unfinished(folder, name), folder.join(name));
    let copied = store::backup(location, &draft, &mut report);
    let verified = copied.and_then(|()| store::examine(&draft));
    let named = verified.map_err(BackupError::from).and_then(|()| {
        let renamed = fs::rename(&draft, &path).and_then(|()| File::open(folder)?.sync_all());
        renamed.map_err(BackupError::at(&path))
    });
    if named.is_err() {
        let _ = fs::remove_file(&draft);
    }
    named?;
    describe(&path).ok_or(BackupError::Gone(path))
}

/// The folder, with room for so many bytes and without what was left unfinished. One job runs at
/// a time, so nothing there is under way.
pub(super) fn prepare(folder: &Path, bytes: u64) -> Result<(), BackupError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(BackupError::at(folder))?;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            let path = entry.path();
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
    let needed = bytes.saturating_add(RESERVE_BYTES);
    match disk::space(folder) {
        Some(space) if space.free < needed => Err(BackupError::DiskFull {
            folder: folder.to_owned(),
            free: space.free / 1_000_000,
            needed: needed / 1_000_000,
        }),
        _ => Ok(()),
    }
}

pub(super) fn unfinished(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{UNFINISHED}{name}"))
}

/// Removes the oldest of too many of one origin, and never the one that was just made.
pub(super) fn remove_old(folder: &Path, newest: &str, origin: Origin, keep: usize) {
    let is_other = |file: &BackupFile| file.name != newest && origin_of(&file.name) == Some(origin);
    let others = list(folder).into_iter().filter(is_other);
    for old in others.skip(keep.saturating_sub(1)) {
        let _ = fs::remove_file(folder.join(old.name));
    }
}

/// The newest first: names are in the order of time.
pub(super) fn list(folder: &Path) -> Vec<BackupFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<BackupFile> = entries
        .filter(|entry| origin_of(&entry.file_name().to_string_lossy()).is_some())
        .filter_map(|entry| describe(&entry.path()))
        .collect();
    files.sort_by(|one, other| other.name.cmp(&one.name));
    files
}

/// `None`: it is no file, a link for example.
fn describe(path: &Path) -> Option<BackupFile> {
    let data = fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)?;
    let since = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(BackupFile {
        name: path.file_name()?.to_str()?.to_owned(),
        at: i64::try_from(since.as_millis()).ok()?,
        bytes: data.len(),
    })
}

/// `None`: it is not the name of a backup.
fn origin_of(name: &str) -> Option<Origin> {
    // "2026-11-18T07-00-00Z"
    let is_time = |time: &str| {
        let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'T' | b'Z');
        time.len() == 20 && time.bytes().all(is_part)
    };
    let rest = name.strip_prefix(BEGIN)?;
    let of = |origin| {
        let time = rest.strip_suffix(ending(origin));
        time.is_some_and(is_time).then_some(origin)
    };
    of(Origin::Schedule).or_else(|| of(Origin::Request))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    fn names(folder: &Path) -> Vec<String> {
        list(folder).into_iter().map(|file| file.name).collect()
    }

    #[tokio::test]
    async fn backups_are_verified_and_the_oldest_of_each_origin_go() {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Embedded(folder.path().join("pads.db"));
        let store = store::Store::open(location.clone()).await.unwrap();
        let backups = folder.path().join("var/backups");
        assert_eq!(list(&backups), []);
        let made = |day: i64, origin| {
            let name = name(day * DAY, origin);
            make(&location, &backups, &name, 0, |_, _| {}).unwrap();
            remove_old(&backups, &name, origin, 2);
            name
        };
        let manual = made(1, Origin::Request);
        let [_, two, three] = [2, 3, 4].map(|day| made(day, Origin::Schedule));
        assert_eq!(manual, "pads-1970-01-02T00-00-00Z-manual.db");
        assert_eq!(three, "pads-1970-01-05T00-00-00Z.db");
        assert_eq!(names(&backups), [&*three, &*two, &*manual]);
        assert_eq!(fs::read_dir(&backups).unwrap().count(), 3, "no draft stays");
        // With a clock that was set back it is still the newest that stays.
        let early = made(0, Origin::Schedule);
        assert_eq!(names(&backups), [&*three, &*manual, &*early]);
        store.close().await;
    }

    #[test]
    fn a_copy_that_cannot_be_made_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Location::Embedded(folder.path().join("none.db"));
        let backups = folder.path().join("backups");
        let name = name(0, Origin::Request);
        assert!(make(&missing, &backups, &name, 0, |_, _| {}).is_err());
        assert_eq!(fs::read_dir(&backups).unwrap().count(), 0);
        let full = make(&missing, &backups, &name, u64::MAX, |_, _| {});
        assert!(full.unwrap_err().to_string().contains("MB are needed"));
    }

    #[test]
    fn what_a_crash_has_left_is_no_backup_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let backups = folder.path();
        for name in [
            "unfinished-pads-2026-11-18T07-00-00Z.db.partial",
            "pads-2026-11-18T07-00-00Z.db",
            "mine.db",
        ] {
            fs::write(backups.join(name), "").unwrap();
        }
        fs::create_dir(backups.join("unfinished-restore")).unwrap();
        assert_eq!(names(backups), ["pads-2026-11-18T07-00-00Z.db"]);
        prepare(backups, 0).unwrap();
        assert_eq!(fs::read_dir(backups).unwrap().count(), 2);
    }

    #[test]
    fn names_lead_nowhere_else() {
        let now = 1_794_985_200_000;
        for origin in [Origin::Schedule, Origin::Request] {
            assert_eq!(origin_of(&name(now, origin)), Some(origin));
        }
        for name in [
            "",
            "pads-.db",
            "unfinished-pads-2026-11-18T07-00-00Z.db",
            "pads-2026-11-18T07-00-00Z.db.partial",
            "../padsvc.db",
            "pads-../../../etc/passw.db",
        ] {
            assert_eq!(origin_of(name), None, "{name}");
        }
    }
}
