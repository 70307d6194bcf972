//! The last resort while a new version has not been found healthy: a thread of its own, so that it
//! works when nothing else does.

use std::sync::Arc;
use std::time::Duration;

use tracing::error;
use update::{Config, Effect, Event, Execution, step};

use super::RESTART;
use super::boot::roll_back;
use super::owner::{Owner, now};

/// How long after the deadline the orderly way has had its chance.
const MARGIN: Duration = Duration::from_secs(3);
/// How long the orderly way may take once it has begun.
const ORDERLY: Duration = Duration::from_secs(180);

/// Watches over a version that has to show that it works, if this is one.
pub(crate) fn start(owner: Arc<Owner>, config: Config) {
    if !is_pending(&owner) {
        return;
    }
    let left = Duration::from_secs(config.health_check_seconds);
    let watch = move || {
        std::thread::sleep(left + MARGIN);
        if matches!(owner.state().execution, Execution::RollingBack { .. }) {
            std::thread::sleep(ORDERLY);
        } else if !is_pending(&owner) {
            return;
        }
        error!("the new version did not get healthy and does not end; it is ended");
        let step = owner.apply_step(|state| step(state, Event::HealthTimedOut, now(), &config));
        let effects = step.map(|step| step.effects).unwrap_or_default();
        for effect in effects {
            if let Effect::Restore { change } = effect {
                roll_back(&owner, &change);
            }
        }
        std::process::exit(i32::from(RESTART));
    };
    let started = std::thread::Builder::new()
        .name("update-watchdog".to_owned())
        .spawn(watch);
    if let Err(error) = started {
        error!("the watch over the new version cannot be started: {error}");
    }
}

fn is_pending(owner: &Owner) -> bool {
    let execution = owner.state().execution;
    matches!(execution, Execution::PendingVerification { .. })
}
