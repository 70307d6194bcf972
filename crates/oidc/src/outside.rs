//! Signing in through another provider, whose client we are then.
//!
//! What its list of addresses must say, where a person is sent, and what an ID token must be to be
//! believed. Fetching is the caller's. A person comes back with what only the browser that left can
//! know, and the token is bound to that journey by its nonce.

use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::secret::{digest, same, text};

/// Clocks of two machines may differ by so much.
const LEEWAY_SECONDS: u64 = 60;
/// Those with two keys: whoever can check a token cannot make one.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// What we are to the other provider.
#[derive(Clone, Debug)]
pub struct Membership {
    pub issuer: String,
    pub client: String,
    pub secret: Option<String>,
    pub scope: String,
}

/// Where the other provider does what.
#[derive(Clone, Debug, Deserialize)]
pub struct Directory {
    issuer: String,
    authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// What a browser that was sent away is known by when it comes back.
#[derive(Clone)]
pub struct Journey {
    state: String,
    nonce: String,
    verifier: String,
    /// Where the person wanted to go.
    pub next: String,
}

/// A request for a token: its form and, if there is one, its header `Authorization`.
pub struct Redeeming {
    pub form: String,
    pub name_and_secret: Option<(String, String)>,
}

impl Directory {
    /// Its address, below that of the issuer.
    pub fn address(issuer: &str) -> String {
        let issuer = issuer.trim_end_matches('/');
        format!("{issuer}/.well-known/openid-configuration")
    }

    pub fn read(document: &[u8], membership: &Membership) -> Result<Directory, &'static str> {
        let directory: Directory = serde_json::from_slice(document)
            .map_err(|_| "its openid-configuration cannot be read")?;
        // Otherwise another provider's tokens would be taken for this one's.
        if directory.issuer.trim_end_matches('/') != membership.issuer.trim_end_matches('/') {
            return Err("its openid-configuration names another issuer than login.issuer");
        }
        Ok(directory)
    }
}

impl Journey {
    pub fn new(random: [[u8; 32]; 3], next: String) -> Journey {
        let [state, nonce, verifier] = random.map(|bytes| text(&bytes));
        Journey {
            state,
            nonce,
            verifier,
            next,
        }
    }

    /// Where the person is sent.
    pub fn address(&self, to: &Directory, as_: &Membership, back: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs([
            ("response_type", "code"),
            ("client_id", &as_.client),
            ("redirect_uri", back),
            ("scope", &as_.scope),
            ("state", &self.state),
            ("nonce", &self.nonce),
            ("code_challenge", &text(&digest(&self.verifier))),
            ("code_challenge_method", "S256"),
        ]);
        let joint = match to.authorization_endpoint.contains('?') {
            true => '&',
            false => '?',
        };
        format!("{}{joint}{}", to.authorization_endpoint, query.finish())
    }

    pub fn began_with(&self, state: &str) -> bool {
        same(&self.state, state)
    }

    /// What turns a code into a token.
    pub fn redeeming(&self, at: &Directory, as_: &Membership, back: &str, code: &str) -> Redeeming {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", back),
            ("code_verifier", &self.verifier),
        ]);
        let methods = &at.token_endpoint_auth_methods_supported;
        // The standard's default is the header.
        let by_header = methods.is_empty() || methods.iter().any(|m| m == "client_secret_basic");
        let name_and_secret = match &as_.secret {
            Some(secret) if by_header => {
                let encode = |text: &str| -> String {
                    form_urlencoded::byte_serialize(text.as_bytes()).collect()
                };
                Some((encode(&as_.client), encode(secret)))
            }
            secret => {
                form.append_pair("client_id", &as_.client);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret);
                }
                None
            }
        };
        Redeeming {
            form: form.finish(),
            name_and_secret,
        }
    }

    /// What the ID token says of the person, if it is one of that provider's, for us, and for this
    /// journey.
    pub fn claims(
        &self,
        keys: &[u8],
        token: &str,
        as_: &Membership,
        now: u64,
    ) -> Result<Map<String, Value>, &'static str> {
        let header = decode_header(token).map_err(|_| "its ID token cannot be read")?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err("its ID token is signed in a way that is not accepted");
        }
        let keys: JwkSet = serde_json::from_slice(keys).map_err(|_| "its keys cannot be read")?;
        let key = chosen(&keys, header.kid.as_deref()).ok_or("its ID token has an unknown key")?;
        let key = DecodingKey::from_jwk(key).map_err(|_| "its key cannot be used")?;
        let mut validation = Validation::new(header.alg);
        let issuer = as_.issuer.trim_end_matches('/');
        validation.set_issuer(&[issuer, &format!("{issuer}/")]);
        validation.set_audience(&[&as_.client]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Time is an argument here.
        validation.validate_exp = false;
        let claims: Map<String, Value> = decode(token, &key, &validation)
            .map_err(|_| "its ID token is not good")?
            .claims;
        let time = |name: &str| claims.get(name).and_then(Value::as_u64);
        let ends = time("exp").ok_or("its ID token does not say when it ends")?;
        if ends.saturating_add(LEEWAY_SECONDS) <= now {
            return Err("its ID token has expired");
        }
        if time("nbf").is_some_and(|begins| begins > now.saturating_add(LEEWAY_SECONDS)) {
            return Err("its ID token is for later");
        }
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        if text("azp").is_some_and(|party| party != as_.client) {
            return Err("its ID token was given to another client");
        }
        if !text("nonce").is_some_and(|nonce| same(nonce, &self.nonce)) {
            return Err("its ID token is for another journey");
        }
        Ok(claims)
    }
}

/// The key that a token names; one that names none means the only one.
fn chosen<'a>(keys: &'a JwkSet, id: Option<&str>) -> Option<&'a Jwk> {
    match (id, keys.keys.as_slice()) {
        (Some(id), _) => keys.find(id),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests;
