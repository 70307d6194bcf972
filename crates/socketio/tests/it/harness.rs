//! A server on a port of its own, clients for it, and a way to wait for a state.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use socketio::{Config, Connection, Connections, Message, Server};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message as Frame};

use crate::http::{self, Answer};

/// Far longer than anything here takes; when it has passed, something hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const MILLISECOND: Duration = Duration::from_millis(1);

pub(crate) struct Harness {
    pub server: Server,
    pub connections: Connections,
    pub address: SocketAddr,
    _serving: JoinSet<()>,
}

impl Harness {
    pub(crate) async fn start() -> Harness {
        Harness::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Harness {
        let (server, connections) = Server::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = server.router();
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Harness {
            server,
            connections,
            address,
            _serving: serving,
        }
    }

    pub(crate) async fn next_connection(&mut self) -> Connection {
        patiently(self.connections.next()).await.unwrap()
    }

    /// A websocket that has received the open packet.
    pub(crate) async fn websocket(&self) -> Client {
        let (client, open) = self.websocket_and_open_packet().await;
        assert!(open.starts_with("0{"), "{open}");
        client
    }

    pub(crate) async fn websocket_and_open_packet(&self) -> (Client, String) {
        let mut client = self.dial("EIO=4&transport=websocket").await.unwrap();
        let open = client.receive().await;
        (client, open)
    }

    pub(crate) async fn dial(&self, query: &str) -> Result<Client, tungstenite::Error> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let url = format!("ws://{}/socket.io/?{query}", self.address);
        let (stream, _) = tokio_tungstenite::client_async(url, stream).await?;
        Ok(Client(stream))
    }

    /// A websocket that has joined, and the server's end of it.
    pub(crate) async fn joined(&mut self) -> (Client, Connection) {
        let mut client = self.websocket().await;
        client.send("40").await;
        let answer = client.receive().await;
        assert!(answer.starts_with("40{\"sid\":\""), "{answer}");
        let connection = self.next_connection().await;
        (client, connection)
    }

    /// A session that polls, by its id.
    pub(crate) async fn polling(&self) -> Poller {
        let answer = http::get(self.address, "/socket.io/?EIO=4&transport=polling").await;
        assert_eq!(answer.status, 200);
        let id = answer.body.split('"').nth(3).unwrap();
        Poller {
            address: self.address,
            target: format!("/socket.io/?EIO=4&transport=polling&sid={id}"),
            id: id.to_owned(),
        }
    }

    pub(crate) async fn joined_polling(&mut self) -> (Poller, Connection) {
        let poller = self.polling().await;
        assert_eq!(poller.post("40").await.body, "ok");
        let answer = poller.poll().await.body;
        assert!(answer.starts_with("40{\"sid\":\""), "{answer}");
        let connection = self.next_connection().await;
        (poller, connection)
    }

    pub(crate) async fn until_empty(&self) {
        until(|| self.server.connections() == 0).await;
    }
}

pub(crate) struct Client(WebSocketStream<TcpStream>);

impl Client {
    pub(crate) async fn send(&mut self, text: &str) {
        self.send_frame(Frame::text(text)).await;
    }

    pub(crate) async fn send_frame(&mut self, frame: Frame) {
        // The server may have closed already; what it says about that is what a test looks at.
        let _ = self.0.send(frame).await;
    }

    pub(crate) async fn receive(&mut self) -> String {
        match self.receive_frame().await {
            Some(Ok(Frame::Text(text))) => text.to_string(),
            other => panic!("not a text: {other:?}"),
        }
    }

    pub(crate) async fn receive_frame(&mut self) -> Option<Result<Frame, tungstenite::Error>> {
        patiently(self.0.next()).await
    }

    /// The code the server closes with, after texts that are returned too.
    pub(crate) async fn closed(&mut self) -> (Vec<String>, u16) {
        let mut texts = Vec::new();
        loop {
            match self.receive_frame().await {
                Some(Ok(Frame::Text(text))) => texts.push(text.to_string()),
                Some(Ok(Frame::Close(Some(CloseFrame { code, .. })))) => {
                    // The answer to that, which ends it.
                    let _ = self.0.flush().await;
                    return (texts, code.into());
                }
                other => panic!("not closed but {other:?}"),
            }
        }
    }

    /// The socket below, for a client that does not keep to the protocol.
    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        self.0.get_mut()
    }
}

pub(crate) struct Poller {
    pub address: SocketAddr,
    pub target: String,
    pub id: String,
}

impl Poller {
    pub(crate) async fn poll(&self) -> Answer {
        patiently(http::get(self.address, &self.target)).await
    }

    /// A poll that has reached the server and waits for an answer.
    pub(crate) async fn begin_poll(&self) -> http::Sent {
        let poll = http::send(self.address, "GET", &self.target, b"").await;
        // On one thread, a later request is not answered before this one has been looked at.
        http::get(self.address, "/socket.io/").await;
        poll
    }

    pub(crate) async fn post(&self, body: &str) -> Answer {
        self.post_bytes(body.as_bytes()).await
    }

    pub(crate) async fn post_bytes(&self, body: &[u8]) -> Answer {
        patiently(http::post(self.address, &self.target, body)).await
    }
}

pub(crate) fn text(message: Option<Message>) -> String {
    let message = message.expect("a message");
    String::from_utf8(message.arguments.to_vec()).unwrap()
}

pub(crate) async fn patiently<T>(future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.expect("it does not come")
}

pub(crate) async fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it does not come to be so");
        sleep(MILLISECOND).await;
    }
}
