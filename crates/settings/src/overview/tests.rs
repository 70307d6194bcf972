//! Tests of the overview that the settings form reads.

use super::*;

fn rows(settings: &Settings, text: &str, environment: Environment) -> Vec<Json> {
    let sections = overview(settings, Some(text), environment);
    let rows = |section: &Json| section["rows"].as_array().unwrap().clone();
    sections.as_array().unwrap().iter().flat_map(rows).collect()
}

fn row(rows: &[Json], key: &str) -> Json {
    rows.iter().find(|row| row["key"] == key).unwrap().clone()
}

fn nothing(_: &str) -> Option<String> {
    None
}

#[test]
fn a_row_says_which_field_it_needs() {
    let rows = rows(&Settings::default(), "{}", &nothing);
    for (key, kind) in [
        ("port", "whole"),
        ("editOnly", "flag"),
        ("title", "text"),
        ("publicURL", "text"),
        ("loglevel", "choice"),
        ("dbType", "choice"),
        ("mail.auth.pass", "secret"),
        ("socketTransportProtocols", "list"),
        ("sso.clients", "list"),
        ("users", "object"),
        ("updates.maintenanceWindow", "object"),
    ] {
        assert_eq!(row(&rows, key)["kind"], kind, "{key}");
    }
    assert_eq!(row(&rows, "port")["most"], 65_535);
    assert_eq!(
        row(&rows, "dbType")["options"],
        json!(["padsvc", "postgres"])
    );
    for row in &rows {
        assert_eq!(row["given"], false, "{row}");
        assert_eq!(row["next"], row["default"], "{row}");
    }
}

#[test]
fn where_a_value_comes_from_is_shown() {
    let text = r#"{
        "title": "Ours", "port": "${OUR_PORT:9002}", "loglevel": null, "sso": [],
        "trustProxy": true, "mail": {"host": "mail.example"}, "ip": "0.0.0.0"
    }"#;
    let environment = |name: &str| match name {
        "OUR_PORT" => Some("9003".to_owned()),
        "EP__mail__host" | "EP__title" => Some("other".to_owned()),
        "EP__trustProxy" => Some(String::new()),
        _ => None,
    };
    let settings = Settings {
        commanded: vec!["ip"],
        ..Settings::default()
    };
    let rows = rows(&settings, text, &environment);
    let told = |key| {
        let row = row(&rows, key);
        let parts = ["given", "written", "placeholder", "overruled", "next"];
        Json::from_iter(parts.map(|part| row[part].clone()))
    };
    assert_eq!(
        told("title"),
        json!([true, "Ours", null, "EP__title", "other"])
    );
    assert_eq!(
        told("port"),
        json!([true, "${OUR_PORT:9002}", "OUR_PORT", null, 9003])
    );
    assert_eq!(told("loglevel"), json!([false, null, null, null, "INFO"]));
    assert_eq!(told("sso.clients"), json!([true, [], null, null, []]));
    assert_eq!(told("trustProxy"), json!([true, true, null, null, true]));
    assert_eq!(told("mail.host")[3], "EP__mail__host");
    assert_eq!(told("mail.port"), json!([false, null, null, null, 587]));
    // What the command line says is in force whatever the file says.
    assert_eq!(told("ip")[3], "--ip");
    assert_eq!(told("ip")[4], row(&rows, "ip")["value"]);
}

#[test]
fn no_secret_of_the_file_or_the_environment_is_shown() {
    let text = r#"{
        "users": {"ann": {"password": "hunter2", "is_admin": true}},
        "sso": [{"client_id": "a", "client_secret": "hunter2"}],
        "mail": {"auth": {"user": "ann", "pass": "${PASS:hunter2}"}},
        "dbSettings": "postgres://a:hunter2@host/b",
    }"#;
    let environment =
        |name: &str| (name == "EP__login__clientSecret").then(|| "hunter2".to_owned());
    let rows = rows(&Settings::default(), text, &environment);
    let all = Json::from(rows.clone()).to_string();
    assert!(!all.contains("hunter2"), "{all}");
    let clients = json!([{"client_id": "a", "client_secret": HIDDEN}]);
    assert_eq!(row(&rows, "sso.clients")["written"], clients);
    assert_eq!(row(&rows, "mail.auth.pass")["placeholder"], "PASS");
    assert_eq!(row(&rows, "dbSettings.connectionString")["given"], true);
    assert_eq!(
        row(&rows, "login.clientSecret")["overruled"],
        "EP__login__clientSecret"
    );
    let text = r#"{ "users": {"ann": "hunter2"} }"#;
    let all = overview(&Settings::default(), Some(text), &nothing);
    assert!(!all.to_string().contains("hunter2"));
}
