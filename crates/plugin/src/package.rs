//! The package of a plugin: its files, from a folder or a zip (`NAME-VERSION.padplugin`).
//!
//! Nothing is believed that an archive says about itself: names come from a list of what a plugin
//! can have, and unpacking stops at the bounds, however small the archive is. What is a `Package`
//! has a manifest that passed all checks, and scripts that are text.

mod archive;
mod error;
mod file_kind;
mod locale;

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::hooks::Hook;
use crate::manifest::Manifest;
use crate::wire::Texts;
pub use error::PackageError;
pub use file_kind::FileKind;

/// The most bytes of an archive, of all files together, and of one script; and how many files.
pub const ARCHIVE: usize = 2 * 1024 * 1024;
pub const UNPACKED: usize = 8 * 1024 * 1024;
pub const SCRIPT: usize = 512 * 1024;
pub const FILES: usize = 200;

#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    manifest: Manifest,
    texts: Texts,
    files: BTreeMap<String, Vec<u8>>,
}

impl Package {
    /// The package in an archive. What comes out has been checked completely.
    pub fn unpack(archive: &[u8]) -> Result<Package, PackageError> {
        Package::from_files(archive::unpack(archive)?)
    }

    /// A package of files that have been read from a folder: the names have slashes.
    pub fn from_files(files: BTreeMap<String, Vec<u8>>) -> Result<Package, PackageError> {
        check_sizes(&files)?;
        let manifest = files.get("plugin.json").ok_or(PackageError::NoManifest)?;
        let manifest = Manifest::parse(manifest)?;
        let package = Package {
            texts: locale::texts(&files)?,
            manifest,
            files,
        };
        package.check_scripts()?;
        Ok(package)
    }

    /// The archive. Equal packages have equal archives: none says when it was made.
    pub fn pack(&self) -> Result<Vec<u8>, PackageError> {
        archive::pack(&self.files)
    }

    /// What the archive is called.
    pub fn file_name(&self) -> String {
        format!("{}-{}.padplugin", self.manifest.name, self.manifest.version)
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The script that runs in a worker.
    pub fn server(&self) -> Option<&str> {
        self.text_of("server.js")
    }

    /// The script and the style that run in browsers.
    pub fn client(&self) -> Option<&str> {
        self.text_of("client.js")
    }

    pub fn style(&self) -> Option<&str> {
        self.text_of("client.css")
    }

    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// All files, in the order of their names.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Whether code of it runs in browsers, with the rights of those who have the page open. An
    /// operator confirms that apart from the permissions.
    pub fn runs_in_browsers(&self) -> bool {
        self.files.contains_key("client.js")
    }

    fn text_of(&self, name: &str) -> Option<&str> {
        self.file(name)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    fn check_scripts(&self) -> Result<(), PackageError> {
        for name in ["server.js", "client.js", "client.css"] {
            if self.files.contains_key(name) && self.text_of(name).is_none() {
                return Err(PackageError::NotText(name.to_owned()));
            }
        }
        let has_server = self.files.contains_key("server.js");
        if let Some(hook) = self.manifest.hooks.keys().next().filter(|_| !has_server) {
            return Err(PackageError::HookWithoutServer(hook.name()));
        }
        if has_server && self.manifest.hooks.is_empty() {
            return Err(PackageError::ServerWithoutHook);
        }
        let is_for_page = |hook: &Hook| matches!(hook, Hook::Message | Hook::ClientVars);
        let for_page = self.manifest.hooks.keys().find(|hook| is_for_page(hook));
        if let Some(hook) = for_page.filter(|_| !self.runs_in_browsers()) {
            return Err(PackageError::HookWithoutClient(hook.name()));
        }
        if self.files.contains_key("client.css") && !self.runs_in_browsers() {
            return Err(PackageError::StyleWithoutClient);
        }
        Ok(())
    }
}

/// The SHA-256 of an archive in hexadecimal digits, as a catalogue and the database have it.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Also for those from a folder, which passed no archive.
fn check_sizes(files: &BTreeMap<String, Vec<u8>>) -> Result<(), PackageError> {
    if files.len() > FILES {
        return Err(PackageError::TooManyFiles);
    }
    let mut left = UNPACKED;
    let mut names = BTreeSet::new();
    for (name, bytes) in files {
        // Unpacked on another machine one would take the place of the other.
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(PackageError::RepeatedFile);
        }
        let kind = FileKind::of(name).ok_or_else(|| error::unknown(name))?;
        if bytes.len() > kind.max_bytes() {
            return Err(PackageError::FileTooLong(name.clone(), kind.max_bytes()));
        }
        left = left
            .checked_sub(bytes.len())
            .ok_or(PackageError::UnpackedTooLong)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
