//! Whole flows, from the login to what a token may do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::LazyLock;

use super::*;
use crate::codes::{NoGrant, revocation_key};
use crate::grant::GrantKind;
use crate::throttle::Throttle;

static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::generate(0).unwrap());

const NOW: u64 = 1_000_000;
const BACK: &str = "https://app.example/back";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn client(id: &str, secret: &str, grant: &str, admin: Option<Value>) -> Registration {
    let takes_people = grant == "authorization_code";
    Registration {
        id: id.to_owned(),
        secret: Some(secret.to_owned()),
        grant_types: vec![grant.to_owned()],
        redirect_uris: takes_people.then(|| BACK.to_owned()).into_iter().collect(),
        extra: admin
            .into_iter()
            .map(|value| ("admin".to_owned(), value))
            .collect(),
        ..Registration::default()
    }
}

fn config() -> Config {
    let user = |name: &str, is_admin| {
        let user = User {
            password: Some(format!("{name}'s")),
            is_admin,
        };
        (name.to_owned(), user)
    };
    Config {
        issuer: Some("https://pads.example".to_owned()),
        clients: vec![
            client("app", "a", "authorization_code", Some("true".into())),
            client("public", "", "authorization_code", None),
            client("robot", "r", "client_credentials", Some("true".into())),
            client("flagged", "f", "client_credentials", Some(true.into())),
            client("meek", "m", "client_credentials", None),
            client("denied", "d", "client_credentials", Some("false".into())),
        ],
        // One user has the name of a client that may do everything.
        users: [user("ada", false), user("root", true), user("robot", false)].into(),
        lives: Lives {
            code: 600,
            user_token: 3600,
            client_token: 1800,
            id_token: 3600,
            login: Life {
                seconds: 86400,
                refresh_seconds: 3600,
            },
        },
    }
}

/// A provider and what its caller keeps.
struct Desk {
    provider: Provider,
    throttle: Throttle,
    kept: RefCell<HashMap<KeptKey, Kept>>,
}

impl Deref for Desk {
    type Target = Provider;

    fn deref(&self) -> &Provider {
        &self.provider
    }
}

#[derive(Debug)]
enum NoToken {
    Refused(Error),
    Slowed,
}

impl From<Error> for NoToken {
    fn from(error: Error) -> NoToken {
        NoToken::Refused(error)
    }
}

impl Desk {
    fn new(config: Config) -> Desk {
        Desk {
            provider: Provider::new(config).0,
            throttle: Throttle::new(&[1; 32]),
            kept: RefCell::default(),
        }
    }

    fn find(&self, keys: &[KeptKey]) -> Vec<Option<Kept>> {
        let kept = self.kept.borrow();
        keys.iter().map(|key| kept.get(key).cloned()).collect()
    }

    fn keep(&self, keys: &[KeptKey], next: Vec<Option<Kept>>) {
        let mut kept = self.kept.borrow_mut();
        for (key, next) in keys.iter().zip(next) {
            match next {
                Some(next) => kept.insert(*key, next),
                None => kept.remove(key),
            };
        }
    }

    fn token(&self, form: &str, address: &str) -> Result<Value, NoToken> {
        let (form, moment) = (Parameters::read(form), moment(NOW, 3));
        let request = self.client_request(&form, None)?;
        let attempt = self.throttle.attempt(&request.account(), address);
        let keys = attempt.keys();
        let (next, outcome) = attempt.admit(&self.find(&keys), NOW);
        self.keep(&keys, next);
        outcome.map_err(|_| NoToken::Slowed)?;
        let client = self.authenticate(&request)?;
        self.keep(&keys, attempt.succeeded(&self.find(&keys), NOW));
        if request.kind()? == GrantKind::Secret {
            return Ok(self.token_for_client(&KEYS, client, &moment)?);
        }
        let redemption = self.redemption(client, &form, &moment)?;
        let key = [redemption.key()];
        let found = self.find(&key).remove(0);
        let (next, outcome) = redemption.redeem(found.as_ref());
        self.keep(&key, vec![next]);
        match outcome {
            Ok(grant) => Ok(self.token_for_grant(&KEYS, client, (&redemption, &grant), &moment)?),
            Err(NoGrant::Refused(error)) => Err(error.into()),
            Err(NoGrant::Replayed(token, error)) => {
                let (key, kept) = token.revocation();
                self.keep(&[key], vec![Some(kept)]);
                Err(error.into())
            }
        }
    }
}

fn provider() -> Desk {
    Desk::new(config())
}

fn moment(now: u64, random: u8) -> Moment<'static> {
    Moment {
        now,
        issuer: "https://pads.example",
        random: [random; 32],
    }
}

/// Signs a user in and gives the code that a client gets.
fn code(desk: &Desk, user: &str, query: &str) -> String {
    assert!(desk.knows(user, &format!("{user}'s")) && desk.has_user(user));
    let login = Login {
        user: user.to_owned(),
        since: NOW,
    };
    let request = desk.request(&Parameters::read(query)).unwrap();
    let (address, (key, kept)) = desk.grant(&request, &login, &moment(NOW, 2));
    assert_eq!(kept.ends, NOW + 600);
    desk.keep(&[key], vec![Some(kept)]);
    let (_, query) = address.split_once('?').unwrap();
    let code = Parameters::read(query).owned("code");
    code.unwrap().unwrap()
}

fn token(desk: &Desk, form: &str) -> Result<Value, NoToken> {
    desk.token(form, "1")
}

fn kind(outcome: Result<Value, NoToken>) -> ErrorKind {
    match outcome {
        Err(NoToken::Refused(error)) => error.kind,
        other => panic!("{other:?}"),
    }
}

fn verified(provider: &Desk, answer: &Value) -> Verified {
    let token = answer["access_token"].as_str().unwrap();
    provider.verify(&KEYS, token, "", NOW).unwrap()
}

const APP: &str = "client_id=app&response_type=code&scope=openid";

fn app_form(code: &str) -> String {
    format!("grant_type=authorization_code&client_id=app&client_secret=a&code={code}")
}

#[test]
fn a_person_signs_in_to_a_client() {
    let provider = provider();
    for (user, is_admin) in [("ada", false), ("root", true), ("robot", false)] {
        let code = code(&provider, user, APP);
        let answer = token(&provider, &app_form(&code)).unwrap();
        assert_eq!(answer["token_type"], "Bearer");
        assert_eq!(answer["expires_in"], 3600);
        assert_eq!(answer["scope"], "openid");
        assert!(answer["id_token"].is_string());
        let verified = verified(&provider, &answer);
        assert_eq!(verified.subject, Subject::User(user.to_owned()));
        assert_eq!(provider.about(&verified), Ok(json!({"sub": user})));
        assert_eq!(provider.may_administer(&verified), is_admin, "{user}");
    }
}

#[test]
fn without_openid_there_is_no_id_token_and_profile_names_the_user() {
    let provider = provider();
    let code = code(
        &provider,
        "ada",
        "client_id=app&response_type=code&scope=profile",
    );
    let answer = token(&provider, &app_form(&code)).unwrap();
    assert_eq!(answer.get("id_token"), None);
    let about = provider.about(&verified(&provider, &answer));
    assert_eq!(
        about,
        Ok(json!({"sub": "ada", "preferred_username": "ada"}))
    );
}

#[test]
fn services_get_tokens_for_their_secret() {
    let provider = provider();
    for (id, secret, may) in [
        ("robot", "r", true),
        ("flagged", "f", true),
        ("meek", "m", false),
        ("denied", "d", false),
    ] {
        let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
        let answer = token(&provider, &form).unwrap();
        assert_eq!(answer["expires_in"], 1800);
        assert_eq!(answer.get("id_token"), None);
        let verified = verified(&provider, &answer);
        assert_eq!(verified.subject, Subject::Client(id.to_owned()));
        assert_eq!(provider.may_administer(&verified), may, "{id}");
        let about = provider.about(&verified);
        assert_eq!(about.unwrap_err().kind, ErrorKind::InvalidToken);
    }
}

#[test]
fn rights_are_those_of_the_settings_as_they_are_now() {
    let before = provider();
    let code = code(&before, "root", APP);
    let token = token(&before, &app_form(&code)).unwrap();
    let mut config = config();
    config.users.insert("root".to_owned(), User::default());
    let after = Desk::new(config);
    let verified = verified(&after, &token);
    assert!(!after.may_administer(&verified));
}

#[test]
fn what_a_client_may_not_have_it_does_not_get() {
    let provider = provider();
    for (form, expected) in [
        ("client_id=robot&client_secret=r", ErrorKind::InvalidRequest),
        (
            "grant_type=client_credentials&client_id=robot",
            ErrorKind::InvalidClient,
        ),
        (
            "grant_type=client_credentials&client_id=robot&client_secret=wrong",
            ErrorKind::InvalidClient,
        ),
        (
            "grant_type=client_credentials&client_id=public",
            ErrorKind::UnauthorizedClient,
        ),
        (
            "grant_type=client_credentials&client_id=app&client_secret=a",
            ErrorKind::UnauthorizedClient,
        ),
        (
            "grant_type=authorization_code&client_id=robot&client_secret=r&code=x",
            ErrorKind::UnauthorizedClient,
        ),
        (
            "grant_type=password&client_id=app&client_secret=a",
            ErrorKind::UnsupportedGrantType,
        ),
        (
            "grant_type=refresh_token&client_id=app&client_secret=a",
            ErrorKind::UnsupportedGrantType,
        ),
        (
            "grant_type=authorization_code&client_id=app&client_secret=a",
            ErrorKind::InvalidRequest,
        ),
        (
            "grant_type=authorization_code&client_id=app&client_secret=a&code=guess",
            ErrorKind::InvalidGrant,
        ),
    ] {
        assert_eq!(kind(token(&provider, form)), expected, "{form}");
    }
}

#[test]
fn a_replayed_code_gives_nothing_and_takes_the_first_token_back() {
    let provider = provider();
    let code = code(&provider, "root", APP);
    let first = token(&provider, &app_form(&code)).unwrap();
    let text = first["access_token"].as_str().unwrap();
    assert!(provider.verify(&KEYS, text, "", NOW).is_ok());
    assert_eq!(
        kind(token(&provider, &app_form(&code))),
        ErrorKind::InvalidGrant
    );
    let id = provider.verify(&KEYS, text, "", NOW).unwrap().id;
    let revoked = provider.find(&[revocation_key(&id)]);
    assert_eq!(revoked[0].as_ref().unwrap().ends, NOW + 3600);
}

#[test]
fn a_challenge_cannot_be_taken_away() {
    let provider = provider();
    let public = "client_id=public&response_type=code";
    let challenge = format!("&code_challenge={CHALLENGE}&code_challenge_method=S256");
    assert!(provider.request(&Parameters::read(public)).is_err());
    let code = code(&provider, "ada", &format!("{public}{challenge}"));
    let form = format!("grant_type=authorization_code&client_id=public&code={code}");
    assert_eq!(kind(token(&provider, &form)), ErrorKind::InvalidGrant);
    // It is used up now; a fresh one with the answer is good.
    let code = self::code(&provider, "ada", &format!("{public}{challenge}"));
    let form = format!(
        "grant_type=authorization_code&client_id=public&code={code}&code_verifier={VERIFIER}"
    );
    assert!(token(&provider, &form).is_ok());
}

#[test]
fn guessing_a_secret_is_slowed_and_those_who_know_it_are_not() {
    let provider = provider();
    let right = "grant_type=client_credentials&client_id=robot&client_secret=r";
    for _ in 0..100 {
        assert!(token(&provider, right).is_ok());
    }
    let wrong = "grant_type=client_credentials&client_id=robot&client_secret=guess";
    let refused = (0..20).filter(|_| matches!(token(&provider, wrong), Err(NoToken::Slowed)));
    assert_eq!(refused.count(), 14);
    assert!(matches!(token(&provider, right), Err(NoToken::Slowed)));
    assert!(provider.token(right, "2").is_ok());
}

#[test]
fn signing_out_leads_to_registered_addresses_only() {
    let provider = provider();
    let next = |query: &str| provider.after_sign_out("app", &Parameters::read(query));
    let back = "post_logout_redirect_uri=https://app.example/back";
    assert_eq!(next(back), Some(BACK.to_owned()));
    let with_state = next(&format!("{back}&state=a%26b"));
    assert_eq!(with_state, Some(format!("{BACK}?state=a%26b")));
    assert_eq!(next(""), None);
    assert_eq!(next("post_logout_redirect_uri=https://evil.example/"), None);
    assert_eq!(next(&format!("{back}&{back}")), None);
    assert_eq!(
        provider.after_sign_out("nobody", &Parameters::read(back)),
        None
    );
}

#[test]
fn tokens_survive_a_restart() {
    let before = provider();
    let code = code(&before, "root", APP);
    let answer = token(&before, &app_form(&code)).unwrap();
    let after = provider();
    let keys = Keys::read(&KEYS.write()).unwrap();
    let text = answer["access_token"].as_str().unwrap();
    let verified = after.verify(&keys, text, "", NOW + 3599).unwrap();
    assert!(after.may_administer(&verified));
    assert_eq!(
        after.verify(&keys, text, "", NOW + 3600),
        Err(Flaw::Expired)
    );
}
