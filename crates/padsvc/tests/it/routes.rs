//! Every route and what it needs, held against a list that somebody has looked at.

use std::path::PathBuf;

use service::api::functions;

use crate::client::Request;
use crate::server::{Server, TempRoot};

/// What is answered to somebody without a credential.
fn need(server: &Server, method: &str, path: &str) -> String {
    let response = server.send(&Request::new(method, path));
    match response.status {
        401 => "key".to_owned(),
        200 if response.text().contains("invalid deletionToken") => "key or token".to_owned(),
        200 => "nothing".to_owned(),
        status => status.to_string(),
    }
}

#[test]
fn routes_need_what_the_list_says() {
    let root = TempRoot::new("routes");
    let server = Server::start(&root);
    let mut found = String::new();
    let mut note = |method: &str, path: &str| {
        found += &format!("{method} {path}: {}\n", need(&server, method, path));
    };
    for path in [
        "/",
        "/health",
        "/robots.txt",
        "/api",
        "/api/openapi.json",
        "/api/1/openapi.json",
        "/api/1.3.1/openapi.json",
        "/api-docs",
        "/.well-known/openid-configuration",
        "/oidc/.well-known/openid-configuration",
        "/oidc/jwks",
        "/oidc/auth",
        "/oidc/sign-in",
        "/oidc/token",
        "/oidc/me",
        "/oidc/session/end",
        "/sign-in",
        "/sign-out",
        "/admin-auth",
    ] {
        note("GET", path);
        note("POST", path);
    }
    for function in functions() {
        let path = format!("/api/1.3.1/{}", function.name);
        note("GET", &path);
        note("POST", &path);
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/routes.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "UPDATE_EXPECT=1 writes the list anew");
}

#[test]
fn robots_stay_out_of_pads() {
    let root = TempRoot::new("robots");
    let server = Server::start(&root);
    let robots = server.get("/robots.txt");
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        robots.text(),
        "User-agent: *\nDisallow: /p/\nDisallow: /api/\n"
    );
}
