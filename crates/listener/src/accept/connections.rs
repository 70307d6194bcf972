//! The open connections, counted in all and by address.
//!
//! A connection counts until its stream is dropped, as a websocket too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use identity::client_ip::ClientIp;
use settings::{Listen, TrustProxy};
use telemetry::log_limit::LogLimiter;

/// Descriptors that are kept for everything but connections: the store, files, commands.
const RESERVED_DESCRIPTORS: usize = 128;

/// How many connections may be open; `usize::MAX` is no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    total: usize,
    per_address: usize,
    /// Reverse proxies have the connections of all their clients, so they are not limited apart.
    proxies: TrustProxy,
}

impl ConnectionLimits {
    /// What the settings say, as far as `descriptors` go. No address gets more than half, so that
    /// one alone does not keep the others out.
    pub fn new(settings: &Listen, descriptors: Option<u64>) -> ConnectionLimits {
        let unless_off = |limit: usize| if limit == 0 { usize::MAX } else { limit };
        let descriptors = descriptors.and_then(|count| usize::try_from(count).ok());
        let possible = descriptors.map_or(usize::MAX, |count| {
            count.saturating_sub(RESERVED_DESCRIPTORS.min(count / 2))
        });
        let total = unless_off(settings.max_connections).min(possible);
        let per_address = match settings.max_connections_per_address {
            0 => usize::MAX,
            limit => limit.min((total / 2).max(1)),
        };
        ConnectionLimits {
            total,
            per_address,
            proxies: settings.trust_proxy.clone(),
        }
    }
}

pub struct Connections {
    limits: ConnectionLimits,
    open: Arc<Mutex<Open>>,
    /// For the log lines about connections that are too many.
    pub refusals: LogLimiter,
}

#[derive(Default)]
struct Open {
    total: usize,
    by_network: HashMap<ClientIp, usize>,
}

/// Which limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    Total,
    Address,
}

impl Connections {
    pub fn new(limits: ConnectionLimits) -> Connections {
        Connections {
            limits,
            open: Arc::default(),
            refusals: LogLimiter::new(),
        }
    }

    pub fn admit(&self, client: ClientIp) -> Result<Permit, Full> {
        let network = client.network();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.limits.total {
            return Err(Full::Total);
        }
        let from_network = open.by_network.entry(network).or_default();
        let is_proxy = self.limits.proxies.trusts(0, client.address());
        if *from_network >= self.limits.per_address && !is_proxy {
            return Err(Full::Address);
        }
        *from_network += 1;
        open.total += 1;
        Ok(Permit {
            open: Arc::clone(&self.open),
            network,
        })
    }
}

/// A connection that counts, until it is dropped.
pub struct Permit {
    open: Arc<Mutex<Open>>,
    network: ClientIp,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total = open.total.saturating_sub(1);
        if let Some(count) = open.by_network.get_mut(&self.network) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.by_network.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(total: usize, per_address: usize) -> Listen {
        Listen {
            max_connections: total,
            max_connections_per_address: per_address,
            ..Listen::default()
        }
    }

    #[test]
    fn descriptors_reduce_the_limits() {
        const NONE: usize = usize::MAX;
        for (settings, descriptors, total, per_address) in [
            (limits(20_000, 4000), Some(65_536), 20_000, 4000),
            (limits(20_000, 4000), Some(1024), 896, 448),
            (limits(20_000, 4000), Some(100), 50, 25),
            (limits(100, 0), None, 100, NONE),
            (limits(0, 0), None, NONE, NONE),
            (limits(0, 4000), None, NONE, 4000),
            (limits(1, 1), None, 1, 1),
        ] {
            let made = ConnectionLimits::new(&settings, descriptors);
            assert_eq!((made.total, made.per_address), (total, per_address));
        }
    }

    #[test]
    fn a_trusted_proxy_is_not_locked_out() {
        let mut settings = limits(10, 2);
        settings.trust_proxy = TrustProxy::Hops(1);
        let connections = Connections::new(ConnectionLimits::new(&settings, None));
        let proxy = ClientIp::connected("192.0.2.1".parse().unwrap());
        let open: Vec<Permit> = (0..10)
            .map(|_| connections.admit(proxy).ok().unwrap())
            .collect();
        assert_eq!(connections.admit(proxy).err(), Some(Full::Total));
        drop(open);
    }

    #[test]
    fn connections_count_until_they_are_dropped() {
        let connections = Connections::new(ConnectionLimits {
            total: 3,
            per_address: 2,
            proxies: TrustProxy::Nobody,
        });
        let admit = |address: &str| {
            let client = ClientIp::connected(address.parse().unwrap());
            connections.admit(client)
        };
        let first = admit("2001:db8::1").unwrap();
        let second = admit("2001:db8::2").unwrap();
        // An IPv6 network of 64 bits is one address.
        assert_eq!(admit("2001:db8::3").err(), Some(Full::Address));
        let third = admit("192.0.2.1").unwrap();
        assert_eq!(admit("192.0.2.2").err(), Some(Full::Total));
        drop(third);
        assert_eq!(admit("2001:db8::3").err(), Some(Full::Address));
        drop(first);
        let again = admit("2001:db8::3").unwrap();
        drop((second, again));
        assert!(connections.open.lock().unwrap().by_network.is_empty());
    }
}
