//! Who is at the other end: what the handshake's cookies say.

use axum::http::header::COOKIE;
use axum::http::request::Parts;
use pad::SessionId;
use pad::access::Policy;
use service::JoinRequest;

use crate::settings::Settings;
use crate::socket::message::Ready;

/// The identity that a connection was opened with. Messages may only add what is missing.
pub(super) struct Visitor {
    token: Option<String>,
    sessions: Option<String>,
    /// The history window inside a page: it neither takes nor loses its author's place.
    embedded: bool,
}

impl Visitor {
    pub fn of(request: &Parts, settings: &Settings) -> Visitor {
        let query = request.uri.query().unwrap_or_default();
        let prefix = &settings.access.cookies.prefix;
        // Programs that cannot set headers send their cookies in the query.
        let header = request
            .headers
            .get(COOKIE)
            .and_then(|value| value.to_str().ok());
        let cookies = header
            .map(str::to_owned)
            .or_else(|| parameter(query, "cookie"));
        let cookies = cookies.unwrap_or_default();
        let sessions = cookie(&cookies, &format!("{prefix}sessionID"))
            .or_else(|| cookie(&cookies, "sessionID"));
        Visitor {
            token: cookie(&cookies, &format!("{prefix}token")),
            sessions,
            embedded: parameter(query, "embed").as_deref() == Some("1"),
        }
    }

    pub fn request(&self, ready: &Ready, settings: &Settings) -> JoinRequest {
        let sessions = self
            .sessions
            .as_deref()
            .or(ready.session.as_deref())
            .unwrap_or_default();
        let sessions = sessions.trim_matches('"').split(',');
        JoinRequest {
            pad: ready.pad.clone(),
            token: self.token.clone().or_else(|| ready.token.clone()),
            sessions: sessions
                .filter_map(|id| SessionId::parse(id.trim()))
                .take(100)
                .collect(),
            rights: None,
            policy: Policy {
                require_session: settings.access.require_session,
                edit_only: settings.access.edit_only,
            },
            name: ready.name.clone(),
            colour: ready.colour.clone(),
            known: ready.reconnect.flatten(),
            looks_only: self.embedded,
        }
    }
}

/// A cookie's value, percent-decoded; one that cannot be decoded is not there.
fn cookie(cookies: &str, name: &str) -> Option<String> {
    let pairs = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    let value = pairs.into_iter().find(|(other, _)| *other == name)?.1;
    percent_encoding::percent_decode_str(value)
        .decode_utf8()
        .ok()
        .map(Into::into)
}

fn parameter(query: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes())
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.into_owned())
}
