//! From polling to a websocket.

use socketio::{Config, Packet};

use crate::harness::{Client, Harness, MILLISECOND, Poller, patiently, text};

async fn dial(harness: &Harness, poller: &Poller) -> Client {
    let query = format!("EIO=4&transport=websocket&sid={}", poller.id);
    harness.dial(&query).await.unwrap()
}

#[tokio::test]
async fn the_client_changes_over_and_nothing_is_lost() {
    let mut harness = Harness::start().await;
    let (poller, mut connection) = harness.joined_polling().await;
    let poll = poller.begin_poll().await;
    let mut client = dial(&harness, &poller).await;
    client.send("2probe").await;
    assert_eq!(client.receive().await, "3probe");
    assert_eq!(patiently(poll.answer()).await.body, "6");
    // One more, as of a client that had not seen the answer yet.
    assert_eq!(poller.poll().await.body, "6");
    assert_eq!(poller.post("42[1]").await.body, "ok");
    client.send("5").await;
    client.send("42[2]").await;
    assert_eq!(text(connection.incoming.next().await), "[1]");
    assert_eq!(text(connection.incoming.next().await), "[2]");
    connection
        .outgoing
        .send(&[Packet::event("m", "1")])
        .await
        .unwrap();
    assert_eq!(client.receive().await, r#"42["m",1]"#);

    // The session is the websocket's now.
    assert_eq!(
        poller.poll().await.body,
        r#"{"code":3,"message":"Bad request"}"#
    );
    assert_eq!(poller.post("42[3]").await.status, 400);
    let query = format!("EIO=4&transport=websocket&sid={}", poller.id);
    assert!(harness.dial(&query).await.is_err());
    connection.outgoing.disconnect();
    assert_eq!(client.closed().await, (vec!["41".to_owned()], 1000));
    harness.until_empty().await;
}

#[tokio::test]
async fn what_waits_for_a_poll_goes_over_the_websocket() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    let mut client = dial(&harness, &poller).await;
    let packets: Vec<Packet> = (0..3).map(|n| Packet::event("m", &n.to_string())).collect();
    // One that nobody waits for any more, one that waits to be taken, and one behind it.
    let given_up = connection.outgoing.send(&packets[..1]);
    assert!(tokio::time::timeout(MILLISECOND, given_up).await.is_err());
    let sends = packets[1..]
        .chunks(1)
        .map(|packet| connection.outgoing.send(packet));
    let sends = futures_util::future::join_all(sends);
    let change_over = async {
        client.send("2probe").await;
        assert_eq!(client.receive().await, "3probe");
        client.send("5").await;
        for number in 0..3 {
            assert_eq!(client.receive().await, format!("42[\"m\",{number}]"));
        }
    };
    let (sent, ()) = patiently(async { tokio::join!(sends, change_over) }).await;
    assert_eq!(sent, [Ok(()); 2]);
}

#[tokio::test]
async fn it_works_before_joining() {
    let mut harness = Harness::start().await;
    let poller = harness.polling().await;
    let mut client = dial(&harness, &poller).await;
    client.send("2probe").await;
    assert_eq!(client.receive().await, "3probe");
    client.send("5").await;
    client.send("40").await;
    assert!(client.receive().await.starts_with("40{"));
    harness.next_connection().await;
}

#[tokio::test]
async fn a_websocket_that_fails_leaves_the_session_as_it_was() {
    let config = Config {
        // Long enough for a second one to come meanwhile, on a busy machine too.
        upgrade_timeout: 2000 * MILLISECOND,
        ..Config::default()
    };
    let mut harness = Harness::with(config).await;
    let (poller, mut connection) = harness.joined_polling().await;
    for words in [&["42[1]"][..], &["2probe", "42[1]"], &["2probe"], &[]] {
        let mut client = dial(&harness, &poller).await;
        let query = format!("EIO=4&transport=websocket&sid={}", poller.id);
        assert!(
            harness.dial(&query).await.is_err(),
            "a second one beside the first"
        );
        for word in words {
            client.send(word).await;
        }
        // Closed without a word, at once or when the time is over.
        while let Some(Ok(_)) = client.receive_frame().await {}
    }
    assert_eq!(poller.post("42[2]").await.body, "ok");
    assert_eq!(text(connection.incoming.next().await), "[2]");
    let packet = [Packet::event("m", "1")];
    let (sent, answer) = tokio::join!(connection.outgoing.send(&packet), poller.poll());
    assert_eq!((sent, answer.body.as_str()), (Ok(()), r#"42["m",1]"#));
}

#[tokio::test]
async fn a_session_that_ends_takes_its_websocket_with_it() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    let mut client = dial(&harness, &poller).await;
    drop(connection);
    while let Some(Ok(_)) = client.receive_frame().await {}
    assert_eq!(poller.poll().await.body, "1");
    harness.until_empty().await;
}

/// The client has stopped polling by then: only the websocket can tell it.
#[tokio::test]
async fn a_session_that_ends_in_between_says_so_on_the_websocket() {
    let mut harness = Harness::start().await;
    for (is_asked_to_leave, words, code) in
        [(true, vec!["41".to_owned()], 1000), (false, vec![], 1001)]
    {
        let (poller, connection) = harness.joined_polling().await;
        let mut client = dial(&harness, &poller).await;
        client.send("2probe").await;
        assert_eq!(client.receive().await, "3probe");
        if is_asked_to_leave {
            connection.outgoing.disconnect()
        } else {
            drop(connection)
        }
        client.send("5").await;
        assert_eq!(client.closed().await, (words, code));
        harness.until_empty().await;
    }
}

#[tokio::test]
async fn a_disconnect_on_the_way_reaches_the_client() {
    let mut harness = Harness::start().await;
    let (poller, connection) = harness.joined_polling().await;
    let mut client = dial(&harness, &poller).await;
    client.send("2probe").await;
    assert_eq!(client.receive().await, "3probe");
    client.send("5").await;
    // The websocket has taken over when polls are refused.
    while poller.poll().await.status == 200 {}
    connection.outgoing.disconnect();
    let (texts, _) = client.closed().await;
    assert_eq!(texts.first().map(String::as_str), Some("41"));
}
