//! What clients can find out about us by themselves.

use serde_json::{Value, json};

use crate::authorize::SCOPES;

/// The document of `/.well-known/openid-configuration`. Everything is below the issuer's address.
pub fn document(issuer: &str) -> Value {
    let at = |path: &str| format!("{issuer}/oidc/{path}");
    let authentication = ["client_secret_basic", "client_secret_post", "none"];
    json!({
        "issuer": issuer,
        "authorization_endpoint": at("auth"),
        "token_endpoint": at("token"),
        "userinfo_endpoint": at("me"),
        "jwks_uri": at("jwks"),
        "end_session_endpoint": at("session/end"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "client_credentials"],
        "token_endpoint_auth_methods_supported": authentication,
        "code_challenge_methods_supported": ["S256"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "subject_types_supported": ["public"],
        "scopes_supported": SCOPES,
        "claims_supported": [
            "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash",
            "preferred_username",
        ],
        "prompt_values_supported": ["none", "login", "select_account", "consent"],
        "authorization_response_iss_parameter_supported": true,
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
    })
}
