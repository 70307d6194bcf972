//! The requests: handshakes, polls, posts, and those that become a websocket.
//!
//! A request that a session depends on and that the client gives up half way ends the session:
//! nobody can tell what of it arrived.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use hyper::upgrade::OnUpgrade;

use crate::answer::Answer;
use crate::end::End;
use crate::packet::payload;
use crate::parse;
use crate::polling::Turn;
use crate::server::Shared;
use crate::session::Session;
use crate::websocket::handshake;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=UTF-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Why a request is refused, with the numbers clients know.
#[derive(Clone, Copy)]
enum Refusal {
    UnknownTransport,
    UnknownSession,
    BadMethod,
    BadRequest,
    Unavailable,
    BadVersion,
}

pub(crate) async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    answer(&shared, request)
        .await
        .unwrap_or_else(Refusal::response)
}

async fn answer(shared: &Arc<Shared>, request: Request) -> Result<Response, Refusal> {
    let is_websocket = match query(&request, "transport") {
        Some("websocket") if shared.config.websocket => true,
        Some("polling") if shared.config.polling => false,
        _ => return Err(Refusal::UnknownTransport),
    };
    let Some(id) = query(&request, "sid") else {
        return begin(shared, request, is_websocket);
    };
    let session = shared.session(id).ok_or(Refusal::UnknownSession)?;
    if !session.polling.is_current() {
        return Err(Refusal::BadRequest);
    }
    match (is_websocket, request.method()) {
        (true, &Method::GET) => upgrade(shared, session, request),
        (false, &Method::GET) => poll(session).await,
        (false, &Method::POST) => post(session, request).await,
        _ => Err(Refusal::BadRequest),
    }
}

fn begin(shared: &Arc<Shared>, request: Request, is_websocket: bool) -> Result<Response, Refusal> {
    if request.method() != Method::GET {
        return Err(Refusal::BadMethod);
    }
    if query(&request, "EIO") != Some("4") {
        return Err(Refusal::BadVersion);
    }
    if is_websocket {
        let (parts, websocket, answer) = websocket(request)?;
        let session = shared.begin(parts, Some(websocket));
        return session.map(|_| answer).ok_or(Refusal::Unavailable);
    }
    let (parts, _) = request.into_parts();
    let session = shared.begin(parts, None).ok_or(Refusal::Unavailable)?;
    let open = payload(&[shared.open_packet(&session, true)]);
    Ok(text(Body::from(open.concat())))
}

fn upgrade(
    shared: &Arc<Shared>,
    session: Arc<Session>,
    request: Request,
) -> Result<Response, Refusal> {
    let (_, websocket, answer) = websocket(request)?;
    if !session.polling.begin_probe() {
        return Err(Refusal::BadRequest);
    }
    shared.upgrade(session, websocket);
    Ok(answer)
}

/// The parts of a request that asks for a websocket: the request, what it becomes, the answer.
fn websocket(mut request: Request) -> Result<(Parts, OnUpgrade, Response), Refusal> {
    let answer = handshake::answer(request.headers()).ok_or(Refusal::BadRequest)?;
    let websocket = hyper::upgrade::on(&mut request);
    let (parts, _) = request.into_parts();
    Ok((parts, websocket, answer))
}

async fn poll(session: Arc<Session>) -> Result<Response, Refusal> {
    let underway = Underway::begin(Arc::clone(&session), Turn::Poll)?;
    let packets = session.polling.poll().await;
    Ok(text(Body::new(Answer::new(packets, underway))))
}

async fn post(session: Arc<Session>, request: Request) -> Result<Response, Refusal> {
    let underway = Underway::begin(Arc::clone(&session), Turn::Post)?;
    let Ok(body) = to_bytes(request.into_body(), session.config.max_payload).await else {
        session.end(End::TooLarge);
        return Ok(response(StatusCode::PAYLOAD_TOO_LARGE, TEXT, Body::empty()));
    };
    let is_text = std::str::from_utf8(&body).is_ok();
    if !is_text || parse::packets(&body).any(|packet| parse::packet(packet).is_err()) {
        session.end(End::Invalid);
        return Err(Refusal::BadRequest);
    }
    // Waits until the body before this one has been read, and the answer with it: so a client posts
    // only as fast as the application takes.
    session.polling.bodies.put(body, 1).await;
    underway.finish();
    Ok(text(Body::from("ok")))
}

/// A poll or a post that has not been answered.
pub(crate) struct Underway {
    session: Arc<Session>,
    turn: Turn,
    is_answered: bool,
}

impl Underway {
    fn begin(session: Arc<Session>, turn: Turn) -> Result<Self, Refusal> {
        if !session.polling.take_turn(turn) {
            session.end(End::Invalid);
            return Err(Refusal::BadRequest);
        }
        Ok(Underway {
            session,
            turn,
            is_answered: false,
        })
    }

    pub(crate) fn finish(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.session
            .polling
            .finish_turn(self.turn, self.is_answered);
        if !self.is_answered {
            self.session.end(End::Lost);
        }
    }
}

/// The first value of this name in the query. All that are asked for consist of plain characters.
fn query<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let pairs = request.uri().query()?.split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

fn text(body: Body) -> Response {
    response(StatusCode::OK, TEXT, body)
}

fn response(status: StatusCode, kind: HeaderValue, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, no_store);
    response
}

impl Refusal {
    fn response(self) -> Response {
        let (code, message) = match self {
            Refusal::UnknownTransport => (0, "Transport unknown"),
            Refusal::UnknownSession => (1, "Session ID unknown"),
            Refusal::BadMethod => (2, "Bad handshake method"),
            Refusal::BadRequest => (3, "Bad request"),
            Refusal::Unavailable => (4, "Forbidden"),
            Refusal::BadVersion => (5, "Unsupported protocol version"),
        };
        let status = match self {
            Refusal::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let body = format!("{{\"code\":{code},\"message\":\"{message}\"}}");
        response(status, JSON, Body::from(body))
    }
}
