//! The port of the service: taken when the program starts, open when it is ready.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};
use updater::restart;

use crate::start_error::StartError;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

pub(crate) struct Port {
    pub address: SocketAddr,
    socket: State,
}

enum State {
    Taken(TcpSocket),
    Open(TcpListener),
}

impl Port {
    /// Takes the port, so that one in use is noticed before anything else begins.
    ///
    /// Clients of a single server may come from now on, and wait. Beside other nodes they are
    /// refused until this one is ready: then their load balancer tries another one at once.
    pub(crate) fn take(wanted: SocketAddr, is_node: bool) -> Result<Port, StartError> {
        let in_context = |error| StartError::listen(wanted, error);
        let before = restart::last_port().filter(|_| wanted.port() == 0);
        let before = before.map(|port| bind(SocketAddr::new(wanted.ip(), port)));
        let socket = match before {
            Some(Ok(socket)) => socket,
            _ => bind(wanted).map_err(in_context)?,
        };
        let address = socket.local_addr().map_err(in_context)?;
        let socket = if is_node {
            State::Taken(socket)
        } else {
            State::Open(socket.listen(BACKLOG).map_err(in_context)?)
        };
        Ok(Port { address, socket })
    }

    /// Opens the port, if it is not open yet.
    pub(crate) fn open(self) -> Result<TcpListener, StartError> {
        match self.socket {
            State::Open(listener) => Ok(listener),
            State::Taken(socket) => {
                let listener = socket.listen(BACKLOG);
                listener.map_err(|error| StartError::listen(self.address, error))
            }
        }
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A start right after an end, as with any server.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpStream;

    use super::*;

    #[tokio::test]
    async fn a_node_refuses_clients_until_it_is_ready() {
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        for is_node in [false, true] {
            let port = Port::take(any, is_node).unwrap();
            let address = port.address;
            assert_eq!(TcpStream::connect(address).await.is_err(), is_node);
            let _listener = port.open().unwrap();
            TcpStream::connect(address).await.unwrap();
            assert!(Port::take(address, is_node).is_err(), "it is in use");
        }
    }
}
