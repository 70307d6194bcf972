//! What the log says and, more so, what it never says.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Request, form};
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

/// The log of a server in debug mode after calls with secrets in every place.
fn log_of(name: &str, settings: &str, requests: impl Fn(&Server)) -> (String, String) {
    let root = TempRoot::with_settings(name, settings);
    let server = Server::start(&root);
    let key = server.key.clone();
    requests(&server);
    server.signal("TERM");
    let log = root.0.with_extension("log");
    server.wait();
    (std::fs::read_to_string(log).unwrap(), key)
}

#[test]
fn no_key_token_query_or_text_is_ever_logged() {
    let wrong = "wrong0123456789key";
    let mut token = String::new();
    let token_slot = std::cell::RefCell::new(&mut token);
    let (log, key) = log_of("secrets", r#"{"loglevel": "DEBUG"}"#, |server| {
        let key = server.key.as_str();
        let path = "/api/1.2/checkToken";
        let created = server.data("createPad", &json!({"padID": "notes", "text": "PADTEXT"}));
        **token_slot.borrow_mut() = created["deletionToken"].as_str().unwrap().to_owned();
        let token = token_slot.borrow().clone();
        for request in [
            Request::get(&format!("{path}?apikey={key}")),
            Request::get(&format!("{path}?api_key={wrong}")),
            Request::get(path).header("apikey", key),
            Request::get(path).header("authorization", &format!("Bearer {key}")),
            Request::get(path).header("authorization", wrong),
            Request::post(path).form(format!("apikey={key}&text=PADTEXT")),
            Request::post(path).body("application/json", format!("{{\"apikey\":\"{key}\"")),
            Request::post(path).body("application/json", format!("{{\"apikey\":{wrong}}}")),
            Request::post(path).body("text/plain", format!("apikey={key}")),
            Request::post("/api/1/deletePad")
                .form(form(&[("padID", "notes"), ("deletionToken", wrong)])),
            Request::post("/api/1/setHTML")
                .header("apikey", key)
                .form("padID=notes&html=<p>PADTEXT<p"),
            Request::post("/api/1/deletePad")
                .form(form(&[("padID", "notes"), ("deletionToken", &token)])),
            Request::get(&format!("/health?{key}")).header("x-fill", &key.repeat(200)),
            Request::get(&format!("/nowhere?apikey={key}")),
        ] {
            server.send(&request);
        }
    });
    assert_eq!(token.len(), 64);
    for secret in [
        key.as_str(),
        token.as_str(),
        wrong,
        "PADTEXT",
        "apikey",
        "?",
    ] {
        assert!(!log.contains(secret), "{secret:?} is in the log:\n{log}");
    }
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(" access: "))
        .collect();
    assert_eq!(lines.len(), 15, "{log}");
}

#[test]
fn a_line_tells_what_was_asked_and_how_it_went() {
    let (log, _) = log_of("access_line", "{}", |server| {
        server.get("/health?x=1");
    });
    let line = log.lines().find(|line| line.contains(" access: ")).unwrap();
    let (_, told) = line.split_once(" access: ").unwrap();
    assert!(told.starts_with("GET /health 200 id="), "{line}");
    for part in [" client=ANONYMOUS ", " bytes=", " milliseconds="] {
        assert!(told.contains(part), "{line}");
    }
}

/// A client that goes away while its file is converted has not been answered.
#[test]
fn who_does_not_wait_for_the_answer_is_not_logged_as_answered() {
    let stand_in = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../edge/src/office/stand_in.sh"
    );
    let place = TempRoot::new("unanswered_place");
    let settings = json!({ "soffice": stand_in }).to_string();
    let (log, _) = log_of("unanswered", &settings, |server| {
        server.data("createPad", &json!({ "padID": "notes" }));
        let file = format!(
            "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.odt\"\r\n\r\n\
             hang {}\n\r\n--b--\r\n",
            place.0.display()
        );
        let request =
            Request::post("/p/notes/import").body("multipart/form-data; boundary=b", file);
        let mut connection = TcpStream::connect(&server.address).unwrap();
        connection.write_all(&request.bytes()).unwrap();
        wait_until(|| place.path("pid").exists());
        drop(connection);
        wait_until(|| server.log().contains("POST /p/notes/import 499"));
    });
    assert!(!log.contains("/import 200"), "{log}");
}

fn wait_until(is_so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < patience, "it does not come");
        std::thread::yield_now();
    }
}

#[test]
fn client_is_shown_as_the_settings_say() {
    for (name, settings, client) in [
        ("ip_default", "{}", "ANONYMOUS"),
        ("ip_full", r#"{"ipLogging": "full"}"#, "127.0.0.1"),
        ("ip_truncated", r#"{"ipLogging": "truncated"}"#, "127.0.0.0"),
        (
            "ip_proxy",
            r#"{"ipLogging": "full", "trustProxy": true}"#,
            "192.0.2.7",
        ),
        (
            "ip_proxy_truncated",
            r#"{"ipLogging": "truncated", "trustProxy": true}"#,
            "192.0.2.0",
        ),
        ("ip_legacy", r#"{"disableIPlogging": true}"#, "ANONYMOUS"),
    ] {
        // A feed at this address would be in the log, too.
        let quiet = settings.replacen('{', r#"{"updates": {"tier": "off"}, "#, 1);
        let (log, _) = log_of(name, &quiet.replace(", }", "}"), |server| {
            let forwarded =
                Request::get("/health").header("x-forwarded-for", "203.0.113.9, 192.0.2.7");
            server.send(&forwarded);
        });
        assert!(log.contains(&format!("client={client} ")), "{name}:\n{log}");
        let told: &[&str] = match client {
            "ANONYMOUS" => &["192.0.2", "127.0.0", "203.0.113"],
            "192.0.2.0" => &["192.0.2.7", "127.0.0"],
            "127.0.0.0" => &["192.0.2", "127.0.0.1"],
            _ => &[],
        };
        for other in told {
            assert!(!log.contains(other), "{name}:\n{log}");
        }
    }
}

#[test]
fn malformed_html_is_said_to_be_so_without_its_content() {
    let (log, _) = log_of("malformed_html", "{}", |server| {
        server.data("createPad", &json!({ "padID": "notes", "text": "" }));
        for html in [
            "<p>WELLFORMED</p>",
            "plain WELLFORMED text",
            "<!doctype html><html><body><ul><li>WELLFORMED<li>too</ul></body></html>",
            "<p>one</p>\n<b>UNCLOSED <i>x</b>",
        ] {
            let call = json!({ "padID": "notes", "html": html });
            assert_eq!(server.data("setHTML", &call), json!(null));
        }
    });
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(" api: ")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    assert!(
        lines[0].contains("setHTML was given malformed HTML: "),
        "{log}"
    );
    assert!(lines[0].contains(" in line 2 ("), "{log}");
    for content in ["WELLFORMED", "UNCLOSED"] {
        assert!(!log.contains(content), "{log}");
    }
}

/// What Etherpad's page sends when it fails is in the log: one line, not too long, no address.
#[test]
fn reports_of_pages_are_logged_within_bounds() {
    let (log, _) = log_of("page_reports", "{}", |server| {
        let report = r#"{"type":"Uncaught exception","msg":"SCRIPT BROKE\n\u0007","linenumber":7}"#;
        let script = Request::post("/jserror").form(form(&[("errorInfo", report)]));
        let answer = server.send(&script);
        assert_eq!((answer.status, answer.text()), (200, "OK"));
        let diagnosis = format!("{{\"disconnectedMessage\":\"slow\"}}{}", "x".repeat(10_000));
        let connection = Request::post("/ep/pad/connection-diagnostic-info");
        let answer = server.send(&connection.form(form(&[("diagnosticInfo", &diagnosis)])));
        assert_eq!((answer.status, answer.text()), (200, "OK"));
        let huge = Request::post("/jserror").body("application/json", "y".repeat(100_000));
        assert_eq!(server.send(&huge).status, 413);
        let refused = (0..100).find_map(|_| {
            let answer = server.send(&Request::post("/jserror").body("text/plain", "z"));
            (answer.status != 200).then_some(answer)
        });
        let refused = refused.unwrap();
        assert_eq!(refused.status, 429);
        assert!(!refused.header("retry-after").is_empty());
    });
    let broke: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("SCRIPT BROKE"))
        .collect();
    assert_eq!(broke.len(), 1, "{log}");
    assert!(log.contains("disconnectedMessage"), "{log}");
    assert!(log.lines().all(|line| line.len() < 3000), "{log}");
    assert!(!log.contains("yyy"), "{log}");
    let mut reports = log.lines().filter(|line| line.contains("page_reports"));
    assert!(reports.all(|line| !line.contains("127.0.0")), "{log}");
}

#[test]
fn quiet_levels_are_quiet() {
    let (log, _) = log_of("quiet", r#"{"loglevel": "ERROR"}"#, |server| {
        server.get("/health");
    });
    assert_eq!(log, "");
}

#[test]
fn coming_and_leaving_is_logged_as_the_settings_say() {
    for (name, settings, client) in [
        ("enter_default", "{}", "ANONYMOUS"),
        (
            "enter_truncated",
            r#"{"ipLogging": "truncated"}"#,
            "127.0.0.0",
        ),
        ("enter_full", r#"{"ipLogging": "full"}"#, "127.0.0.1"),
    ] {
        let mut author = String::new();
        let author_slot = std::cell::RefCell::new(&mut author);
        let (log, _) = log_of(name, settings, |server| {
            let member = Member::join(server, "notes", &token(1));
            **author_slot.borrow_mut() = member.author.clone();
            let mut denied = Member::connect(server);
            denied.ready(&json!({ "padId": "r.none", "token": token(2) }));
            assert_eq!(denied.message()["accessStatus"], "deny");
        });
        for line in [
            format!(" access: ENTER notes author={author} client={client}\n"),
            format!(" access: LEAVE notes author={author} client={client} seconds="),
            format!(" access: DENY client={client}\n"),
        ] {
            assert!(log.contains(&line), "{line}\n{log}");
        }
        assert!(
            !log.contains(&token(1)) && !log.contains(&token(2)),
            "{log}"
        );
    }
}
