//! The authorization endpoint: what a client asks for when it sends somebody here to sign in.
//!
//! Until the client and the address to return to are known to belong together, a mistake is shown
//! to the person and nobody is sent anywhere. After that it goes to the client, at that address.

use crate::client::{Client, Clients};
use crate::codes::Grant;
use crate::error::{Error, ErrorKind};
use crate::parameters::Parameters;
use crate::pkce::Challenge;

/// The scopes that mean something here; others are left out of what is granted.
pub(crate) const SCOPES: [&str; 2] = ["openid", "profile"];

/// A request that can be granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub client: String,
    /// What the client is called on pages.
    pub client_name: String,
    pub back: Back,
    named_redirect: bool,
    scope: String,
    nonce: Option<String>,
    challenge: Option<Challenge>,
    /// `prompt=none`: the person must not be asked anything.
    pub silent: bool,
    /// `prompt=login`: a login from before is not enough.
    afresh: bool,
    /// Whether somebody who is signed in already is asked before they go on to the client.
    pub needs_consent: bool,
    /// A login from before is not enough if it is older than so many seconds.
    max_age: Option<u64>,
    /// The name that the client expects.
    pub login_hint: Option<String>,
}

/// The way back to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    pub uri: String,
    state: Option<String>,
}

/// An authorization request that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorizationError {
    /// The person sees it on a page of ours.
    Told(Error),
    /// The client gets it, by a redirect.
    SentBack(Back, Error),
}

impl Request {
    pub fn read(clients: &Clients, sent: &Parameters) -> Result<Request, AuthorizationError> {
        let (client, uri) = sender(clients, sent).map_err(AuthorizationError::Told)?;
        let state = sent.owned("state").map_err(AuthorizationError::Told)?;
        let back = Back { uri, state };
        match wishes(client, sent, back.clone()) {
            Ok(request) => Ok(request),
            Err(error) => Err(AuthorizationError::SentBack(back, error)),
        }
    }

    /// Whether a login from before will do.
    pub fn is_met_by(&self, signed_in: u64, now: u64) -> bool {
        let age = now.saturating_sub(signed_in);
        !self.afresh && self.max_age.is_none_or(|most| age <= most)
    }

    pub fn grant(&self, user: &str, signed_in: u64) -> Grant {
        Grant {
            client: self.client.clone(),
            user: user.to_owned(),
            redirect_uri: self.back.uri.clone(),
            named_redirect: self.named_redirect,
            scope: self.scope.clone(),
            nonce: self.nonce.clone(),
            challenge: self.challenge.clone(),
            signed_in,
        }
    }
}

impl Back {
    pub fn with_code(&self, code: &str, issuer: &str) -> String {
        self.address(&[("code", code), ("iss", issuer)])
    }

    pub fn with_error(&self, error: &Error, issuer: &str) -> String {
        self.address(&[
            ("error", error.kind.name()),
            ("error_description", error.description),
            ("iss", issuer),
        ])
    }

    /// The state goes back as it came: by it the client knows that it is an answer of its own.
    fn address(&self, answer: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(answer);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        let joint = if self.uri.contains('?') { '&' } else { '?' };
        format!("{}{joint}{}", self.uri, query.finish())
    }
}

/// The client and where it wants people to return to: one of the addresses that it registered,
/// letter for letter.
fn sender<'a>(clients: &'a Clients, sent: &Parameters) -> Result<(&'a Client, String), Error> {
    let bad = |reason| ErrorKind::InvalidRequest.because(reason);
    let id = sent.get("client_id")?.ok_or(bad("client_id is missing"))?;
    let client = clients
        .get(id)
        .ok_or(ErrorKind::InvalidClient.because("there is no client of this client_id"))?;
    let uri = match (sent.get("redirect_uri")?, client.redirect_uris.as_slice()) {
        (Some(uri), registered) if registered.iter().any(|other| other == uri) => uri,
        (Some(_), _) => return Err(bad("redirect_uri is not one that the client registered")),
        (None, [only]) => only,
        (None, _) => return Err(bad("redirect_uri is missing")),
    };
    Ok((client, uri.to_owned()))
}

fn wishes(client: &Client, sent: &Parameters, back: Back) -> Result<Request, Error> {
    let bad = |reason| ErrorKind::InvalidRequest.because(reason);
    if sent.get("request")?.is_some() {
        return Err(ErrorKind::RequestNotSupported.because("request objects are not supported"));
    }
    if sent.get("request_uri")?.is_some() {
        return Err(ErrorKind::RequestUriNotSupported.because("request objects are not supported"));
    }
    match sent.get("response_type")? {
        Some("code") => {}
        Some(_) => {
            return Err(ErrorKind::UnsupportedResponseType.because("response_type must be code"));
        }
        None => return Err(bad("response_type is missing")),
    }
    if !client.takes_people {
        let reason = "the client is not registered for people to sign in";
        return Err(ErrorKind::UnauthorizedClient.because(reason));
    }
    if sent
        .get("response_mode")?
        .is_some_and(|mode| mode != "query")
    {
        return Err(bad("response_mode must be query"));
    }
    let prompts: Vec<&str> = sent.get("prompt")?.unwrap_or_default().split(' ').collect();
    let silent = prompts.contains(&"none");
    if silent && prompts.len() > 1 {
        return Err(bad("prompt none goes with nothing else"));
    }
    let max_age = match sent.get("max_age")?.map(str::parse) {
        Some(Ok(seconds)) => Some(seconds),
        Some(Err(_)) => return Err(bad("max_age must be a number of seconds")),
        None => None,
    };
    Ok(Request {
        client: client.id.clone(),
        client_name: client.name.clone(),
        named_redirect: sent.get("redirect_uri")?.is_some(),
        scope: known_scopes(sent.get("scope")?.unwrap_or_default()),
        nonce: sent.owned("nonce")?,
        challenge: challenge(client, sent)?,
        silent,
        afresh: prompts.contains(&"login") || prompts.contains(&"select_account"),
        needs_consent: !client.trusted || prompts.contains(&"consent"),
        max_age,
        login_hint: sent.owned("login_hint")?,
        back,
    })
}

/// Without a method it would be `plain`, which protects from nothing.
fn challenge(client: &Client, sent: &Parameters) -> Result<Option<Challenge>, Error> {
    let bad = |reason| ErrorKind::InvalidRequest.because(reason);
    match (
        sent.get("code_challenge")?,
        sent.get("code_challenge_method")?,
    ) {
        (Some(text), Some("S256")) => {
            let challenge = Challenge::read(text);
            Ok(Some(
                challenge.ok_or(bad("code_challenge is not an S256 one"))?,
            ))
        }
        (None, None) if !client.is_public() => Ok(None),
        (None, None) => Err(bad("this client must send a code_challenge")),
        _ => Err(bad(
            "code_challenge and code_challenge_method S256 go together",
        )),
    }
}

fn known_scopes(asked: &str) -> String {
    let known = SCOPES
        .into_iter()
        .filter(|scope| asked.split(' ').any(|other| other == *scope));
    known.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
