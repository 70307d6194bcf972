//! Requests to sign in, good and bad ones.

use super::*;
use crate::client::Registration;

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const ISSUER: &str = "https://pads.example";

fn clients() -> Clients {
    let client = |id: &str, secret: &str, uris: &[&str]| Registration {
        id: id.to_owned(),
        secret: Some(secret.to_owned()),
        grant_types: vec!["authorization_code".to_owned()],
        response_types: vec!["code".to_owned()],
        redirect_uris: uris.iter().map(|uri| (*uri).to_owned()).collect(),
        ..Registration::default()
    };
    let service = Registration {
        grant_types: vec!["client_credentials".to_owned()],
        ..client("service", "s", &["https://service.example/"])
    };
    Clients::new(
        vec![
            client("app", "s", &["https://app.example/back"]),
            client(
                "two",
                "s",
                &["https://two.example/a", "https://two.example/b?x=1"],
            ),
            client("public", "", &["com.example.app:/back"]),
            service,
        ],
        &mut Vec::new(),
    )
}

fn read(query: &str) -> Result<Request, AuthorizationError> {
    Request::read(&clients(), &Parameters::read(query))
}

const APP: &str = "client_id=app&redirect_uri=https://app.example/back&response_type=code";
const PUBLIC: &str = "client_id=public&redirect_uri=com.example.app:/back&response_type=code";

#[test]
fn a_good_request_is_granted_as_it_was_asked() {
    let request = read(&format!(
        "{APP}&scope=profile+email+openid&nonce=n%20%C3%BC&state=s&login_hint=ada\
         &code_challenge={CHALLENGE}&code_challenge_method=S256"
    ));
    let request = request.unwrap();
    assert_eq!(request.login_hint.as_deref(), Some("ada"));
    let grant = request.grant("ada", 7);
    assert_eq!(
        grant,
        Grant {
            client: "app".to_owned(),
            user: "ada".to_owned(),
            redirect_uri: "https://app.example/back".to_owned(),
            named_redirect: true,
            scope: "openid profile".to_owned(),
            nonce: Some("n ü".to_owned()),
            challenge: Challenge::read(CHALLENGE),
            signed_in: 7,
        }
    );
}

#[test]
fn nobody_is_sent_to_an_address_that_is_not_registered() {
    for (query, kind) in [
        ("", ErrorKind::InvalidRequest),
        (
            "client_id=nobody&redirect_uri=https://app.example/back",
            ErrorKind::InvalidClient,
        ),
        (
            "client_id=two&response_type=code",
            ErrorKind::InvalidRequest,
        ),
        ("client_id=app&client_id=two", ErrorKind::InvalidRequest),
        (
            &format!("{APP}&redirect_uri=https://app.example/back"),
            ErrorKind::InvalidRequest,
        ),
        (&format!("{APP}&state=1&state=2"), ErrorKind::InvalidRequest),
    ] {
        let refusal = read(query).unwrap_err();
        assert!(
            matches!(refusal, AuthorizationError::Told(error) if error.kind == kind),
            "{query}: {refusal:?}"
        );
    }
    for uri in [
        "https://app.example/back/",
        "https://app.example/back?",
        "https://app.example/back?x=1",
        "https://app.example/back/../evil",
        "https://app.example/back%23",
        "https://app.example",
        "http://app.example/back",
        "https://APP.example/back",
        "https://app.example:443/back",
        "https://app.example@evil.example/back",
        "https://evil.example/https://app.example/back",
        "//app.example/back",
        "https://two.example/a",
        "javascript:alert(1)",
    ] {
        let uri: String = form_urlencoded::byte_serialize(uri.as_bytes()).collect();
        let query = format!("client_id=app&response_type=code&redirect_uri={uri}");
        assert!(
            matches!(read(&query), Err(AuthorizationError::Told(_))),
            "{uri}"
        );
    }
}

#[test]
fn other_mistakes_go_to_the_client() {
    let too_many = format!("{APP}&response_type=code");
    for (query, kind) in [
        ("client_id=app", ErrorKind::InvalidRequest),
        (
            "client_id=app&response_type=token",
            ErrorKind::UnsupportedResponseType,
        ),
        (
            "client_id=app&response_type=code+id_token",
            ErrorKind::UnsupportedResponseType,
        ),
        (
            "client_id=service&response_type=code",
            ErrorKind::UnauthorizedClient,
        ),
        (&too_many, ErrorKind::InvalidRequest),
        (
            &format!("{APP}&response_mode=fragment"),
            ErrorKind::InvalidRequest,
        ),
        (&format!("{APP}&request=x"), ErrorKind::RequestNotSupported),
        (
            &format!("{APP}&request_uri=https://evil.example"),
            ErrorKind::RequestUriNotSupported,
        ),
        (
            &format!("{APP}&prompt=none+login"),
            ErrorKind::InvalidRequest,
        ),
        (&format!("{APP}&max_age=soon"), ErrorKind::InvalidRequest),
        (
            &format!("{APP}&code_challenge={CHALLENGE}"),
            ErrorKind::InvalidRequest,
        ),
        (
            &format!("{APP}&code_challenge={CHALLENGE}&code_challenge_method=plain"),
            ErrorKind::InvalidRequest,
        ),
        (
            &format!("{APP}&code_challenge=x&code_challenge_method=S256"),
            ErrorKind::InvalidRequest,
        ),
        (
            &format!("{APP}&code_challenge_method=S256"),
            ErrorKind::InvalidRequest,
        ),
        // A public client cannot go without.
        (PUBLIC, ErrorKind::InvalidRequest),
        (
            &format!("{PUBLIC}&code_challenge="),
            ErrorKind::InvalidRequest,
        ),
    ] {
        match read(query) {
            Err(AuthorizationError::SentBack(_, error)) => assert_eq!(error.kind, kind, "{query}"),
            other => panic!("{query}: {other:?}"),
        }
    }
    let good = format!("{PUBLIC}&code_challenge={CHALLENGE}&code_challenge_method=S256");
    assert!(read(&good).is_ok());
}

#[test]
fn the_state_goes_back_untouched() {
    for state in [
        "plain",
        "a b&c=d#e?f/ü😀%2B+",
        "\"<script>",
        "\r\nLocation: x",
    ] {
        let encoded: String = form_urlencoded::byte_serialize(state.as_bytes()).collect();
        let back = read(&format!("{APP}&state={encoded}")).unwrap().back;
        let error = ErrorKind::LoginRequired.because("why");
        for address in [back.with_code("c", ISSUER), back.with_error(&error, ISSUER)] {
            let (uri, query) = address.split_once('?').unwrap();
            assert_eq!(uri, "https://app.example/back");
            assert_eq!(Parameters::read(query).get("state"), Ok(Some(state)));
            assert_eq!(Parameters::read(query).get("iss"), Ok(Some(ISSUER)));
            assert!(address.chars().all(|c| c.is_ascii_graphic()), "{address}");
        }
    }
    let stateless = read(APP).unwrap().back.with_code("c", "i");
    assert_eq!(stateless, "https://app.example/back?code=c&iss=i");
}

#[test]
fn a_query_that_is_registered_stays() {
    let query = "client_id=two&response_type=code&redirect_uri=https://two.example/b?x%3D1";
    assert_eq!(
        read(query).unwrap().back.with_code("c", "i"),
        "https://two.example/b?x=1&code=c&iss=i"
    );
}

#[test]
fn a_login_from_before_is_enough_unless_the_client_says_otherwise() {
    for (query, age, is_enough) in [
        ("", 1_000_000, true),
        ("&prompt=consent", 10, true),
        ("&prompt=login", 0, false),
        ("&prompt=select_account+consent", 0, false),
        ("&max_age=60", 60, true),
        ("&max_age=60", 61, false),
        ("&max_age=0", 1, false),
    ] {
        let request = read(&format!("{APP}{query}")).unwrap();
        assert!(!request.silent);
        assert_eq!(
            request.is_met_by(2_000_000 - age, 2_000_000),
            is_enough,
            "{query} {age}"
        );
    }
    assert!(read(&format!("{APP}&prompt=none")).unwrap().silent);
}
