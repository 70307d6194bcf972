//! Long polling: one request to be answered, one to post.

use socketio::{Gone, Packet};

use crate::harness::{Harness, patiently, text};
use crate::http;

#[tokio::test]
async fn events_and_acknowledgements_go_both_ways() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let body = "42[\"message\",1]\u{1e}423[\"message\",\"é\"]\u{1e}3";
    let answer = poller.post(body).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "ok"));
    assert_eq!(text(connection.incoming.next().await), r#"["message",1]"#);
    let second = connection.incoming.next().await.unwrap();
    assert_eq!(second.ack, Some(3));
    assert_eq!(second.arguments, r#"["message","é"]"#);

    let packets = [Packet::event("m", "1"), Packet::ack(3, "[null]")];
    let (sent, answer) = tokio::join!(connection.outgoing.send(&packets), poller.poll());
    assert_eq!(sent, Ok(()));
    assert_eq!(answer.body, "42[\"m\",1]\u{1e}433[null]");
    assert!(
        answer
            .head
            .contains("content-type: text/plain; charset=utf-8")
    );
}

#[tokio::test]
async fn a_send_waits_for_the_poll() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    let outgoing = &connection.outgoing;
    let packets: Vec<Packet> = (0..3).map(|n| Packet::event("m", &n.to_string())).collect();
    let sends = packets.chunks(1).map(|packet| outgoing.send(packet));
    let polls = async {
        for number in 0..3 {
            assert_eq!(poller.poll().await.body, format!("42[\"m\",{number}]"));
        }
    };
    let sends = futures_util::future::join_all(sends);
    let (sent, ()) = patiently(async { tokio::join!(sends, polls) }).await;
    assert_eq!(sent, [Ok(()); 3]);
}

#[tokio::test]
async fn an_answer_that_is_not_read_is_waited_for() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    // More than the buffers of both ends take.
    let text = format!("\"{}\"", "x".repeat(30_000_000));
    let packets = [Packet::event("m", &text), Packet::event("n", "1")];
    let poll = poller.begin_poll().await;
    let mut send = Box::pin(connection.outgoing.send(&packets));
    tokio::select! {
        biased;
        sent = &mut send => panic!("nothing is read, but {sent:?}"),
        () = poll.begins() => {}
    }
    let (answer, sent) = patiently(async { tokio::join!(poll.answer(), send) }).await;
    assert_eq!(sent, Ok(()));
    assert_eq!(answer.body, format!("42[\"m\",{text}]\u{1e}42[\"n\",1]"));
    let length = format!("content-length: {}", answer.body.len());
    assert!(answer.head.contains(&length), "{}", answer.head);

    // One that is given up half way ends the session: nobody knows what arrived.
    let poll = poller.begin_poll().await;
    let send = connection.outgoing.send(&packets);
    let give_up = async {
        poll.begins().await;
        drop(poll);
    };
    let (sent, ()) = patiently(async { tokio::join!(send, give_up) }).await;
    assert_eq!(sent, Err(Gone));
}

#[tokio::test]
async fn a_send_that_is_given_up_is_taken_by_the_next_poll() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    let packet = [Packet::event("m", "1")];
    let send = connection.outgoing.send(&packet);
    let given_up = tokio::time::timeout(crate::harness::MILLISECOND, send).await;
    assert!(given_up.is_err());
    assert_eq!(poller.poll().await.body, r#"42["m",1]"#);
}

#[tokio::test]
async fn twenty_thousand_messages_keep_their_order() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let numbers: Vec<u32> = (0..20_000).collect();
    let post = async {
        for some in numbers.chunks(500) {
            let some: Vec<String> = some.iter().map(|n| format!("42[{n}]")).collect();
            assert_eq!(poller.post(&some.join("\u{1e}")).await.status, 200);
        }
    };
    let receive = async {
        for number in &numbers {
            assert_eq!(
                text(connection.incoming.next().await),
                format!("[{number}]")
            );
        }
    };
    patiently(async { tokio::join!(post, receive) }).await;
}

#[tokio::test]
async fn a_client_may_post_only_as_fast_as_the_application_takes() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let large = "x".repeat(10_000);
    let mut posts = Box::pin(async {
        for number in 0..10 {
            let body = format!("42[{number},\"{large}\"]");
            assert_eq!(poller.post(&body).await.status, 200);
        }
    });
    let is_done = tokio::time::timeout(200 * crate::harness::MILLISECOND, &mut posts).await;
    assert!(
        is_done.is_err(),
        "ten bodies were accepted though nobody took them"
    );
    let receive = async {
        for number in 0..10 {
            let message = text(connection.incoming.next().await);
            assert!(message.starts_with(&format!("[{number},")));
        }
    };
    patiently(async { tokio::join!(posts, receive) }).await;
}

#[tokio::test]
async fn a_second_poll_ends_the_session() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let first = poller.begin_poll().await;
    let second = poller.begin_poll().await;
    let answers = [
        patiently(first.answer()).await,
        patiently(second.answer()).await,
    ];
    let mut answers = answers.map(|answer| (answer.status, answer.body));
    // Two sockets: either may be the one that came first.
    answers.sort();
    let refusal = r#"{"code":3,"message":"Bad request"}"#.to_owned();
    assert_eq!(answers, [(200, "1".to_owned()), (400, refusal)]);
    assert_eq!(connection.incoming.next().await, None);
    harness.until_empty().await;
    assert_eq!(
        poller.poll().await.body,
        r#"{"code":1,"message":"Session ID unknown"}"#
    );
}

#[tokio::test]
async fn a_poll_that_is_given_up_ends_the_session() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let poll = poller.begin_poll().await;
    drop(poll);
    assert_eq!(patiently(connection.incoming.next()).await, None);
    harness.until_empty().await;
}

#[tokio::test]
async fn bodies_that_cannot_be_read_end_the_session() {
    let mut harness = Harness::start().await;
    let wrong: [&[u8]; 9] = [
        b"",
        b"x",
        b"2",
        b"5",
        b"bAAEC",
        b"42[1]\x1e",
        b"\x1e42[1]",
        b"42[1]\x1ebAAEC",
        b"42[\"\xff\"]",
    ];
    for body in wrong {
        let (poller, mut connection) = harness.joined_polling().await;
        let answer = poller.post_bytes(body).await;
        assert_eq!(answer.status, 400, "{body:?}");
        assert_eq!(answer.body, r#"{"code":3,"message":"Bad request"}"#);
        assert_eq!(connection.incoming.next().await, None);
    }
    harness.until_empty().await;
}

#[tokio::test]
async fn an_event_before_the_answer_ends_the_session() {
    let harness = Harness::start().await;
    let poller = harness.polling().await;
    poller.post("42[1]").await;
    harness.until_empty().await;
    assert_eq!(poller.poll().await.status, 400);
}

#[tokio::test]
async fn an_unknown_namespace_is_refused() {
    let harness = Harness::start().await;
    let poller = harness.polling().await;
    assert_eq!(poller.post("40/foo,").await.body, "ok");
    assert_eq!(
        poller.poll().await.body,
        r#"44/foo,{"message":"Invalid namespace"}"#
    );
}

#[tokio::test]
async fn a_body_as_large_as_permitted_passes_and_a_larger_one_does_not() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let largest = format!("42[\"{}\"]", "x".repeat(1_000_000 - 6));
    assert_eq!(poller.post(&largest).await.status, 200);
    assert_eq!(text(connection.incoming.next().await).len(), 1_000_000 - 2);
    assert_eq!(poller.post(&format!("{largest} ")).await.status, 413);
    assert_eq!(connection.incoming.next().await, None);
    harness.until_empty().await;
}

#[tokio::test]
async fn the_client_leaves() {
    let mut harness = Harness::start().await;
    for farewell in ["1", "41", "41\u{1e}1"] {
        let (poller, mut connection) = harness.joined_polling().await;
        let body = format!("42[1]\u{1e}{farewell}");
        assert_eq!(poller.post(&body).await.body, "ok");
        assert_eq!(text(connection.incoming.next().await), "[1]");
        assert_eq!(connection.incoming.next().await, None);
    }
    harness.until_empty().await;
}

#[tokio::test]
async fn the_application_tells_the_client_to_leave() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    connection.outgoing.disconnect();
    drop(connection);
    assert_eq!(poller.poll().await.body, "41");
    assert_eq!(poller.poll().await.body, "1");
    harness.until_empty().await;
    assert_eq!(poller.poll().await.status, 400);

    // The same with a poll that waits.
    let (poller, connection) = harness.joined_polling().await;
    let poll = poller.begin_poll().await;
    connection.outgoing.disconnect();
    assert_eq!(patiently(poll.answer()).await.body, "41");
    // It may also close by itself.
    assert_eq!(poller.post("1").await.body, "ok");
    harness.until_empty().await;
}

#[tokio::test]
async fn a_client_between_two_polls_learns_of_the_end() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    drop(connection);
    // What it says meanwhile is answered, and is no reason to forget it.
    for body in ["42[1]", "3", "42[2]"] {
        assert_eq!(poller.post(body).await.body, "ok");
    }
    assert_eq!(poller.poll().await.body, "1");
    harness.until_empty().await;

    // A last word first, and when the whole server closes.
    let (poller, mut connection) = harness.joined_polling().await;
    let word = [Packet::event("m", "1")];
    let application = async {
        connection.outgoing.send(&word).await.unwrap();
        assert_eq!(connection.incoming.next().await, None);
    };
    let client = async {
        assert_eq!(poller.poll().await.body, r#"42["m",1]"#);
        let ((), end) = tokio::join!(harness.server.close(), poller.poll());
        assert_eq!(end.body, "1");
    };
    patiently(async { tokio::join!(application, client) }).await;
    assert_eq!(harness.server.connections(), 0);

    // One that leaves by itself is not waited for.
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    drop(connection);
    assert_eq!(poller.post("1").await.body, "ok");
    harness.until_empty().await;
}

#[tokio::test]
async fn pings_come_with_the_polls() {
    let config = socketio::Config {
        ping_interval: 10 * crate::harness::MILLISECOND,
        ..socketio::Config::default()
    };
    let harness = Harness::with(config).await;
    let poller = harness.polling().await;
    for _ in 0..5 {
        assert_eq!(poller.poll().await.body, "2");
        assert_eq!(poller.post("3").await.body, "ok");
    }
    assert_eq!(http::get(harness.address, "/socket.io/").await.status, 400);
}
