//! ID tokens of an external provider, valid and forged.

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::json;

use super::*;
use crate::keys::Keys;

const NOW: u64 = 1_000_000;

fn registration() -> ClientRegistration {
    ClientRegistration {
        issuer: "https://id.example".to_owned(),
        id: "pads".to_owned(),
        secret: Some("our s&cret".to_owned()),
        scope: "openid profile".to_owned(),
    }
}

fn pending() -> PendingAuthorization {
    PendingAuthorization::new([[1; 32], [2; 32], [3; 32]], "p/plan".to_owned(), 600)
}

fn metadata(methods: &Value) -> ProviderMetadata {
    let document = json!({
        "issuer": "https://id.example/",
        "authorization_endpoint": "https://id.example/auth?tenant=1",
        "token_endpoint": "https://id.example/token",
        "jwks_uri": "https://id.example/keys",
        "token_endpoint_auth_methods_supported": methods,
    });
    ProviderMetadata::read(document.to_string().as_bytes(), &registration()).unwrap()
}

fn good() -> Map<String, Value> {
    let claims = json!({
        "iss": "https://id.example",
        "aud": ["pads", "other"],
        "sub": "42",
        "exp": NOW + 10,
        "nonce": pending().nonce,
        "groups": ["staff"],
    });
    claims.as_object().unwrap().clone()
}

fn signed(keys: &Keys, claims: &Map<String, Value>) -> String {
    let key = keys.current(NOW);
    let header = Header {
        kid: Some(key.id.clone()),
        ..Header::new(Algorithm::RS256)
    };
    encode(&header, claims, &key.signs).unwrap()
}

fn read(keys: &Keys, token: &str) -> Result<Map<String, Value>, &'static str> {
    let keys = keys.public().to_string();
    pending().claims(keys.as_bytes(), token, &registration(), NOW)
}

#[test]
fn a_token_is_believed_that_is_meant_for_this_authorization() {
    let keys = Keys::generate(0).unwrap();
    let claims = read(&keys, &signed(&keys, &good())).unwrap();
    assert_eq!(claims["groups"], json!(["staff"]));
    for (name, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("aud", json!(null)),
        ("exp", json!(NOW - LEEWAY_SECONDS)),
        ("exp", json!(null)),
        ("nbf", json!(NOW + 1000)),
        ("azp", json!("another")),
        ("nonce", json!("another")),
        ("nonce", json!(null)),
        ("sub", json!(null)),
    ] {
        let mut claims = good();
        match value {
            Value::Null => drop(claims.remove(name)),
            value => drop(claims.insert(name.to_owned(), value)),
        }
        assert!(read(&keys, &signed(&keys, &claims)).is_err(), "{name}");
    }
}

#[test]
fn forged_tokens_are_not_believed() {
    let (keys, others) = (Keys::generate(0).unwrap(), Keys::generate(0).unwrap());
    let token = signed(&keys, &good());
    assert!(read(&others, &token).is_err());
    let (rest, _) = token.rsplit_once('.').unwrap();
    assert!(read(&keys, &format!("{rest}.")).is_err());
    // Signed with what everybody knows.
    let public = keys.public().to_string();
    let shared = EncodingKey::from_secret(public.as_bytes());
    let header = Header {
        kid: Some(keys.current(NOW).id.clone()),
        ..Header::new(Algorithm::HS256)
    };
    let forged = encode(&header, &good(), &shared).unwrap();
    assert!(read(&keys, &forged).is_err());
    for nonsense in ["", "..", "a.b.c"] {
        assert!(read(&keys, nonsense).is_err());
    }
}

#[test]
fn a_person_is_sent_with_a_challenge_and_comes_back_with_the_state() {
    let address =
        pending().authorization_url(&metadata(&json!([])), &registration(), "https://pads/back");
    let (endpoint, query) = address.split_once('&').unwrap();
    assert_eq!(endpoint, "https://id.example/auth?tenant=1");
    assert!(
        query.contains("redirect_uri=https%3A%2F%2Fpads%2Fback"),
        "{query}"
    );
    assert!(query.contains("code_challenge_method=S256"), "{query}");
    assert!(!query.contains(&pending().verifier), "{query}");
    assert!(pending().matches_state(&pending().state));
    assert!(!pending().matches_state("") && !pending().matches_state(&pending().nonce));
}

#[test]
fn the_secret_goes_where_the_provider_wants_it() {
    let request = |methods| {
        let metadata = metadata(&methods);
        pending().token_request(&metadata, &registration(), "https://pads/back", "the code")
    };
    let by_header = request(json!(["client_secret_post", "client_secret_basic"]));
    let (name, secret) = by_header.basic_auth.unwrap();
    assert_eq!((name.as_str(), secret.as_str()), ("pads", "our+s%26cret"));
    assert!(!by_header.form.contains("secret"));
    let by_form = request(json!(["client_secret_post"]));
    assert!(by_form.basic_auth.is_none());
    assert!(
        by_form
            .form
            .ends_with("client_id=pads&client_secret=our+s%26cret")
    );
    assert!(
        by_form
            .form
            .contains(&format!("code_verifier={}", pending().verifier))
    );
}

#[test]
fn metadata_of_another_issuer_is_refused() {
    let document = json!({
        "issuer": "https://evil.example",
        "authorization_endpoint": "", "token_endpoint": "", "jwks_uri": "",
    });
    let read = |text: &str| ProviderMetadata::read(text.as_bytes(), &registration());
    assert!(read(&document.to_string()).is_err());
    assert!(read("{}").is_err() && read("<html>").is_err());
}

#[test]
fn only_what_we_sealed_is_opened_and_only_in_time() {
    let (key, pending) = ([9; 32], pending());
    let sealed = pending.seal(&key, [4; 12]).unwrap();
    let opened = PendingAuthorization::open(&key, &sealed, 599).unwrap();
    assert_eq!((opened.state, opened.next), (pending.state, pending.next));
    assert!(PendingAuthorization::open(&key, &sealed, 600).is_none());
    assert!(PendingAuthorization::open(&[8; 32], &sealed, 0).is_none());
    for wrong in ["", "?", "AAAA", &sealed[1..]] {
        assert!(
            PendingAuthorization::open(&key, wrong, 0).is_none(),
            "{wrong}"
        );
    }
}
