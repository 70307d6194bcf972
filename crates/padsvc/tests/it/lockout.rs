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
    let anywhere = "198.51.100.1";
    assert_eq!(guess(&server, "ada", &password("ada"), anywhere), 429);
    assert_eq!(sign_in(&server, &mut Browser::default(), "ada's"), 429);
    let page = known.get(&server, "/sign-in");
    let right = [("user", "ada"), ("password", "ada's")];
    assert_eq!(known.submit(&server, &page, &right).status, 303);
    // It is no way in for those who guess with it, and speaks for one account only.
    let with_cookie = |user: &str| {
        let mut thief = Browser::default();
        thief.set_cookie("browser", &cookie);
        thief.sign_in(&server, "/sign-in", user, "guess").status
    };
    let answers: Vec<u16> = (0..10).map(|_| with_cookie("ada")).collect();
    assert_eq!(answers, [403, 403, 403, 403, 403, 403, 429, 429, 429, 429]);
    for n in 0..150 {
        guess(&server, "clerk", "guess", &format!("192.0.2.{n}"));
    }
    assert_eq!(with_cookie("clerk"), 429);
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
    browser.get(&server, "/sign-in");
    let text = browser.cookie("form").unwrap();
    let fields = [
        ("form", text.as_str()),
        ("user", "ada"),
        ("password", "ada's"),
    ];
    let request = Request::post("/sign-in").form(form(&fields));
    let answer = browser.send(&server, request.header("x-forwarded-proto", "https"));
    let cookie = answer
        .all("set-cookie")
        .find(|cookie| cookie.starts_with("browser="));
    assert_eq!(
        cookie.unwrap().split_once("; ").unwrap().1,
        "SameSite=Lax; Max-Age=31536000; Path=/; HttpOnly; Secure"
    );
}
