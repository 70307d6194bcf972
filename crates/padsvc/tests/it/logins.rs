//! People who have to sign in before they come to pads.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::client::{Request, Response, form};
use crate::oidc::browser::Browser;
use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

/// One user of each kind. The hash is of "correct horse".
pub(crate) fn settings(more: &Value) -> String {
    let mut settings = json!({
        "requireAuthentication": true,
        "users": {
            "root": {
                "password": "$2b$04$DS.suv2d2awEe2mEPl5lheEsK4ohWxrMn3u3vH7qQYU24sYFCYkp.",
                "is_admin": true,
            },
            "ada": { "password": "ada's" },
            "guest": { "password": "guest's", "readOnly": true },
            "clerk": { "password": "clerk's", "canCreate": false },
            "shadow": {},
        },
        "importExportRateLimiting": { "max": 1000 },
        "commitRateLimiting": { "points": 1000 },
    });
    for (key, value) in more.as_object().unwrap() {
        settings[key] = value.clone();
    }
    settings.to_string()
}

pub(crate) fn start(name: &str, more: &Value) -> (Server, TempRoot) {
    let root = TempRoot::with_settings(name, &settings(more));
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "plan", "text": "base" }));
    (server, root)
}

pub(crate) fn password(user: &str) -> String {
    match user {
        "root" => "correct horse".to_owned(),
        user => format!("{user}'s"),
    }
}

pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

/// The cookie of somebody who has filled in the form.
pub(crate) fn sign_in(server: &Server, user: &str) -> Browser {
    let mut browser = Browser::default();
    let answer = browser.sign_in(server, "/sign-in?next=p%2Fplan", user, &password(user));
    assert_eq!(answer.status, 303, "{answer:?}");
    assert_eq!(answer.header("location"), "./p/plan");
    browser
}

fn page(server: &Server, headers: &[(&str, &str)]) -> Response {
    let mut request = Request::get("/p/plan");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    server.send(&request)
}

fn login_cookie(browser: &Browser) -> String {
    format!("login={}", browser.cookie("login").unwrap())
}

#[test]
fn people_are_led_to_the_form_and_back() {
    let (server, _root) = start("login_form", &json!({}));
    let html = [("accept", "text/html,application/xhtml+xml")];
    let away = page(&server, &html);
    assert_eq!(away.status, 302);
    assert_eq!(away.header("location"), "../sign-in?next=p%2Fplan");
    let programs = page(&server, &[]);
    assert_eq!(programs.status, 401);
    assert!(programs.header("www-authenticate").starts_with("Basic "));
    let script = page(&server, &[("sec-fetch-mode", "cors")]);
    assert_eq!(
        (script.status, script.header("www-authenticate")),
        (401, "")
    );
    let mut browser = Browser::default();
    let wrong = browser.sign_in(&server, "/sign-in?next=p%2Fplan", "ada", "guess");
    assert_eq!(wrong.status, 403);
    assert_eq!(browser.cookie("login"), None);
    let mut browser = sign_in(&server, "ada");
    assert_eq!(browser.get(&server, "/p/plan").status, 200);
    assert_eq!(browser.get(&server, "/p/plan/export/txt").text(), "base\n");
    let home = browser.get(&server, "/");
    let home = home.text();
    assert!(home.contains(">ada</span>"), "{home}");
    assert!(home.contains("<a href=\"sign-out\">"), "{home}");
    // And out again.
    let kept = login_cookie(&browser);
    let ask = browser.get(&server, "/sign-out");
    let out = browser.submit(&server, &ask, &[]);
    assert_eq!(out.status, 200);
    assert_eq!(browser.cookie("login"), None);
    assert_eq!(page(&server, &[("cookie", &kept)]).status, 401);
}

#[test]
fn administrators_sign_in_by_posting_their_password() {
    let (server, _root) = start("login_admin_auth", &json!({}));
    let ask = |method: &str, headers: &[(&str, &str)]| {
        let mut request = Request::new(method, "/admin-auth/");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        server.send(&request)
    };
    let root = basic("root", &password("root"));
    let login = |answer: &Response| {
        let mut cookies = answer.all("set-cookie");
        let cookie = cookies.find(|cookie| cookie.starts_with("login="))?;
        Some(cookie.split(';').next()?.to_owned())
    };
    let answer = ask("POST", &[("authorization", &root)]);
    assert_eq!((answer.status, answer.text()), (200, "Authorized"));
    let cookie = login(&answer).expect("a login");
    let again = ask("POST", &[("cookie", &cookie)]);
    assert_eq!((again.status, login(&again)), (200, None));
    assert_eq!(page(&server, &[("cookie", &cookie)]).status, 200);
    // Asking alone changes nothing, and who may not come in gets nothing.
    let asked = ask("GET", &[("authorization", &root)]);
    assert_eq!((asked.status, login(&asked)), (200, None));
    for (user, guessed, status) in [("ada", "ada's", 403), ("root", "guess", 401)] {
        let answer = ask("POST", &[("authorization", &basic(user, guessed))]);
        assert_eq!((answer.status, login(&answer)), (status, None));
    }
    let elsewhere = [
        ("authorization", root.as_str()),
        ("origin", "https://evil.example"),
    ];
    assert_eq!(ask("POST", &elsewhere).status, 403);
}

#[test]
fn the_cookie_of_a_login_is_guarded() {
    let (server, _root) = start("login_cookie", &json!({ "trustProxy": true }));
    let cookie = |proxied: bool| {
        let mut browser = Browser::default();
        let page = browser.get(&server, "/sign-in");
        let text = browser.cookie("form").unwrap();
        assert!(
            page.header("content-security-policy")
                .contains("frame-ancestors 'none'")
        );
        let fields = [
            ("form", text.as_str()),
            ("user", "ada"),
            ("password", "ada's"),
        ];
        let mut request = Request::post("/sign-in").form(form(&fields));
        if proxied {
            request = request.header("x-forwarded-proto", "https");
        }
        let answer = browser.send(&server, request);
        let cookie = answer
            .all("set-cookie")
            .find(|cookie| cookie.starts_with("login="));
        cookie.unwrap().split_once("; ").unwrap().1.to_owned()
    };
    assert_eq!(
        cookie(false),
        "SameSite=Lax; Max-Age=864000; Path=/; HttpOnly"
    );
    assert_eq!(
        cookie(true),
        "SameSite=Lax; Max-Age=864000; Path=/; HttpOnly; Secure"
    );
}

#[test]
fn a_login_planted_before_is_worth_nothing_after() {
    let (server, _root) = start("login_fixation", &json!({}));
    let planted = sign_in(&server, "guest").cookie("login").unwrap();
    let mut browser = Browser::default();
    browser.set_cookie("login", &planted);
    browser.sign_in(&server, "/sign-in", "ada", "ada's");
    assert_ne!(browser.cookie("login").unwrap(), planted);
    assert_eq!(
        page(&server, &[("cookie", &format!("login={planted}"))]).status,
        401
    );
}

#[test]
fn nobody_is_led_to_another_site() {
    let (server, _root) = start("login_redirect", &json!({}));
    for (next, location) in [
        ("", "./"),
        ("p/a?lang=de", "./p/a?lang=de"),
        ("https://evil.example/", "./https://evil.example/"),
        ("//evil.example", ".///evil.example"),
        ("/\\evil.example", "./"),
        ("p/a\r\nx: y", "./"),
        ("javascript:alert(1)", "./javascript:alert(1)"),
    ] {
        let path = format!("/sign-in?{}", form(&[("next", next)]));
        let answer = Browser::default().sign_in(&server, &path, "ada", "ada's");
        assert_eq!(answer.header("location"), location);
    }
}

#[test]
fn a_form_of_another_site_does_not_sign_in_or_out() {
    let (server, _root) = start("login_csrf", &json!({}));
    let mut browser = Browser::default();
    browser.get(&server, "/sign-in");
    let text = browser.cookie("form").unwrap();
    let fields = |text: &str| form(&[("form", text), ("user", "ada"), ("password", "ada's")]);
    for (header, text) in [
        (("sec-fetch-site", "cross-site"), text.as_str()),
        (("origin", "https://evil.example"), text.as_str()),
        (("sec-fetch-site", "same-origin"), ""),
        (("sec-fetch-site", "same-origin"), &"0".repeat(64)),
    ] {
        let request = Request::post("/sign-in").header(header.0, header.1);
        let answer = browser.send(&server, request.form(fields(text)));
        assert_eq!(answer.status, 403, "{header:?}");
        assert_eq!(browser.cookie("login"), None);
    }
    let mut browser = sign_in(&server, "ada");
    let text = browser.cookie("form").unwrap();
    let request = Request::post("/sign-out").header("sec-fetch-site", "cross-site");
    let answer = browser.send(&server, request.form(format!("form={text}")));
    assert_eq!(answer.status, 403);
    assert_eq!(browser.get(&server, "/p/plan").status, 200);
}

#[test]
fn programs_show_a_password_with_each_request() {
    let (server, _root) = start("login_basic", &json!({}));
    for (user, password, expected) in [
        ("root", "correct horse", 200),
        (
            "root",
            "$2b$04$DS.suv2d2awEe2mEPl5lheEsK4ohWxrMn3u3vH7qQYU24sYFCYkp.",
            401,
        ),
        ("ada", "ada's", 200),
        ("ada", "guess", 401),
        ("ada", "", 401),
        ("shadow", "", 401),
        ("nobody", "x", 401),
    ] {
        let shown = basic(user, password);
        for _ in 0..2 {
            let answer = page(&server, &[("authorization", &shown)]);
            assert_eq!(answer.status, expected, "{user} {password}");
        }
    }
    // Not even the right password helps while guessing is slowed.
    let guess = |password: &str| {
        let shown = basic("clerk", password);
        page(&server, &[("authorization", &shown)]).status
    };
    assert!((0..40).any(|_| guess("guess") == 429 && guess("clerk's") == 429));
}

#[test]
fn a_proxy_may_vouch_if_it_is_trusted() {
    let vouching = json!({ "trustProxy": true, "login": { "header": "X-Remote-User" } });
    let (server, _root) = start("login_header", &vouching);
    for (name, status) in [("ada", 200), ("stranger", 200), ("", 401)] {
        let answer = page(&server, &[("x-remote-user", name)]);
        assert_eq!(answer.status, status, "{name:?}");
    }
    let is_admin = |name: &str| {
        let request = Request::get("/admin-auth").header("x-remote-user", name);
        server.send(&request).status
    };
    assert_eq!((is_admin("root"), is_admin("stranger")), (200, 403));
    let (server, _root) = start(
        "login_header_untrusted",
        &json!({ "login": { "header": "X-Remote-User" } }),
    );
    assert_eq!(page(&server, &[("x-remote-user", "root")]).status, 401);
    assert!(server.log().contains("login.header"), "{}", server.log());
}

#[test]
fn who_needs_consent_has_it_as_an_administrator() {
    let (server, _root) = start("login_consent", &json!({ "requireAuthorization": true }));
    let status = |user: &str| {
        let shown = basic(user, &password(user));
        page(&server, &[("authorization", &shown)]).status
    };
    assert_eq!((status("root"), status("ada")), (200, 403));
}

/// What becomes of somebody who comes to a pad by a socket, and of a change they send.
fn by_socket(server: &Server, pad: &str, headers: &[(&'static str, &str)]) -> &'static str {
    let mut member = Member::connect_with(server, headers);
    member.ready(&json!({ "padId": pad, "token": token(1) }));
    let message = member.message();
    if message["accessStatus"] == "deny" {
        assert!(member.is_closed());
        return "denied";
    }
    assert_eq!(message["type"], "CLIENT_VARS", "{message}");
    if message["data"]["readonly"].as_bool().unwrap() {
        "reads"
    } else {
        "writes"
    }
}

#[test]
fn sockets_pass_the_same_door() {
    let (server, _root) = start("login_socket", &json!({}));
    for (user, there, new) in [
        ("root", "writes", "writes"),
        ("ada", "writes", "writes"),
        ("clerk", "writes", "denied"),
        ("guest", "reads", "denied"),
    ] {
        let cookie = login_cookie(&sign_in(&server, user));
        assert_eq!(
            by_socket(&server, "plan", &[("cookie", &cookie)]),
            there,
            "{user}"
        );
        let name = format!("of-{user}");
        assert_eq!(
            by_socket(&server, &name, &[("cookie", &cookie)]),
            new,
            "{user}"
        );
        // A page of another site connects as nobody.
        for header in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
        ] {
            let headers = [("cookie", cookie.as_str()), header];
            assert_eq!(by_socket(&server, "plan", &headers), "denied", "{user}");
        }
    }
    assert_eq!(by_socket(&server, "plan", &[]), "denied");
    assert_eq!(
        by_socket(&server, "plan", &[("cookie", "login=guess")]),
        "denied"
    );
    let shown = basic("ada", "ada's");
    assert_eq!(
        by_socket(&server, "plan", &[("authorization", &shown)]),
        "writes"
    );
}

#[test]
fn signing_out_ends_what_the_login_opened() {
    let (server, _root) = start("login_out", &json!({}));
    let mut ada = sign_in(&server, "ada");
    let other = login_cookie(&sign_in(&server, "ada"));
    let join = |cookie: &str, person: usize| {
        let mut member = Member::connect_with_cookie(&server, cookie);
        member.ready(&json!({ "padId": "plan", "token": token(person) }));
        member.welcomed();
        member
    };
    let mut here = join(&login_cookie(&ada), 1);
    let mut elsewhere = join(&other, 2);
    let ask = ada.get(&server, "/sign-out");
    ada.submit(&server, &ask, &[]);
    // Without a word of the member's.
    loop {
        let message = here.message();
        if message["type"] != "COLLABROOM" {
            assert_eq!(message, json!({ "accessStatus": "deny" }));
            break;
        }
    }
    assert!(here.is_closed());
    elsewhere.change(0, insert(5, "still here ", &elsewhere.author.clone()));
    assert_eq!(elsewhere.room("ACCEPT_COMMIT")["newRev"], 1);
}

#[test]
fn a_login_that_has_ended_is_none() {
    let short = json!({ "cookie": { "sessionLifetime": 1000, "sessionRefreshInterval": 0 } });
    let (server, _root) = start("login_expired", &short);
    let mut ada = sign_in(&server, "ada");
    let ended = (0..100_000).any(|_| ada.get(&server, "/p/plan").status == 401);
    assert!(ended);
}
