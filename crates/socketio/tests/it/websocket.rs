//! What goes over a websocket once it is there.

use std::time::Duration;

use socketio::{Config, Gone, Packet};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message as Frame;

use crate::harness::{Harness, patiently, text};

#[tokio::test]
async fn events_and_acknowledgements_go_both_ways() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    client.send(r#"42["message",{"a":1}]"#).await;
    client.send(r#"427["message",{"b":2}]"#).await;
    client.send(r#"431["ignored"]"#).await;
    client.send("6").await;
    client.send(r#"42/,["last"]"#).await;
    let first = connection.incoming.next().await.unwrap();
    assert_eq!(first.ack, None);
    assert_eq!(first.arguments, r#"["message",{"a":1}]"#);
    let second = connection.incoming.next().await.unwrap();
    assert_eq!(second.ack, Some(7));
    assert_eq!(text(connection.incoming.next().await), r#"["last"]"#);

    let packets = [
        Packet::event("message", r#"{"c":3}"#),
        Packet::ack(7, "[null,null]"),
    ];
    connection.outgoing.send(&packets).await.unwrap();
    assert_eq!(client.receive().await, r#"42["message",{"c":3}]"#);
    assert_eq!(client.receive().await, "437[null,null]");
}

#[tokio::test]
async fn half_a_surrogate_pair_passes_both_ways() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    client.send(r#"42["message","\ud83d"]"#).await;
    assert_eq!(
        text(connection.incoming.next().await),
        r#"["message","\ud83d"]"#
    );
    let packet = Packet::event("message", r#""\ud83d""#);
    connection.outgoing.send(&[packet]).await.unwrap();
    assert_eq!(client.receive().await, r#"42["message","\ud83d"]"#);
}

#[tokio::test]
async fn twenty_thousand_messages_keep_their_order() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    let send = async {
        for number in 0..20_000 {
            client.send(&format!("42[{number}]")).await;
        }
    };
    let receive = async {
        for number in 0..20_000 {
            let message = connection.incoming.next().await;
            assert_eq!(text(message), format!("[{number}]"));
        }
    };
    patiently(async { tokio::join!(send, receive) }).await;
}

#[tokio::test]
async fn a_burst_arrives_whole_and_callers_keep_their_order() {
    let mut harness = Harness::start().await;
    let (mut client, connection) = harness.joined().await;
    let packets: Vec<Packet> = (0..5000)
        .map(|n| Packet::event("n", &n.to_string()))
        .collect();
    let (one, many) = packets.split_at(1000);
    // A thousand callers at once, and one with all the rest.
    let ones = one.chunks(1).map(|packet| connection.outgoing.send(packet));
    let all = futures_util::future::join_all(ones.chain([connection.outgoing.send(many)]));
    let receive = async {
        for number in 0..5000 {
            assert_eq!(client.receive().await, format!("42[\"n\",{number}]"));
        }
    };
    let (sent, ()) = tokio::join!(all, receive);
    assert!(sent.iter().all(Result::is_ok));
}

#[tokio::test]
async fn several_packets_are_one_write() {
    let mut harness = Harness::start().await;
    let (mut client, connection) = harness.joined().await;
    let packets: Vec<Packet> = (0..50)
        .map(|n| Packet::event("n", &n.to_string()))
        .collect();
    let bytes: usize = packets.iter().map(|packet| packet.len() + 2).sum();
    connection.outgoing.send(&packets).await.unwrap();
    // All of it is there at the first read, which would not be so with as many writes: the first
    // would wake the reader.
    let mut buffer = [0; 4096];
    let read = patiently(client.stream().read(&mut buffer)).await.unwrap();
    assert_eq!(read, bytes);
}

#[tokio::test]
async fn an_unknown_namespace_is_refused_and_the_connection_stays() {
    let mut harness = Harness::start().await;
    let mut client = harness.websocket().await;
    client.send("40/foo,{}").await;
    assert_eq!(
        client.receive().await,
        r#"44/foo,{"message":"Invalid namespace"}"#
    );
    client.send("40").await;
    assert!(client.receive().await.starts_with("40{"));
    client.send("40/bar,").await;
    assert_eq!(
        client.receive().await,
        r#"44/bar,{"message":"Invalid namespace"}"#
    );
    harness.next_connection().await;
}

#[tokio::test]
async fn an_event_before_the_answer_closes() {
    let harness = Harness::start().await;
    for early in [r#"42["message"]"#, "41", "431[]"] {
        let mut client = harness.websocket().await;
        client.send(early).await;
        assert_eq!(client.closed().await, (vec![], 1002), "{early}");
    }
    harness.until_empty().await;
}

#[tokio::test]
async fn packets_that_cannot_be_read_close() {
    let mut harness = Harness::start().await;
    let wrong = [
        "",
        "x",
        "0",
        "2",
        "5",
        "42",
        "42{",
        "42/foo,[]",
        "40",
        "44{}",
        "451-[]",
        "bAA",
    ];
    for wrong in wrong {
        let (mut client, mut connection) = harness.joined().await;
        client.send(wrong).await;
        assert_eq!(client.closed().await, (vec![], 1002), "{wrong:?}");
        assert_eq!(connection.incoming.next().await, None);
    }
    let (mut client, _connection) = harness.joined().await;
    client.send_frame(Frame::binary(vec![4, 2])).await;
    assert_eq!(client.closed().await, (vec![], 1002));
    drop(client);
    harness.until_empty().await;
}

#[tokio::test]
async fn a_message_as_large_as_permitted_passes_and_a_larger_one_closes() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    let largest = format!("42[\"{}\"]", "x".repeat(1_000_000 - 6));
    client.send(&largest).await;
    assert_eq!(text(connection.incoming.next().await).len(), 1_000_000 - 2);
    client.send(&format!("{largest}x")).await;
    assert_eq!(client.closed().await, (vec![], 1009));
    assert_eq!(connection.incoming.next().await, None);
}

#[tokio::test]
async fn a_message_may_come_in_parts_with_a_ping_between() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    // Frames with a mask of zeros, written by hand.
    let parts: &[u8] = b"\x01\x82\0\0\0\x0042\x89\x81\0\0\0\0p\x80\x82\0\0\0\0[]";
    client.stream().write_all(parts).await.unwrap();
    assert_eq!(text(connection.incoming.next().await), "[]");
    match client.receive_frame().await {
        Some(Ok(Frame::Pong(payload))) => assert_eq!(payload, "p"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_client_is_read_only_as_fast_as_the_application_takes() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    let large = "x".repeat(500_000);
    // Far more than the buffers of both ends hold.
    let count = 30;
    let mut send = Box::pin(async {
        for number in 0..count {
            client.send(&format!("42[{number},\"{large}\"]")).await;
        }
    });
    let is_done = timeout(Duration::from_millis(300), &mut send).await;
    assert!(is_done.is_err(), "15 MB were read though nobody took them");
    let receive = async {
        for number in 0..count {
            let message = text(connection.incoming.next().await);
            assert!(message.starts_with(&format!("[{number},")));
        }
    };
    patiently(async { tokio::join!(send, receive) }).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let config = Config {
        write_timeout: Duration::from_millis(50),
        ..Config::default()
    };
    let mut harness = Harness::with(config).await;
    let (_client, connection) = harness.joined().await;
    let packets = vec![Packet::event("m", &"1".repeat(100_000)); 500];
    let sent = patiently(connection.outgoing.send(&packets)).await;
    assert_eq!(sent, Err(Gone));
    assert!(connection.outgoing.is_gone());
    harness.until_empty().await;
}

#[tokio::test]
async fn a_send_that_is_given_up_is_finished_without_its_caller() {
    let mut harness = Harness::start().await;
    let (mut client, connection) = harness.joined().await;
    let large = "1".repeat(1_000_000);
    let packets = vec![Packet::event("m", &large); 20];
    // The client does not read, so this cannot be done.
    let given_up = timeout(
        Duration::from_millis(100),
        connection.outgoing.send(&packets),
    )
    .await;
    assert!(given_up.is_err());
    for _ in 0..20 {
        assert_eq!(client.receive().await.len(), large.len() + 8);
    }
    connection
        .outgoing
        .send(&[Packet::event("m", "2")])
        .await
        .unwrap();
    assert_eq!(client.receive().await, r#"42["m",2]"#);
}
