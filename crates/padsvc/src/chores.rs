//! Tasks beside serving: housekeeping, eviction of idle pads, storage watch, operators' commands.
//!
//! None of them ends by itself.

use std::sync::Arc;
use std::time::Duration;

use identity::accounts::Accounts;
use operator::operate::Operations;
use operator::operate::control::Control;
use pad::Timestamp;
use service::{Service, StorageState};
use system::heap;
use tracing::{error, info, warn};

/// How long to wait before looking again for what has expired.
const HOUSEKEEPING: Duration = Duration::from_secs(60 * 60);
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1_000;
/// A pad that nobody uses leaves memory after once to twice this time. Opening it again is cheap.
const IDLE: Duration = Duration::from_secs(30);
/// Between two tries whether storing works again: at first, and at most if it does not last.
const FIRST_TRY: Duration = Duration::from_secs(1);
const LAST_TRY: Duration = Duration::from_secs(30);
/// After so long without a failure the next one is the first again.
const STEADY: Duration = Duration::from_secs(60);
/// All of them together.
pub(crate) async fn run(
    service: &Service,
    accounts: &Accounts,
    control: Option<Control>,
    operations: Operations,
    audit_days: u64,
) {
    tokio::select! {
        () = accounts.keep_up() => {}
        () = run_housekeeping(service, audit_days) => {}
        () = evict_idle_pads(service) => {}
        () = watch_storage(service) => {}
        () = take_commands(control, operations) => {}
    }
}

/// Removes expired sessions, logins and codes, and old lines of the audit log, now and then.
async fn run_housekeeping(service: &Service, audit_days: u64) {
    loop {
        match service.remove_expired_sessions().await {
            Ok(0) => {}
            Ok(count) => info!("removed {count} sessions that ended a day ago or earlier"),
            Err(error) => warn!("sessions that ended could not be removed: {error}"),
        }
        let removed = service.store().remove_expired_entries(service.now()).await;
        if let Err(error) = removed {
            warn!("logins and codes that ended could not be removed: {error}");
        }
        let kept_millis = i64::try_from(audit_days.saturating_mul(DAY_MILLIS)).unwrap_or(i64::MAX);
        let oldest = Timestamp(service.now().millis().saturating_sub(kept_millis));
        if let Err(error) = service.store().trim_audit(oldest).await {
            warn!("old lines of the audit log could not be removed: {error}");
        }
        tokio::time::sleep(HOUSEKEEPING).await;
    }
}

/// Logs when nothing can be stored, and tries until it can.
async fn watch_storage(service: &Service) {
    let mut state = service.storage();
    let mut pause = FIRST_TRY;
    loop {
        let reason = match &*state.borrow_and_update() {
            StorageState::Failing(reason) => Some(Arc::clone(reason)),
            StorageState::Working => None,
        };
        let Some(reason) = reason else {
            // A store that fails again soon is tried less often: backoff.
            let changed = tokio::time::timeout(STEADY, state.changed()).await;
            if changed.is_err() {
                pause = FIRST_TRY;
            }
            continue;
        };
        error!("nothing can be stored: {reason}; pads can be read, and what is typed waits");
        while state.borrow_and_update().is_failing() {
            tokio::time::sleep(pause).await;
            service.try_storage().await;
        }
        info!("storing works again");
        pause = (pause * 2).min(LAST_TRY);
    }
}

/// Does what operators ask for.
async fn take_commands(control: Option<Control>, operations: Operations) {
    match control {
        Some(control) => control.serve(&Arc::new(operations)).await,
        None => std::future::pending().await,
    }
}

/// Evicts pads from memory that nobody uses, and gives the memory back after a crowd.
async fn evict_idle_pads(service: &Service) {
    loop {
        tokio::time::sleep(IDLE).await;
        let before = service.live_pads();
        service.evict_idle_pads().await;
        let left = service.live_pads();
        let evicted = before.saturating_sub(left);
        // Where most pads stay, their memory is used again soon.
        if evicted > 0 && evicted >= left {
            let given_back = tokio::task::spawn_blocking(heap::give_back);
            let _ = given_back.await;
        }
    }
}
