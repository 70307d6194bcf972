//! What any store must do, whatever it keeps its data in.
//!
//! [`all`] asks a store every question of its interface and compares the answers with what they
//! should be; an answer that is wrong panics. [`failures`] does everything that writes, with a
//! failure at each of its steps in turn. The cases name their pads and people apart from each
//! other, so that they can share a store.

// Test code that others can call.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod sample;

mod history;

mod replanning;

mod pads;

mod transfers;

mod people;

mod groups;

mod entries;

pub(crate) mod browsing;

pub(crate) mod plugins;

mod faults;

pub use faults::failures;

use crate::Store;

/// Runs every case on a store that is empty.
pub async fn all(store: &Store) {
    pads::all(store).await;
    history::all(store).await;
    replanning::all(store).await;
    transfers::all(store).await;
    people::all(store).await;
    groups::all(store).await;
    entries::all(store).await;
    browsing::all(store).await;
    plugins::all(store).await;
    store.tidy().await.unwrap();
    for id in store.list_pads(None, 10_000).await.unwrap() {
        assert_eq!(store.check_pad(&id).await.unwrap(), [], "{id}");
    }
}
