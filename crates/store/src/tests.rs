//! The conformance suite on each engine, and what only this crate can look at.

mod cluster;

mod scratch;

use crate::{Location, Store, conformance};
use cluster::Cluster;
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

#[tokio::test]
async fn postgres_conforms() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let store = Store::open(cluster.database()).await.unwrap();
    conformance::all(&store).await;
    store.close().await;
}
