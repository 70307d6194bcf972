//! How a connection to a PostgreSQL server is made, for the engine and for hints alike.
//!
//! With `sslmode=require` the connection is encrypted, and the server's certificate has to be one
//! that this machine trusts. With several hosts each is tried in turn; `target_session_attrs=
//! read-write` skips those that only copy another one, which is how clients find the server that
//! was promoted after the first one failed.

use std::task::{Context, Poll};
use std::time::Duration;

use postgres::config::SslMode;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::Error;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// With several hosts: the next one is better than waiting for a dead one.
const CONNECT_TIMEOUT_OF_MANY: Duration = Duration::from_secs(2);
/// A server whose machine acknowledges nothing for so long is lost. A busy server's machine still
/// acknowledges what it receives, so this does not end statements that take long.
const SILENCE: Duration = Duration::from_secs(8);
/// Who waits for an answer sends nothing that could be acknowledged; probes are sent instead.
const PROBE_AFTER: Duration = Duration::from_secs(3);
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
const PROBES: u32 = 5;
/// What the driver takes if the connection string says nothing.
const DEFAULT_PROBE_AFTER: Duration = Duration::from_secs(2 * 60 * 60);

pub struct Server {
    config: Config,
    /// `None`: in the clear.
    encryption: Option<MakeRustlsConnect>,
}

/// Drives a connection, and yields what the server sends unasked.
pub type Messages = Box<
    dyn FnMut(&mut Context<'_>) -> Poll<Option<Result<AsyncMessage, tokio_postgres::Error>>> + Send,
>;

impl Server {
    /// `name` is what the server calls the connection in its lists, unless the string names it.
    pub fn new(connection: &str, name: &str) -> Result<Server, Error> {
        // The error names the wrong option, but not its value.
        let config = connection.parse::<Config>();
        let mut config = config.map_err(|error| {
            Error::Unavailable(format!("the connection string cannot be read: {error}"))
        })?;
        if config.get_connect_timeout().is_none() {
            let is_one = config.get_hosts().len().max(config.get_hostaddrs().len()) < 2;
            config.connect_timeout(if is_one {
                CONNECT_TIMEOUT
            } else {
                CONNECT_TIMEOUT_OF_MANY
            });
        }
        if config.get_application_name().is_none() {
            config.application_name(name);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        if config.get_keepalives_idle() == DEFAULT_PROBE_AFTER {
            config.keepalives_idle(PROBE_AFTER);
        }
        if config.get_keepalives_interval().is_none() {
            config.keepalives_interval(PROBE_INTERVAL);
        }
        if config.get_keepalives_retries().is_none() {
            config.keepalives_retries(PROBES);
        }
        let encryption = match config.get_ssl_mode() {
            SslMode::Require => Some(encryption()?),
            _ => None,
        };
        Ok(Server { config, encryption })
    }

    /// For a thread that waits for its answers.
    pub(crate) fn client(&self) -> Result<postgres::Client, postgres::Error> {
        let config = postgres::Config::from(self.config.clone());
        match &self.encryption {
            Some(encryption) => config.connect(encryption.clone()),
            None => config.connect(NoTls),
        }
    }

    /// For tasks. Nothing happens on the connection unless its messages are polled.
    pub async fn session(&self) -> Result<(Client, Messages), tokio_postgres::Error> {
        match &self.encryption {
            Some(encryption) => self.connect(encryption.clone()).await,
            None => self.connect(NoTls).await,
        }
    }

    async fn connect<T>(&self, tls: T) -> Result<(Client, Messages), tokio_postgres::Error>
    where
        T: MakeTlsConnect<Socket>,
        T::Stream: Send + 'static,
    {
        let (client, mut connection) = self.config.connect(tls).await?;
        Ok((
            client,
            Box::new(move |context| connection.poll_message(context)),
        ))
    }
}

fn encryption() -> Result<MakeRustlsConnect, Error> {
    match MakeRustlsConnect::with_native_certs() {
        Ok((encryption, _)) => Ok(encryption),
        Err(errors) => {
            let mut errors = errors.iter();
            let reason = errors.next().map(|error| format!(": {error}"));
            Err(Error::Unavailable(format!(
                "this machine has no certificates that it trusts{}",
                reason.unwrap_or_default()
            )))
        }
    }
}
