//! Wiring: from options to a listening server, and back down again.
//!
//! The accept loop is our own because the ready-made one cannot bound request heads or the time a
//! client may take to send one. It wakes for two reasons: a connection arrived, or a stop was
//! asked for. After the stop nothing new is accepted and requests under way are finished.

use std::fmt;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tracing::{debug, info, warn};

use crate::cli::Options;
use crate::http;
use crate::stop;

/// How long a client may take to send its request head before the connection is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests under way may take to finish once a stop was asked for.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a failed accept: out of file descriptors, trying again at once would only spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Why the server could not start. Each text is one line that tells the reader what to change.
#[derive(Debug)]
pub enum StartError {
    Root(PathBuf),
    Var(PathBuf, io::Error),
    Listen(SocketAddr, io::Error),
    Signals(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(root) => write!(f, "the root folder {} does not exist", root.display()),
            Self::Var(var, error) => write!(f, "cannot create {}: {error}", var.display()),
            Self::Listen(address, error) if error.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {} on {} is in use; \
                 stop the program that has it or choose another with --port",
                address.port(),
                address.ip()
            ),
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Signals(error) => write!(f, "cannot listen for stop signals: {error}"),
        }
    }
}

/// Serves until a stop signal arrives.
pub async fn run(options: &Options) -> Result<(), StartError> {
    prepare_root(&options.root)?;
    if let Some(settings) = &options.settings {
        warn!(
            "{} is not read: this version has no settings yet",
            settings.display()
        );
    }
    let wanted = SocketAddr::new(options.ip, options.port);
    let in_context = |error| StartError::Listen(wanted, error);
    let listener = TcpListener::bind(wanted).await.map_err(in_context)?;
    let address = listener.local_addr().map_err(in_context)?;
    // Handlers are in place before anyone is told that we run: a stop right after the ready line
    // is a clean one.
    let stop = stop::requested().map_err(StartError::Signals)?;
    announce(address);
    accept_until(listener, http::router(), stop).await;
    Ok(())
}

fn prepare_root(root: &Path) -> Result<(), StartError> {
    if !root.is_dir() {
        return Err(StartError::Root(root.to_owned()));
    }
    let var = root.join("var");
    std::fs::create_dir_all(&var).map_err(|error| StartError::Var(var, error))
}

/// The one line on standard output. Scripts wait for it, so its form does not change.
fn announce(address: SocketAddr) {
    // A closed standard output is no reason to refuse service.
    let _ = writeln!(
        io::stdout(),
        "padsvc is ready: open http://{}/",
        reachable(address)
    );
}

/// An address that means "every interface" is not one a browser can open; the loopback is.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

async fn accept_until(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    builder.http2().timer(TokioTimer::new());
    let service = TowerToHyperService::new(router);
    let connections = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let connection =
            builder.serve_connection_with_upgrades(TokioIo::new(stream), service.clone());
        let connection = connections.watch(connection.into_owned());
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                // Clients go away in the middle of things all the time.
                debug!("a connection ended early: {error}");
            }
        });
    }
    drop(listener);
    info!("stopping; {} connections to finish", connections.count());
    if tokio::time::timeout(DRAIN_TIMEOUT, connections.shutdown())
        .await
        .is_err()
    {
        warn!("some requests took too long and were cut off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_line_names_an_address_a_browser_can_open() {
        let check = |listening: &str, shown: &str| {
            assert_eq!(reachable(listening.parse().unwrap()).to_string(), shown);
        };
        check("127.0.0.1:9001", "127.0.0.1:9001");
        check("0.0.0.0:80", "127.0.0.1:80");
        check("[::]:80", "[::1]:80");
        check("192.0.2.7:80", "192.0.2.7:80");
    }
}
