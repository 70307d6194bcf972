//! Which mails are written, and that each is written once.
//!
//! What has been told is part of the state, whether or not a mail server took it: a mail that could
//! not be delivered is in the log, and is not tried for ever.

use jiff::{SignedDuration, Timestamp};

use crate::config::{Config, Tier};
use crate::state::{LastResult, Outcome, Release, State};
use crate::version::is_minor_behind;

const SERVICE: &str = "padsvc";
/// How long until the next mail that an update is due.
const REPEAT: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// What it is about; the nodes of a cluster send one of each.
    pub key: String,
    pub subject: String,
    pub body: String,
}

/// Ends an episode of being outdated: the next one is mailed at once.
pub(crate) fn note_current(state: &mut State, config: &Config) {
    let latest = state.latest.as_ref();
    if latest.is_some_and(|latest| !is_minor_behind(&config.current, &latest.version)) {
        state.email.severe_at = None;
    }
}

/// The service is behind by more than a patch.
pub(crate) fn outdated(
    state: &mut State,
    latest: &Release,
    now: Timestamp,
    config: &Config,
) -> Option<Mail> {
    if !config.has_admin_email || !is_minor_behind(&config.current, &latest.version) {
        return None;
    }
    if let Some(last) = state.email.severe_at {
        // A clock that went back must not keep this quiet until it is there again.
        state.email.severe_at = Some(last.min(now));
        if now.duration_since(last) < REPEAT {
            return None;
        }
    }
    state.email.severe_at = Some(now);
    Some(Mail {
        key: format!("outdated:{}", config.current),
        subject: format!(
            "[{SERVICE}] A newer version is out ({} is running)",
            config.current
        ),
        body: format!(
            "Your installation runs version {}. Version {} was released: {}\n\n\
             Please plan an upgrade. This is repeated every 30 days until it is done.\n",
            config.current, latest.version, latest.html_url
        ),
    })
}

/// An update is going to be installed by itself.
pub(crate) fn scheduled(
    state: &mut State,
    tag: &str,
    at: Timestamp,
    config: &Config,
) -> Option<Mail> {
    if !config.has_admin_email || state.email.grace_start_tag.as_deref() == Some(tag) {
        return None;
    }
    state.email.grace_start_tag = Some(tag.to_owned());
    Some(Mail {
        key: format!("scheduled:{tag}"),
        subject: format!("[{SERVICE}] Auto-update scheduled for {tag}"),
        body: format!(
            "Release {tag} will be installed at {at}. Version {} is running now.\n\n\
             To prevent that, or to install it at once, open /admin/update.\n",
            config.current
        ),
    })
}

/// An update has failed. A failed rollback is always told; other failures where updates are
/// installed without anybody watching, no matter who started this one.
pub(crate) fn failed(state: &mut State, config: &Config) -> Option<Mail> {
    let result = state.last_result.clone()?;
    // Once it is acknowledged, it is known.
    let is_open = state.execution.status() == result.outcome.name();
    let is_mailed = config.tier >= Tier::Auto || result.outcome == Outcome::RollbackFailed;
    if !config.has_admin_email || !is_mailed || !is_open {
        return None;
    }
    let tag = &result.target_tag;
    let subject = match result.outcome {
        Outcome::PreflightFailed => format!("Auto-update to {tag} blocked at preflight"),
        Outcome::RolledBack => format!("Auto-update to {tag} rolled back"),
        Outcome::RollbackFailed => "Auto-update FAILED and could not be rolled back - manual \
             intervention required"
            .to_owned(),
        Outcome::Verified | Outcome::Cancelled => return None,
    };
    let key = key(&result);
    if !remember(state, &result) {
        return None;
    }
    let reason = result.reason.as_deref().unwrap_or("unknown");
    let advice = match result.outcome {
        Outcome::RollbackFailed => "Repair the installation, then acknowledge at /admin/update.",
        _ => "See /admin/update; nothing is tried again until it is acknowledged there.",
    };
    let node = config.node.as_ref();
    let node = node.map_or(String::new(), |node| format!("Node: {}\n", node.address));
    Some(Mail {
        key,
        subject,
        body: format!(
            "{node}Release: {tag}\nOutcome: {}\nReason: {reason}\nRunning version: {}\n\n\
             {advice}\n",
            result.outcome.name(),
            config.current,
        ),
    })
}

/// False if this has been told.
fn remember(state: &mut State, result: &LastResult) -> bool {
    if result.outcome == Outcome::RollbackFailed {
        // Each one is mailed, however alike; but not again at every start.
        return state.email.rollback_failed_at.replace(result.at) != Some(result.at);
    }
    let key = key(result);
    state.email.last_failure_key.replace(key.clone()) != Some(key)
}

fn key(result: &LastResult) -> String {
    let (outcome, tag) = (result.outcome.name(), &result.target_tag);
    match result.outcome {
        Outcome::RollbackFailed => format!("{outcome}:{tag}:{}", result.at),
        _ => format!("{outcome}:{tag}"),
    }
}
