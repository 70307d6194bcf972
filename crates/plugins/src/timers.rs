//! Timers of plugins: claims those that are due, of which each is claimed by one node.

use std::convert::Infallible;
use std::time::Duration;

use service::pad::Timestamp;
use store::Store;
use tokio::sync::Notify;
use tracing::debug;

/// Other nodes set timers too.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Timers that are claimed at once.
const CLAIM: u64 = 100;

/// Calls `fire` with the plugin and the name of each timer that is due, for as long as it lives.
pub(crate) async fn run(
    store: &Store,
    set: &Notify,
    now: impl Fn() -> Timestamp,
    fire: impl Fn(&str, &str, Timestamp),
) -> Infallible {
    loop {
        let next = match store.next_plugin_timer(now()).await {
            Ok(next) => next.map(Duration::from_millis),
            Err(error) => {
                debug!("timers cannot be read: {error}");
                None
            }
        };
        let wait = next.map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT));
        if !wait.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = set.notified() => continue,
            }
        }
        let time = now();
        match store.claim_plugin_timers(CLAIM, time).await {
            Ok(due) => {
                for (plugin, timer) in due {
                    fire(&plugin, &timer, time);
                }
            }
            Err(error) => {
                debug!("timers cannot be claimed: {error}");
                tokio::time::sleep(LONGEST_WAIT).await;
            }
        }
    }
}
