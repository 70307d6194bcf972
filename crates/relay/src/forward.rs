//! Passing on one request: to the node that has its connection, and the answer back.
//!
//! Only what the protocol needs is passed on. Neither end sees cookies or credentials: they counted
//! when the connection was opened.

use std::future::Future as _;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use hyper::upgrade::OnUpgrade;
use identity::client_ip::ClientIp;
use store::NodeId;
use telemetry::metrics::METRICS;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tracing::debug;

use crate::peer::Peer;
use crate::stamp::{STAMP, Stamped};
use crate::{Relay, Shared, tunnel};

/// A poll is answered by a ping after 25 seconds, and a slow node has some more.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// What a node is sent of a request, besides what we say ourselves.
const REQUEST: [HeaderName; 3] = [
    header::CONTENT_TYPE,
    header::SEC_WEBSOCKET_KEY,
    header::SEC_WEBSOCKET_VERSION,
];
/// What a client gets of the answer.
const ANSWER: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CACHE_CONTROL,
    header::CONNECTION,
    header::UPGRADE,
    header::SEC_WEBSOCKET_ACCEPT,
];

pub(crate) async fn pass_on(
    State(Relay(shared)): State<Relay>,
    request: Request,
    next: Next,
) -> Response {
    let Some((node, peer)) = shared.owner(&request) else {
        return next.run(request).await;
    };
    // What is asked here if it does not work: by an id that is not known here, so it is refused.
    let mut again = Request::new(Body::empty());
    again.method_mut().clone_from(request.method());
    again.uri_mut().clone_from(request.uri());
    match shared.forward(node, &peer, request).await {
        Ok(response) => {
            METRICS.relayed.inc();
            response
        }
        Err(reason) => {
            debug!("a request was not passed on to node {node}: {reason}");
            METRICS.relays_failed.inc();
            next.run(again).await
        }
    }
}

impl Shared {
    /// The other node that has the connection of this request.
    fn owner(&self, request: &Request) -> Option<(NodeId, Peer)> {
        if request.extensions().get::<Stamped>().is_some() {
            return None;
        }
        let pairs = request.uri().query()?.split('&');
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        let (_, id) = pairs.find(|(key, _)| *key == "sid")?;
        let node = NodeId::parse(id.get(..16)?).filter(|node| *node != self.node)?;
        let nodes = self.nodes.borrow();
        let record = nodes.iter().find(|record| record.id == node)?;
        Some((node, Peer::parse(&record.report.address)?))
    }

    async fn forward(
        &self,
        node: NodeId,
        peer: &Peer,
        mut request: Request,
    ) -> Result<Response, &'static str> {
        let permits = std::sync::Arc::clone(&self.permits);
        let permit = permits.try_acquire_owned();
        let permit = permit.map_err(|_| "too many are under way")?;
        let is_upgrade = request.headers().contains_key(header::UPGRADE);
        let client = is_upgrade.then(|| hyper::upgrade::on(&mut request));
        let sent = self.rewritten(node, peer, request, is_upgrade);
        let sent = sent.ok_or("it cannot be written down")?;
        let answer = tokio::select! {
            answer = timeout(ANSWER_TIMEOUT, self.client.request(sent)) => answer,
            () = self.closing.cancelled() => return Err("this node ends"),
        };
        let answer = answer.map_err(|_| "the node does not answer")?;
        let answer = answer.map_err(|_| "the node cannot be reached")?;
        match (answer.status(), client) {
            (StatusCode::SWITCHING_PROTOCOLS, Some(client)) => {
                Ok(self.switched(answer, client, permit))
            }
            (StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE, _) => {
                let (head, body) = answer.into_parts();
                let mut response = Response::new(Body::new(Relayed {
                    body,
                    closing: Box::pin(self.closing.clone().cancelled_owned()),
                    _permit: permit,
                }));
                *response.status_mut() = head.status;
                copy_headers(&ANSWER[..2], &head.headers, response.headers_mut());
                Ok(response)
            }
            _ => Err("the node refuses it"),
        }
    }

    /// The request as the node gets it.
    fn rewritten(
        &self,
        node: NodeId,
        peer: &Peer,
        request: Request,
        is_upgrade: bool,
    ) -> Option<axum::http::Request<Body>> {
        let (head, body) = request.into_parts();
        let scheme = match peer.certificate {
            Some(_) => "https",
            None => "http",
        };
        let target = head.uri.path_and_query()?.clone();
        let uri = Uri::builder()
            .scheme(scheme)
            .authority(peer.authority.clone())
            .path_and_query(target);
        let mut sent = axum::http::Request::builder()
            .method(head.method)
            .uri(uri.build().ok()?)
            .body(body)
            .ok()?;
        let client = ClientIp::of(&head.extensions);
        let stamp = self.key.stamp(node, &sent, client)?;
        let headers = sent.headers_mut();
        copy_headers(&REQUEST, &head.headers, headers);
        headers.insert(STAMP, stamp);
        if is_upgrade {
            headers.insert(header::CONNECTION, "Upgrade".parse().ok()?);
            headers.insert(header::UPGRADE, "websocket".parse().ok()?);
        }
        Some(sent)
    }

    /// The answer that agrees to a websocket, which goes on through a tunnel.
    fn switched(
        &self,
        mut answer: axum::http::Response<hyper::body::Incoming>,
        client: OnUpgrade,
        permit: OwnedSemaphorePermit,
    ) -> Response {
        let node = hyper::upgrade::on(&mut answer);
        let closing: CancellationToken = self.closing.clone();
        self.tasks.start(async move {
            closing
                .run_until_cancelled(tunnel::run(client, node, permit))
                .await;
        });
        let mut response = Response::new(Body::empty());
        *response.status_mut() = answer.status();
        copy_headers(&ANSWER, answer.headers(), response.headers_mut());
        response
    }
}

fn copy_headers(names: &[HeaderName], from: &HeaderMap, to: &mut HeaderMap) {
    for name in names {
        if let Some(value) = from.get(name) {
            to.insert(name, value.clone());
        }
    }
}

/// The body of an answer, which counts as under way until it is read.
struct Relayed {
    body: hyper::body::Incoming,
    closing: Pin<Box<WaitForCancellationFutureOwned>>,
    _permit: OwnedSemaphorePermit,
}

impl http_body::Body for Relayed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = pin!(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new)));
        }
        match self.closing.as_mut().poll(context) {
            Poll::Ready(()) => {
                let ended = std::io::Error::from(std::io::ErrorKind::ConnectionAborted);
                Poll::Ready(Some(Err(axum::Error::new(ended))))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
