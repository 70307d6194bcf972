//! What outlasts a restart and holds on every node: logins, codes and counts of failures.

use serde_json::{Value, json};

use crate::client::Request;
use crate::cluster::Cluster;
use crate::logins::{basic, settings, sign_in};
use crate::oidc::{self, check, code, redemption};
use crate::postgresql::root;
use crate::server::{Server, TempRoot, padsvc};

/// What the browser of a login gets.
fn page(server: &Server, login: &str) -> u16 {
    let cookie = format!("login={login}");
    let request = Request::get("/p/plan").header("cookie", &cookie);
    server.send(&request).status
}

fn on_postgres(name: &str, settings: &str) -> Option<[TempRoot; 2]> {
    let database = Cluster::shared()?.database();
    let settings: Value = serde_json::from_str(settings).unwrap();
    Some(["a", "b"].map(|node| root(&format!("{name}_{node}"), &database, settings.clone())))
}

fn outlasts_restarts(root: &TempRoot) {
    let server = Server::start(root);
    let [ada, gone] = ["ada", "clerk"].map(|user| sign_in(&server, user).cookie("login").unwrap());
    let mut out = sign_in(&server, "guest");
    let left = out.cookie("login").unwrap();
    let form = out.get(&server, "/sign-out");
    out.submit(&server, &form, &[]);
    server.stop();
    let server = Server::start(root);
    assert_eq!(page(&server, &ada), 200);
    assert_eq!(page(&server, &gone), 200);
    assert_eq!(page(&server, &left), 401);
    server.stop();
    // A login ends with its user, and with the password.
    let mut changed: Value = serde_json::from_str(&root.read("settings.json")).unwrap();
    let before = changed.clone();
    changed["users"].as_object_mut().unwrap().remove("clerk");
    changed["users"]["ada"]["password"] = json!("another");
    root.write("settings.json", &changed.to_string());
    let server = Server::start(root);
    assert_eq!(page(&server, &ada), 401);
    assert_eq!(page(&server, &gone), 401);
    server.stop();
    root.write("settings.json", &before.to_string());
}

#[test]
fn a_login_outlasts_a_restart() {
    outlasts_restarts(&TempRoot::with_settings(
        "kept_login",
        &settings(&json!({})),
    ));
}

#[test]
fn a_login_outlasts_a_restart_on_postgresql_and_holds_on_all_nodes() {
    let Some([a, b]) = on_postgres("kept_login", &settings(&json!({}))) else {
        return;
    };
    outlasts_restarts(&a);
    let one = Server::start(&a);
    let other = Server::start_beside(&one, &b);
    assert!(!b.path("APIKEY.txt").exists());
    let mut browser = sign_in(&one, "ada");
    let login = browser.cookie("login").unwrap();
    assert_eq!(page(&other, &login), 200);
    let form = browser.get(&one, "/sign-out");
    browser.submit(&one, &form, &[]);
    assert_eq!(page(&one, &login), 401);
    while page(&other, &login) == 200 {}
    // So do the counts of those who guess.
    let guess = |server: &Server| {
        let request = Request::get("/p/plan").header("authorization", &basic("guest", "guess"));
        server.send(&request).status
    };
    let answers: Vec<u16> = (0..200).map(|n| guess([&one, &other][n % 2])).collect();
    let slowed = [0, 1].map(|node| answers.iter().skip(node).step_by(2).any(|it| *it == 429));
    assert_eq!(slowed, [true, true], "{answers:?}");
}

#[test]
fn a_code_works_once_on_all_nodes_and_tokens_count_on_each() {
    let Some([a, b]) = on_postgres("kept_code", oidc::SETTINGS) else {
        return;
    };
    let issuer = "http://127.0.0.1:9";
    for root in [&a, &b] {
        let mut settings: Value = serde_json::from_str(&root.read("settings.json")).unwrap();
        settings["publicURL"] = json!(issuer);
        root.write("settings.json", &settings.to_string());
    }
    let one = Server::start(&a);
    let other = Server::start_beside(&one, &b);
    let code = code(&one, "app", "root");
    let answer = oidc::token(&other, &redemption("app", &code));
    let token = oidc::access_token(&answer);
    assert_eq!(check(&one, &token), 0);
    assert_eq!(check(&other, &token), 0);
    let again = oidc::token(&one, &redemption("app", &code));
    assert_eq!(again.json()["error"], "invalid_grant");
    // One of the two should not have had it.
    assert_eq!(check(&one, &token), 4);
    while check(&other, &token) != 4 {}
}

#[test]
fn a_node_with_another_key_does_not_start() {
    let Some([a, b]) = on_postgres("kept_keys", "{}") else {
        return;
    };
    let one = Server::start(&a);
    b.write("APIKEY.txt", "another");
    let refused = padsvc(&b).args(["--port", "0"]).output().unwrap();
    let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success());
    assert!(reason.contains("APIKEY.txt differs"), "{reason}");
    drop(one);
}
