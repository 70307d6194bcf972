//! Backpressure for large answers: the bytes that clients of one address have asked for and not
//! read yet are bounded.
//!
//! A connection has one answer outstanding, and is closed if it takes too long to read it. Somebody
//! with many connections could still make the server hold as many large answers. Beyond the bound
//! an answer is not made before others are read, so a class behind one address gets all of them,
//! one after the other, as the network would deliver them anyway.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use identity::client_ip::ClientIp;

/// Counted in these, because a semaphore's numbers are small.
const KIB: usize = 1024;
/// Smaller answers are not counted: there is one for each connection.
const SMALL: usize = 64 * KIB;

/// The budgets of all addresses from which there are connections.
pub(super) struct Unread {
    /// For each address, in KiB.
    bound: u32,
    addresses: Mutex<HashMap<ClientIp, Weak<Semaphore>>>,
}

impl Unread {
    /// At most so many bytes for each address.
    pub(crate) fn new(bytes: usize) -> Unread {
        Unread {
            bound: in_kib(bytes).max(1),
            addresses: Mutex::default(),
        }
    }

    /// The budget of a client's address; connections keep it.
    pub(crate) fn of(&self, client: ClientIp) -> Budget {
        let address = client.network();
        let mut addresses = self.addresses.lock();
        let addresses = addresses.as_mut().unwrap_or_else(PoisonError::get_mut);
        let known = addresses.get(&address).and_then(Weak::upgrade);
        let free = known.unwrap_or_else(|| {
            if addresses.len() == addresses.capacity() {
                addresses.retain(|_, budget| budget.strong_count() > 0);
            }
            let free = Arc::new(Semaphore::new(self.bound as usize));
            addresses.insert(address, Arc::downgrade(&free));
            free
        });
        Budget {
            free,
            bound: self.bound,
        }
    }
}

/// What the connections of one address may have outstanding together.
pub(super) struct Budget {
    free: Arc<Semaphore>,
    bound: u32,
}

/// A part of a budget, until it is dropped.
pub(super) struct Reserved(Option<OwnedSemaphorePermit>);

impl Budget {
    /// Waits until so many bytes more may be outstanding. An answer larger than the whole budget
    /// waits until it is the only one.
    pub(crate) async fn reserve(&self, bytes: usize) -> Reserved {
        if bytes < SMALL {
            return Reserved(None);
        }
        let count = in_kib(bytes).min(self.bound);
        let permit = Arc::clone(&self.free).acquire_many_owned(count).await;
        // The semaphore is never closed.
        Reserved(permit.ok())
    }
}

impl Reserved {
    /// Gives back what was reserved beyond the bytes that there are.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        if let Some(permit) = &mut self.0 {
            let excess = permit.num_permits().saturating_sub(bytes.div_ceil(KIB));
            drop(permit.split(excess));
        }
    }
}

fn in_kib(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn an_address_has_one_budget_and_answers_wait_for_it() {
        let unread = Unread::new(1000 * KIB);
        let client = |text: &str| ClientIp::connected(text.parse().unwrap());
        let (one, same) = (
            unread.of(client("2001:db8::1")),
            unread.of(client("2001:db8::2")),
        );
        let other = unread.of(client("192.0.2.1"));
        let is_free = |budget: &Budget, kib| budget.reserve(kib * KIB).now_or_never().is_some();
        let mut large = one.reserve(900 * KIB).now_or_never().unwrap();
        assert!(!is_free(&same, 200));
        assert!(is_free(&same, 63), "small ones do not wait");
        assert!(is_free(&other, 1000), "nor do other addresses");
        large.shrink_to(500 * KIB);
        assert!(is_free(&same, 500));
        assert!(!is_free(&same, 5000));
        drop(large);
        assert!(is_free(&same, 5000), "larger than the budget, but alone");
    }

    #[test]
    fn addresses_without_connections_are_forgotten() {
        let unread = Unread::new(KIB);
        for number in 0..100_000_u32 {
            unread.of(ClientIp::connected(std::net::Ipv4Addr::from(number).into()));
        }
        assert!(unread.addresses.lock().unwrap().len() < 100);
    }
}
