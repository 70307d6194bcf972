//! The accept loop: connections in, requests to the router, each with the address it came from.
//!
//! It is our own because the ready-made one cannot bound request heads, silent connections or
//! their number. It wakes for two reasons: a connection arrived, or a stop was asked for. After
//! the stop nothing new is accepted and requests under way are finished.

mod activity;
mod connections;
mod request_heads;
mod retry;
mod stream;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tower::Service;
use tracing::{debug, info, warn};

use crate::head::host_refusal;
use activity::Activity;
pub use connections::{ConnectionLimits, Connections};
use connections::{Full, Permit};
use identity::client_ip::ClientIp;
pub use retry::accepted;
use stream::GuardedStream;

/// How long a client may take from connecting to its first request, and to send a request head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How often an HTTP/2 client is pinged, and how long it may take to answer that.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// How long requests under way may take to finish once a stop was asked for.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// How much of a request head is read at all. `http::head` refuses smaller ones already, and with
/// an answer that says so; beyond this the answer is a bare 431.
const HEAD_BYTES: usize = 16 * 1024;
/// As many as fit into an allowed head if all are short; the default of 100 would be the tighter
/// limit for some.
const HEADERS: usize = 512;
/// What a client hears that is one too many, as far as it can be written without waiting.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\
    retry-after: 10\r\ncontent-type: text/plain\r\n\r\n\
    There are too many connections. Please try again in a moment.\n";

/// With `tls`, connections are encrypted.
pub async fn until(
    stop: impl Future<Output = ()> + Send,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    limits: ConnectionLimits,
    router: Router,
) {
    // All of HTTP is compiled here and once: with a type of its own for each caller and each kind
    // of stream it was compiled in the program, twice.
    accept(Box::pin(stop), listener, tls, limits, router).await;
}

async fn accept(
    mut stop: Pin<Box<dyn Future<Output = ()> + Send + '_>>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    limits: ConnectionLimits,
    router: Router,
) {
    let builder = builder();
    let open = Connections::new(limits);
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, address) = tokio::select! {
            accepted = accepted("a connection", || listener.accept()) => accepted,
            () = &mut stop => break,
        };
        let client = ClientIp::connected(address.ip());
        let permit = match open.admit(client) {
            Ok(permit) => permit,
            Err(full) => {
                turn_away(&stream, tls.is_some(), full, &open);
                continue;
            }
        };
        // Answers are written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let visit = Visit {
            client,
            router: router.clone(),
            builder: builder.clone(),
            first_request_by: Instant::now() + HEAD_TIMEOUT,
        };
        tokio::spawn(visit.begin(stream, permit, tls.clone(), graceful.watcher()));
    }
    drop(listener);
    info!("stopping; {} connections to finish", graceful.count());
    if timeout(DRAIN_TIMEOUT, graceful.shutdown()).await.is_err() {
        warn!("some requests took too long and were cut off");
    }
}

/// Closes a connection that is one too many. The log tells it at most once a minute.
fn turn_away(stream: &TcpStream, encrypted: bool, full: Full, open: &Connections) {
    if !encrypted {
        let _ = stream.try_write(FULL);
    }
    if let Some(more) = open.refusals.allow() {
        let limit = match full {
            Full::Total => "connectionLimits.total",
            Full::Address => "connectionLimits.perAddress",
        };
        warn!("a connection is refused: too many are open ({limit}); {more} more since the last");
    }
}

/// A stream of bytes, encrypted or not.
trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Transport for S {}

/// A connection that was accepted.
struct Visit {
    client: ClientIp,
    router: Router,
    builder: Builder<TokioExecutor>,
    first_request_by: Instant,
}

impl Visit {
    async fn begin(
        self,
        stream: TcpStream,
        permit: Permit,
        tls: Option<TlsAcceptor>,
        watcher: Watcher,
    ) {
        match tls {
            None => self.serve(Box::new(stream), permit, watcher).await,
            Some(tls) => match timeout_at(self.first_request_by, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.serve(Box::new(stream), permit, watcher).await,
                // A peer that speaks something else, or nothing, learns no more.
                Ok(Err(error)) => debug!("a connection was not encrypted: {error}"),
                Err(_) => debug!("a connection took too long to be encrypted"),
            },
        }
    }

    async fn serve(self, stream: Box<dyn Transport>, permit: Permit, watcher: Watcher) {
        let activity = Arc::new(Activity::new());
        let requests = Arc::clone(&activity);
        let (client, router) = (self.client, self.router);
        let service = service_fn(move |request: Request<Incoming>| {
            let underway = requests.begin();
            let answer = answer(router.clone(), client, request);
            async move { Ok::<_, Infallible>(underway.until_sent(answer.await)) }
        });
        let stream = TokioIo::new(GuardedStream::new(stream, permit));
        let connection = self.builder.serve_connection_with_upgrades(stream, service);
        tokio::select! {
            ended = watcher.watch(connection.into_owned()) => if let Err(error) = ended {
                // Clients go away in the middle of things all the time.
                debug!("a connection ended early: {error}");
            },
            () = activity.silence(self.first_request_by) => {
                debug!("a connection without requests is closed");
            }
        }
    }
}

async fn answer(mut router: Router, client: ClientIp, mut request: Request<Incoming>) -> Response {
    if let Some(refusal) = host_refusal(&request) {
        return refusal;
    }
    request.extensions_mut().insert(client);
    match router.call(request.map(Body::new)).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .max_header_list_size(HEAD_BYTES as u32);
    builder
}

#[cfg(test)]
mod tests;
