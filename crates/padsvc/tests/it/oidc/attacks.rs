//! What those get who try to come by what is not theirs.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;

#[test]
fn a_replayed_code_ends_what_it_gave() {
    let (server, _root) = start("oidc_replay");
    let code = code(&server, "app", "root");
    let first = access_token(&token(&server, &redemption("app", &code)));
    assert_eq!(check(&server, &first), 0);
    let again = token(&server, &redemption("app", &code));
    assert_eq!(again.status, 400);
    assert_eq!(again.json()["error"], "invalid_grant");
    assert_eq!(check(&server, &first), 4);
}

#[test]
fn a_code_is_for_its_client_and_its_verifier() {
    let (server, _root) = start("oidc_downgrade");
    let refused = |fields: &[(&str, &str)]| {
        let answer = token(&server, fields);
        assert_eq!(answer.json()["error"], "invalid_grant", "{fields:?}");
    };
    let stolen = code(&server, "app", "ada");
    refused(&redemption("public", &stolen));
    // Without the answer to the challenge, or with another.
    let mut without = redemption("app", &stolen);
    without.retain(|(name, _)| *name != "code_verifier");
    refused(&without);
    let other = code(&server, "app", "ada");
    let mut wrong = redemption("app", &other);
    wrong.retain(|(name, _)| *name != "code_verifier");
    wrong.push(("code_verifier", CHALLENGE));
    refused(&wrong);
    // A challenge that is no protection is refused to begin with, and so is none.
    for (query, client) in [
        ("code_challenge_method=plain", "app"),
        ("code_challenge_method=", "app"),
        ("code_challenge=&code_challenge_method=", "public"),
    ] {
        let wish = wish(client);
        let (kept, _) = wish.split_once("&code%5Fchallenge").unwrap();
        let query = match client {
            "app" => format!("{kept}&code_challenge={CHALLENGE}&{query}"),
            _ => format!("{kept}&{query}"),
        };
        let answer = Browser::default().get(&server, &query);
        assert_eq!(
            value(&carried(&answer), "error"),
            "invalid_request",
            "{query}"
        );
    }
}

#[test]
fn nobody_is_sent_elsewhere() {
    let (server, _root) = start("oidc_redirect");
    for uri in [
        "https://evil.example/",
        "http://127.0.0.1:9/back/",
        "http://127.0.0.1:9/back?x",
        "http://127.0.0.1:9/back#",
        "http://127.0.0.1:9/Back",
        "//evil.example",
        "javascript:alert(1)",
    ] {
        let query = form(&[
            ("client_id", "app"),
            ("response_type", "code"),
            ("redirect_uri", uri),
        ]);
        for method in ["GET", "POST"] {
            let request = match method {
                "GET" => Request::get(&format!("/oidc/auth?{query}")),
                _ => Request::post("/oidc/auth").form(query.clone()),
            };
            let answer = server.send(&request);
            assert_eq!(answer.status, 400, "{uri}");
            assert_eq!(answer.header("location"), "", "{uri}");
        }
    }
    let end = "/oidc/session/end?post_logout_redirect_uri=https://evil.example&client_id=app";
    assert_eq!(server.get(end).header("location"), "");
}

#[test]
fn states_do_not_get_mixed_up() {
    let (server, _root) = start("oidc_state");
    // Two windows of one browser, each in the middle of a request of its own.
    let mut browser = Browser::default();
    let wish = wish("app");
    let first = browser.get(&server, &wish.replace("st%26te", "first"));
    let second = browser.get(&server, &wish.replace("st%26te", "second"));
    let fields = [("user", "ada"), ("password", "ada's")];
    for (page, state) in [(&second, "second"), (&first, "first")] {
        let answer = browser.submit(&server, page, &fields);
        assert_eq!(value(&carried(&answer), "state"), state);
    }
}

#[test]
fn a_form_of_another_site_signs_nobody_in() {
    let (server, _root) = start("oidc_csrf");
    let mut browser = Browser::default();
    browser.get(&server, &wish("app"));
    let path = wish("app").replace("/oidc/auth", "/oidc/sign-in");
    let known = browser.cookie("form").unwrap();
    let fields = |text: &str| form(&[("form", text), ("user", "ada"), ("password", "ada's")]);
    let sent = |browser: &mut Browser, site: Option<(&str, &str)>, text: &str| {
        let request = Request::post(&path).form(fields(text));
        let request = match site {
            Some((name, value)) => request.header(name, value),
            None => request,
        };
        let answer = browser.send(&server, request);
        assert_eq!(answer.status, 403, "{site:?} {text}");
        assert_eq!(browser.cookie("login"), None);
    };
    sent(&mut browser, Some(("sec-fetch-site", "cross-site")), &known);
    sent(
        &mut browser,
        Some(("origin", "https://evil.example")),
        &known,
    );
    sent(&mut browser, None, "");
    sent(&mut browser, None, &"0".repeat(64));
    // Another browser's text is not this one's.
    let mut other = Browser::default();
    other.get(&server, &wish("app"));
    sent(&mut other, None, &known);
    sent(&mut Browser::default(), None, &known);
    // Signing out by another site's form does not work either.
    let page = browser.get(&server, &wish("app"));
    browser.submit(&server, &page, &[("user", "ada"), ("password", "ada's")]);
    for site in ["cross-site", "same-site"] {
        let request = Request::post("/sign-out")
            .header("sec-fetch-site", site)
            .form(format!("form={known}"));
        assert_eq!(browser.send(&server, request).status, 403);
    }
    browser.send(&server, Request::post("/sign-out").form("form=guess"));
    assert_eq!(browser.get(&server, &wish("app")).status, 303);
}

#[test]
fn a_login_is_new_each_time() {
    let (server, _root) = start("oidc_fixation");
    let planted = "A".repeat(43);
    let mut browser = Browser::default();
    browser.set_cookie("login", &planted);
    browser.sign_in(&server, &wish("app"), "ada", "ada's");
    let first = browser.cookie("login").unwrap();
    assert_ne!(first, planted);
    let afresh = format!("{}&prompt=login", wish("app"));
    browser.sign_in(&server, &afresh, "ada", "ada's");
    assert_ne!(browser.cookie("login").unwrap(), first);
    for old in [planted, first] {
        let mut thief = Browser::default();
        thief.set_cookie("login", &old);
        assert_eq!(thief.get(&server, &wish("app")).status, 200);
    }
}

#[test]
fn forged_tokens_are_worth_nothing() {
    let (server, _root) = start("oidc_forged");
    let good = service_token(&server, "robot");
    let [header, claims, signature] = good.split('.').collect::<Vec<_>>()[..] else {
        panic!("{good}");
    };
    let encode = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let decode = |part: &str| String::from_utf8(URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
    let none = encode(&decode(header).replace("RS256", "none"));
    let shared = encode(&decode(header).replace("RS256", "HS256"));
    let meek = service_token(&server, "meek");
    let meek: Vec<&str> = meek.split('.').collect();
    let identity = {
        let code = code(&server, "app", "root");
        let answer = token(&server, &redemption("app", &code)).json();
        answer["id_token"].as_str().unwrap().to_owned()
    };
    for forged in [
        format!("{none}.{claims}."),
        format!("{none}.{claims}.{signature}"),
        format!("{shared}.{claims}.{signature}"),
        format!("{header}.{claims}."),
        format!("{header}.{claims}.{}", meek[2]),
        format!("{header}.{}.{}", claims, &signature[1..]),
        format!("{}.{}.{}", meek[0], claims, meek[2]),
        identity,
        "..".to_owned(),
        String::new(),
    ] {
        assert_eq!(check(&server, &forged), 4, "{forged}");
    }
    assert_eq!(check(&server, &good), 0);
    // Those of another server, with the same settings and other keys.
    let (other, _root) = start("oidc_forged_other");
    assert_eq!(check(&other, &good), 4);
    assert_eq!(check(&other, &service_token(&other, "robot")), 0);
    assert_eq!(check(&other, &good), 4);
}

#[test]
fn tokens_end() {
    let settings = SETTINGS.replacen('{', r#"{"ttl": {"ClientCredentials": 1},"#, 1);
    let root = TempRoot::with_settings("oidc_expired", &settings);
    let server = Server::start(&root);
    let token = service_token(&server, "robot");
    // It is asked until it is so; a second is much less than that many questions take.
    let ended = (0..100_000).any(|_| check(&server, &token) == 4);
    assert!(ended);
}

#[test]
fn guessing_is_slowed_for_known_and_unknown_names_alike() {
    let (server, _root) = start("oidc_guessing");
    let mut browser = Browser::default();
    for user in ["ada", "nobody"] {
        let mut page = browser.get(&server, &wish("app"));
        slowed(403, || {
            let fields = [("user", user), ("password", "guess")];
            page = browser.submit(&server, &page, &fields);
            (page.status, page.header("retry-after").to_owned())
        });
    }
    // Secrets of clients are guarded the same way.
    slowed(401, || {
        let guess = [
            ("grant_type", "client_credentials"),
            ("client_id", "robot"),
            ("client_secret", "guess"),
        ];
        let answer = token(&server, &guess);
        (answer.status, answer.header("retry-after").to_owned())
    });
}

/// Guesses until that is refused: not at once, but long before guessing would be worth it, however
/// slow the machine is.
fn slowed(wrong: u16, mut guess: impl FnMut() -> (u16, String)) {
    for count in 0..20 {
        match guess() {
            (429, wait) => {
                assert!(count >= 6, "refused after {count}");
                assert!(wait.parse::<u64>().unwrap() >= 1);
                return;
            }
            (status, _) => assert_eq!(status, wrong),
        }
    }
    panic!("guessing is not slowed");
}

#[test]
fn nothing_secret_gets_into_the_log_or_a_page() {
    let settings = SETTINGS.replacen('{', r#"{"loglevel": "DEBUG","#, 1);
    let root = TempRoot::with_settings("oidc_log", &settings);
    let server = Server::start(&root);
    let access = user_token(&server, "ada");
    let service = service_token(&server, "robot");
    let mut browser = Browser::default();
    let failed = browser.sign_in(
        &server,
        &wish("app"),
        "ada's own \"<secret>",
        "typed secret",
    );
    assert!(!failed.text().contains("typed secret"));
    assert!(
        failed.text().contains("&#60;secret&#62;"),
        "{}",
        failed.text()
    );
    browser.sign_in(&server, &wish("app"), "ada", "ada's");
    let cookies = ["login", "form"].map(|name| browser.cookie(name).unwrap());
    check(&server, &access);
    server.signal("TERM");
    let log = root.0.with_extension("log");
    server.wait();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("ada signed in from ANONYMOUS"), "{log}");
    assert!(
        log.contains("passwords that can be read (ada, robot)"),
        "{log}"
    );
    let [login, text] = cookies.each_ref().map(String::as_str);
    for secret in [
        access.as_str(),
        &service,
        login,
        text,
        "ada's",
        "robot's",
        "secret",
        "correct horse",
        "$2b$",
        "127.0.0.1:9/back",
        "PRIVATE",
    ] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}
