//! Which clients there are, and how they prove it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;

fn registration(id: &str, secret: &str) -> Registration {
    Registration {
        id: id.to_owned(),
        secret: Some(secret.to_owned()),
        ..Registration::default()
    }
}

fn client(registration: Registration) -> (Client, Vec<String>) {
    let mut complaints = Vec::new();
    let client = Client::new(registration, &mut complaints);
    (client, complaints)
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_a_client_may_do_follows_from_its_registration() {
    let back = ["https://app.example/back"];
    for (secret, grants, responses, uris, people, alone) in [
        (
            "s",
            &["authorization_code"][..],
            &["code"][..],
            &back[..],
            true,
            false,
        ),
        ("", &["authorization_code"], &["code"], &back, true, false),
        ("s", &[], &[], &back, true, false),
        ("s", &["client_credentials"], &[], &[], false, true),
        // As a well-known example has it.
        ("s", &["code"], &[], &[], false, true),
        ("s", &[], &[], &[], false, true),
        ("", &["client_credentials"], &[], &[], false, false),
        (
            "s",
            &["client_credentials", "authorization_code"],
            &["code"],
            &back,
            true,
            true,
        ),
        (
            "s",
            &["authorization_code"],
            &["id_token"],
            &back,
            false,
            false,
        ),
        (
            "s",
            &["authorization_code"],
            &["code"],
            &["/back"],
            false,
            false,
        ),
    ] {
        let (client, _) = client(Registration {
            grant_types: list(grants),
            response_types: list(responses),
            redirect_uris: list(uris),
            ..registration("app", secret)
        });
        let may = (client.takes_people, client.acts_alone);
        assert_eq!(
            may,
            (people, alone),
            "{secret:?} {grants:?} {responses:?} {uris:?}"
        );
    }
}

#[test]
fn addresses_that_answers_must_not_go_to_are_reported() {
    for (uri, is_fit) in [
        ("https://app.example/back?x=1", true),
        ("http://127.0.0.1:9001/", true),
        ("com.example.app:/back", true),
        ("https://app.example/#a", false),
        ("javascript:alert(1)", false),
        ("JavaScript:alert(1)", false),
        ("data:text/html,x", false),
        ("//app.example/", false),
        ("https://app.example/ x", false),
        ("https:", false),
        ("", false),
    ] {
        let (client, complaints) = client(Registration {
            redirect_uris: list(&[uri]),
            ..registration("app", "s")
        });
        assert_eq!(client.redirect_uris == [uri], is_fit, "{uri}");
        assert_eq!(complaints.is_empty(), is_fit, "{uri}: {complaints:?}");
    }
}

#[test]
fn admin_is_a_flag_or_the_word_of_it() {
    for (value, is_admin) in [
        (Value::from("true"), true),
        (true.into(), true),
        ("false".into(), false),
        (1.into(), false),
        ("True".into(), false),
    ] {
        let (client, _) = client(Registration {
            extra: vec![("admin".to_owned(), value.clone())],
            ..registration("app", "s")
        });
        assert_eq!(client.is_admin(), is_admin, "{value}");
    }
}

#[test]
fn claims_with_a_meaning_cannot_be_set() {
    let (client, complaints) = client(Registration {
        extra: vec![
            ("sub".to_owned(), "root".into()),
            ("team".to_owned(), 7.into()),
        ],
        ..registration("app", "s")
    });
    assert_eq!(Value::from(client.claims), serde_json::json!({"team": 7}));
    assert_eq!(complaints.len(), 1);
}

fn clients() -> Clients {
    let odd = "p%2B+:&=ü";
    Clients::new(
        vec![
            registration("app", "secret"),
            registration("odd id", odd),
            registration("public", ""),
        ],
        &mut Vec::new(),
    )
}

/// The client that a request proves to be from.
fn proven(authorization: Option<&str>, form: &str) -> Result<String, ErrorKind> {
    let clients = clients();
    let shown =
        ClientCredential::read(authorization, &Parameters::read(form)).map_err(|e| e.kind)?;
    let client = clients.authenticate(&shown).map_err(|e| e.kind)?;
    Ok(client.id.clone())
}

fn header(text: &str) -> String {
    format!("Basic {}", STANDARD.encode(text))
}

#[test]
fn secrets_come_in_the_form_or_in_a_header() {
    let app = Ok("app".to_owned());
    assert_eq!(proven(None, "client_id=app&client_secret=secret"), app);
    assert_eq!(proven(Some(&header("app:secret")), ""), app);
    assert_eq!(proven(Some(&header("app:secret")), "client_id=app"), app);
    assert_eq!(proven(None, "client_id=public"), Ok("public".to_owned()));
    assert_eq!(
        proven(Some(&header("public:")), ""),
        Ok("public".to_owned())
    );
    let odd = Ok("odd id".to_owned());
    assert_eq!(proven(Some(&header("odd id:p%2B+:&=ü")), ""), odd);
    assert_eq!(
        proven(Some(&header("odd+id:p%252B%2B%3A%26%3D%C3%BC")), ""),
        odd
    );
}

#[test]
fn a_client_that_cannot_prove_it_is_refused() {
    for form in [
        "",
        "client_id=app",
        "client_id=app&client_secret=",
        "client_id=app&client_secret=wrong",
        "client_id=nobody&client_secret=secret",
        "client_id=public&client_secret=secret",
    ] {
        assert_eq!(proven(None, form), Err(ErrorKind::InvalidClient), "{form}");
    }
    for text in ["app:", "app:wrong", "app", ":", "nobody:secret"] {
        let header = header(text);
        assert_eq!(
            proven(Some(&header), ""),
            Err(ErrorKind::InvalidClient),
            "{text}"
        );
    }
    for text in ["Basic", "Basic ?", "Bearer app:secret", "Basic /w=="] {
        assert_eq!(
            proven(Some(text), ""),
            Err(ErrorKind::InvalidClient),
            "{text}"
        );
    }
}

#[test]
fn two_ways_at_once_are_refused() {
    let header = header("app:secret");
    for form in [
        "client_id=public",
        "client_secret=secret",
        "client_id=app&client_secret=secret",
        "client_id=app&client_id=app",
    ] {
        assert_eq!(
            proven(Some(&header), form),
            Err(ErrorKind::InvalidRequest),
            "{form}"
        );
    }
}
