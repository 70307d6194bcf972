//! The programs that may get tokens.
//!
//! One with a secret proves that it is itself; one without is public, such as an application in a
//! browser, and never gets a token but for a person who signs in.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::basic::read_basic;
use crate::error::{Error, ErrorKind};
use crate::parameters::Parameters;
use crate::secret::same;
use crate::token::RESERVED;

/// A client as settings tell of one.
#[derive(Clone, Debug, Default)]
pub struct Registration {
    pub id: String,
    pub secret: Option<String>,
    pub grant_types: Vec<String>,
    pub response_types: Vec<String>,
    pub redirect_uris: Vec<String>,
    /// What it is called on pages; without one, its id.
    pub name: Option<String>,
    /// Whether people who are signed in go on to it without being asked.
    pub trusted: bool,
    /// Become claims of the tokens that the client gets for itself.
    pub extra: Vec<(String, Value)>,
}

pub struct Client {
    pub id: String,
    secret: Option<String>,
    pub redirect_uris: Vec<String>,
    pub name: String,
    pub trusted: bool,
    /// Whether people may sign in to it.
    pub takes_people: bool,
    /// Whether it gets tokens without a person.
    pub acts_alone: bool,
    pub claims: Map<String, Value>,
}

impl Client {
    fn new(from: Registration, complaints: &mut Vec<String>) -> Client {
        let id = from.id;
        let mut complain = |text: String| complaints.push(format!("sso: client {id}: {text}"));
        let (redirect_uris, unfit): (Vec<_>, Vec<_>) = from
            .redirect_uris
            .into_iter()
            .partition(|uri| is_fit_for_answers(uri));
        for uri in unfit {
            complain(format!(
                "{uri:?} in redirect_uris is ignored: it must be a whole address without #"
            ));
        }
        for grant in &from.grant_types {
            if !["authorization_code", "client_credentials"].contains(&grant.as_str()) {
                complain(format!("grant_types: {grant:?} is not known here"));
            }
        }
        let names = |list: &[String], name: &str| list.iter().any(|other| other == name);
        let or_nothing = |list: &[String], name| list.is_empty() || names(list, name);
        let takes_people = !redirect_uris.is_empty()
            && or_nothing(&from.grant_types, "authorization_code")
            && or_nothing(&from.response_types, "code");
        // With nowhere for people to return to, it can be nothing but a service.
        let is_service = redirect_uris.is_empty() && from.response_types.is_empty();
        let secret = from.secret.filter(|secret| !secret.is_empty());
        let acts_alone =
            secret.is_some() && (is_service || names(&from.grant_types, "client_credentials"));
        if !takes_people && !acts_alone {
            complain("can get no token: it has neither redirect_uris nor a client_secret".into());
        }
        let mut claims = Map::new();
        for (name, value) in from.extra {
            if RESERVED.contains(&name.as_str()) {
                complain(format!("extraParams: {name:?} has a meaning of its own"))
            } else {
                drop(claims.insert(name, value))
            }
        }
        Client {
            name: from.name.unwrap_or_else(|| id.clone()),
            trusted: from.trusted,
            id,
            secret,
            redirect_uris,
            takes_people,
            acts_alone,
            claims,
        }
    }

    pub fn is_public(&self) -> bool {
        self.secret.is_none()
    }

    /// Whether it is registered as one that may do everything.
    pub fn is_admin(&self) -> bool {
        let claim = self.claims.get("admin");
        claim.is_some_and(|value| *value == Value::Bool(true) || value == "true")
    }

    fn proves(&self, secret: Option<&str>) -> bool {
        match (&self.secret, secret) {
            (Some(right), Some(shown)) => same(right, shown),
            (None, None) => true,
            _ => false,
        }
    }
}

/// An address that answers can be sent to. A fragment would swallow them, and an address that is a
/// script would be run.
fn is_fit_for_answers(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let runs = ["javascript", "data", "vbscript", "blob", "about"];
    let is_plain = uri.chars().all(|c| c.is_ascii_graphic()) && !uri.contains(['#', '"', '\\']);
    is_scheme
        && is_plain
        && !rest.is_empty()
        && !runs.iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

pub struct Clients(BTreeMap<String, Client>);

/// The credential by which a request names the client that sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCredential {
    pub id: String,
    pub secret: Option<String>,
    /// The same without decoding, for programs that put id and secret into the header as they are.
    raw: Option<(String, String)>,
}

impl Clients {
    pub fn new(clients: Vec<Registration>, complaints: &mut Vec<String>) -> Clients {
        let clients = clients
            .into_iter()
            .map(|from| Client::new(from, complaints));
        Clients(clients.map(|client| (client.id.clone(), client)).collect())
    }

    pub fn get(&self, id: &str) -> Option<&Client> {
        self.0.get(id)
    }

    /// The client that sent a request, if what it shows proves that.
    pub fn authenticate(&self, shown: &ClientCredential) -> Result<&Client, Error> {
        let proven = |id: &str, secret| self.get(id).filter(|client| client.proves(secret));
        let raw = || {
            let (id, secret) = shown.raw.as_ref()?;
            proven(id, Some(secret))
        };
        proven(&shown.id, shown.secret.as_deref())
            .or_else(raw)
            .ok_or(
                ErrorKind::InvalidClient.because("the client is not known, or its secret is wrong"),
            )
    }
}

impl ClientCredential {
    /// From the header `Authorization`, if there is one, or else from the form.
    pub fn read(authorization: Option<&str>, form: &Parameters) -> Result<ClientCredential, Error> {
        let id = form.get("client_id")?;
        let secret = form.get("client_secret")?;
        let Some(authorization) = authorization else {
            let id = id.ok_or(ErrorKind::InvalidClient.because("client_id is missing"))?;
            return Ok(ClientCredential {
                id: id.to_owned(),
                secret: secret.map(str::to_owned),
                raw: None,
            });
        };
        let shown = basic(authorization).ok_or(
            ErrorKind::InvalidClient.because("the Authorization header is not a Basic one"),
        )?;
        let raw_id = shown.raw.as_ref().map(|(id, _)| id.as_str());
        if secret.is_some() || id.is_some_and(|id| id != shown.id && Some(id) != raw_id) {
            let reason = "the client is named both in a header and in the form";
            return Err(ErrorKind::InvalidRequest.because(reason));
        }
        Ok(shown)
    }
}

fn basic(authorization: &str) -> Option<ClientCredential> {
    let (id, secret) = read_basic(authorization)?;
    // The standard has both encoded as in a form; curl and many others do not.
    let decoded = |text: &str| {
        let spaced = text.replace('+', " ");
        let bytes = percent_encoding::percent_decode_str(&spaced);
        bytes.decode_utf8().ok().map(Into::into)
    };
    Some(ClientCredential {
        id: decoded(&id).unwrap_or_else(|| id.clone()),
        secret: decoded(&secret).filter(|secret: &String| !secret.is_empty()),
        raw: (!secret.is_empty()).then_some((id, secret)),
    })
}

#[cfg(test)]
mod tests;
