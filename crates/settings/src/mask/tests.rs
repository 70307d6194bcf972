//! Masking and restoring: nothing leaks, and nothing is lost.

use super::*;

const FILE: &str = r#"{
  // "password": "an old one", and "title": "not one"
  "title": "Our pads", /* "client_secret" : "s3cr\"et" */
  "users": {
    "ada": { "password": "ada's \"own\"", "is_admin": true },
    "bob": { "password": "${BOB:default of bob}" },
    "eve": { "password": "${EVE}" },
    "tim": { "password": 12345 }
  },
  "mail": { "host": "mail.example", "auth": { "user": "u", "pass": "of the mail" } },
  "dbSettings": { "connectionString": "postgres://u:of-the-db@host/pads", "password": "" },
  "login": { "clientSecret": "of the login" },
  "sso": { "clients": [
    { "client_id": "one", "client_secret": "of one", "redirect_uris": ["https://one.example/"] },
    { "client_id": "two", "client_secret": "of two" }
  ], "cookieKeys": ["of the cookies"] },
  "sessionKey": "of the session",
  "privacy": { "updateServer": "https://me:of-the-server@updates.example/" },
  "mail": { "auth": { "pass": "of another mail" } },
  "ep_plugin": { "apiKey": "of the plugin", "path": "/tmp" },
}
"#;

const SECRETS: [&str; 16] = [
    "of another mail",
    "an old one",
    "s3cr",
    "own",
    "default of bob",
    "12345",
    "of the mail",
    "of-the-db",
    "of the login",
    "of one",
    "of two",
    "of the cookies",
    "of the session",
    "of-the-server",
    "of the plugin",
    "me:",
];

#[test]
fn no_secret_is_left_and_nothing_else_is_lost() {
    let masked = mask(FILE).unwrap();
    for secret in SECRETS {
        assert!(!masked.contains(secret), "{secret}: {masked}");
    }
    for kept in [
        "\"title\": \"not one\"",
        "\"Our pads\"",
        "\"${EVE}\"",
        "\"${BOB:(hidden)}\"",
        "\"/tmp\"",
        "\"password\": \"\"",
        "https://one.example/",
    ] {
        assert!(masked.contains(kept), "{kept}: {masked}");
    }
    assert_eq!(masked.lines().count(), FILE.lines().count());
    assert_eq!(restore(&masked, FILE).as_deref(), Ok(FILE));
    let marked = format!("\u{feff}{FILE}");
    let masked = mask(&marked).unwrap();
    assert!(masked.starts_with('\u{feff}'));
    assert_eq!(restore(&masked, &marked), Ok(marked));
}

#[test]
fn changes_are_kept_and_so_are_secrets_beside_them() {
    let masked = mask(FILE).unwrap();
    let changed = masked
        .replace("Our pads", "Their pads")
        .replace(
            "\"clientSecret\": \"(hidden)\"",
            "\"clientSecret\": \"a new one\"",
        )
        .replace(
            "{ \"client_id\": \"two\"",
            "{ \"client_id\": \"zero\" },\n{ \"client_id\": \"two\"",
        );
    let expected = FILE
        .replace("Our pads", "Their pads")
        .replace("of the login", "a new one")
        .replace(
            "{ \"client_id\": \"two\"",
            "{ \"client_id\": \"zero\" },\n{ \"client_id\": \"two\"",
        );
    assert_eq!(restore(&changed, FILE), Ok(expected));
}

#[test]
fn a_secret_does_not_move_to_where_it_was_not() {
    for (text, key) in [
        (
            r#"{"users": {"eve": {"password": "(hidden)"}}}"#,
            "users.eve.password",
        ),
        (
            r#"{"users": {"new": {"password": "(hidden)"}}}"#,
            "users.new.password",
        ),
        (
            r#"{"sso": [{"client_id": "three", "client_secret": "(hidden)"}]}"#,
            r#"sso["three"].client_secret"#,
        ),
    ] {
        let problems = restore(text, FILE).unwrap_err();
        assert_eq!(problems[0].key, key);
        assert!(
            problems[0].text.contains("write the secret"),
            "{problems:?}"
        );
    }
    // Where nobody expects one it is a text like others.
    let title = r#"{"title": "(hidden)"}"#;
    assert_eq!(restore(title, FILE).as_deref(), Ok(title));
}

#[test]
fn what_cannot_be_read_is_not_shown() {
    for text in [
        "",
        "{",
        r#"{"users": {"ada": {"password": "x"}"#,
        "nonsense",
    ] {
        assert_eq!(mask(text), None, "{text}");
        assert_eq!(restore(text, FILE).as_deref(), Ok(text));
    }
}

proptest::proptest! {
    #[test]
    fn any_password_is_hidden_and_comes_back(password in "\\PC{1,30}") {
        let file = |password: &str| {
            let quoted = serde_json::Value::from(password);
            let users = format!("{{\"ada\": {{\"password\": {quoted}}}}}");
            format!("{{\"a\": 1, // x\n\"users\": {users}}}")
        };
        let text = file(&password);
        let masked = mask(&text).unwrap();
        proptest::prop_assert_eq!(restore(&masked, &text), Ok(text.clone()));
        proptest::prop_assume!(reference(&password).is_none());
        proptest::prop_assert_eq!(mask(&file("another one")).unwrap(), masked);
    }
}
