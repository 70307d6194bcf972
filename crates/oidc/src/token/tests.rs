//! What is signed can be read, and nothing else can.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::EncodingKey;

use super::*;

static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::generate(0).unwrap());
const ISSUER: &str = "https://pads.example";

fn access(subject: &Subject, extra: Value) -> String {
    let access = Access {
        issuer: ISSUER,
        subject,
        client: "app",
        scope: "openid",
        extra: object(extra),
        id: "1",
        life: 60,
    };
    sign_access(&KEYS, &access, 1000).unwrap()
}

fn user() -> Subject {
    Subject::User("ada".to_owned())
}

fn verify_at(token: &str, now: u64) -> Result<Verified, Flaw> {
    verify_access(&KEYS, token, ISSUER, now)
}

/// One of the three parts of a token.
fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[test]
fn access_tokens_have_the_claims_that_clients_know() {
    let token = access(&user(), json!({"admin": true}));
    assert_eq!(
        part(&token, 0),
        json!({"alg": "RS256", "typ": "at+jwt", "kid": KEYS.current(0).id})
    );
    assert_eq!(
        part(&token, 1),
        json!({
            "iss": ISSUER, "sub": "ada", "aud": "account", "client_id": "app", "jti": "1",
            "iat": 1000, "exp": 1060, "scope": "openid", "admin": true,
            "gty": "authorization_code",
        })
    );
    let verified = Verified {
        subject: user(),
        client: "app".to_owned(),
        scope: "openid".to_owned(),
        id: "1".to_owned(),
    };
    assert_eq!(verify_at(&token, 1059), Ok(verified));
    assert_eq!(verify_at(&token, 1060), Err(Flaw::Expired));
}

#[test]
fn a_user_with_the_name_of_a_client_is_a_user() {
    let subject = Subject::User("app".to_owned());
    let token = access(&subject, json!({}));
    assert_eq!(verify_at(&token, 1000).unwrap().subject, subject);
    let subject = Subject::Client("app".to_owned());
    let token = access(&subject, json!({"admin": "true"}));
    assert_eq!(part(&token, 1)["admin"], "true");
    assert_eq!(verify_at(&token, 1000).unwrap().subject, subject);
}

#[test]
fn a_token_of_another_issuer_is_not_ours() {
    let token = access(&user(), json!({}));
    let none = verify_access(&KEYS, &token, "", 1000);
    assert_eq!(none, Err(Flaw::Invalid));
    let other = verify_access(&KEYS, &token, "https://other.example", 1000);
    assert_eq!(other, Err(Flaw::Invalid));
}

/// The claims of a good token under another header, signed by somebody else or not at all.
fn forged(alter: impl Fn(&mut Value), signature: impl Fn(&str) -> String) -> String {
    let token = access(&Subject::Client("app".to_owned()), json!({"admin": "true"}));
    let mut header = part(&token, 0);
    alter(&mut header);
    let claims = token.split('.').nth(1).unwrap();
    let message = format!("{}.{claims}", URL_SAFE_NO_PAD.encode(header.to_string()));
    let signature = signature(&message);
    format!("{message}.{signature}")
}

#[test]
fn forged_tokens_are_refused() {
    let none = forged(|header| header["alg"] = "none".into(), |_| String::new());
    assert_eq!(verify_at(&none, 1000), Err(Flaw::Invalid));

    // The public key taken for a shared secret.
    let public = KEYS.public()["keys"][0].clone();
    for secret in [public.to_string(), public["n"].as_str().unwrap().to_owned()] {
        let secret = EncodingKey::from_secret(secret.as_bytes());
        let sign = |message: &str| {
            jsonwebtoken::crypto::sign(message.as_bytes(), &secret, Algorithm::HS256).unwrap()
        };
        let shared = forged(|header| header["alg"] = "HS256".into(), sign);
        assert_eq!(verify_at(&shared, 1000), Err(Flaw::Invalid));
    }

    let foreign = Keys::generate(0).unwrap();
    let sign = |message: &str| {
        let key = &foreign.current(0).signs;
        jsonwebtoken::crypto::sign(message.as_bytes(), key, Algorithm::RS256).unwrap()
    };
    let ours_by_name = forged(|_| {}, sign);
    assert_eq!(verify_at(&ours_by_name, 1000), Err(Flaw::Invalid));
    let theirs = forged(
        |header| header["kid"] = foreign.current(0).id.clone().into(),
        sign,
    );
    assert_eq!(verify_at(&theirs, 1000), Err(Flaw::UnknownKey));
    // Bringing one's own key along does not help.
    let brought = forged(
        |header| header["jwk"] = foreign.public()["keys"][0].clone(),
        sign,
    );
    assert_eq!(verify_at(&brought, 1000), Err(Flaw::Invalid));
    let nameless = forged(|header| header["kid"] = Value::Null, sign);
    assert_eq!(verify_at(&nameless, 1000), Err(Flaw::Invalid));
}

#[test]
fn damaged_tokens_are_refused() {
    let token = access(&user(), json!({}));
    let [header, claims, signature] = token.split('.').collect::<Vec<_>>()[..] else {
        panic!("{token}");
    };
    let mut other = part(&token, 1);
    other["sub"] = "root".into();
    let other = URL_SAFE_NO_PAD.encode(other.to_string());
    for text in [
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        format!("{header}.{claims}"),
        format!("{header}.{claims}."),
        format!("{header}.{other}.{signature}"),
        format!("{token}A"),
        format!(" {token}"),
        format!("{token}.{signature}"),
        "a".repeat(100_000),
    ] {
        assert_eq!(verify_at(&text, 1000), Err(Flaw::Invalid), "{text:.80}");
    }
}

#[test]
fn an_id_token_is_no_access_token() {
    let identity = Identity {
        issuer: ISSUER,
        user: "ada",
        // The audience of access tokens, of all names.
        client: "account",
        nonce: Some("n"),
        signed_in: 900,
        access_token: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y",
        profile: true,
        life: 60,
    };
    let token = sign_identity(&KEYS, &identity, 1000).unwrap();
    assert_eq!(
        part(&token, 1),
        json!({
            "iss": ISSUER, "sub": "ada", "aud": "account", "iat": 1000, "exp": 1060,
            "auth_time": 900, "nonce": "n", "preferred_username": "ada",
            // As in the example of OpenID Connect.
            "at_hash": "77QmUPtjPfzWtF2AnpK9RQ",
        })
    );
    assert_eq!(verify_at(&token, 1000), Err(Flaw::Invalid));
    let hint = Some(("ada".to_owned(), "account".to_owned()));
    assert_eq!(read_hint(&KEYS, &token, ISSUER), hint);
    assert_eq!(read_hint(&KEYS, &token, "https://other.example"), None);
    assert_eq!(read_hint(&KEYS, &access(&user(), json!({})), ISSUER), None);
}

#[test]
fn only_what_calls_itself_an_access_token_is_one() {
    let claims = object(part(&access(&user(), json!({})), 1));
    let sign_as = |kind| sign(&KEYS, kind, &claims, 1000).unwrap();
    assert!(verify_at(&sign_as("at+jwt"), 1000).is_ok());
    assert_eq!(verify_at(&sign_as("JWT"), 1000), Err(Flaw::Invalid));
}
