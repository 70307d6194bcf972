//! One connection to the server, as far as a load needs it.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::target::Target;
use super::wire::{self, ServerMessage, Welcome};

/// Joining takes no longer, or has failed.
const PATIENCE: Duration = Duration::from_secs(30);
/// Thousands of connections would take much memory with the library's own size.
const READ_BUFFER: usize = 16 * 1024;

pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
}

/// Why a connection is of no use, for people to read.
pub(crate) type Trouble = String;

impl Client {
    /// Connects and joins a pad.
    pub(crate) async fn join(
        target: &Target,
        pad: &str,
        token: &str,
        batches: bool,
    ) -> Result<(Client, Welcome), Trouble> {
        let joined = async {
            let mut client = Client::connect(target, pad).await?;
            let welcome = client.enter(pad, token, batches).await?;
            Ok((client, welcome))
        };
        let too_late = |_| format!("nothing came for {} seconds", PATIENCE.as_secs());
        timeout(PATIENCE, joined).await.map_err(too_late)?
    }

    async fn connect(target: &Target, pad: &str) -> Result<Client, Trouble> {
        let address = &target.address;
        let stream = TcpStream::connect(address).await;
        let stream = stream.map_err(|error| format!("cannot connect to {address}: {error}"))?;
        let _ = stream.set_nodelay(true);
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
        let request = target.websocket(pad);
        let opened = client_async_with_config(request, stream, Some(config)).await;
        let refused = |error| format!("{address} does not open a websocket: {error}");
        let (socket, _) = opened.map_err(refused)?;
        let mut client = Client { socket };
        client.receive().await?;
        client.send("40".to_owned()).await?;
        match client.receive().await?.as_str() {
            answer if answer.starts_with("40") => Ok(client),
            other => Err(format!("{address} does not speak Socket.IO: {other:.60}")),
        }
    }

    async fn enter(&mut self, pad: &str, token: &str, batches: bool) -> Result<Welcome, Trouble> {
        self.send(wire::ready(pad, token, batches)).await?;
        loop {
            let packet = self.receive().await?;
            if let ServerMessage::Dismissed(reason) = wire::parse(&packet) {
                return Err(format!("sent away when joining: {reason:.60}"));
            }
            if let Some(welcome) = wire::welcome(&packet) {
                return Ok(welcome);
            }
        }
    }

    /// The next packet. May be dropped before it is ready: nothing is lost.
    pub(crate) async fn receive(&mut self) -> Result<Utf8Bytes, Trouble> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) if text.as_str() == "2" => {
                    self.send("3".to_owned()).await?;
                }
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(_))) | None => {
                    return Err("the server closed the connection".to_owned());
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(format!("the connection broke: {error}")),
            }
        }
    }

    pub(crate) async fn send(&mut self, packet: String) -> Result<(), Trouble> {
        let sent = self.socket.send(Message::text(packet)).await;
        sent.map_err(|error| format!("the connection broke: {error}"))
    }
}
