//! The conformance suite on each engine, and what only this crate can look at.

mod scratch;

use crate::{Location, Store, conformance};
use scratch::Scratch;

#[tokio::test]
async fn memory_conforms() {
    let store = Store::open(Location::Memory).await.unwrap();
    conformance::all(&store).await;
    store.close().await;
}

#[tokio::test]
async fn embedded_conforms() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    conformance::all(&store).await;
    store.close().await;
}
