//! Keeping somebody from signing in by guessing, and what that does not achieve.

use serde_json::json;

use crate::client::{Request, form};
use crate::logins::{basic, password, start};
use crate::oidc::browser::Browser;
use crate::server::Server;

/// Guesses as somebody behind these addresses, the last of which the proxy has added.
fn guess(server: &Server, user: &str, guessed: &str, forwarded: &str) -> u16 {
    let request = Request::get("/p/plan")
        .header("x-forwarded-for", forwarded)
        .header("authorization", &basic(user, guessed));
    server.send(&request).status
}

/// The form to sign in, with Ada's password in it.
fn filled_form(server: &Server, browser: &mut Browser) -> Request {
    browser.get(server, "/sign-in");
    let token = browser.cookie("form").unwrap();
    let fields = [
        ("form", token.as_str()),
        ("user", "ada"),
        ("password", "ada's"),
    ];
    Request::post("/sign-in").form(form(&fields))
}

/// Whether an account is closed to somebody right after a stranger's guess. The first waits take a
/// second, and a busy machine may need longer from one request to the next.
fn is_closed(server: &Server, account: &str, mut sign_in: impl FnMut(&str) -> u16) -> bool {
    (0..100).any(|n| {
        guess(server, account, "guess", &format!("203.0.113.{n}"));
        sign_in(&format!("198.51.100.{n}")) == 429
    })
}

#[test]
fn strangers_do_not_lock_out_a_browser_that_signed_in_before() {
    let (server, root) = start("lockout_known", &json!({ "trustProxy": true }));
    let sign_in = |server: &Server, browser: &mut Browser, password: &str| {
        browser.sign_in(server, "/sign-in", "ada", password).status
    };
    let mut known = Browser::default();
    assert_eq!(sign_in(&server, &mut known, &password("ada")), 303);
    let cookie = known.cookie("browser").unwrap();
    assert!(!cookie.contains("ada"), "{cookie}");
    // What is known of it outlives the program.
    server.stop();
    let server = Server::start(&root);
    for n in 0..150 {
        guess(&server, "ada", "guess", &format!("192.0.2.{n}"));
    }
    let right = password("ada");
    assert!(is_closed(&server, "ada", |address| {
        guess(&server, "ada", &right, address)
    }));
    assert!(is_closed(&server, "ada", |address| {
        let mut stranger = Browser::default();
        let request = filled_form(&server, &mut stranger);
        let request = request.header("x-forwarded-for", address);
        stranger.send(&server, request).status
    }));
    let page = known.get(&server, "/sign-in");
    let right = [("user", "ada"), ("password", "ada's")];
    assert_eq!(known.submit(&server, &page, &right).status, 303);
    // It is no way in for those who guess with it, and speaks for one account only.
    let with_cookie = |user: &str| {
        let mut thief = Browser::default();
        thief.set_cookie("browser", &cookie);
        thief.sign_in(&server, "/sign-in", user, "guess").status
    };
    let answers: Vec<u16> = (0..20).map(|_| with_cookie("ada")).collect();
    assert_eq!(answers[..6], [403; 6]);
    assert!(answers[6..].contains(&429), "{answers:?}");
    for n in 0..150 {
        guess(&server, "clerk", "guess", &format!("192.0.2.{n}"));
    }
    assert!(is_closed(&server, "clerk", |_| with_cookie("clerk")));
}

#[test]
fn invented_addresses_gain_nothing() {
    let (server, _root) = start("lockout_forwarded", &json!({ "trustProxy": true }));
    let invented = |n: usize| format!("203.0.113.{n}, 192.0.2.7");
    let answers: Vec<u16> = (0..20)
        .map(|n| guess(&server, "ada", "guess", &invented(n)))
        .collect();
    assert_eq!(answers[..6], [401; 6]);
    assert!(answers[6..].contains(&429), "{answers:?}");
    // Guessing is slowed where the guesses come from, and the owner is elsewhere.
    assert_eq!(guess(&server, "ada", "ada's", "198.51.100.1"), 200);
    // A line of its own is no better than an entry.
    let mut fields = Vec::new();
    for n in 0..20 {
        let request = Request::get("/p/plan")
            .header("x-forwarded-for", &format!("203.0.113.{n}"))
            .header("x-forwarded-for", "192.0.2.8")
            .header("authorization", &basic("clerk", "guess"));
        fields.push(server.send(&request).status);
    }
    assert!(fields.contains(&429), "{fields:?}");
}

#[test]
fn the_cookie_of_a_known_browser_is_guarded() {
    let (server, _root) = start("lockout_cookie", &json!({ "trustProxy": ["loopback"] }));
    let mut browser = Browser::default();
    let request = filled_form(&server, &mut browser);
    let answer = browser.send(&server, request.header("x-forwarded-proto", "https"));
    let cookie = answer
        .all("set-cookie")
        .find(|cookie| cookie.starts_with("browser="));
    assert_eq!(
        cookie.unwrap().split_once("; ").unwrap().1,
        "SameSite=Lax; Max-Age=31536000; Path=/; HttpOnly; Secure"
    );
}
