//! The release feed: where to ask, and what an answer says.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use thiserror::Error;

use crate::state::Release;

/// What became of a look at the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    Found {
        release: Release,
        etag: Option<String>,
    },
    Unchanged,
    /// What is newest is not for everybody yet.
    Prerelease {
        etag: Option<String>,
    },
    /// Asked too often.
    Limited {
        until: Option<Timestamp>,
    },
    Failed(String),
}

/// An answer of the code host, as far as it matters.
#[derive(Clone, Debug, Default)]
pub struct Answer<'a> {
    pub status: u16,
    pub etag: Option<&'a str>,
    pub retry_after: Option<&'a str>,
    pub body: &'a [u8],
}

/// Nobody is kept from looking for longer than this.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(7 * 24);
const LONGEST_BODY: usize = 100_000;

/// Where to ask for the newest release of a repository, which is `owner/name`, its page on GitHub
/// or the address of its API. `None` if it is none of them.
pub fn address(repository: &str) -> Option<String> {
    let repository = repository.trim_end_matches('/');
    let page = repository.strip_prefix("https://github.com/");
    let repository = page.unwrap_or(repository);
    if repository.starts_with("https://") || repository.starts_with("http://") {
        return Some(if repository.ends_with("/releases/latest") {
            repository.to_owned()
        } else {
            format!("{repository}/releases/latest")
        });
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_name =
        |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(plain);
    let (owner, name) = repository.split_once('/')?;
    let fits = is_name(owner) && is_name(name);
    fits.then(|| format!("https://api.github.com/repos/{repository}/releases/latest"))
}

pub fn read(answer: &Answer, now: Timestamp) -> Checked {
    match answer.status {
        200 => read_release(answer).unwrap_or_else(|error| Checked::Failed(error.to_string())),
        304 => Checked::Unchanged,
        403 | 429 => Checked::Limited {
            until: answer.retry_after.and_then(|text| retry_at(text, now)),
        },
        status => Checked::Failed(format!("the answer was {status}")),
    }
}

/// Why an answer names no release.
#[derive(Debug, Error)]
enum FeedError {
    #[error("the answer is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the answer has no {0}")]
    Missing(&'static str),
    #[error("the answer has a tag that git should not be given")]
    Tag,
    #[error("the answer has an html_url that is no web address")]
    Address,
}

fn read_release(answer: &Answer) -> Result<Checked, FeedError> {
    let json: Value = serde_json::from_slice(answer.body)?;
    let text = |key: &'static str| {
        let value = json.get(key).and_then(Value::as_str);
        value.ok_or(FeedError::Missing(key))
    };
    let flag = |key: &str| json.get(key).and_then(Value::as_bool).unwrap_or(false);
    let etag = answer.etag.map(str::to_owned);
    if flag("prerelease") || flag("draft") {
        return Ok(Checked::Prerelease { etag });
    }
    let tag = text("tag_name")?;
    if !is_safe_tag(tag) {
        return Err(FeedError::Tag);
    }
    let address = text("html_url")?;
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return Err(FeedError::Address);
    }
    let release = Release {
        version: tag.strip_prefix('v').unwrap_or(tag).to_owned(),
        tag: tag.to_owned(),
        body: text("body")
            .unwrap_or_default()
            .chars()
            .take(LONGEST_BODY)
            .collect(),
        published_at: text("published_at")?.to_owned(),
        prerelease: false,
        html_url: address.to_owned(),
    };
    Ok(Checked::Found { release, etag })
}

/// A name that means itself to git, whatever it is a part of.
pub fn is_safe_tag(tag: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
    (1..=200).contains(&tag.chars().count())
        && !tag.starts_with(['-', '.', '/'])
        && !tag.ends_with(['.', '/'])
        && !tag.ends_with(".lock")
        && !tag.contains("..")
        && !tag.contains("//")
        && !tag.contains("@{")
        && !tag.contains(is_odd)
}

/// When to come again: after so many seconds, or at a time.
fn retry_at(text: &str, now: Timestamp) -> Option<Timestamp> {
    let latest = now.checked_add(LONGEST_WAIT).ok()?;
    let at = match text.trim().parse::<u32>() {
        Ok(seconds) => now
            .checked_add(SignedDuration::from_secs(i64::from(seconds)))
            .ok()?,
        Err(_) => jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp(),
    };
    (at > now).then_some(at.min(latest))
}
