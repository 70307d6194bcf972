//! The conformance suite on each engine, and what only this crate can look at.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

mod cluster;

mod scratch;

mod opening;

mod upgrades;

mod browsing;

mod sharing;

mod side_by_side;

mod nodes;

mod damage;

mod pages;

mod rescue;

mod backups;

mod kill;

mod model;

mod random;

use crate::{FaultPlan, Location, Opening, SESSION_KEY_BYTES, SessionKey, Store, conformance};
use cluster::Cluster;
use scratch::Scratch;

#[tokio::test]
async fn memory_conforms() {
    conforms(Location::Memory).await;
}

#[tokio::test]
async fn embedded_conforms() {
    let scratch = Scratch::new();
    conforms(scratch.embedded()).await;
}

#[tokio::test]
async fn postgres_conforms() {
    if let Some(cluster) = Cluster::shared() {
        conforms(cluster.database()).await;
    }
}

/// With the key that all tests have.
fn keyed(location: Location) -> Opening {
    Opening {
        location,
        session_key: Some(SessionKey::new([1; SESSION_KEY_BYTES])),
        node: None,
    }
}

async fn conforms(location: Location) {
    let store = Store::open(keyed(location)).await.unwrap();
    conformance::all(&store).await;
    store.close().await;
}

#[tokio::test]
async fn memory_survives_refusals() {
    survives(Location::Memory, FaultPlan::refusing()).await;
}

#[tokio::test]
async fn embedded_survives_refusals() {
    let scratch = Scratch::new();
    survives(scratch.embedded(), FaultPlan::refusing()).await;
}

#[tokio::test]
async fn embedded_survives_broken_connections() {
    let scratch = Scratch::new();
    survives(scratch.embedded(), FaultPlan::breaking()).await;
}

#[tokio::test]
async fn postgres_survives_refusals() {
    if let Some(cluster) = Cluster::shared() {
        survives(cluster.database(), FaultPlan::refusing()).await;
    }
}

#[tokio::test]
async fn postgres_survives_broken_connections() {
    if let Some(cluster) = Cluster::shared() {
        survives(cluster.database(), FaultPlan::breaking()).await;
    }
}

async fn survives(location: Location, plan: std::sync::Arc<FaultPlan>) {
    let store = Store::open_failing(keyed(location), std::sync::Arc::clone(&plan))
        .await
        .unwrap();
    conformance::failures(&store, &plan).await;
    store.close().await;
}
