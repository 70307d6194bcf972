//! Client of an external identity provider: OpenID Connect, authorization code with PKCE.
//!
//! Validates the provider's metadata, builds the requests and checks ID tokens. The caller does the
//! HTTP. `state` binds the redirect back to the browser that left, and `nonce` binds the ID token
//! to that authorization.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::kept::{Kept, KeptKey};
use crate::secret::{digest, same, text};

/// Clock skew allowed between us and the provider.
const LEEWAY_SECONDS: u64 = 60;
/// Asymmetric algorithms only: with HMAC everybody who can check a token can forge one.
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

/// Our registration as a client of the provider.
#[derive(Clone, Debug)]
pub struct ClientRegistration {
    pub issuer: String,
    pub id: String,
    pub secret: Option<String>,
    pub scope: String,
}

/// The provider's `openid-configuration`, as far as we use it.
#[derive(Clone, Debug, Deserialize)]
pub struct ProviderMetadata {
    issuer: String,
    authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// Secrets of an authorization request whose redirect back is awaited. The browser that left keeps
/// them, sealed, so that any node can go on. The caller remembers which have come back.
#[derive(Clone, Serialize, Deserialize)]
pub struct PendingAuthorization {
    state: String,
    nonce: String,
    verifier: String,
    /// Where to redirect after sign-in.
    pub next: String,
    /// When it is too late to come back.
    ends: u64,
}

/// The token request: its form and, for `client_secret_basic`, the credentials of its header.
pub struct TokenRequest {
    pub form: String,
    pub basic_auth: Option<(String, String)>,
}

impl ProviderMetadata {
    /// The URL of the `openid-configuration` of an issuer.
    pub fn url(issuer: &str) -> String {
        let issuer = issuer.trim_end_matches('/');
        format!("{issuer}/.well-known/openid-configuration")
    }

    pub fn read(
        document: &[u8],
        client: &ClientRegistration,
    ) -> Result<ProviderMetadata, &'static str> {
        let metadata: ProviderMetadata = serde_json::from_slice(document)
            .map_err(|_| "its openid-configuration cannot be read")?;
        // Mix-up attack: without this check another provider's tokens would be accepted.
        if metadata.issuer.trim_end_matches('/') != client.issuer.trim_end_matches('/') {
            return Err("its openid-configuration names another issuer than login.issuer");
        }
        Ok(metadata)
    }
}

impl PendingAuthorization {
    pub fn new(random: [[u8; 32]; 3], next: String, ends: u64) -> PendingAuthorization {
        let [state, nonce, verifier] = random.map(|bytes| text(&bytes));
        PendingAuthorization {
            state,
            nonce,
            verifier,
            next,
            ends,
        }
    }

    /// What it is remembered under after it has come back, and until when that is of use.
    pub fn spent(&self) -> (KeptKey, Kept) {
        let kept = Kept {
            value: Vec::new(),
            ends: self.ends,
        };
        (digest(&self.state), kept)
    }

    /// The text for the browser to keep. `nonce` is random.
    pub fn seal(&self, key: &[u8; 32], nonce: [u8; NONCE_LEN]) -> Option<String> {
        let mut body = serde_json::to_vec(self).ok()?;
        let key = UnboundKey::new(&AES_256_GCM, key).ok()?;
        LessSafeKey::new(key)
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut body)
            .ok()?;
        Some(text(&[&nonce[..], &body].concat()))
    }

    /// What a browser has kept. `None`: we did not seal it, or it is too late.
    pub fn open(key: &[u8; 32], sealed: &str, now: u64) -> Option<PendingAuthorization> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, body) = bytes.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let key = UnboundKey::new(&AES_256_GCM, key).ok()?;
        let mut body = body.to_vec();
        let opened = LessSafeKey::new(key).open_in_place(nonce, Aad::empty(), &mut body);
        let pending: PendingAuthorization = serde_json::from_slice(opened.ok()?).ok()?;
        (pending.ends > now).then_some(pending)
    }

    /// The URL to redirect the browser to.
    pub fn authorization_url(
        &self,
        provider: &ProviderMetadata,
        client: &ClientRegistration,
        redirect_uri: &str,
    ) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs([
            ("response_type", "code"),
            ("client_id", &client.id),
            ("redirect_uri", redirect_uri),
            ("scope", &client.scope),
            ("state", &self.state),
            ("nonce", &self.nonce),
            ("code_challenge", &text(&digest(&self.verifier))),
            ("code_challenge_method", "S256"),
        ]);
        let separator = if provider.authorization_endpoint.contains('?') {
            '&'
        } else {
            '?'
        };
        format!(
            "{}{separator}{}",
            provider.authorization_endpoint,
            query.finish()
        )
    }

    pub fn matches_state(&self, state: &str) -> bool {
        same(&self.state, state)
    }

    /// The request that exchanges a code for tokens.
    pub fn token_request(
        &self,
        provider: &ProviderMetadata,
        client: &ClientRegistration,
        redirect_uri: &str,
        code: &str,
    ) -> TokenRequest {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("code_verifier", &self.verifier),
        ]);
        let methods = &provider.token_endpoint_auth_methods_supported;
        // The standard's default is the header.
        let by_header = methods.is_empty() || methods.iter().any(|m| m == "client_secret_basic");
        let basic_auth = match &client.secret {
            Some(secret) if by_header => {
                let encode = |text: &str| -> String {
                    form_urlencoded::byte_serialize(text.as_bytes()).collect()
                };
                Some((encode(&client.id), encode(secret)))
            }
            secret => {
                form.append_pair("client_id", &client.id);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret);
                }
                None
            }
        };
        TokenRequest {
            form: form.finish(),
            basic_auth,
        }
    }

    /// Verifies an ID token (signature, issuer, audience, time, nonce) and returns its claims.
    pub fn claims(
        &self,
        keys: &[u8],
        token: &str,
        client: &ClientRegistration,
        now: u64,
    ) -> Result<Map<String, Value>, &'static str> {
        let header = decode_header(token).map_err(|_| "its ID token cannot be read")?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err("its ID token is signed in a way that is not accepted");
        }
        let keys: JwkSet = serde_json::from_slice(keys).map_err(|_| "its keys cannot be read")?;
        let key =
            find_key(&keys, header.kid.as_deref()).ok_or("its ID token has an unknown key")?;
        let key = DecodingKey::from_jwk(key).map_err(|_| "its key cannot be used")?;
        let mut validation = Validation::new(header.alg);
        let issuer = client.issuer.trim_end_matches('/');
        validation.set_issuer(&[issuer, &format!("{issuer}/")]);
        validation.set_audience(&[&client.id]);
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
        if text("azp").is_some_and(|party| party != client.id) {
            return Err("its ID token was given to another client");
        }
        if !text("nonce").is_some_and(|nonce| same(nonce, &self.nonce)) {
            return Err("its ID token is for another sign-in");
        }
        Ok(claims)
    }
}

/// The key with the id of the token header. Without an id, the only key there is.
fn find_key<'a>(keys: &'a JwkSet, id: Option<&str>) -> Option<&'a Jwk> {
    match (id, keys.keys.as_slice()) {
        (Some(id), _) => keys.find(id),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests;
