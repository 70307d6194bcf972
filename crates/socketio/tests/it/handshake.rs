//! How a session begins, and how it does not.

use socketio::Config;
use tokio_tungstenite::tungstenite;

use crate::harness::Harness;
use crate::http::{self, get, post};

#[tokio::test]
async fn the_open_packet_says_what_the_client_has_to_know() {
    let harness = Harness::start().await;
    let answer = get(harness.address, "/socket.io/?EIO=4&transport=polling").await;
    let limits = r#""pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#;
    let end = format!(r#","upgrades":["websocket"],{limits}"#);
    assert!(answer.body.starts_with("0{\"sid\":\""), "{}", answer.body);
    assert!(answer.body.ends_with(&end), "{}", answer.body);
    assert!(
        answer
            .head
            .contains("content-type: text/plain; charset=utf-8")
    );
    for header in ["set-cookie", "access-control"] {
        assert!(!answer.head.contains(header), "{}", answer.head);
    }
    let (_client, open) = harness.websocket_and_open_packet().await;
    assert!(
        open.ends_with(&format!(r#","upgrades":[],{limits}"#)),
        "{open}"
    );
}

#[tokio::test]
async fn ids_are_long_and_all_different() {
    let harness = Harness::start().await;
    let mut ids = std::collections::HashSet::new();
    for _ in 0..50 {
        let id = harness.polling().await.id;
        assert_eq!(id.len(), 20);
        assert!(ids.insert(id));
    }
}

#[tokio::test]
async fn handshakes_that_are_wrong_are_refused_with_a_code() {
    let harness = Harness::start().await;
    for (method, target, code, message) in [
        ("GET", "/socket.io/", 0, "Transport unknown"),
        ("GET", "/socket.io/?EIO=4", 0, "Transport unknown"),
        (
            "GET",
            "/socket.io/?EIO=4&transport=flash",
            0,
            "Transport unknown",
        ),
        (
            "GET",
            "/socket.io/?EIO=4&transport=polling&sid=none",
            1,
            "Session ID unknown",
        ),
        (
            "POST",
            "/socket.io/?EIO=4&transport=polling&sid=none",
            1,
            "Session ID unknown",
        ),
        (
            "POST",
            "/socket.io/?EIO=4&transport=polling",
            2,
            "Bad handshake method",
        ),
        (
            "OPTIONS",
            "/socket.io/?EIO=4&transport=polling",
            2,
            "Bad handshake method",
        ),
        (
            "GET",
            "/socket.io/?EIO=4&transport=websocket",
            3,
            "Bad request",
        ),
        (
            "GET",
            "/socket.io/?EIO=3&transport=polling",
            5,
            "Unsupported protocol version",
        ),
        (
            "GET",
            "/socket.io/?transport=polling",
            5,
            "Unsupported protocol version",
        ),
    ] {
        let answer = http::send(harness.address, method, target, b"")
            .await
            .answer()
            .await;
        assert_eq!(answer.status, 400, "{method} {target}");
        let body = format!(r#"{{"code":{code},"message":"{message}"}}"#);
        assert_eq!(answer.body, body, "{method} {target}");
        assert!(answer.head.contains("content-type: application/json"));
    }
    assert_eq!(harness.server.connections(), 0);
}

#[tokio::test]
async fn the_slash_at_the_end_matters() {
    let harness = Harness::start().await;
    let answer = get(harness.address, "/socket.io?EIO=4&transport=polling").await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn a_websocket_is_refused_in_the_same_way() {
    let harness = Harness::start().await;
    for (query, body) in [
        (
            "EIO=3&transport=websocket",
            r#"{"code":5,"message":"Unsupported protocol version"}"#,
        ),
        (
            "EIO=4&transport=websocket&sid=none",
            r#"{"code":1,"message":"Session ID unknown"}"#,
        ),
    ] {
        let Err(tungstenite::Error::Http(answer)) = harness.dial(query).await else {
            panic!("{query}: not refused");
        };
        assert_eq!(answer.status(), 400);
        assert_eq!(answer.body().as_deref(), Some(body.as_bytes()));
    }
}

#[tokio::test]
async fn a_transport_that_is_switched_off_is_unknown() {
    let harness = Harness::with(Config {
        websocket: false,
        ..Config::default()
    })
    .await;
    let answer = get(harness.address, "/socket.io/?EIO=4&transport=polling").await;
    assert!(answer.body.contains(r#""upgrades":[]"#), "{}", answer.body);
    assert!(harness.dial("EIO=4&transport=websocket").await.is_err());

    let harness = Harness::with(Config {
        polling: false,
        ..Config::default()
    })
    .await;
    let answer = get(harness.address, "/socket.io/?EIO=4&transport=polling").await;
    assert_eq!(answer.body, r#"{"code":0,"message":"Transport unknown"}"#);
    harness.websocket().await;
}

#[tokio::test]
async fn more_clients_than_permitted_are_refused_until_one_goes() {
    let harness = Harness::with(Config {
        max_connections: 2,
        ..Config::default()
    })
    .await;
    let first = harness.websocket().await;
    let _second = harness.polling().await;
    let target = "/socket.io/?EIO=4&transport=polling";
    let answer = get(harness.address, target).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.body, r#"{"code":4,"message":"Forbidden"}"#);
    assert!(harness.dial("EIO=4&transport=websocket").await.is_err());
    drop(first);
    crate::harness::until(|| harness.server.connections() == 1).await;
    harness.websocket().await;
}

#[tokio::test]
async fn the_request_is_handed_on() {
    let mut harness = Harness::start().await;
    let mut client = harness
        .dial("EIO=4&transport=websocket&padId=a%20b")
        .await
        .unwrap();
    client.receive().await;
    client.send(r#"40{"token":"t"}"#).await;
    let answer = client.receive().await;
    let connection = harness.next_connection().await;
    assert_eq!(answer, format!(r#"40{{"sid":"{}"}}"#, connection.id));
    let query = connection.request.uri.query().unwrap();
    assert!(query.ends_with("&padId=a%20b"), "{query}");
    assert!(connection.request.headers.contains_key("sec-websocket-key"));
}

#[tokio::test]
async fn other_methods_and_transports_of_a_session_are_refused() {
    let harness = Harness::start().await;
    let poller = harness.polling().await;
    let answer = http::send(harness.address, "PUT", &poller.target, b"")
        .await
        .answer()
        .await;
    assert_eq!(answer.body, r#"{"code":3,"message":"Bad request"}"#);
    let target = poller.target.replace("polling", "websocket");
    assert_eq!(post(harness.address, &target, b"3").await.status, 400);
}
