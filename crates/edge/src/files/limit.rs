//! Rate limiter for files and reports, one bucket per address.

use std::time::Duration;

use super::refusal::Refusal;
use identity::client_ip::ClientIp;
use identity::rate_limit::RateLimiter;

pub struct Limit(RateLimiter<ClientIp>);

impl Limit {
    /// At most `most` requests of an address in a `window`, on average and at once.
    pub fn of(window: Duration, most: u64) -> Limit {
        Limit(RateLimiter::new(most, window))
    }

    /// Counts a request, or refuses it and says when to come again.
    pub fn count(&self, client: ClientIp) -> Result<(), Refusal> {
        self.0.take(client, 1).map_err(Refusal::TooMany)
    }
}
