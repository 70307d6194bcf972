//! Who is signed in is asked before a program learns of it, unless the operator trusts the program.

use super::browser::Browser;
use super::{carried, password, start, value, wish};
use crate::client::{Request, form};
use crate::server::Server;

fn signed_in(server: &Server) -> Browser {
    let mut browser = Browser::default();
    browser.sign_in(server, &wish("app"), "ada", password("ada"));
    browser
}

#[test]
fn the_page_of_signing_in_names_the_program() {
    let (server, _root) = start("oidc_program_name");
    let page = Browser::default().get(&server, &wish("public"));
    let named = "to go on to The &#60;b&#62;Wiki&#60;/b&#62;";
    assert!(page.text().contains(named), "{}", page.text());
    let unnamed = Browser::default().get(&server, &wish("app"));
    assert!(unnamed.text().contains("to go on to app"));
}

#[test]
fn a_program_that_is_not_trusted_gets_a_code_after_a_yes_only() {
    let (server, _root) = start("oidc_consent");
    let mut browser = signed_in(&server);
    let page = browser.get(&server, &wish("public"));
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(page.text().contains("learns that you are ada"));
    for refusal in [&[("answer", "deny")][..], &[]] {
        let no = browser.submit(&server, &page, refusal);
        let answer = carried(&no);
        assert_eq!(value(&answer, "error"), "access_denied");
        assert_eq!(value(&answer, "state"), "st&te");
        assert_eq!(value(&answer, "code"), "");
    }
    let yes = browser.submit(&server, &page, &[("answer", "allow")]);
    assert_ne!(value(&carried(&yes), "code"), "");
    // A yes is for once, and nobody can be asked who must not be.
    assert_eq!(browser.get(&server, &wish("public")).status, 200);
    let silent = browser.get(&server, &format!("{}&prompt=none", wish("public")));
    assert_eq!(value(&carried(&silent), "error"), "consent_required");
}

#[test]
fn a_trusted_program_asks_when_it_wants_to() {
    let (server, _root) = start("oidc_prompt_consent");
    let mut browser = signed_in(&server);
    assert_eq!(browser.get(&server, &wish("app")).status, 303);
    let asked = browser.get(&server, &format!("{}&prompt=consent", wish("app")));
    assert_eq!(asked.status, 200);
}

#[test]
fn nobody_else_can_say_yes() {
    let (server, _root) = start("oidc_consent_csrf");
    let mut browser = signed_in(&server);
    let path = wish("public").replace("/oidc/auth", "/oidc/consent");
    // A page of another site, and one that guesses the text of the form.
    for (site, status) in [("cross-site", 403), ("same-origin", 200)] {
        let guess = form(&[("form", "guessed"), ("answer", "allow")]);
        let request = Request::post(&path).header("sec-fetch-site", site);
        let answer = browser.send(&server, request.form(guess));
        assert_eq!(answer.status, status, "{site}");
    }
    // Somebody who is not signed in is shown where to.
    let mut stranger = Browser::default();
    let request = Request::post(&path).header("sec-fetch-site", "same-origin");
    let answer = stranger.send(&server, request.form(form(&[("answer", "allow")])));
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("name=\"password\""));
}
