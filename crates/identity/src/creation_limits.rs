//! Limits on what one address can create in a minute: new pads, and bytes of their history.
//!
//! Calls of the API with a credential are not limited, nor is what an operator does.

use std::time::Duration;

use crate::client_ip::ClientIp;
use crate::rate_limit::RateLimiter;
use settings::Creation;

const MINUTE: Duration = Duration::from_secs(60);

pub struct CreationLimits {
    pads: RateLimiter<ClientIp>,
    history_bytes: RateLimiter<ClientIp>,
}

impl CreationLimits {
    pub fn new(settings: &Creation) -> CreationLimits {
        CreationLimits {
            pads: RateLimiter::new(settings.pads_per_minute, MINUTE),
            history_bytes: RateLimiter::new(settings.history_bytes_per_minute, MINUTE),
        }
    }

    /// The leave to create a pad, which is given back unless it is used; or how long to wait.
    pub fn new_pad(&self, client: ClientIp) -> Result<PadCreation<'_>, Duration> {
        let client = client.network();
        self.pads.take(client, 1)?;
        Ok(PadCreation {
            limits: self,
            client,
            is_used: false,
        })
    }

    /// Counts bytes that are about to be stored, or says how long to wait.
    pub fn add_history(&self, client: ClientIp, bytes: usize) -> Result<(), Duration> {
        self.history_bytes.take(client.network(), bytes as u64)
    }
}

/// A pad that a client is about to create, counted already; dropped unused, it does not count.
pub struct PadCreation<'a> {
    limits: &'a CreationLimits,
    client: ClientIp,
    is_used: bool,
}

impl PadCreation<'_> {
    pub fn used(mut self) {
        self.is_used = true;
    }
}

impl Drop for PadCreation<'_> {
    fn drop(&mut self) {
        if !self.is_used {
            self.limits.pads.give_back(self.client, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(pads: u64, bytes: u64) -> CreationLimits {
        CreationLimits::new(&Creation {
            pads_per_minute: pads,
            history_bytes_per_minute: bytes,
        })
    }

    fn client(address: &str) -> ClientIp {
        ClientIp::connected(address.parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn pads_count_that_are_created() {
        let limits = limits(2, 0);
        let here = client("2001:db8::1");
        for _ in 0..10 {
            drop(limits.new_pad(here).unwrap());
        }
        for _ in 0..2 {
            limits.new_pad(here).unwrap().used();
        }
        assert!(limits.new_pad(client("2001:db8::2")).is_err());
        assert!(limits.new_pad(client("2001:db8:1::2")).is_ok());
        tokio::time::advance(MINUTE / 2).await;
        assert!(limits.new_pad(here).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_count_as_they_are() {
        let limits = limits(0, 1000);
        let here = client("192.0.2.1");
        assert!(limits.add_history(here, 600).is_ok());
        assert!(limits.add_history(here, 600).is_ok());
        assert!(limits.add_history(here, 1).is_err());
        assert!(limits.add_history(client("192.0.2.2"), 1).is_ok());
        assert!(limits.new_pad(here).is_ok());
    }
}
