//! Fetching from the catalogue of plugins, if the settings allow: the list, and archives in it.
//!
//! Nothing is asked for that nobody has asked for, and what comes back is bounded while it comes.

use std::net::SocketAddr;
use std::time::Duration;

use plugin::catalogue::{Entry, PublicKey};
use plugin::permission::own_network::is_public;
use plugin::{Catalogue, CatalogueError, Name, Reason, package};
use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use semver::Version;
use thiserror::Error;
use tokio::net::lookup_host;
use tokio::time::timeout;

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

    /// The catalogue as it is written.
    async fn read(&self) -> Result<Catalogue, FetchError> {
        let address = self.address()?;
        let json = fetch(address, plugin::catalogue::BYTES, &host(address)).await?;
        Ok(Catalogue::parse(&json)?)
    }

    /// The catalogue. With keys, entries that are not signed with one of them are left out and
    /// counted as skipped.
    pub async fn list(&self) -> Result<Catalogue, FetchError> {
        let mut catalogue = self.read().await?;
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
        let mut catalogue = self.read().await?;
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
        let archive = fetch(&entry.url, package::ARCHIVE, &host(address)).await?;
        entry.open(&archive, &self.keys)?;
        Ok(archive)
    }
}

fn host(address: &str) -> String {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.unwrap_or_default().to_owned()
}

fn is_encrypted(address: &str) -> bool {
    address.starts_with("https://")
}

/// `home` is the host of the catalogue. Those who write what stands there decide where archives
/// are, and other hosts where those lead on to: the own network is only asked at that host.
async fn fetch(address: &str, most: usize, home: &str) -> Result<Vec<u8>, FetchError> {
    let fetched = timeout(TIME, follow(address, most, home)).await;
    let problem = match fetched {
        Ok(Ok(Some(body))) => return Ok(body),
        Ok(Ok(None)) => return Err(FetchError::TooLong(address.to_owned(), most)),
        Ok(Err(problem)) => problem.to_string(),
        Err(_) => format!("no answer in {} seconds", TIME.as_secs()),
    };
    Err(FetchError::Request(address.to_owned(), problem))
}

/// The body, unless it is longer. Redirections are followed here, so that the host of each is
/// checked.
async fn follow(address: &str, most: usize, home: &str) -> Result<Option<Vec<u8>>, Reason> {
    let mut url = Url::parse(address).map_err(Reason::of)?;
    for _ in 0..=REDIRECTS {
        let client = client(&url, is_encrypted(address), home).await?;
        let failed = |error: reqwest::Error| reason(&error.without_url());
        let mut answer = client.get(url.clone()).send().await.map_err(failed)?;
        let next = answer.headers().get(LOCATION);
        if let Some(next) = next.filter(|_| answer.status().is_redirection()) {
            let next = next.to_str().map_err(Reason::of)?;
            url = url.join(next).map_err(Reason::of)?;
            continue;
        }
        answer.error_for_status_ref().map_err(failed)?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(failed)? {
            body.extend_from_slice(&part);
            if body.len() > most {
                return Ok(None);
            }
        }
        return Ok(Some(body));
    }
    Err(format!("more than {REDIRECTS} redirections").into())
}

/// A client for one request, which goes to the addresses that were looked at and to no other.
async fn client(url: &Url, is_encrypted: bool, home: &str) -> Result<Client, Reason> {
    let builder = Client::builder()
        .user_agent(USER_AGENT)
        .https_only(is_encrypted)
        .redirect(Policy::none());
    let host = url.host_str().unwrap_or_default();
    let builder = match host == home {
        true => builder,
        false => builder.resolve_to_addrs(host, &public_addresses(host).await?),
    };
    builder.build().map_err(|error| reason(&error).into())
}

async fn public_addresses(host: &str) -> Result<Vec<SocketAddr>, Reason> {
    let inner = host.trim_start_matches('[').trim_end_matches(']');
    let found = lookup_host((inner, 0)).await;
    let found = found.map_err(Reason::of)?;
    let public: Vec<SocketAddr> = found.filter(|it| is_public(it.ip())).collect();
    match public.is_empty() {
        true => Err(format!(
            "{host} is in a network of your own, where only the host of the catalogue is asked"
        )
        .into()),
        false => Ok(public),
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
