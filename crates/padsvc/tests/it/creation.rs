//! What one address can create in a minute.

use serde_json::json;

use crate::client::{BOUNDARY, Request, Response, multipart_type};
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

fn import(server: &Server, pad: &str) -> Response {
    let file = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n\
         text\r\n--{BOUNDARY}--\r\n"
    );
    let import = Request::post(&format!("/p/{pad}/import")).body(&multipart_type(), file);
    server.send(&import.header("cookie", &format!("token={}", token(1))))
}

/// What a visitor is sent away with who joins a pad.
fn refused(server: &Server, pad: &str) -> String {
    let mut visitor = Member::connect(server);
    visitor.ready(&json!({ "padId": pad, "token": token(1) }));
    let reason = visitor.until_disconnected();
    assert!(visitor.is_closed());
    reason
}

#[test]
fn an_address_creates_so_many_pads_in_a_minute() {
    let settings = r#"{ "creationRateLimiting": { "padsPerMinute": 2 } }"#;
    let root = TempRoot::with_settings("new_pads", settings);
    let server = Server::start(&root);
    for pad in ["one", "two", "one", "two"] {
        drop(Member::join(&server, pad, &token(1)));
    }
    assert_eq!(refused(&server, "three"), "rateLimited");
    let page = server.get("/p/three?lang=en");
    assert_eq!(page.status, 429);
    assert!(page.text().contains("Too many new pads"), "{}", page.text());
    let seconds: u64 = page.header("retry-after").parse().unwrap();
    assert!((1..=31).contains(&seconds), "{seconds}");
    let file = import(&server, "three");
    assert_eq!(file.status, 429, "{}", file.text());
    assert!(file.text().contains("Too many pads"), "{}", file.text());
    assert_eq!(import(&server, "two").status, 200);
    // Nothing was created, and what exists is open as before.
    let pads = server.data("listAllPads", &json!({}));
    assert_eq!(pads, json!({ "padIDs": ["one", "two"] }));
    assert_eq!(server.get("/p/one").status, 200);
    drop(Member::join(&server, "one", &token(2)));
    // Programs with the key are not limited.
    for number in 0..5 {
        server.data("createPad", &json!({ "padID": format!("api-{number}") }));
    }
    drop(Member::join(&server, "api-1", &token(1)));
    assert_eq!(server.get("/p/api-2").status, 200);
    server.stop();
}

#[test]
fn an_address_stores_so_many_bytes_in_a_minute() {
    let settings = r#"{ "creationRateLimiting": { "historyBytesPerMinute": 2000 } }"#;
    let root = TempRoot::with_settings("history_bytes", settings);
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "" }));
    let mut ada = Member::join(&server, "notes", &token(1));
    // One change may be larger, and is paid for afterwards.
    let text = "x".repeat(3000);
    let pool = json!({ "numToAttrib": { "0": ["author", ada.author] }, "nextNum": 1 });
    let change = json!({ "changeset": format!("Z:1>2bc*0+2bc${text}"), "apool": pool });
    ada.change(0, change);
    assert_eq!(ada.accepted(), Some(1));
    ada.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": "hello" } }));
    assert_eq!(ada.until_disconnected(), "rateLimited");
    // Reading goes on.
    drop(Member::join(&server, "notes", &token(2)));
    let import = import(&server, "notes");
    assert_eq!(import.status, 429, "{}", import.text());
    assert!(
        import.text().contains("in the last minute"),
        "{}",
        import.text()
    );
    assert_ne!(import.header("retry-after"), "");
    let text = "y".repeat(5000);
    server.data("setText", &json!({ "padID": "notes", "text": text }));
    server.stop();
}
