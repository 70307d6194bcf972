//! What can be set, with the values clients of this protocol know.

use std::time::Duration;

pub struct Config {
    /// What the id of each session begins with, for those who route requests by it. Consists of
    /// letters and digits.
    pub id_prefix: String,
    /// How often the server asks a client whether it is there.
    pub ping_interval: Duration,
    /// How long the client may take to answer that.
    pub ping_timeout: Duration,
    /// The most bytes in one websocket message or POST body from a client.
    pub max_payload: usize,
    /// How long a client may take to join the namespace.
    pub connect_timeout: Duration,
    /// How long the way from polling to websocket may take.
    pub upgrade_timeout: Duration,
    pub websocket: bool,
    pub polling: bool,
    /// A write that takes longer closes the connection; so does a poll that comes later.
    pub write_timeout: Duration,
    /// More clients than this are refused with 503.
    pub max_connections: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            id_prefix: String::new(),
            ping_interval: Duration::from_secs(25),
            ping_timeout: Duration::from_secs(20),
            max_payload: 1_000_000,
            connect_timeout: Duration::from_secs(45),
            upgrade_timeout: Duration::from_secs(10),
            websocket: true,
            polling: true,
            write_timeout: Duration::from_secs(30),
            max_connections: 20_000,
        }
    }
}
