//! How tokens come to be, and what they are good for.

use std::os::unix::fs::PermissionsExt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::*;

fn claims(token: &str) -> Value {
    let claims = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

#[test]
fn discovery_says_where_everything_is() {
    let (server, _root) = start("oidc_discovery");
    let document = server.get("/.well-known/openid-configuration");
    for path in [
        "/oidc/.well-known/openid-configuration",
        "/oidc/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server",
    ] {
        assert_eq!(server.get(path).json(), document.json(), "{path}");
    }
    assert_eq!(document.header("access-control-allow-origin"), "*");
    let document = document.json();
    // The tests call the server by that name.
    assert_eq!(document["issuer"], "http://pads");
    for (name, method) in [
        ("authorization_endpoint", "GET"),
        ("token_endpoint", "POST"),
        ("userinfo_endpoint", "GET"),
        ("jwks_uri", "GET"),
        ("end_session_endpoint", "GET"),
    ] {
        let path = document[name].as_str().unwrap();
        let path = path.strip_prefix("http://pads").unwrap();
        let status = server.send(&Request::new(method, path)).status;
        assert!(![404, 405, 500].contains(&status), "{name}: {status}");
    }
}

#[test]
fn the_issuer_is_that_of_the_settings() {
    for (settings, issuer) in [
        (
            r#"{"sso": {"issuer": "https://pads.example/"}}"#,
            "https://pads.example",
        ),
        (
            r#"{"publicURL": "https://other.example"}"#,
            "https://other.example",
        ),
    ] {
        let root = TempRoot::with_settings("oidc_issuer", settings);
        let server = Server::start(&root);
        let document = server.get("/.well-known/openid-configuration").json();
        assert_eq!(document["issuer"], issuer);
        assert_eq!(document["jwks_uri"], format!("{issuer}/oidc/jwks"));
    }
}

#[test]
fn a_plain_form_gets_a_service_its_token() {
    let (server, _root) = start("oidc_service");
    let by_form = service_token(&server, "robot");
    let basic = format!("Basic {}", STANDARD.encode("robot:robot's"));
    let request = Request::post("/oidc/token")
        .header("authorization", &basic)
        .form("grant_type=client_credentials");
    let answer = server.send(&request);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.json()["token_type"], "Bearer");
    assert_eq!(answer.json()["expires_in"], 3600);
    let by_header = access_token(&answer);
    for token in [&by_form, &by_header] {
        let claims = claims(token);
        assert_eq!(claims["sub"], "robot");
        assert_eq!(claims["client_id"], "robot");
        assert_eq!(claims["aud"], "account");
        assert_eq!(claims["admin"], "true");
        assert_eq!(
            claims["exp"].as_u64(),
            claims["iat"].as_u64().map(|at| at + 3600)
        );
        assert_eq!(check(&server, token), 0);
    }
    assert_ne!(claims(&by_form)["jti"], claims(&by_header)["jti"]);
    // A token without the word before it is a credential too, a key of that name is not.
    let path = "/api/1.2/checkToken";
    let bare = server.send(&Request::get(path).header("authorization", &by_form));
    assert_eq!(bare.status, 200);
    let wrong_place = server.get(&format!("{path}?apikey={by_form}"));
    assert_eq!(wrong_place.status, 401);
}

#[test]
fn administrators_and_their_services_may_call_the_api_and_others_may_not() {
    let (server, _root) = start("oidc_rights");
    assert_eq!(check(&server, &user_token(&server, "root")), 0);
    assert_eq!(check(&server, &user_token(&server, "ada")), 4);
    // A user with the name of a service that may.
    let robot = user_token(&server, "robot");
    assert_eq!(claims(&robot)["sub"], "robot");
    assert_eq!(check(&server, &robot), 4);
    assert_eq!(check(&server, &service_token(&server, "robot")), 0);
    assert_eq!(check(&server, &service_token(&server, "meek")), 4);
}

#[test]
fn a_person_signs_in_once_for_several_clients() {
    let (server, _root) = start("oidc_sign_in");
    let mut browser = Browser::default();
    let page = browser.get(&server, &wish("app"));
    assert_eq!(page.status, 200);
    assert_eq!(page.header("cache-control"), "no-store");
    let policy = page.header("content-security-policy");
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
         base-uri 'none'; frame-ancestors 'none'; form-action 'self' http://127.0.0.1:9"
    );
    assert!(!page.text().contains("<script"), "{}", page.text());
    let answer = browser.submit(&server, &page, &[("user", "ada"), ("password", "ada's")]);
    assert_eq!(answer.status, 303);
    let first = carried(&answer);
    assert_eq!(value(&first, "state"), "st&te");
    assert_eq!(value(&first, "iss"), "http://pads");
    let answer = token(&server, &redemption("app", &value(&first, "code")));
    let identity = claims(answer.json()["id_token"].as_str().unwrap());
    assert_eq!(identity["aud"], "app");
    assert_eq!(identity["nonce"], "n");
    assert_eq!(identity["sub"], "ada");
    assert_eq!(claims(&access_token(&answer))["admin"], false);

    let asked = browser.get(&server, &wish("public"));
    assert_eq!(asked.status, 200);
    let again = browser.submit(&server, &asked, &[("answer", "allow")]);
    assert_eq!(again.status, 303);
    let code = value(&carried(&again), "code");
    let public = token(&server, &redemption("public", &code));
    assert_eq!(me(&server, &access_token(&public)), json!({"sub": "ada"}));
    // Unless the client wants to be sure.
    let afresh = browser.get(&server, &format!("{}&prompt=login", wish("app")));
    assert_eq!(afresh.status, 200);
    let silent = format!("{}&prompt=none", wish("app"));
    assert_eq!(browser.get(&server, &silent).status, 303);
    let nobody = Browser::default().get(&server, &silent);
    assert_eq!(value(&carried(&nobody), "error"), "login_required");
}

fn me(server: &Server, token: &str) -> Value {
    let bearer = format!("Bearer {token}");
    let by_get = server.send(&Request::get("/oidc/me").header("authorization", &bearer));
    let by_post = Request::post("/oidc/me").form(form(&[("access_token", token)]));
    assert_eq!(by_get.json(), server.send(&by_post).json());
    by_get.json()
}

#[test]
fn a_token_counts_only_where_its_issuer_is() {
    let fields = form(&[
        ("grant_type", "client_credentials"),
        ("client_id", "robot"),
        ("client_secret", "robot's"),
    ]);
    let strange = Request::post("/oidc/token")
        .header("host", "evil.example")
        .form(fields);
    let (server, _root) = start("oidc_strange_host");
    let strange_token = access_token(&server.send(&strange));
    assert_eq!(claims(&strange_token)["iss"], "http://evil.example");
    assert_eq!(check(&server, &strange_token), 4);
    assert_eq!(check(&server, &service_token(&server, "robot")), 0);
    assert!(
        server.log().contains("publicURL is not set"),
        "{}",
        server.log()
    );
    // With an address of its own, what a request calls the service does not matter.
    let mut settings: Value = serde_json::from_str(SETTINGS).unwrap();
    settings["publicURL"] = json!("https://pads.example");
    let root = TempRoot::with_settings("oidc_public_url", &settings.to_string());
    let server = Server::start(&root);
    let token = access_token(&server.send(&strange));
    assert_eq!(claims(&token)["iss"], "https://pads.example");
    assert_eq!(check(&server, &token), 0);
    assert!(!server.log().contains("publicURL is not set"));
}

#[test]
fn the_holder_of_a_token_sees_whose_it_is() {
    let (server, _root) = start("oidc_me");
    let nothing = server.get("/oidc/me");
    assert_eq!(nothing.status, 401);
    assert_eq!(nothing.header("www-authenticate"), "Bearer");
    let service = format!("Bearer {}", service_token(&server, "robot"));
    for token in ["Bearer nonsense", &service] {
        let answer = server.send(&Request::get("/oidc/me").header("authorization", token));
        assert_eq!(answer.status, 401);
        assert_eq!(answer.json()["error"], "invalid_token");
        let how = answer.header("www-authenticate");
        assert!(how.starts_with("Bearer error=\"invalid_token\""), "{how}");
    }
}

#[test]
fn mistakes_are_reported_in_the_words_of_the_standard() {
    let (server, _root) = start("oidc_mistakes");
    let robot = [("client_id", "robot"), ("client_secret", "robot's")];
    let with = |fields: &[(&'static str, &'static str)]| [&robot[..], fields].concat();
    for (fields, status, error) in [
        (with(&[]), 400, "invalid_request"),
        (
            with(&[("grant_type", "password")]),
            400,
            "unsupported_grant_type",
        ),
        (
            with(&[("grant_type", "authorization_code"), ("code", "x")]),
            400,
            "unauthorized_client",
        ),
        (
            vec![("grant_type", "client_credentials")],
            401,
            "invalid_client",
        ),
        (
            vec![
                ("grant_type", "client_credentials"),
                ("client_id", "robot"),
                ("client_secret", "wrong"),
            ],
            401,
            "invalid_client",
        ),
        (redemption("app", "guess"), 400, "invalid_grant"),
    ] {
        let answer = token(&server, &fields);
        assert_eq!(answer.status, status, "{fields:?}");
        assert_eq!(answer.json()["error"], error, "{fields:?}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let basic = format!("Basic {}", STANDARD.encode("robot:wrong"));
    let request = Request::post("/oidc/token")
        .header("authorization", &basic)
        .form("grant_type=client_credentials");
    let refused = server.send(&request);
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), "Basic realm=\"oidc\"");
    let json = Request::post("/oidc/token").body("application/json", "{}");
    assert_eq!(server.send(&json).json()["error"], "invalid_request");
    let large = Request::post("/oidc/token").form("x".repeat(20_000));
    assert_eq!(server.send(&large).json()["error"], "invalid_request");
    assert_eq!(server.get("/oidc/token").status, 405);
}

#[test]
fn pages_of_other_sites_may_ask_for_tokens() {
    let (server, _root) = start("oidc_cors");
    let request = Request::new("OPTIONS", "/oidc/token")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization");
    let leave = server.send(&request);
    assert_eq!(leave.status, 200);
    assert_eq!(leave.header("access-control-allow-origin"), "*");
    assert!(
        leave
            .header("access-control-allow-headers")
            .contains("authorization")
    );
    // With what programs show, never with what browsers hold.
    assert_eq!(leave.header("access-control-allow-credentials"), "");
    let page = server.get(&wish("app"));
    assert_eq!(page.header("access-control-allow-origin"), "");
}

#[test]
fn tokens_survive_a_restart_and_their_keys_are_private() {
    let root = TempRoot::with_settings("oidc_restart", SETTINGS);
    let server = Server::start(&root);
    let file = root.0.join("var/oidc-keys.json");
    assert!(!file.exists(), "nothing has needed a key yet");
    let service = service_token(&server, "robot");
    let user = user_token(&server, "root");
    let keys = server.get("/oidc/jwks").json();
    assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
    assert_eq!(keys["keys"][0].get("d"), None);
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    server.stop();
    let server = Server::start(&root);
    for token in [&service, &user] {
        assert_eq!(check(&server, token), 0);
    }
    assert_eq!(server.get("/oidc/jwks").json(), keys);
    server.stop();
    // Rights go with the settings.
    std::fs::write(root.0.join("settings.json"), "{}").unwrap();
    let server = Server::start(&root);
    for token in [&service, &user] {
        assert_eq!(check(&server, token), 4);
    }
}

#[test]
fn signing_out_takes_the_person_or_a_client_that_knows_them() {
    let (server, _root) = start("oidc_sign_out");
    let mut browser = Browser::default();
    let answer = browser.sign_in(&server, &wish("app"), "ada", "ada's");
    let code = value(&carried(&answer), "code");
    let answer = token(&server, &redemption("app", &code)).json();
    let identity = answer["id_token"].as_str().unwrap();

    // Any page could send somebody here: they are asked.
    let asked = browser.get(&server, "/oidc/session/end");
    assert!(asked.text().contains("<button"), "{}", asked.text());
    assert_eq!(browser.get(&server, &wish("app")).status, 303);
    let login = browser.cookie("login").unwrap();
    let done = browser.submit(&server, &asked, &[]);
    assert!(
        done.text().contains("You are signed out"),
        "{}",
        done.text()
    );
    assert_eq!(browser.get(&server, &wish("app")).status, 200);
    // A copy of the cookie is worth nothing either.
    browser.set_cookie("login", &login);
    assert_eq!(browser.get(&server, &wish("app")).status, 200);

    browser.sign_in(&server, &wish("app"), "ada", "ada's");
    let query = [
        ("id_token_hint", identity),
        ("post_logout_redirect_uri", BACK),
        ("state", "s"),
    ];
    let left = browser.get(&server, &format!("/oidc/session/end?{}", form(&query)));
    assert_eq!(left.header("location"), format!("{BACK}?state=s"));
    assert_eq!(browser.get(&server, &wish("app")).status, 200);
}

#[test]
fn lifetimes_are_those_of_the_settings() {
    let settings = SETTINGS.replacen(
        '{',
        r#"{"ttl": {"AccessToken": 7, "ClientCredentials": 8, "IdToken": 9},"#,
        1,
    );
    let root = TempRoot::with_settings("oidc_ttl", &settings);
    let server = Server::start(&root);
    let life = |token: &str| {
        let claims = claims(token);
        claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap()
    };
    let answer = token(&server, &redemption("app", &code(&server, "app", "ada")));
    assert_eq!(answer.json()["expires_in"], 7);
    assert_eq!(life(&access_token(&answer)), 7);
    assert_eq!(life(answer.json()["id_token"].as_str().unwrap()), 9);
    assert_eq!(life(&service_token(&server, "robot")), 8);
}
