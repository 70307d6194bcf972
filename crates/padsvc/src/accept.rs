//! The accept loop: connections in, requests to the router, each with the address it came from.
//!
//! It is our own because the ready-made one cannot bound request heads or the time a client may
//! take to send one. It wakes for two reasons: a connection arrived, or a stop was asked for. After
//! the stop nothing new is accepted and requests under way are finished.

use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::Service;
use tracing::{debug, info, warn};

use crate::client_ip::ClientIp;

/// How long a client may take to send its request head before the connection is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests under way may take to finish once a stop was asked for.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a failed accept: out of file descriptors, trying again at once would only spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How much of a request head is read at all. `http::head` refuses smaller ones already, and with
/// an answer that says so; beyond this the answer is a bare 431.
const HEAD_BYTES: usize = 16 * 1024;
/// As many as fit into an allowed head if all are short; the default of 100 would be the tighter
/// limit for some.
const HEADERS: usize = 512;

/// With `tls`, connections are encrypted.
pub async fn until(
    stop: impl Future<Output = ()>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
) {
    let builder = builder();
    let connections = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Answers are written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let client = ClientIp::connected(address.ip());
        let (tls, watcher) = (tls.clone(), connections.watcher());
        let visit = Visit {
            client,
            router: router.clone(),
            builder: builder.clone(),
        };
        tokio::spawn(async move {
            match tls {
                None => visit.serve(stream, watcher).await,
                Some(tls) => match timeout(HEAD_TIMEOUT, tls.accept(stream)).await {
                    Ok(Ok(stream)) => visit.serve(stream, watcher).await,
                    // Whoever speaks something else, or nothing, learns no more.
                    Ok(Err(error)) => debug!("a connection was not encrypted: {error}"),
                    Err(_) => debug!("a connection took too long to be encrypted"),
                },
            }
        });
    }
    drop(listener);
    info!("stopping; {} connections to finish", connections.count());
    if timeout(DRAIN_TIMEOUT, connections.shutdown())
        .await
        .is_err()
    {
        warn!("some requests took too long and were cut off");
    }
}

/// A connection that was accepted.
struct Visit {
    client: ClientIp,
    router: Router,
    builder: Builder<TokioExecutor>,
}

impl Visit {
    async fn serve<S>(self, stream: S, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let Visit {
            client,
            router,
            builder,
        } = self;
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(client);
            router.clone().call(request)
        });
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection.into_owned()).await {
            // Clients go away in the middle of things all the time.
            debug!("a connection ended early: {error}");
        }
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
        .max_header_list_size(HEAD_BYTES as u32);
    builder
}
