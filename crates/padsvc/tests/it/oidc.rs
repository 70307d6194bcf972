//! Signing in, over real connections: what clients and browsers see, and what attackers get.

mod attacks;
pub(crate) mod browser;
mod consent;
mod tokens;

use serde_json::Value;

use crate::client::{Request, Response, form};
use crate::server::{Server, TempRoot};
use browser::Browser;

pub(crate) const BACK: &str = "http://127.0.0.1:9/back";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Clients for people, with a secret and trusted, and public and not, services with and without
/// rights, and users with passwords of all kinds. One user has the name of a service that may do
/// everything. The hash is of "correct horse".
pub(crate) const SETTINGS: &str = r#"{
  "sso": [
    {"client_id": "app", "client_secret": "app's", "grant_types": ["authorization_code"],
     "response_types": ["code"], "redirect_uris": ["http://127.0.0.1:9/back"],
     "trusted": true},
    {"client_id": "public", "client_name": "The <b>Wiki</b>", "grant_types": ["authorization_code"],
     "response_types": ["code"], "redirect_uris": ["http://127.0.0.1:9/back"]},
    {"client_id": "robot", "client_secret": "robot's", "grant_types": ["client_credentials"],
     "response_types": [], "redirect_uris": [],
     "extraParams": [{"name": "admin", "value": "true"}]},
    {"client_id": "meek", "client_secret": "meek's", "grant_types": ["client_credentials"],
     "response_types": [], "redirect_uris": []}
  ],
  "users": {
    "ada": {"password": "ada's"},
    "root": {
      "password": "$2b$04$DS.suv2d2awEe2mEPl5lheEsK4ohWxrMn3u3vH7qQYU24sYFCYkp.",
      "is_admin": true
    },
    "robot": {"password": "robot's own"}
  }
}"#;

pub(crate) fn start(name: &str) -> (Server, TempRoot) {
    let root = TempRoot::with_settings(name, SETTINGS);
    (Server::start(&root), root)
}

pub(crate) fn password(user: &str) -> &'static str {
    match user {
        "root" => "correct horse",
        "robot" => "robot's own",
        _ => "ada's",
    }
}

/// What a client sends somebody here with.
pub(crate) fn wish(client: &str) -> String {
    format!(
        "/oidc/auth?{}",
        form(&[
            ("client_id", client),
            ("redirect_uri", BACK),
            ("response_type", "code"),
            ("scope", "openid"),
            ("state", "st&te"),
            ("nonce", "n"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ])
    )
}

/// The parameters that an answer takes along to the client.
pub(crate) fn carried(answer: &Response) -> Vec<(String, String)> {
    let location = answer.header("location");
    let (uri, query) = location
        .split_once('?')
        .unwrap_or_else(|| panic!("{answer:?}"));
    assert_eq!(uri, BACK);
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

pub(crate) fn value(list: &[(String, String)], name: &str) -> String {
    let found = list.iter().find(|(other, _)| other == name);
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

/// Signs a user in to a client and gives the code.
pub(crate) fn code(server: &Server, client: &str, user: &str) -> String {
    let answer = Browser::default().sign_in(server, &wish(client), user, password(user));
    value(&carried(&answer), "code")
}

pub(crate) fn token(server: &Server, fields: &[(&str, &str)]) -> Response {
    server.send(&Request::post("/oidc/token").form(form(fields)))
}

/// The access token that a user gets by way of the client `app`.
pub(crate) fn user_token(server: &Server, user: &str) -> String {
    let code = code(server, "app", user);
    let answer = token(server, &redemption("app", &code));
    access_token(&answer)
}

pub(crate) fn redemption<'a>(client: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", BACK),
        ("code_verifier", VERIFIER),
    ];
    if client == "app" {
        fields.push(("client_secret", "app's"));
    }
    fields
}

pub(crate) fn service_token(server: &Server, client: &str) -> String {
    let secret = format!("{client}'s");
    access_token(&token(
        server,
        &[
            ("grant_type", "client_credentials"),
            ("client_id", client),
            ("client_secret", &secret),
        ],
    ))
}

pub(crate) fn access_token(answer: &Response) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["access_token"].as_str().unwrap().to_owned()
}

/// What the API says to who shows this.
pub(crate) fn check(server: &Server, token: &str) -> Value {
    let request = Request::get("/api/1.2/checkToken");
    let answer = server.send(&request.header("authorization", &format!("Bearer {token}")));
    assert_eq!(answer.status == 401, answer.json()["code"] == 4);
    answer.json()["code"].take()
}
