//! Files readable by their owner alone: secrets, and everything in `var/`.
//!
//! A secret appears under its name with everything in it or not at all, whatever happens meanwhile.
//! Other files get the mode of the process ([`by_default`]); those of earlier releases are
//! tightened at start ([`tighten`]).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::Mode;

use crate::environment::random_bytes;
use crate::hex;

const OTHERS_MAY_READ: u32 = 0o044;
const OTHERS: u32 = 0o077;
/// What an embedded database consists of, by what is behind its name.
const DATABASE_FILES: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// Whatever this process and its children create is their user's alone: databases, logs, exports.
pub fn by_default() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Takes away what others may do with `var/`, the files in it and the database, wherever that is.
/// Gives what had to be changed, or could not be.
pub fn tighten(var: &Path, database: Option<&Path>) -> Vec<(PathBuf, io::Result<()>)> {
    let mut paths = vec![var.to_owned()];
    for folder in [var.to_owned(), var.join("log")] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        paths.extend(entries.map(|entry| entry.path()));
    }
    if let Some(database) = database.and_then(|it| it.canonicalize().ok()) {
        paths.extend(DATABASE_FILES.iter().map(|ending| {
            let mut name = database.clone().into_os_string();
            name.push(ending);
            PathBuf::from(name)
        }));
    }
    let changed = paths.into_iter().filter_map(|path| {
        let outcome = tighten_one(&path, path == var).transpose()?;
        Some((path, outcome))
    });
    changed.collect()
}

/// `None`: nothing had to be done. What a link leads to is somebody else's, but for `var/` itself.
fn tighten_one(path: &Path, follow: bool) -> io::Result<Option<()>> {
    let found = if follow {
        fs::metadata(path)
    } else {
        fs::symlink_metadata(path)
    };
    let Ok(found) = found else {
        return Ok(None);
    };
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & OTHERS == 0 {
        return Ok(None);
    }
    let tight = fs::Permissions::from_mode(mode & 0o7700);
    fs::set_permissions(path, tight).map(Some)
}

/// Makes the file unless it is there: if another process was quicker, its file stays.
pub fn create(path: &Path, content: &str) -> io::Result<()> {
    place(path, content, |draft| {
        // Unlike renaming, this does not replace a file that is there by now.
        let placed = fs::hard_link(draft, path);
        fs::remove_file(draft)?;
        match placed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        }
    })
}

pub fn replace(path: &Path, content: &str) -> io::Result<()> {
    place(path, content, |draft| fs::rename(draft, path))
}

pub fn can_be_read_by_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.permissions().mode() & OTHERS_MAY_READ != 0)
}

fn place(
    path: &Path,
    content: &str,
    under_its_name: impl Fn(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let draft = draft_of(path);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    let placed = file
        .write_all(content.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| under_its_name(&draft));
    if placed.is_err() {
        let _ = fs::remove_file(&draft);
    }
    placed?;
    // A name is on disk when its folder is.
    File::open(folder_of(path))?.sync_all()
}

fn draft_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    folder_of(path).join(format!(".{name}.{}", hex(&random_bytes::<8>())))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_may_read_is_tightened_and_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let var = folder.path().join("var");
        fs::create_dir_all(var.join("log")).unwrap();
        let outside = folder.path().join("pads.db");
        let database = var.join("link.db");
        std::os::unix::fs::symlink(&outside, &database).unwrap();
        let open = [
            var.clone(),
            var.join("log"),
            var.join("padsvc.db"),
            var.join("log/update.log"),
            outside.clone(),
            folder.path().join("pads.db-wal"),
        ];
        let closed = [var.join("secret"), folder.path().join("settings.json")];
        for path in open.iter().chain(&closed).filter(|it| !it.is_dir()) {
            fs::write(path, "").unwrap();
        }
        for (path, mode) in open.iter().map(|it| (it, 0o755)).chain([
            (&closed[0], 0o600),
            // Not ours to judge.
            (&closed[1], 0o644),
        ]) {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let told = tighten(&var, Some(&database));
        assert!(told.iter().all(|(_, outcome)| outcome.is_ok()), "{told:?}");
        let mut told: Vec<PathBuf> = told.into_iter().map(|(path, _)| path).collect();
        told.sort();
        let mut expected = open.to_vec();
        expected.sort();
        assert_eq!(told, expected);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert!(open.iter().all(|path| mode(path) == 0o700));
        assert_eq!(mode(&closed[1]), 0o644);
        assert!(tighten(&var, Some(&database)).is_empty());
    }

    #[test]
    fn files_are_private_whole_and_alone() {
        let folder =
            std::env::temp_dir().join(format!("padsvc-private-{}", hex(&random_bytes::<8>())));
        fs::create_dir(&folder).unwrap();
        let path = folder.join("secret");
        create(&path, "first").unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(!can_be_read_by_others(&path));
        create(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        replace(&path, "third").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(create(&folder.join("nowhere/secret"), "x").is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
