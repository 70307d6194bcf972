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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use store::{Location, PluginRecord, PluginTimer};

    const HOUR: i64 = 3_600_000;

    fn record() -> PluginRecord {
        PluginRecord {
            name: "clock".to_owned(),
            version: "1.0.0".to_owned(),
            enabled: true,
            granted: "[]".to_owned(),
            settings: "{}".to_owned(),
            pads: "[]".to_owned(),
            sha256: "0".repeat(64),
            installed: Timestamp(0),
            change: 0,
        }
    }

    /// Looks until so many timers have fired at a time.
    async fn fired_at(store: &Store, now: i64, count: usize) -> Vec<String> {
        let set = Notify::new();
        let (fired, full) = (Mutex::new(Vec::new()), Notify::new());
        let fire = |plugin: &str, timer: &str, due: Timestamp| {
            let mut fired = fired.lock().unwrap();
            fired.push(format!("{plugin} {timer} {}", due.0));
            if fired.len() >= count {
                full.notify_one();
            }
        };
        tokio::select! {
            never = run(store, &set, || Timestamp(now), fire) => match never {},
            () = full.notified() => {}
        }
        fired.into_inner().unwrap()
    }

    #[tokio::test]
    async fn timers_fire_when_they_are_due_and_again() {
        let store = Store::open(Location::Memory).await.unwrap();
        store.put_plugin(&record(), b"package").await.unwrap();
        for (name, every) in [("once", None), ("often", Some(HOUR))] {
            let timer = PluginTimer {
                name: name.to_owned(),
                wait: HOUR,
                every,
            };
            let put = store.put_plugin_timer("clock", &timer, Timestamp(0)).await;
            assert_eq!(put.unwrap(), store::PluginTimerWrite::Done);
        }
        assert_eq!(
            store.next_plugin_timer(Timestamp(0)).await.unwrap(),
            Some(3_600_000)
        );
        let mut first = fired_at(&store, HOUR, 2).await;
        first.sort();
        assert_eq!(first, ["clock often 3600000", "clock once 3600000"]);
        let again = fired_at(&store, 2 * HOUR, 1).await;
        assert_eq!(again, ["clock often 7200000"]);
        store.close().await;
    }
}
