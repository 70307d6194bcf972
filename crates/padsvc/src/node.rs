//! This process as a node of a PostgreSQL database: its sign of life, and the nodes beside it.
//!
//! Each start is another node. With an embedded store there are none, and nothing here does
//! anything.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

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

pub(crate) struct Node {
    pub service: Arc<Service>,
    version: String,
    /// Where the others reach it: scheme, host and port.
    address: String,
    nodes: watch::Sender<Vec<NodeRecord>>,
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
            draining: CancellationToken::new(),
            relay,
        })
    }

    /// Gives signs of life until the end. None is under way afterwards: it would come after the
    /// farewell.
    pub(crate) async fn run(&self, end: &CancellationToken) {
        let Some(id) = self.service.store().node() else {
            return end.cancelled().await;
        };
        info!("this is node {id}; others reach it at {}", self.address);
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
            let report = self.report();
            let beat = self.service.store().beat(&report, self.service.now());
            let beat = tokio::select! {
                beat = beat => beat,
                () = overdue(end) => return,
            };
            match beat {
                Ok(beat) => {
                    is_failing = false;
                    self.learn(beat.nodes);
                }
                // The storage watch says when nothing can be stored.
                Err(error) if !is_failing => {
                    is_failing = true;
                    warn!("the other nodes get no sign of life: {error}");
                }
                Err(_) => {}
            }
        }
    }

    /// Whether there are others that can take over.
    pub(crate) fn has_others(&self) -> bool {
        let own = self.service.store().node();
        let nodes = self.nodes.borrow();
        let is_other = |node: &NodeRecord| Some(node.id) != own && !node.report.draining;
        nodes.iter().any(is_other)
    }

    /// Takes the node out of the list.
    pub(crate) async fn leave(&self) {
        let leaving = self.service.store().leave_cluster(self.service.now());
        match timeout(LEAVE_TIMEOUT, leaving).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => warn!("the other nodes will notice late that this one ends: {error}"),
            Err(_) => warn!("the other nodes will notice late that this one ends"),
        }
    }

    fn report(&self) -> NodeReport {
        NodeReport {
            version: self.version.clone(),
            address: self.address.clone(),
            members: u64::try_from(METRICS.members.get()).unwrap_or_default(),
            pads: self.service.live_pads() as u64,
            draining: self.draining.is_cancelled(),
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
            *known = nodes;
            true
        });
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
