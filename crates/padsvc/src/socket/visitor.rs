//! Who is at the other end: what the handshake's cookies say.

use axum::http::request::Parts;
use pad::SessionId;
use pad::access::Policy;
use service::JoinRequest;

use crate::client_ip::ClientIp;
use crate::cookies;
use crate::query::parameter;
use crate::settings::Settings;
use crate::socket::message::Ready;

/// The identity that a connection was opened with. Messages may only add what is missing.
pub(super) struct Visitor {
    /// Kept as long as the connection lasts, and no longer.
    pub client: ClientIp,
    token: Option<String>,
    sessions: Option<String>,
    /// The history window inside a page: it neither takes nor loses its author's place.
    embedded: bool,
}

impl Visitor {
    pub fn of(request: &Parts, settings: &Settings) -> Visitor {
        let prefix = &settings.access.cookies.prefix;
        // Programs that cannot set headers send their cookies in the query.
        let header = cookies::of(&request.headers);
        let cookies = header
            .map(str::to_owned)
            .or_else(|| parameter(&request.uri, "cookie"));
        let cookies = cookies.unwrap_or_default();
        let sessions = cookies::value(&cookies, &format!("{prefix}sessionID"))
            .or_else(|| cookies::value(&cookies, "sessionID"));
        let trust_proxy = settings.listen.trust_proxy;
        Visitor {
            client: ClientIp::of(&request.extensions, &request.headers, trust_proxy),
            token: cookies::value(&cookies, &format!("{prefix}token")),
            sessions,
            embedded: parameter(&request.uri, "embed").as_deref() == Some("1"),
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
