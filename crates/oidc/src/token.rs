//! Access tokens and ID tokens: signed claims, and what they are checked for.
//!
//! An access token says by which grant it came to be, so that a user whose name is that of a client
//! is still a user. Its type is in its header, so that an ID token is never taken for one.

use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::{Error, ErrorKind};
use crate::keys::Keys;
use crate::secret::{digest, text};

/// Whom access tokens are for: the API of this service, under the name that others know it by.
const AUDIENCE: &str = "account";
const ACCESS_TYPE: &str = "at+jwt";
const BY_CODE: &str = "authorization_code";
const BY_SECRET: &str = "client_credentials";

/// Claims with a meaning of their own, which settings cannot give to a client.
pub(crate) const RESERVED: &[&str] = &[
    "aud",
    "client_id",
    "exp",
    "gty",
    "iat",
    "iss",
    "jti",
    "nbf",
    "scope",
    "sub",
];

/// Whom a token speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    User(String),
    Client(String),
}

/// What an access token is to say.
pub(crate) struct Access<'a> {
    pub issuer: &'a str,
    pub subject: &'a Subject,
    pub client: &'a str,
    pub scope: &'a str,
    /// Claims beside the usual ones.
    pub extra: Map<String, Value>,
    pub id: &'a str,
    pub life: u64,
}

/// What an access token says that was found to be good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub subject: Subject,
    pub client: String,
    pub scope: String,
    pub id: String,
}

/// What an ID token is to say.
pub(crate) struct Identity<'a> {
    pub issuer: &'a str,
    pub user: &'a str,
    pub client: &'a str,
    pub nonce: Option<&'a str>,
    pub signed_in: u64,
    pub access_token: &'a str,
    pub profile: bool,
    pub life: u64,
}

#[derive(Deserialize)]
struct AccessClaims {
    sub: String,
    aud: String,
    iss: String,
    exp: u64,
    jti: String,
    client_id: String,
    gty: String,
    #[serde(default)]
    scope: String,
}

#[derive(Deserialize)]
struct IdentityClaims {
    sub: String,
    aud: String,
    iss: String,
}

/// Why a token is not good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is signed by none of our keys, as far as is known.
    UnknownKey,
    Invalid,
    Expired,
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Error {
        ErrorKind::InvalidToken.because(match flaw {
            Flaw::Expired => "the token has expired",
            Flaw::UnknownKey | Flaw::Invalid => "the token is not one of this service",
        })
    }
}

pub(crate) fn sign_access(keys: &Keys, access: &Access, now: u64) -> Result<String, Error> {
    let mut claims = access.extra.clone();
    let (subject, grant) = match access.subject {
        Subject::User(name) => (name, BY_CODE),
        Subject::Client(id) => (id, BY_SECRET),
    };
    claims.extend(object(json!({
        "iss": access.issuer,
        "sub": subject,
        "aud": AUDIENCE,
        "exp": now.saturating_add(access.life),
        "iat": now,
        "jti": access.id,
        "client_id": access.client,
        "gty": grant,
    })));
    if !access.scope.is_empty() {
        claims.insert("scope".to_owned(), access.scope.into());
    }
    sign(keys, ACCESS_TYPE, &claims, now)
}

pub(crate) fn sign_identity(keys: &Keys, identity: &Identity, now: u64) -> Result<String, Error> {
    let hash = digest(identity.access_token);
    let half = hash.split_at(hash.len() / 2).0;
    let mut claims = object(json!({
        "iss": identity.issuer,
        "sub": identity.user,
        "aud": identity.client,
        "exp": now.saturating_add(identity.life),
        "iat": now,
        "auth_time": identity.signed_in,
        "at_hash": text(half),
    }));
    if let Some(nonce) = identity.nonce {
        claims.insert("nonce".to_owned(), nonce.into());
    }
    if identity.profile {
        claims.insert("preferred_username".to_owned(), identity.user.into());
    }
    sign(keys, "JWT", &claims, now)
}

/// Checks an access token, which has to name this issuer.
pub(crate) fn verify_access(
    keys: &Keys,
    token: &str,
    issuer: &str,
    now: u64,
) -> Result<Verified, Flaw> {
    let (header, claims): (_, AccessClaims) = verify(keys, token)?;
    let is_ours = header.typ.as_deref() == Some(ACCESS_TYPE)
        && claims.aud == AUDIENCE
        && claims.iss == issuer;
    if !is_ours {
        return Err(Flaw::Invalid);
    }
    if claims.exp <= now {
        return Err(Flaw::Expired);
    }
    let subject = match claims.gty.as_str() {
        BY_CODE => Subject::User(claims.sub),
        BY_SECRET if claims.sub == claims.client_id => Subject::Client(claims.sub),
        _ => return Err(Flaw::Invalid),
    };
    Ok(Verified {
        subject,
        client: claims.client_id,
        scope: claims.scope,
        id: claims.jti,
    })
}

/// The user and the client of an ID token of ours. It may have expired: it is shown to say who
/// wants to leave.
pub fn read_hint(keys: &Keys, token: &str, issuer: &str) -> Option<(String, String)> {
    let (header, claims): (_, IdentityClaims) = verify(keys, token).ok()?;
    let is_ours = header.typ.as_deref() == Some("JWT") && claims.iss == issuer;
    is_ours.then_some((claims.sub, claims.aud))
}

fn sign(keys: &Keys, kind: &str, claims: &Map<String, Value>, now: u64) -> Result<String, Error> {
    let key = keys.current(now);
    let mut header = Header::new(Algorithm::RS256);
    header.typ = Some(kind.to_owned());
    header.kid = Some(key.id.clone());
    encode(&header, claims, &key.signs)
        .map_err(|_| ErrorKind::ServerError.because("the token could not be signed"))
}

/// Only what our own keys have signed, in the one way we sign.
fn verify<Claims: for<'de> Deserialize<'de>>(
    keys: &Keys,
    token: &str,
) -> Result<(Header, Claims), Flaw> {
    let header = decode_header(token).map_err(|_| Flaw::Invalid)?;
    let id = header.kid.ok_or(Flaw::Invalid)?;
    let key = keys.find(&id).ok_or(Flaw::UnknownKey)?;
    let mut rules = Validation::new(Algorithm::RS256);
    // The library would ask the clock; its callers here get the time.
    rules.validate_exp = false;
    rules.validate_aud = false;
    let data = decode(token, &key.checks, &rules).map_err(|_| Flaw::Invalid)?;
    Ok((data.header, data.claims))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
