//! Values that end by themselves, and secrets.

use pad::Timestamp;

use crate::limits::ENTRIES_OF_KIND;
use crate::{Location, Store};

const NOW: Timestamp = Timestamp(1_000);
const END: Timestamp = Timestamp(2_000);

pub(super) async fn all(store: &Store) {
    values(store).await;
    updates(store).await;
    // Outside of this crate's tests the bounds are large.
    if cfg!(test) {
        bounds(store).await;
    }
    secrets(store).await;
}

async fn values(store: &Store) {
    let get = |key: &'static [u8], now| store.entry("login", key, now);
    assert_eq!(get(b"a", NOW).await.unwrap(), None);
    store
        .put_entry("login", b"a", (b"ada", END), NOW)
        .await
        .unwrap();
    store
        .put_entry("code", b"a", (b"other", END), NOW)
        .await
        .unwrap();
    let ada = Some((b"ada".to_vec(), END));
    assert_eq!(get(b"a", NOW).await.unwrap(), ada);
    assert_eq!(get(b"a", END).await.unwrap(), None);
    let keys = store.entry_keys("login", 10, NOW).await.unwrap();
    assert_eq!(keys, [b"a".to_vec()]);
    assert_eq!(store.entry_keys("login", 10, END).await.unwrap().len(), 0);
    store
        .put_entry("login", b"a", (b"", Timestamp(3_000)), NOW)
        .await
        .unwrap();
    assert_eq!(
        get(b"a", END).await.unwrap(),
        Some((Vec::new(), Timestamp(3_000)))
    );
    assert!(store.remove_entry("login", b"a").await.unwrap());
    assert!(!store.remove_entry("login", b"a").await.unwrap());
    // Of many who ask, one gets it.
    let takers = (0..8).map(|_| store.take_entry("code", b"a", NOW));
    let mut taken = Vec::new();
    for taker in takers {
        taken.extend(taker.await.unwrap());
    }
    assert_eq!(taken, [b"other".to_vec()]);
    assert_eq!(store.entry("code", b"a", NOW).await.unwrap(), None);
}

async fn updates(store: &Store) {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let store = store.clone();
        tasks.spawn(async move {
            let keys = [b"x".to_vec(), b"y".to_vec()];
            let count = |found: &[Option<crate::Entry>]| {
                let next = found.iter().map(|entry| {
                    let mut value = entry.clone().map_or(Vec::new(), |(value, _)| value);
                    value.push(1);
                    Some((value, END))
                });
                (next.collect(), ())
            };
            store.update_entries("count", &keys, NOW, count).await
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    for key in [b"x", b"y"] {
        let (value, _) = store.entry("count", key, NOW).await.unwrap().unwrap();
        assert_eq!(value.len(), 20);
    }
    // What has expired counts as absent, and nothing stays that was not there.
    let absent = |found: Option<&[u8]>| (None, found.is_none());
    assert!(
        store
            .update_entry("count", b"x", END, absent)
            .await
            .unwrap()
    );
    assert_eq!(store.entry("count", b"x", NOW).await.unwrap(), None);
    store.remove_entry("count", b"y").await.unwrap();
}

async fn bounds(store: &Store) {
    for number in 0..ENTRIES_OF_KIND + 5 {
        let ends = Timestamp(END.millis() + number as i64);
        let key = number.to_be_bytes();
        store
            .put_entry("many", &key, (b"", ends), NOW)
            .await
            .unwrap();
    }
    assert_eq!(store.remove_expired_entries(NOW).await.unwrap(), 5);
    let keys = store.entry_keys("many", 10_000, NOW).await.unwrap();
    assert_eq!(keys.len() as u64, ENTRIES_OF_KIND);
    assert!(!keys.contains(&4_u64.to_be_bytes().to_vec()));
    let later = Timestamp(END.millis() + 10_000_000);
    let removed = store.remove_expired_entries(later).await.unwrap();
    assert_eq!(removed, ENTRIES_OF_KIND);
}

async fn secrets(store: &Store) {
    assert_eq!(store.secret("key").await.unwrap(), None);
    for key in [&b"one"[..], b"two"] {
        let stored = store.put_secret_if_absent("key", key).await.unwrap();
        assert_eq!(stored, b"one");
    }
    assert!(!store.replace_secret("key", b"two", b"x").await.unwrap());
    assert!(store.replace_secret("key", b"one", b"new").await.unwrap());
    assert_eq!(store.secret("key").await.unwrap(), Some(b"new".to_vec()));
    let at = |text: &str| Location::Postgres(text.to_owned()).password();
    assert_eq!(at("postgres://a:b%20c@localhost/x"), Some(b"b c".to_vec()));
    assert_eq!(at("host=localhost user=a"), None);
    assert_eq!(Location::Memory.password(), None);
}
