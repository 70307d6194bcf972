//! Fetching from the catalogue of plugins, if the settings allow: the list, and archives in it.
//!
//! Nothing is asked for that nobody has asked for, and what comes back is bounded while it comes.

use std::time::Duration;

use plugin::catalogue::{Entry, PublicKey};
use plugin::{Catalogue, CatalogueError, Name, package};
use reqwest::Client;
use reqwest::redirect::Policy;
use semver::Version;
use thiserror::Error;

const TIME: Duration = Duration::from_secs(30);
const REDIRECTS: usize = 5;
/// Says what asks, and not which version of it.
const USER_AGENT: &str = "padsvc";

/// Where plugins are found, and whom the operator trusts.
#[derive(Clone, Debug, Default)]
pub struct CatalogueSource {
    /// The settings allow to ask (`privacy.pluginCatalog`).
    pub is_allowed: bool,
    /// Of the catalogue (`plugins.catalogue`).
    pub address: Option<String>,
    /// With keys, every entry must be signed with one of them (`plugins.keys`).
    pub keys: Vec<PublicKey>,
}

/// Why nothing was fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    #[error("the catalogue is switched off by privacy.pluginCatalog")]
    Forbidden,
    #[error("no catalogue is set; plugins.catalogue is its address")]
    NoAddress,
    #[error("{0} cannot be fetched: {1}")]
    Request(String, String),
    #[error("{0} has more than {1} bytes")]
    TooLong(String, usize),
    #[error("{0} is not fetched without encryption, since the catalogue is encrypted")]
    Unencrypted(String),
    #[error("the catalogue has no plugin {0} in that version")]
    NoEntry(Name),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
}

impl CatalogueSource {
    fn address(&self) -> Result<&str, FetchError> {
        if !self.is_allowed {
            return Err(FetchError::Forbidden);
        }
        self.address.as_deref().ok_or(FetchError::NoAddress)
    }

    /// The catalogue. With keys, entries that are not signed with one of them are left out and
    /// counted as skipped.
    pub async fn list(&self) -> Result<Catalogue, FetchError> {
        let json = fetch(self.address()?, plugin::catalogue::BYTES).await?;
        let mut catalogue = Catalogue::parse(&json)?;
        let before = catalogue.entries.len();
        let is_signed = |entry: &Entry| entry.check_signature(&self.keys).is_ok();
        catalogue.entries.retain(is_signed);
        catalogue.skipped += before - catalogue.entries.len();
        Ok(catalogue)
    }

    /// The archive of a plugin, which is the one that the catalogue means; without a version, of
    /// the newest that the keys allow.
    pub async fn archive(
        &self,
        name: &Name,
        version: Option<&Version>,
    ) -> Result<Vec<u8>, FetchError> {
        let address = self.address()?;
        let json = fetch(address, plugin::catalogue::BYTES).await?;
        let mut catalogue = Catalogue::parse(&json)?;
        let entry = match version {
            None => {
                let keys = &self.keys;
                catalogue
                    .entries
                    .retain(|entry| entry.check_signature(keys).is_ok());
                catalogue.newest(name)
            }
            Some(version) => {
                let mut entries = catalogue.entries.iter();
                entries.find(|entry| entry.name == *name && entry.version == *version)
            }
        };
        let entry = entry.ok_or_else(|| FetchError::NoEntry(name.clone()))?;
        entry.check_signature(&self.keys)?;
        if is_encrypted(address) && !is_encrypted(&entry.url) {
            return Err(FetchError::Unencrypted(entry.url.clone()));
        }
        let archive = fetch(&entry.url, package::ARCHIVE).await?;
        entry.open(&archive, &self.keys)?;
        Ok(archive)
    }
}

fn is_encrypted(address: &str) -> bool {
    address.starts_with("https://")
}

async fn fetch(address: &str, most: usize) -> Result<Vec<u8>, FetchError> {
    let client = Client::builder()
        .user_agent(USER_AGENT)
        .timeout(TIME)
        .https_only(is_encrypted(address))
        .redirect(Policy::limited(REDIRECTS))
        .build();
    let fetched = async {
        let mut answer = client?.get(address).send().await?.error_for_status()?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            body.extend_from_slice(&part);
            if body.len() > most {
                return Ok(None);
            }
        }
        Ok::<_, reqwest::Error>(Some(body))
    };
    match fetched.await {
        Ok(Some(body)) => Ok(body),
        Ok(None) => Err(FetchError::TooLong(address.to_owned(), most)),
        Err(error) => Err(FetchError::Request(
            address.to_owned(),
            reason(&error.without_url()),
        )),
    }
}

/// The innermost cause, which says most.
fn reason(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests;
