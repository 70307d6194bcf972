//! Zip archives, unpacked within bounds and written in one way only.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::error::unknown;
use super::{ARCHIVE, FILES, FileKind, PackageError, UNPACKED};
use crate::permission::excerpt;

/// The files of an archive. Never more than [`UNPACKED`] bytes are inflated, whatever the archive
/// says about the length of its files (a zip bomb).
pub(super) fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, PackageError> {
    if archive.len() > ARCHIVE {
        return Err(PackageError::ArchiveTooLong);
    }
    let mut zip = ZipArchive::new(Cursor::new(archive)).map_err(|_| PackageError::NotZip)?;
    if zip.has_duplicate_names() {
        return Err(PackageError::RepeatedFile);
    }
    // Folders are entries too.
    if zip.len() > 2 * FILES {
        return Err(PackageError::TooManyFiles);
    }
    let mut files = BTreeMap::new();
    let mut left = UNPACKED;
    for index in 0..zip.len() {
        let entry = zip.by_index(index).map_err(|_| PackageError::NotZip)?;
        // As it is in the archive, before anybody has tidied it up.
        let name = std::str::from_utf8(entry.name_raw())
            .unwrap_or("�")
            .to_owned();
        if entry.is_symlink() {
            return Err(PackageError::Link(excerpt(&name)));
        }
        if entry.is_dir() {
            continue;
        }
        let kind = FileKind::of(&name).ok_or_else(|| unknown(&name))?;
        let bound = kind.max_bytes().min(left);
        let mut bytes = Vec::new();
        let read = entry.take(bound as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|_| PackageError::Damaged(name.clone()))?;
        if bytes.len() > kind.max_bytes() {
            return Err(PackageError::FileTooLong(name, kind.max_bytes()));
        }
        left = left
            .checked_sub(bytes.len())
            .ok_or(PackageError::UnpackedTooLong)?;
        if files.insert(name, bytes).is_some() {
            return Err(PackageError::RepeatedFile);
        }
        if files.len() > FILES {
            return Err(PackageError::TooManyFiles);
        }
    }
    Ok(files)
}

pub(super) fn pack(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, PackageError> {
    let options = SimpleFileOptions::default()
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Writing to memory fails only beyond bounds that a package is far within.
    let failed = |name: &str| PackageError::Damaged(name.to_owned());
    for (name, bytes) in files {
        let begun = zip.start_file(name.as_str(), options);
        begun.map_err(|_| failed(name))?;
        zip.write_all(bytes).map_err(|_| failed(name))?;
    }
    let archive = zip.finish().map_err(|_| PackageError::NotZip)?.into_inner();
    if archive.len() > ARCHIVE {
        return Err(PackageError::ArchiveTooLong);
    }
    Ok(archive)
}
