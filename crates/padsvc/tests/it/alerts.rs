//! Alerts of the program: a test by mail, over TLS and with a password, to a real mail server.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::Request;
use crate::server::{Server, TempRoot};
use crate::update::smtp::{Encryption, MailServer};

const ROOT: &str = "Basic cm9vdDpwdw==";

fn with_mail(test: &str, change: impl Fn(&mut Value)) -> (Server, MailServer, TempRoot) {
    let root = TempRoot::new(test);
    let certificate = root.path("certificate.pem");
    let mails = MailServer::start(Encryption::Later, &certificate);
    let mut settings = json!({
        "users": { "root": { "password": "pw", "is_admin": true } },
        "publicURL": "https://pads.example.org",
        "mail": mails.settings(Encryption::Later),
        "alerts": { "email": "operator@example.org" },
    });
    change(&mut settings);
    root.write("settings.json", &settings.to_string());
    let mut command = Command::new("env");
    command.arg(format!("SSL_CERT_FILE={}", certificate.display()));
    (Server::start_under(command, &root), mails, root)
}

fn send_test(server: &Server) -> Value {
    let request = Request::post("/admin/api/alerts/test").header("authorization", ROOT);
    let answer = server.send(&request.body("application/json", "{}"));
    assert_eq!(answer.status, 200);
    answer.json()
}

#[test]
fn a_test_alert_arrives_by_mail() {
    let (server, mails, _root) = with_mail("alerts_mail", |_| {});
    let sent = send_test(&server);
    assert_eq!(sent["mail"]["problem"], Value::Null, "{sent}");
    assert_eq!(sent["webhook"], Value::Null);
    let [mail] = mails.mails().try_into().unwrap();
    for line in [
        "To: operator@example.org\n",
        "From: padsvc@example.org\n",
        "Subject: [padsvc] Test alert\n",
        "See: https://pads.example.org/admin\n",
    ] {
        assert!(mail.contains(line), "{mail}");
    }
    assert!(!server.log().contains("correct horse"));
    server.stop();
}

#[test]
fn a_mail_that_is_refused_says_why() {
    let (server, mails, _root) = with_mail("alerts_mail_refused", |settings| {
        settings["mail"]["auth"]["pass"] = json!("not the password");
    });
    let sent = send_test(&server);
    let problem = sent["mail"]["problem"].as_str().unwrap();
    assert!(problem.contains("535"), "{problem}");
    assert_eq!(mails.mails(), [""; 0]);
    let shown = Request::get("/admin/api/alerts").header("authorization", ROOT);
    assert_eq!(server.send(&shown).json()["mail"]["last"], sent["mail"]);
    assert!(!server.log().contains("not the password"));
    server.stop();
}
