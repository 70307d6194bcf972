//! Files that hold secrets: readable by their owner alone.
//!
//! A file appears under its name with everything in it or not at all, whatever happens meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::api_key::hex;
use crate::environment::random_bytes;

const OTHERS_MAY_READ: u32 = 0o044;

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
