//! Visitor of a pad: the identity in a request's cookies and query.

use axum::http::request::Parts;
use pad::SessionId;
use pad::access::Policy;
use service::JoinRequest;

use crate::accounts::Accounts;
use crate::client_ip::ClientIp;
use crate::cookies;
use crate::principal::{Denied, Proof};
use crate::query::parameter;
use settings::Settings;

/// More than that in one cookie are not looked at.
const SESSIONS: usize = 100;

/// The identity that a request or a connection comes with.
pub struct Visitor {
    /// Kept as long as the request or the connection lasts, and no longer.
    pub client: ClientIp,
    /// What the gate found out.
    proof: Proof,
    token: Option<String>,
    sessions: Vec<SessionId>,
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
        Visitor {
            client: ClientIp::of(&request.extensions),
            proof: request.extensions.get().cloned().unwrap_or_default(),
            token: cookies::value(&cookies, &format!("{prefix}token")),
            sessions: sessions.map_or_else(Vec::new, |list| session_ids(&list)),
            embedded: parameter(&request.uri, "embed").as_deref() == Some("1"),
        }
    }

    /// Whether the visitor has to leave, because its login has ended.
    pub fn must_leave(&self, accounts: &Accounts) -> bool {
        accounts.pad_rights(&self.proof).is_err()
    }

    /// A request for a pad by nothing but this identity.
    pub fn request(
        &self,
        pad: &str,
        accounts: &Accounts,
        settings: &Settings,
    ) -> Result<JoinRequest, Denied> {
        Ok(JoinRequest {
            rights: accounts.pad_rights(&self.proof)?,
            pad: pad.to_owned(),
            token: self.token.clone(),
            sessions: self.sessions.clone(),
            policy: Policy {
                require_session: settings.access.require_session,
                edit_only: settings.access.edit_only,
            },
            looks_only: self.embedded,
            ..JoinRequest::default()
        })
    }
}

/// The sessions of a list as it is in a cookie; what cannot be one is left out.
pub fn session_ids(list: &str) -> Vec<SessionId> {
    let ids = list.trim_matches('"').split(',');
    ids.filter_map(|id| SessionId::parse(id.trim()))
        .take(SESSIONS)
        .collect()
}
