//! This process as a node of a PostgreSQL database: its sign of life, and the nodes beside it.
//!
//! Each start is another node. With an embedded store there are none, and nothing here does
//! anything.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hints::{ClusterKey, HintChannel, HintCounts, HintOpening, PostgresHints};
use listener::tls;
use relay::{Relay, RelayKey};
use service::Service;
use settings::{Options, Settings};
use store::{Location, NodeId, NodeRecord, NodeReport};
use system::random_bytes;
use telemetry::metrics::METRICS;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::start_error::StartError;

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(1);
/// How long leaving may take; the others notice without it, some seconds later.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(5);

/// The node that opens a database, if that has nodes.
pub(crate) fn id(location: &Location) -> Option<NodeId> {
    let is_shared = matches!(location, Location::Postgres(_));
    is_shared.then(|| NodeId::new(u64::from_ne_bytes(random_bytes())))
}

/// What a node has that is not the only process on its data.
struct Shared {
    node: service::Node,
    hints: Arc<dyn HintChannel>,
}

impl Shared {
    fn open(service: &Arc<Service>, location: &Location) -> Result<Option<Shared>, StartError> {
        let (Some(node), Location::Postgres(connection)) = (service.store().node(), location)
        else {
            return Ok(None);
        };
        let Some(key) = service.store().derived_key("hints") else {
            return Ok(None);
        };
        let opening = HintOpening {
            node,
            key: ClusterKey::new(key),
            salt: random_bytes(),
        };
        let hints: Arc<dyn HintChannel> = Arc::new(PostgresHints::start(connection, opening)?);
        let node = service.node(Arc::clone(&hints));
        Ok(node.map(|node| Shared { node, hints }))
    }
}

pub(crate) struct Node {
    pub service: Arc<Service>,
    version: String,
    /// Where the others reach it: scheme, host and port.
    address: String,
    nodes: watch::Sender<Vec<NodeRecord>>,
    /// `None`: there are no other nodes.
    shared: Option<Shared>,
    /// Cancelled when others take over.
    pub draining: CancellationToken,
    /// `None`: there are no other nodes.
    pub relay: Option<Relay>,
}

impl Node {
    /// `listening` is where the service listens.
    pub(crate) async fn new(
        service: &Arc<Service>,
        settings: &Settings,
        options: &Options,
        location: &Location,
        listening: SocketAddr,
    ) -> Result<Node, StartError> {
        let certificate = tls::fingerprint(&settings.listen, &options.root)?;
        let authority = match &settings.cluster.address {
            Some(address) => address.authority(listening.port()),
            None => {
                let seen = service.store().address_seen().await?;
                reachable(listening, seen.as_deref()).to_string()
            }
        };
        let nodes = watch::Sender::default();
        let relay = match service.store().node() {
            Some(id) => {
                // Derived, so that it is not in the database.
                let key = service.store().derived_key("relay");
                key.map(|key| Relay::new(id, RelayKey::new(&key), nodes.subscribe()))
            }
            None => None,
        };
        Ok(Node {
            service: Arc::clone(service),
            version: options.version().to_owned(),
            address: relay::address(&authority, certificate),
            nodes,
            shared: Shared::open(service, location)?,
            draining: CancellationToken::new(),
            relay,
        })
    }

    /// Gives signs of life and follows the other nodes, until the end. No sign of life is under way
    /// afterwards: it would come after the farewell.
    ///
    /// In a task of its own: each hint wakes it, and as a part of the program's first future it
    /// would wake that thread for it, and have everything else there polled too.
    pub(crate) async fn run_apart(node: &Arc<Node>, end: &CancellationToken) {
        let (node, end) = (Arc::clone(node), end.clone());
        let running = tokio::spawn(async move { node.run(&end).await });
        if let Err(error) = running.await
            && let Ok(panic) = error.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
    }

    async fn run(&self, end: &CancellationToken) {
        let Some(shared) = &self.shared else {
            return end.cancelled().await;
        };
        info!("others reach this node at {}", self.address);
        tokio::select! {
            never = shared.node.keep_up() => match never {},
            () = self.beat_until(end, shared) => {}
        }
    }

    async fn beat_until(&self, end: &CancellationToken, shared: &Shared) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_failing, mut is_draining) = (false, false);
        loop {
            tokio::select! {
                _ = beats.tick() => {}
                // At once, since others come to us as long as they do not know.
                () = self.draining.cancelled(), if !is_draining => {}
                () = end.cancelled() => return,
            }
            is_draining = self.draining.is_cancelled();
            let beat = tokio::select! {
                beat = shared.node.beat(self.report()) => beat,
                () = overdue(end) => return,
            };
            match beat {
                Ok(nodes) => {
                    is_failing = false;
                    self.learn(nodes);
                }
                // The storage watch says when nothing can be stored.
                Err(error) if !is_failing => {
                    is_failing = true;
                    warn!("the other nodes get no sign of life: {error}");
                }
                Err(_) => {}
            }
            count(shared.hints.counts());
        }
    }

    /// Whether there are others that can take over.
    pub(crate) fn has_others(&self) -> bool {
        has_others(&self.nodes.borrow(), self.service.store().node())
    }

    /// What updates must know of the other nodes. `None`: there are none.
    pub(crate) fn for_updates(&self) -> Option<updater::Cluster> {
        let own = self.service.store().node();
        let nodes = self.nodes.subscribe();
        self.shared.as_ref().map(|_| updater::Cluster {
            address: self.address.clone(),
            has_others: Arc::new(move || has_others(&nodes.borrow(), own)),
        })
    }

    /// Whether there may be other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Takes the node out of the list.
    pub(crate) async fn leave(&self) {
        if let Some(shared) = &self.shared {
            let _ = timeout(LEAVE_TIMEOUT, shared.node.work()).await;
        }
        let leaving = self.service.store().leave_cluster(self.service.now());
        match timeout(LEAVE_TIMEOUT, leaving).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => warn!("the other nodes will notice late that this one ends: {error}"),
            Err(_) => warn!("the other nodes will notice late that this one ends"),
        }
    }

    /// What the service does not know.
    fn report(&self) -> NodeReport {
        NodeReport {
            version: self.version.clone(),
            address: self.address.clone(),
            draining: self.draining.is_cancelled(),
            connections: u64::try_from(METRICS.connections.get()).unwrap_or_default(),
            ..NodeReport::default()
        }
    }

    fn learn(&self, nodes: Vec<NodeRecord>) {
        self.nodes.send_if_modified(|known| {
            let ids = |nodes: &[NodeRecord]| nodes.iter().map(|node| node.id).collect::<Vec<_>>();
            let is_other = ids(known) != ids(&nodes);
            if is_other {
                info!("nodes that serve the database: {}", nodes.len());
            }
            METRICS
                .nodes
                .set(i64::try_from(nodes.len()).unwrap_or_default());
            *known = nodes;
            true
        });
    }
}

fn has_others(nodes: &[NodeRecord], own: Option<NodeId>) -> bool {
    let is_other = |node: &NodeRecord| Some(node.id) != own && !node.report.draining;
    nodes.iter().any(is_other)
}

/// Shows what the channel has counted.
fn count(counts: HintCounts) {
    let hints = &METRICS.hints;
    for (counter, value) in [
        (&hints.sent, counts.sent),
        (&hints.bytes_sent, counts.bytes_sent),
        (&hints.received, counts.received),
        (&hints.dropped, counts.dropped),
        (&hints.missed, counts.missed),
        (&hints.refused, counts.refused),
    ] {
        counter.inner().store(value, Ordering::Relaxed);
    }
}

async fn overdue(end: &CancellationToken) {
    end.cancelled().await;
    sleep(LEAVE_TIMEOUT).await;
}

/// An address that means "every interface" is none that others can connect to. The one that the
/// database server sees is, unless there is something between; and who comes to it over a socket of
/// the same machine has all other nodes there.
fn reachable(listening: SocketAddr, seen: Option<&str>) -> SocketAddr {
    if !listening.ip().is_unspecified() {
        return listening;
    }
    let seen = seen.and_then(|seen| seen.parse::<IpAddr>().ok());
    let ip = seen.unwrap_or(Ipv4Addr::LOCALHOST.into());
    SocketAddr::new(ip, listening.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_get_an_address_that_they_can_reach() {
        for (listening, seen, told) in [
            ("10.0.0.5:9001", Some("10.0.0.6"), "10.0.0.5:9001"),
            ("0.0.0.0:9001", Some("10.0.0.6"), "10.0.0.6:9001"),
            ("[::]:9001", Some("10.0.0.6"), "10.0.0.6:9001"),
            ("[::]:9001", Some("2001:db8::6"), "[2001:db8::6]:9001"),
            ("0.0.0.0:9001", None, "127.0.0.1:9001"),
        ] {
            let address = reachable(listening.parse().unwrap(), seen);
            assert_eq!(address.to_string(), told, "{listening} {seen:?}");
        }
    }
}
