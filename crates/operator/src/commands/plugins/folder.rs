//! The folder of a plugin as a package. It holds what an author has put there, so its size is
//! bounded while it is read.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use plugin::package::{FILES, FileKind};
use plugin::{Package, PackageError};

use super::super::error::CommandError;

/// `assets/` and `locales/` are below the folder, and nothing is below them.
const DEPTH: usize = 2;

/// Files and folders whose name begins with a dot are left out, such as those of git.
pub(super) fn read(folder: &Path) -> Result<Package, CommandError> {
    let mut files = BTreeMap::new();
    collect(folder, "", DEPTH, &mut files)?;
    Ok(Package::from_files(files)?)
}

fn collect(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), CommandError> {
    let because = CommandError::of_file(folder);
    for entry in fs::read_dir(folder).map_err(&because)? {
        let entry = entry.map_err(&because)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        let kind = entry.file_type().map_err(&because)?;
        if kind.is_symlink() {
            return Err(PackageError::Link(name).into());
        }
        if kind.is_dir() && depth > 1 {
            collect(&entry.path(), &format!("{name}/"), depth - 1, files)?;
            continue;
        }
        if files.len() >= FILES {
            return Err(PackageError::TooManyFiles.into());
        }
        let bytes = content(&entry.path(), &name)?;
        files.insert(name, bytes);
    }
    Ok(())
}

/// One byte more than a file may have is enough to refuse it, which [`Package::from_files`] does.
fn content(path: &Path, name: &str) -> Result<Vec<u8>, CommandError> {
    let Some(kind) = FileKind::of(name) else {
        return Err(PackageError::UnknownFile(name.to_owned()).into());
    };
    let because = CommandError::of_file(path);
    let file = fs::File::open(path).map_err(&because)?;
    let mut bytes = Vec::new();
    let most = kind.max_bytes() as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(because)?;
    Ok(bytes)
}
