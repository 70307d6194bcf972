//! Record of backups that all nodes share, and the lease of the one that makes one.
//!
//! Members of the record: `last` and `failure` of any attempt, `scheduled`, `tried` and
//! `scheduleFailure` of those on schedule, `test`. Others, of another release, survive.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use pad::Timestamp;
use serde_json::{Map, Value};
use service::Service;
use store::{Entry, Error};
use tracing::warn;

const KIND: &str = "backups";
const RECORD: &[u8] = b"record";
const LEASE: &[u8] = b"lease";
/// The record does not end by itself.
const ALWAYS: Timestamp = Timestamp(i64::MAX);
/// A node that does not renew its lease is gone after this time.
const LEASE_MILLIS: i64 = 5 * 60 * 1_000;
const RENEWAL: Duration = Duration::from_secs(60);

/// An object, without members if nothing was noted yet.
pub(super) async fn read(service: &Service) -> Result<Value, Error> {
    let found = service.store().entry(KIND, RECORD, service.now()).await?;
    Ok(Value::Object(parse(
        found.as_ref().map(|(value, _)| value.as_slice()),
    )))
}

/// Replaces members of the record.
pub(super) async fn change(service: &Service, members: Value) -> Result<(), Error> {
    let Value::Object(members) = members else {
        return Ok(());
    };
    let update = move |found: Option<&[u8]>| {
        let mut record = parse(found);
        record.extend(members.clone());
        let text = Value::Object(record).to_string();
        (Some((text.into_bytes(), ALWAYS)), ())
    };
    let now = service.now();
    service
        .store()
        .update_entry(KIND, RECORD, now, update)
        .await
}

fn parse(found: Option<&[u8]>) -> Map<String, Value> {
    let value = found.and_then(|bytes| serde_json::from_slice(bytes).ok());
    value.unwrap_or_default()
}

/// The right to make a backup, among all nodes. A process that has the data to itself needs none.
pub(super) struct Lease {
    service: Arc<Service>,
    node: Option<Vec<u8>>,
}

impl Lease {
    /// `None`: another node has it.
    pub(super) async fn take(service: &Arc<Service>) -> Result<Option<Lease>, Error> {
        let node = service.store().node();
        let node = node.map(|node| node.to_string().into_bytes());
        let lease = Lease {
            service: Arc::clone(service),
            node,
        };
        Ok(lease.put().await?.then_some(lease))
    }

    /// Whether any node has one.
    pub(super) async fn is_taken(service: &Service) -> bool {
        let found = service.store().entry(KIND, LEASE, service.now()).await;
        service.store().is_shared() && matches!(found, Ok(Some(_)))
    }

    /// Renews it until it is dropped.
    pub(super) async fn renew(&self) -> Infallible {
        loop {
            tokio::time::sleep(RENEWAL).await;
            if let Err(error) = self.put().await {
                warn!("the lease for backups could not be renewed: {error}");
            }
        }
    }

    pub(super) async fn release(&self) {
        if self.node.is_some() {
            // It ends by itself too.
            let _ = self.service.store().remove_entry(KIND, LEASE).await;
        }
    }

    /// False: it is another node's.
    async fn put(&self) -> Result<bool, Error> {
        let Some(own) = self.node.clone() else {
            return Ok(true);
        };
        let now = self.service.now();
        let until = Timestamp(now.millis().saturating_add(LEASE_MILLIS));
        let update = move |found: &[Option<Entry>]| match found {
            [Some((other, ends))] if *other != own => (vec![Some((other.clone(), *ends))], false),
            _ => (vec![Some((own.clone(), until))], true),
        };
        let (store, keys) = (self.service.store(), [LEASE.to_vec()]);
        store.update_entries(KIND, &keys, now, update).await
    }
}
