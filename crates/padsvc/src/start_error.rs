//! Errors of the start. Each text tells the operator what to change.

use std::io;
use std::net::SocketAddr;

use identity::api_key;
use listener::tls::TlsError;
use operator::open_store::OpenError;
use settings::configuration;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(
        "port {} on {} is in use; stop the program that has it or choose another with --port",
        .0.port(),
        .0.ip()
    )]
    PortInUse(SocketAddr),
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    #[error("cannot listen for stop signals: {0}")]
    Signals(io::Error),
    #[error(transparent)]
    ApiKey(#[from] api_key::ApiKeyError),
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl StartError {
    pub(crate) fn listen(address: SocketAddr, error: io::Error) -> StartError {
        match error.kind() {
            io::ErrorKind::AddrInUse => StartError::PortInUse(address),
            _ => StartError::Listen(address, error),
        }
    }
}
