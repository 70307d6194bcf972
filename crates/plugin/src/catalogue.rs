//! The catalogue of plugins: a static JSON file at an address that the operator chooses.
//!
//! It names archives and their hashes, so that what is installed is what the catalogue means. With
//! keys of the operator's own each entry must be signed as well: then neither the place of the
//! catalogue nor that of the archives has to be trusted. Entries that this program does not
//! understand are skipped, since one catalogue serves many versions of it.

mod signature;

use semver::Version;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::name::Name;
use crate::package::{Package, PackageError, sha256};
use crate::parameter::{has_units, is_plain};
pub use signature::{KeyError, PublicKey, signed_text};

/// The most bytes of a catalogue, and entries of it.
pub const BYTES: usize = 1024 * 1024;
pub const ENTRIES: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    pub entries: Vec<Entry>,
    /// How many entries were not understood.
    pub skipped: usize,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Entry {
    pub name: Name,
    pub version: Version,
    pub title: String,
    pub description: String,
    /// Where the archive is.
    pub url: String,
    /// The hash of the archive: 64 hexadecimal digits in lower case.
    pub sha256: String,
    /// Ed25519 over [`signed_text`], in base64.
    pub signature: Option<String>,
}

#[derive(Debug, Error)]
pub enum CatalogueError {
    #[error("the catalogue has more than {BYTES} bytes")]
    TooLong,
    #[error("the catalogue is not understood: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the catalogue has more than {ENTRIES} entries")]
    TooManyEntries,
    #[error("{0} is not signed, and the settings name keys that it must be signed with")]
    Unsigned(Name),
    #[error("{0} is not signed with one of the keys in the settings")]
    WrongSignature(Name),
    #[error("{0}: the file is not the one in the catalogue: its SHA-256 is another")]
    WrongHash(Name),
    #[error("{wanted} in the catalogue is {found} in the file")]
    WrongPackage { wanted: String, found: String },
    #[error(transparent)]
    Package(#[from] PackageError),
}

/// The file as it is written.
#[derive(Deserialize)]
struct RawCatalogue {
    plugins: Vec<Box<RawValue>>,
}

impl Catalogue {
    pub fn parse(json: &[u8]) -> Result<Catalogue, CatalogueError> {
        if json.len() > BYTES {
            return Err(CatalogueError::TooLong);
        }
        let raw: RawCatalogue = serde_json::from_slice(json)?;
        if raw.plugins.len() > ENTRIES {
            return Err(CatalogueError::TooManyEntries);
        }
        let total = raw.plugins.len();
        let json = raw.plugins.iter().map(|entry| entry.get());
        let entries = json.filter_map(|json| serde_json::from_str::<Entry>(json).ok());
        let entries: Vec<Entry> = entries.filter(Entry::is_sound).collect();
        Ok(Catalogue {
            skipped: total - entries.len(),
            entries,
        })
    }

    /// The newest version of a plugin.
    pub fn newest(&self, name: &Name) -> Option<&Entry> {
        let entries = self.entries.iter().filter(|entry| entry.name == *name);
        entries.max_by(|one, other| one.version.cmp(&other.version))
    }
}

impl Entry {
    /// The package of an archive, if it is the one that the entry means. With keys, the entry must
    /// be signed with one of them.
    pub fn open(&self, archive: &[u8], keys: &[PublicKey]) -> Result<Package, CatalogueError> {
        self.check_signature(keys)?;
        if sha256(archive) != self.sha256 {
            return Err(CatalogueError::WrongHash(self.name.clone()));
        }
        let package = Package::unpack(archive)?;
        let manifest = package.manifest();
        if manifest.name == self.name && manifest.version == self.version {
            return Ok(package);
        }
        Err(CatalogueError::WrongPackage {
            wanted: format!("{} {}", self.name, self.version),
            found: format!("{} {}", manifest.name, manifest.version),
        })
    }

    /// Before anything is fetched.
    pub fn check_signature(&self, keys: &[PublicKey]) -> Result<(), CatalogueError> {
        if keys.is_empty() {
            return Ok(());
        }
        let signature = self.signature.as_deref();
        let signature = signature.ok_or_else(|| CatalogueError::Unsigned(self.name.clone()))?;
        let text = signed_text(&self.name, &self.version, &self.sha256);
        if keys.iter().any(|key| key.has_signed(&text, signature)) {
            Ok(())
        } else {
            Err(CatalogueError::WrongSignature(self.name.clone()))
        }
    }

    fn is_sound(&self) -> bool {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_address = self.url.starts_with("https://") || self.url.starts_with("http://");
        has_units(&self.title, 60)
            && has_units(&self.description, 500)
            && is_plain(&self.title)
            && is_plain(&self.description)
            && is_address
            && self.url.len() <= 2_000
            && self.url.bytes().all(|byte| byte.is_ascii_graphic())
            && self.sha256.len() == 64
            && self.sha256.bytes().all(is_digit)
            && self.signature.as_deref().unwrap_or_default().len() <= 100
    }
}

impl From<&Entry> for Value {
    /// As the admin area shows it.
    fn from(entry: &Entry) -> Value {
        serde_json::json!({
            "name": entry.name,
            "version": entry.version.to_string(),
            "title": entry.title,
            "description": entry.description,
            "signed": entry.signature.is_some(),
        })
    }
}

#[cfg(test)]
mod tests;
