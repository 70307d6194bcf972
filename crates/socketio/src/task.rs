//! The task of a connection: from its first packet to its last.
//!
//! It wakes when the client sends something, when it is time to ask whether the client is there,
//! when a send was given up half way, and when the session is ended from elsewhere. It is the only
//! one that reads, so messages are in order; while the application has not taken the last one, it
//! reads nothing.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use hyper::upgrade::OnUpgrade;
use tokio::time::{sleep, timeout};

use crate::connection::Connection;
use crate::end::{End, Gone};
use crate::packet::{Packet, SEPARATOR};
use crate::parse::{self, Malformed, Received};
use crate::server::{Shared, random_id};
use crate::session::Session;
use crate::websocket::{self, Frame, Reader};

/// Runs a session until it is over and nothing of it is left.
pub(crate) async fn run(
    shared: Arc<Shared>,
    session: Arc<Session>,
    request: Box<Parts>,
    websocket: Option<OnUpgrade>,
) {
    let mut source = Source::Polling(None);
    let end = tokio::select! {
        Err(end) = live(&shared, &session, &mut source, request, websocket) => end,
        end = session.over() => end,
    };
    session.end(end);
    session
        .farewell(end, source.closed_by_client(&session))
        .await;
    shared.remove(&session.id);
}

async fn live(
    shared: &Shared,
    session: &Arc<Session>,
    source: &mut Source,
    request: Box<Parts>,
    websocket: Option<OnUpgrade>,
) -> Result<Infallible, End> {
    if let Some(websocket) = websocket {
        let websocket = timeout(session.config.upgrade_timeout, websocket).await;
        let Ok(Ok(websocket)) = websocket else {
            return Err(End::Lost);
        };
        let (reader, writer) = websocket::split(websocket, session.config.max_payload);
        session.open(writer).await;
        *source = Source::WebSocket(reader);
        say(session, shared.open_packet(session, false)).await?;
    }
    tokio::select! {
        end = receive(shared, session, source, request) => end,
        end = heartbeat(session) => end,
        end = finish_abandoned(session) => end,
    }
}

async fn receive(
    shared: &Shared,
    session: &Arc<Session>,
    source: &mut Source,
    request: Box<Parts>,
) -> Result<Infallible, End> {
    let joined = timeout(session.config.connect_timeout, lobby(session, source));
    joined.await.unwrap_or(Err(End::TimedOut))?;
    let id = random_id().ok_or(End::Closing)?;
    let answer = Packet::text(&["40{\"sid\":\"", &id, "\"}"]);
    say(session, answer).await?;
    shared
        .announce(Connection::new(id, *request, session))
        .await?;
    loop {
        match source.next(session).await? {
            Received::Event(message) => session.deliver(message).await,
            Received::Pong => session.pong.notify_one(),
            Received::JoinOther(name) => refuse(session, &name).await?,
            Received::Leave | Received::Close => return Err(End::Left),
            Received::Join => return Err(End::Invalid),
            Received::Ack | Received::Noop => {}
        }
    }
}

/// Waits until the client wants to join.
async fn lobby(session: &Session, source: &mut Source) -> Result<(), End> {
    loop {
        match source.next(session).await? {
            Received::Join => return Ok(()),
            Received::JoinOther(name) => refuse(session, &name).await?,
            Received::Pong => session.pong.notify_one(),
            Received::Noop => {}
            Received::Close => return Err(End::Left),
            Received::Leave | Received::Event(_) | Received::Ack => return Err(End::Invalid),
        }
    }
}

async fn refuse(session: &Session, namespace: &str) -> Result<(), Gone> {
    let answer = ["44", namespace, ",{\"message\":\"Invalid namespace\"}"];
    say(session, Packet::text(&answer)).await
}

/// In a box, as are all sends of the task: they are rare, and with room for each of them the task
/// of an idle connection would be twice as large.
async fn say(session: &Session, packet: Packet) -> Result<(), Gone> {
    Box::pin(session.send(&[packet])).await
}

async fn heartbeat(session: &Session) -> Result<Infallible, End> {
    loop {
        sleep(session.config.ping_interval).await;
        say(session, Packet::text(&["2"])).await?;
        loop {
            let pong = timeout(session.config.ping_timeout, session.pong.notified());
            match pong.await {
                Ok(()) => break,
                // The answer may be behind the messages that we do not read.
                Err(_) if session.is_held_up() => {}
                Err(_) => return Err(End::TimedOut),
            }
        }
    }
}

async fn finish_abandoned(session: &Session) -> Result<Infallible, End> {
    loop {
        session.abandoned.notified().await;
        Box::pin(session.send(&[])).await?;
    }
}

/// Where packets come from.
enum Source {
    /// What is left of the last body.
    Polling(Option<Bytes>),
    WebSocket(Reader),
}

impl Source {
    async fn next(&mut self, session: &Session) -> Result<Received, End> {
        loop {
            match self {
                Source::Polling(Some(rest)) => {
                    let end = rest.iter().position(|byte| *byte == SEPARATOR);
                    let packet = rest.split_to(end.unwrap_or(rest.len()));
                    if rest.is_empty() {
                        *self = Source::Polling(None)
                    } else {
                        drop(rest.split_to(1))
                    }
                    return Ok(parse::packet(packet)?);
                }
                Source::Polling(None) => *self = Self::posted(session).await?,
                Source::WebSocket(reader) => match reader.next().await? {
                    Frame::Text(text) => return Ok(parse::packet(text)?),
                    Frame::Ping(payload) => {
                        say(session, Packet::websocket_pong(&payload)).await?;
                    }
                    Frame::Pong => {}
                    Frame::Close => return Err(End::Left),
                },
            }
        }
    }

    async fn posted(session: &Session) -> Result<Source, End> {
        let polling = &session.polling;
        // A body that was posted before the websocket took over comes first.
        let source = tokio::select! {
            biased;
            body = polling.bodies.take() => body.map(|body| Source::Polling(Some(body))),
            reader = polling.readers.take() => reader.map(Source::WebSocket),
        };
        source.ok_or(End::Lost)
    }

    async fn closed_by_client(&mut self, session: &Session) {
        if let Source::Polling(_) = self
            && let Some(reader) = session.polling.readers.try_take()
        {
            *self = Source::WebSocket(reader);
        }
        if let Source::WebSocket(reader) = self {
            reader.drain().await;
        }
    }
}

impl From<Malformed> for End {
    fn from(Malformed: Malformed) -> End {
        End::Invalid
    }
}

impl From<Gone> for End {
    fn from(Gone: Gone) -> End {
        End::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Server};

    /// A connection that does nothing costs these two, and what the socket itself takes.
    #[test]
    fn an_idle_connection_is_small() {
        let (server, _connections) = Server::new(Config::default());
        let shared = server.shared();
        let session = Session::websocket(String::new(), Arc::clone(&shared.config));
        let session = Arc::new(session);
        assert!(size_of_val(&*session) <= 1024);
        let (request, ()) = http::Request::new(()).into_parts();
        let task = run(shared, session, Box::new(request), None);
        assert!(size_of_val(&task) <= 2560, "{}", size_of_val(&task));
    }
}
