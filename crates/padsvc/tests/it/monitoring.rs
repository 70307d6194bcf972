//! What monitoring sees, and who may look.

use serde_json::json;

use crate::client::Request;
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

const SETTINGS: &str = r#"{"users": {
    "root": {"password": "pw", "is_admin": true},
    "ada": {"password": "pw"}
}}"#;

/// root:pw, ada:pw
const ROOT: &str = "Basic cm9vdDpwdw==";
const ADA: &str = "Basic YWRhOnB3";

fn number(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
    line.trim().parse().unwrap()
}

#[test]
fn changes_are_measured_from_receipt_to_disk_to_others() {
    let root = TempRoot::with_settings("metrics", SETTINGS);
    let server = Server::start(&root);
    let metrics = || {
        let request = Request::get("/metrics").header("apikey", &server.key);
        let answer = server.send(&request);
        assert_eq!(answer.status, 200);
        assert!(
            answer
                .header("content-type")
                .starts_with("application/openmetrics-text")
        );
        answer.text().to_owned()
    };
    let before = metrics();
    assert_eq!(number(&before, "padsvc_changes_total"), 0.0);
    assert_eq!(number(&before, "padsvc_members"), 0.0);
    server.data("createPad", &json!({"padID": "notes", "text": ""}));
    let mut ada = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    for base in 0..4 {
        let pool = json!({"numToAttrib": {"0": ["author", ada.author]}, "nextNum": 1});
        let changeset = format!("Z:{}>1*0+1$X", base + 1);
        ada.change(base, json!({"changeset": changeset, "apool": pool}));
        assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], base + 1);
        bob.room("NEW_CHANGES");
    }
    let after = metrics();
    for (name, expected) in [
        ("padsvc_changes_total", 4.0),
        ("padsvc_change_stored_seconds_count", 4.0),
        ("padsvc_members", 2.0),
        ("padsvc_connections", 2.0),
        ("padsvc_live_pads", 1.0),
        ("padsvc_changes_waiting", 0.0),
    ] {
        assert_eq!(number(&after, name), expected, "{name}");
    }
    assert!(number(&after, "padsvc_change_stored_seconds_sum") > 0.0);
    // Who has the fourth got the third before, and that is counted.
    assert!(number(&after, "padsvc_change_delivered_seconds_count") >= 3.0);
    assert!(number(&after, "padsvc_memory_bytes") > 1e6);
    assert!(!after.contains("notes"), "no pad is named");

    let stats = Request::get("/stats").header("authorization", ROOT);
    let stats = server.send(&stats).json();
    assert_eq!(stats["totalUsers"], 2);
    assert_eq!(stats["edits"], json!({"count": 4}));
    assert_eq!(stats["failedChangesets"], json!({"count": 0}));
    drop((ada, bob));
    server.stop();
}

#[test]
fn numbers_are_for_the_operator_and_health_for_everybody() {
    let root = TempRoot::with_settings("metrics_access", SETTINGS);
    let server = Server::start(&root);
    for path in ["/metrics", "/stats", "/stats/prometheus"] {
        let bearer = format!("Bearer {}", server.key);
        for (authorization, status) in [
            ("", 401),
            ("Bearer wrong", 401),
            (ADA, 403),
            (ROOT, 200),
            (&bearer, 200),
        ] {
            let mut request = Request::get(path);
            if !authorization.is_empty() {
                request = request.header("authorization", authorization);
            }
            let answer = server.send(&request);
            assert_eq!(answer.status, status, "{path} {authorization}");
        }
    }
    for path in ["/health/live", "/health/ready", "/health"] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, &answer.json()["status"]),
            (200, &json!("pass"))
        );
    }
    server.stop();
    root.write("settings.json", r#"{"enableMetrics": false}"#);
    let server = Server::start(&root);
    for path in ["/metrics", "/stats", "/stats/prometheus"] {
        let request = Request::get(path).header("apikey", &server.key);
        assert_eq!(server.send(&request).status, 404, "{path}");
    }
    assert_eq!(server.get("/health/live").status, 200);
    server.stop();
}

#[test]
fn only_administrators_learn_the_version_unless_it_is_exposed() {
    let users = json!({ "root": { "password": "pw", "is_admin": true } });
    for exposed in [false, true] {
        let settings = json!({ "users": users, "exposeVersion": exposed });
        let name = format!("version_{exposed}");
        let root = TempRoot::with_settings(&name, &settings.to_string());
        let server = Server::start(&root);
        let version = env!("CARGO_PKG_VERSION");
        for path in ["/health", "/admin/update/status"] {
            let anybody = server.get(path);
            assert_eq!(anybody.status, 200, "{path}");
            assert_eq!(
                anybody.text().contains(version),
                exposed,
                "{path}: {anybody:?}"
            );
            let told = server.send(&Request::get(path).header("authorization", ROOT));
            assert!(told.text().contains(version), "{path}: {told:?}");
        }
    }
}
