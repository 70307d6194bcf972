//! Signing in through another provider of OpenID Connect, which is a server of ours as well.

use serde_json::json;

use crate::client::{Request, Response};
use crate::oidc::browser::Browser;
use crate::oidc::password;
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

/// The provider, and the pads that trust it. Groups are known by the name, since that is a claim
/// that the provider has.
struct Two {
    provider: Server,
    pads: Server,
    _roots: [TempRoot; 2],
}

fn start(name: &str) -> Two {
    let provider = json!({
        "users": {
            "ada": { "password": "ada's" },
            "root": { "password": "correct horse" },
            "robot": { "password": "robot's own" },
        },
        "sso": [{
            "client_id": "pads",
            "client_secret": "our s&cret",
            "grant_types": ["authorization_code"],
            "response_types": ["code"],
            "redirect_uris": ["http://pads.example/sign-in/back"],
        }],
    });
    let provider_root = TempRoot::with_settings(&format!("{name}_provider"), &provider.to_string());
    let provider = Server::start(&provider_root);
    let pads = json!({
        "requireAuthentication": true,
        "publicURL": "http://pads.example",
        "users": { "root": { "password": "another", "is_admin": true } },
        "login": {
            "issuer": format!("http://{}", provider.address),
            "clientId": "pads",
            "clientSecret": "our s&cret",
            "label": "Our school",
            "groupsClaim": "preferred_username",
            "groups": { "ada": "modify", "root": "admin" },
        },
    });
    let pads_root = TempRoot::with_settings(name, &pads.to_string());
    let pads = Server::start(&pads_root);
    pads.data("createPad", &json!({ "padID": "plan", "text": "base" }));
    Two {
        provider,
        pads,
        _roots: [provider_root, pads_root],
    }
}

impl Two {
    /// Leaves for the provider, signs in there, and gives the path to come back by.
    fn away(&self, browser: &mut Browser, user: &str) -> String {
        let left = browser.get(&self.pads, "/sign-in/outside?next=p%2Fplan");
        assert_eq!(left.status, 303, "{left:?}");
        let there = format!("http://{}", self.provider.address);
        let there = left
            .header("location")
            .strip_prefix(&there)
            .unwrap()
            .to_owned();
        let answer = Browser::default().sign_in(&self.provider, &there, user, password(user));
        let back = answer.header("location");
        back.strip_prefix("http://pads.example").unwrap().to_owned()
    }

    fn sign_in(&self, user: &str) -> (Browser, Response) {
        let mut browser = Browser::default();
        let back = self.away(&mut browser, user);
        let answer = browser.get(&self.pads, &back);
        (browser, answer)
    }
}

#[test]
fn people_sign_in_elsewhere_and_come_back() {
    let two = start("outside");
    let form = two.pads.get("/sign-in?next=p%2Fplan");
    let link =
        "<a class=\"button\" href=\"sign-in/outside?next=p%2Fplan\">Sign in with Our school</a>";
    assert!(form.text().contains(link), "{}", form.text());
    let (mut ada, answer) = two.sign_in("ada");
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), "../p/plan");
    assert_eq!(ada.cookie("journey"), None);
    assert_eq!(ada.get(&two.pads, "/p/plan").status, 200);
    // Their group may write and not create, over sockets too.
    let cookie = format!("login={}", ada.cookie("login").unwrap());
    let mut member = Member::connect_with_cookie(&two.pads, &cookie);
    member.ready(&json!({ "padId": "plan", "token": token(1) }));
    member.welcomed();
    assert_eq!(member.vars["readonly"], false);
    let mut other = Member::connect_with_cookie(&two.pads, &cookie);
    other.ready(&json!({ "padId": "new", "token": token(1) }));
    assert_eq!(other.message()["accessStatus"], "deny");
    // Out again, which ends what was open.
    let ask = ada.get(&two.pads, "/sign-out");
    ada.submit(&two.pads, &ask, &[]);
    assert_eq!(member.message(), json!({ "accessStatus": "deny" }));
    let kept = Request::get("/p/plan").header("cookie", &cookie);
    assert_eq!(two.pads.send(&kept).status, 401);
}

#[test]
fn groups_say_who_administers_and_who_is_not_let_in() {
    let two = start("outside_groups");
    let (mut root, _) = two.sign_in("root");
    assert_eq!(root.get(&two.pads, "/admin-auth").status, 200);
    let (mut robot, answer) = two.sign_in("robot");
    assert_eq!(answer.status, 303);
    assert_eq!(robot.get(&two.pads, "/p/plan").status, 403);
    // They can go and be somebody else.
    let html = Request::get("/p/plan").header("accept", "text/html");
    let refused = robot.send(&two.pads, html);
    assert_eq!(refused.status, 403);
    assert!(
        refused.text().contains("You may not open this"),
        "{}",
        refused.text()
    );
    let text = robot.cookie("login").unwrap();
    robot.submit(&two.pads, &refused, &[]);
    assert_eq!(robot.cookie("login"), None);
    robot.set_cookie("login", &text);
    assert_eq!(robot.get(&two.pads, "/p/plan").status, 401);
    let (mut robot, _) = two.sign_in("robot");
    assert_eq!(robot.get(&two.pads, "/admin-auth").status, 403);
    // Somebody's login elsewhere is not one as the user of the same name here: no client gets a
    // token for it.
    assert!(!root.get(&two.pads, "/oidc/auth").text().contains("code="));
}

#[test]
fn a_journey_is_the_browsers_that_began_it_and_ends_once() {
    let two = start("outside_attacks");
    let refused = |browser: &mut Browser, back: &str, why: &str| {
        let answer = browser.get(&two.pads, back);
        assert_eq!(answer.status, 403, "{why}");
        assert!(answer.text().contains(why), "{why}: {}", answer.text());
        assert_eq!(browser.cookie("login"), None, "{why}");
    };
    // Somebody is made to follow the attacker's way back.
    let mut attacker = Browser::default();
    let back = two.away(&mut attacker, "ada");
    refused(
        &mut Browser::default(),
        &back,
        "this browser was not sent there",
    );
    let mut victim = Browser::default();
    let own = two.away(&mut victim, "root");
    let journey = victim.cookie("journey").unwrap();
    refused(&mut victim, &back, "the answer belongs to another attempt");
    // The attacker's code with the victim's state: it was asked for with another challenge.
    let part = |path: &str, name: &str| {
        let (_, query) = path.split_once('?').unwrap();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(other, _)| other == name)
            .unwrap()
            .1
            .into_owned()
    };
    victim.set_cookie("journey", &journey);
    let mixed = format!(
        "/sign-in/back?code={}&state={}",
        part(&back, "code"),
        part(&own, "state")
    );
    refused(&mut victim, &mixed, "it refuses to answer");
    // That was the end of this journey.
    victim.set_cookie("journey", &journey);
    refused(&mut victim, &own, "it took too long");
    let mut browser = Browser::default();
    let back = two.away(&mut browser, "ada");
    let said_no = format!(
        "/sign-in/back?error=access_denied&state={}",
        part(&back, "state")
    );
    refused(&mut browser, &said_no, "it did not let you in");
    let secrets = [
        part(&back, "code"),
        part(&back, "state"),
        "our s&cret".to_owned(),
    ];
    for secret in secrets {
        assert!(!two.pads.log().contains(&secret));
    }
}

#[test]
fn a_provider_that_is_gone_lets_nobody_in() {
    let two = start("outside_gone");
    let mut browser = Browser::default();
    let back = two.away(&mut browser, "ada");
    two.provider.stop();
    let answer = browser.get(&two.pads, &back);
    assert_eq!(answer.status, 403);
    assert!(answer.text().contains("it does not answer"));
    assert_eq!(two.pads.get("/health").status, 200);
}
