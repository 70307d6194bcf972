//! Plugins that are installed, what they store, and their timers.

use pad::Timestamp;

use crate::limits::{PLUGIN_BYTES, PLUGIN_KEYS, PLUGIN_TIMERS, PLUGIN_VALUE_BYTES, PLUGINS};
use crate::plugins::hexadecimal;
use crate::{
    Error, FaultPlan, PluginRecord, PluginTimer, PluginTimerWrite, PluginValueWrite, PluginWrite,
    Store,
};

pub(super) async fn all(store: &Store) {
    installing(store).await;
    conflicts(store).await;
    values(store).await;
    timers(store).await;
    // Outside of this crate's tests the bounds are large.
    if cfg!(test) {
        bounds(store).await;
    }
    assert_eq!(
        store.check_tables().await.unwrap(),
        Vec::<String>::new(),
        "check"
    );
}

/// A version whose package is its name.
pub(crate) fn plugin(name: &str, version: &str, change: u64) -> PluginRecord {
    PluginRecord {
        name: name.to_owned(),
        version: version.to_owned(),
        enabled: true,
        granted: "[\"storage\"]".to_owned(),
        settings: "{}".to_owned(),
        pads: "[\"*\"]".to_owned(),
        sha256: hexadecimal(version.as_bytes()),
        installed: Timestamp(7),
        change,
    }
}

async fn put(store: &Store, plugin: &PluginRecord) -> u64 {
    let package = plugin.version.as_bytes();
    match store.put_plugin(plugin, package).await.unwrap() {
        PluginWrite::Done(change) => change,
        other => panic!("{other:?}"),
    }
}

async fn find(store: &Store, name: &str) -> Option<PluginRecord> {
    let listed = store.plugins().await.unwrap();
    let mut plugins = listed.plugins.into_iter();
    plugins.find(|plugin| plugin.name == name)
}

async fn installing(store: &Store) {
    let before = store.plugin_change().await.unwrap();
    let first = put(store, &plugin("feed", "1.0.0", 0)).await;
    assert!(first > before);
    assert_eq!(
        find(store, "feed").await,
        Some(plugin("feed", "1.0.0", first))
    );
    let package = store.plugin_package("feed").await.unwrap();
    assert_eq!(package, Some(b"1.0.0".to_vec()));
    assert_eq!(store.plugin_package("goal").await.unwrap(), None);
    // An upgrade keeps what the plugin has stored.
    store.put_plugin_value("feed", "a", b"1").await.unwrap();
    let second = put(store, &plugin("feed", "1.1.0", first)).await;
    assert_eq!(
        find(store, "feed").await,
        Some(plugin("feed", "1.1.0", second))
    );
    let kept = store.plugin_value("feed", "a").await.unwrap();
    assert_eq!(kept, Some(b"1".to_vec()));
    let (settings, pads) = ("{\"days\":3}", "[\"a-*\"]");
    let third = store.configure_plugin("feed", second, settings, pads);
    let third = third.await;
    let PluginWrite::Done(third) = third.unwrap() else {
        panic!("settings are set");
    };
    assert!(store.set_plugin_enabled("feed", false).await.unwrap());
    assert!(!store.set_plugin_enabled("goal", true).await.unwrap());
    let found = find(store, "feed").await.unwrap();
    assert_eq!((found.enabled, found.settings.as_str()), (false, settings));
    assert_eq!(found.pads, pads);
    assert!(found.change > third);
    // Removed, nothing of it is left for the next one of that name.
    let timer = once("soon");
    store.put_plugin_timer("feed", &timer, NOW).await.unwrap();
    let before = store.plugin_change().await.unwrap();
    assert!(store.remove_plugin("feed").await.unwrap());
    assert!(store.plugin_change().await.unwrap() > before);
    assert!(!store.remove_plugin("feed").await.unwrap());
    assert_eq!(find(store, "feed").await, None);
    put(store, &plugin("feed", "1.0.0", 0)).await;
    assert_eq!(store.plugin_value("feed", "a").await.unwrap(), None);
    assert_eq!(store.next_plugin_timer(NOW).await.unwrap(), None);
    assert!(store.remove_plugin("feed").await.unwrap());
}

/// Of two who change the same at once, one does.
async fn conflicts(store: &Store) {
    let new = [plugin("twice", "1.0.0", 0), plugin("twice", "2.0.0", 0)];
    let [one, other] = [0, 1].map(|n| store.put_plugin(&new[n], new[n].version.as_bytes()));
    let (one, other) = tokio::join!(one, other);
    let outcomes = [one.unwrap(), other.unwrap()];
    let done = |it: &&PluginWrite| matches!(it, PluginWrite::Done(_));
    assert_eq!(outcomes.iter().filter(done).count(), 1);
    assert!(outcomes.contains(&PluginWrite::Changed));
    let found = find(store, "twice").await.unwrap();
    let package = store.plugin_package("twice").await.unwrap().unwrap();
    assert_eq!(found.version.as_bytes(), package);
    let stale = found.change - 1;
    let refused = store.configure_plugin("twice", stale, "{\"a\":1}", "[\"a\"]");
    let refused = refused.await;
    assert_eq!(refused.unwrap(), PluginWrite::Changed);
    let third = plugin("twice", "3.0.0", stale);
    let refused = store.put_plugin(&third, b"3.0.0").await;
    assert_eq!(refused.unwrap(), PluginWrite::Changed);
    assert_eq!(find(store, "twice").await, Some(found));
    assert!(store.remove_plugin("twice").await.unwrap());
}

async fn values(store: &Store) {
    let put_value = |plugin, key, value: &'static [u8]| store.put_plugin_value(plugin, key, value);
    let missing = put_value("store", "a", b"1").await.unwrap();
    assert_eq!(missing, PluginValueWrite::NotInstalled);
    put(store, &plugin("store", "1.0.0", 0)).await;
    put(store, &plugin("other", "1.0.0", 0)).await;
    for key in ["", "a", "b", "b:\0", "b:ä", "b\u{10ffff}", "c"] {
        let stored = put_value("store", key, b"old").await.unwrap();
        assert_eq!(stored, PluginValueWrite::Done, "{key}");
        put_value("store", key, b"").await.unwrap();
    }
    put_value("other", "b:other", b"1").await.unwrap();
    let value = store.plugin_value("store", "b:\0").await.unwrap();
    assert_eq!(value, Some(Vec::new()));
    assert_eq!(store.plugin_value("other", "a").await.unwrap(), None);
    for (prefix, after, limit, expected) in [
        ("", None, 3, &["", "a", "b"][..]),
        ("", Some("b"), 2, &["b:\0", "b:ä"]),
        ("b", None, 9, &["b", "b:\0", "b:ä", "b\u{10ffff}"]),
        ("b", Some("b"), 9, &["b:\0", "b:ä", "b\u{10ffff}"]),
        ("b", Some("a"), 1, &["b"]),
        ("b:", Some("c"), 9, &[]),
        ("d", None, 9, &[]),
    ] {
        let keys = store.plugin_keys("store", prefix, after, limit).await;
        assert_eq!(keys.unwrap(), expected, "{prefix:?} {after:?}");
    }
    assert!(store.remove_plugin_value("store", "a").await.unwrap());
    assert!(!store.remove_plugin_value("store", "a").await.unwrap());
    assert!(!store.remove_plugin_value("store", "b:other").await.unwrap());
    for name in ["store", "other"] {
        assert!(store.remove_plugin(name).await.unwrap());
    }
}

/// The server's clock counts there; what is due an hour later is not due in a test.
const NOW: Timestamp = Timestamp(1_000_000);
const HOUR: i64 = 3_600_000;

fn once(name: &str) -> PluginTimer {
    PluginTimer {
        name: name.to_owned(),
        wait: HOUR,
        every: None,
    }
}

/// Due when anybody looks.
async fn make_due(store: &Store) {
    let due = |tx: &mut dyn crate::sql::Tx| tx.define("UPDATE plugin_timers SET due = 1");
    store
        .engine
        .write(crate::engine::Turn::Alone, due)
        .await
        .unwrap();
}

async fn timers(store: &Store) {
    let missing = store.put_plugin_timer("clock", &once("a"), NOW).await;
    assert_eq!(missing.unwrap(), PluginTimerWrite::NotInstalled);
    put(store, &plugin("clock", "1.0.0", 0)).await;
    assert_eq!(store.next_plugin_timer(NOW).await.unwrap(), None);
    let repeating = PluginTimer {
        every: Some(HOUR),
        ..once("often")
    };
    for timer in [once("a"), repeating, once("gone")] {
        let set = store.put_plugin_timer("clock", &timer, NOW).await.unwrap();
        assert_eq!(set, PluginTimerWrite::Done);
    }
    assert!(store.cancel_plugin_timer("clock", "gone").await.unwrap());
    assert!(!store.cancel_plugin_timer("clock", "gone").await.unwrap());
    let left = store.next_plugin_timer(NOW).await.unwrap().unwrap();
    assert!(left > 0 && left <= HOUR.unsigned_abs(), "{left}");
    let claim = || store.claim_plugin_timers(9, NOW);
    assert_eq!(claim().await.unwrap(), []);
    make_due(store).await;
    assert_eq!(store.next_plugin_timer(NOW).await.unwrap(), Some(0));
    // One that is disabled waits.
    assert!(store.set_plugin_enabled("clock", false).await.unwrap());
    assert_eq!(store.next_plugin_timer(NOW).await.unwrap(), None);
    assert_eq!(claim().await.unwrap(), []);
    assert!(store.set_plugin_enabled("clock", true).await.unwrap());
    // Of several who claim, each timer is given to one.
    let (one, two, three) = tokio::join!(claim(), claim(), claim());
    let mut claimed = [one.unwrap(), two.unwrap(), three.unwrap()].concat();
    claimed.sort();
    let of_clock = |name: &str| ("clock".to_owned(), name.to_owned());
    assert_eq!(claimed, [of_clock("a"), of_clock("often")]);
    let left = store.next_plugin_timer(NOW).await.unwrap().unwrap();
    assert!(left > 0 && left <= HOUR.unsigned_abs(), "{left}");
    make_due(store).await;
    assert_eq!(claim().await.unwrap(), [of_clock("often")]);
    assert!(store.remove_plugin("clock").await.unwrap());
    assert_eq!(store.next_plugin_timer(NOW).await.unwrap(), None);
}

async fn bounds(store: &Store) {
    let names: Vec<String> = (0..PLUGINS).map(|n| format!("many-{n}")).collect();
    for name in &names {
        put(store, &plugin(name, "1.0.0", 0)).await;
    }
    let refused = store
        .put_plugin(&plugin("more", "1.0.0", 0), b"1.0.0")
        .await;
    assert_eq!(refused.unwrap(), PluginWrite::TooMany);
    let name = names[0].as_str();
    let change = find(store, name).await.unwrap().change;
    put(store, &plugin(name, "1.0.1", change)).await;
    for n in 0..PLUGIN_KEYS {
        let stored = store.put_plugin_value(name, &n.to_string(), b"1").await;
        assert_eq!(stored.unwrap(), PluginValueWrite::Done);
    }
    let write = |key: &'static str, value: Vec<u8>| async move {
        store.put_plugin_value(name, key, &value).await.unwrap()
    };
    assert_eq!(write("more", vec![1]).await, PluginValueWrite::Full);
    let long = vec![0; PLUGIN_VALUE_BYTES];
    let too_long = vec![0; PLUGIN_VALUE_BYTES + 1];
    assert_eq!(write("0", too_long).await, PluginValueWrite::TooLong);
    let key = "k".repeat(601);
    let refused = store.put_plugin_value(name, &key, b"").await.unwrap();
    assert_eq!(refused, PluginValueWrite::TooLong);
    let mut stored = 0;
    for key in ["0", "1", "2", "3"] {
        stored += u64::from(write(key, long.clone()).await == PluginValueWrite::Done);
    }
    assert_eq!(stored, PLUGIN_BYTES / PLUGIN_VALUE_BYTES as u64 - 1);
    // A value in place of a longer one always fits.
    assert_eq!(write("0", vec![2]).await, PluginValueWrite::Done);
    for n in 0..=PLUGIN_TIMERS {
        let timer = once(&n.to_string());
        let set = store.put_plugin_timer(name, &timer, NOW).await;
        let fits = n < PLUGIN_TIMERS;
        assert_eq!(set.unwrap() == PluginTimerWrite::Done, fits, "{n}");
    }
    assert!(store.cancel_plugin_timer(name, "0").await.unwrap());
    let set = store.put_plugin_timer(name, &once(&key), NOW).await;
    assert_eq!(set.unwrap(), PluginTimerWrite::TooMany);
    for name in &names {
        assert!(store.remove_plugin(name).await.unwrap());
    }
}

/// With a failure at each step: an upgrade or a removal is done, or has left the old state.
pub(super) async fn failures(store: &Store, plan: &FaultPlan) {
    let old = put(store, &plugin("fault", "1.0.0", 0)).await;
    store.put_plugin_value("fault", "a", b"1").await.unwrap();
    let mut known = old;
    let mut is_reached = true;
    for step in 1.. {
        if !is_reached {
            break;
        }
        let version = format!("2.0.{step}");
        plan.fail_at(step);
        let next = plugin("fault", &version, known);
        let outcome = store.put_plugin(&next, version.as_bytes()).await;
        is_reached = plan.end();
        let found = find(store, "fault").await.unwrap();
        let package = store.plugin_package("fault").await.unwrap().unwrap();
        assert_eq!(found.version.as_bytes(), package, "step {step}");
        let is_new = found.version == version;
        match outcome {
            Ok(written) => assert_eq!(written, PluginWrite::Done(found.change)),
            Err(Error::Unavailable(_)) => assert!(is_new || found.change == known, "step {step}"),
            Err(error) => panic!("step {step}: {error}"),
        }
        known = found.change;
    }
    is_reached = true;
    for step in 1.. {
        if !is_reached {
            break;
        }
        plan.fail_at(step);
        let outcome = store.remove_plugin("fault").await;
        is_reached = plan.end();
        let is_there = find(store, "fault").await.is_some();
        let value = store.plugin_value("fault", "a").await.unwrap();
        assert_eq!(is_there, value.is_some(), "step {step}: {outcome:?}");
        if !is_there {
            put(store, &plugin("fault", "1.0.0", 0)).await;
            store.put_plugin_value("fault", "a", b"1").await.unwrap();
        }
    }
    assert!(store.remove_plugin("fault").await.unwrap());
}
