//! Mail to the administrator, over TLS, and that a mail server in trouble disturbs nothing.

use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::Kind;
use crate::update::smtp::{Encryption, MailServer};

fn subjects(server: &MailServer) -> Vec<String> {
    let subject = |mail: &String| {
        let mut lines = mail
            .lines()
            .skip_while(|line| !line.starts_with("Subject: "));
        let mut subject = lines.next().unwrap()["Subject: ".len()..].to_owned();
        // Long headers go on in the next line.
        for more in lines.take_while(|line| line.starts_with(' ')) {
            subject += more;
        }
        subject
    };
    server.mails().iter().map(subject).collect()
}

fn with_mail(test: &str, encryption: Encryption) -> (Installation, MailServer) {
    let mut here = Installation::new(test, json!({ "tier": "auto" }));
    let certificate = here.path("certificate.pem");
    let server = MailServer::start(encryption, &certificate);
    here.settings["adminEmail"] = json!("admin@example.org");
    here.settings["mail"] = server.settings(encryption);
    here.variables.push((
        "SSL_CERT_FILE".to_owned(),
        certificate.display().to_string(),
    ));
    (here, server)
}

#[test]
fn what_goes_wrong_by_itself_is_mailed_once() {
    let (mut here, server) = with_mail("mail_starttls", Encryption::Later);
    here.publish("1.0.1", Kind::Broken);
    here.start();
    here.until_status("rolled-back");
    here.is_as_before();
    let expected = [
        "[padsvc] Auto-update scheduled for v1.0.1",
        "Auto-update to v1.0.1 rolled back",
    ];
    here.until("both mails", || server.mails().len() == 2);
    assert_eq!(subjects(&server), expected);
    let mail = &server.mails()[1];
    assert!(
        mail.contains("To: admin@example.org\n") && mail.contains("From: padsvc@example.org\n")
    );
    assert!(mail.contains("Reason: build: "), "{mail}");
    // Not again after a restart. What an administrator starts is mailed like the rest.
    let checked = here.state()["lastCheckAt"].take();
    here.restart();
    here.until("checked", || here.state()["lastCheckAt"] != checked);
    std::fs::write(here.root.join("stray"), "").unwrap();
    assert_eq!(here.apply().json()["error"], "acknowledge-first");
    here.acknowledge();
    assert_eq!(here.apply().json()["error"], "preflight-failed");
    here.until("one more", || server.mails().len() == 3);
    let blocked = "Auto-update to v1.0.1 blocked at preflight";
    assert_eq!(subjects(&server)[2], blocked);
    // The same by itself, and that there is more than a patch to be had.
    here.publish("1.1.0", Kind::Good);
    here.acknowledge();
    here.restart();
    here.until_status("preflight-failed");
    here.until("three more", || server.mails().len() == 6);
    let mut last = subjects(&server).split_off(3);
    last.sort();
    let expected = [
        "Auto-update to v1.1.0 blocked at preflight",
        "[padsvc] A newer version is out (1.0.0 is running)",
        "[padsvc] Auto-update scheduled for v1.1.0",
    ];
    assert_eq!(last, expected);
    let log = here.log();
    assert!(!log.contains("correct horse"));
    here.stop();
}

#[test]
fn encrypted_from_the_start() {
    let (mut here, server) = with_mail("mail_tls", Encryption::FromTheStart);
    here.settings["updates"]["preApplyGraceMinutes"] = json!(60);
    here.publish("1.0.1", Kind::Good);
    here.start();
    here.until("a mail", || server.mails().len() == 1);
    assert!(server.mails()[0].contains("will be installed at 20"));
    here.stop();
}

#[test]
fn a_mail_server_in_trouble_disturbs_nothing() {
    let (mut here, server) = with_mail("mail_refused", Encryption::Later);
    // It does not know this password, is not trusted, or is not there at all.
    here.settings["mail"]["auth"]["pass"] = json!("wrong");
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_runs("1.1.0");
    here.until_status("verified");
    here.until("a line", || here.log().contains("email send failed: "));
    here.settings["mail"]["port"] = json!(1);
    here.publish("1.2.0", Kind::Good);
    here.restart();
    here.until_runs("1.2.0");
    here.until_status("verified");
    // Nobody to hand it to: a line says so.
    here.settings["mail"] = json!({});
    here.settings["updates"]["preApplyGraceMinutes"] = json!(60);
    here.publish("1.3.0", Kind::Good);
    here.restart();
    let line = "(would send email) to admin@example.org: [padsvc] Auto-update scheduled for v1.3.0";
    here.until("a line", || here.log().contains(line));
    assert_eq!(server.mails(), [""; 0]);
    here.stop();
}
