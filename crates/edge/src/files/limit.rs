//! Rate limiter for files and reports: how many requests one address may send in a while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::refusal::Refusal;
use identity::client_ip::ClientIp;

/// When so many addresses are counted, those whose time is over are forgotten; if that does not
/// help, all are.
const ADDRESSES: usize = 10_000;

pub struct Limit {
    window: Duration,
    most: u64,
    counted: Mutex<HashMap<ClientIp, Count>>,
}

struct Count {
    since: Instant,
    requests: u64,
}

impl Limit {
    /// At most `most` requests of an address in a `window`.
    pub fn of(window: Duration, most: u64) -> Limit {
        Limit {
            window,
            most,
            counted: Mutex::default(),
        }
    }

    /// Counts a request, or refuses it and says when to come again.
    pub fn count(&self, client: ClientIp) -> Result<(), Refusal> {
        self.count_at(client, Instant::now())
    }

    fn count_at(&self, client: ClientIp, now: Instant) -> Result<(), Refusal> {
        let over = |count: &Count| now.duration_since(count.since) >= self.window;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.len() >= ADDRESSES {
            counted.retain(|_, count| !over(count));
            if counted.len() >= ADDRESSES {
                counted.clear();
            }
        }
        let count = counted.entry(client).or_insert(Count {
            since: now,
            requests: 0,
        });
        if over(count) {
            *count = Count {
                since: now,
                requests: 0,
            };
        }
        if count.requests >= self.most {
            let left = self.window.saturating_sub(now.duration_since(count.since));
            return Err(Refusal::TooMany(left));
        }
        count.requests += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(number: u32) -> ClientIp {
        ClientIp::connected(Ipv4Addr::from(number).into())
    }

    #[test]
    fn an_address_waits_for_the_end_of_its_window() {
        let limit = Limit::of(Duration::from_secs(90), 10);
        let start = Instant::now();
        for _ in 0..10 {
            assert!(limit.count_at(client(1), start).is_ok());
        }
        let later = start + Duration::from_secs(60);
        let refused = limit.count_at(client(1), later);
        assert!(matches!(refused, Err(Refusal::TooMany(left)) if left.as_secs() == 30));
        assert!(limit.count_at(client(2), later).is_ok());
        let after = start + Duration::from_secs(90);
        assert!(limit.count_at(client(1), after).is_ok());
    }

    #[test]
    fn memory_is_bounded_whoever_asks() {
        let limit = Limit::of(Duration::from_secs(90), 10);
        let start = Instant::now();
        for number in 0..3 * ADDRESSES as u32 {
            assert!(limit.count_at(client(number), start).is_ok());
        }
        let counted = limit.counted.lock().unwrap();
        assert!(counted.len() <= ADDRESSES);
    }
}
