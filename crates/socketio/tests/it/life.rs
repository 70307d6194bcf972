//! How connections are kept, and how they end: nothing is left.

use std::time::Duration;

use socketio::{Config, Gone, Packet};
use tokio::runtime::Handle;
use tokio_tungstenite::tungstenite::Message as Frame;

use crate::harness::{Harness, MILLISECOND, patiently, text, until};

fn quick() -> Config {
    Config {
        ping_interval: 20 * MILLISECOND,
        // A busy machine may not come to the answer for a while.
        ping_timeout: Duration::from_secs(3),
        ..Config::default()
    }
}

#[tokio::test]
async fn a_client_that_answers_stays_and_one_that_does_not_goes() {
    let mut harness = Harness::with(quick()).await;
    let (mut silent, mut silent_connection) = harness.joined().await;
    let (mut client, _connection) = harness.joined().await;
    for _ in 0..10 {
        assert_eq!(client.receive().await, "2");
        client.send("3").await;
    }
    assert_eq!(silent.closed().await, (vec!["2".to_owned()], 1001));
    assert_eq!(silent_connection.incoming.next().await, None);
    patiently(silent_connection.outgoing.gone()).await;
    let sent = silent_connection
        .outgoing
        .send(&[Packet::event("m", "1")])
        .await;
    assert_eq!(sent, Err(Gone));
    drop(silent);
    until(|| harness.server.connections() == 1).await;
}

#[tokio::test]
async fn an_answer_behind_messages_that_are_not_taken_is_waited_for() {
    let mut harness = Harness::with(quick()).await;
    let (mut client, mut connection) = harness.joined().await;
    for number in 0..3 {
        client.send(&format!("42[{number}]")).await;
    }
    assert_eq!(client.receive().await, "2");
    client.send("3").await;
    // The answer had to be read within a time that has passed when a client that came later, and
    // does not answer, is given up.
    let (mut silent, _connection) = harness.joined().await;
    silent.closed().await;
    for number in 0..3 {
        assert_eq!(
            text(connection.incoming.next().await),
            format!("[{number}]")
        );
    }
    assert_eq!(client.receive().await, "2");
}

#[tokio::test]
async fn a_client_that_does_not_join_in_time_goes() {
    let config = Config {
        connect_timeout: 50 * MILLISECOND,
        ..Config::default()
    };
    let harness = Harness::with(config).await;
    let mut client = harness.websocket().await;
    harness.polling().await;
    assert_eq!(client.closed().await, (vec![], 1001));
    harness.until_empty().await;
}

#[tokio::test]
async fn a_client_that_never_polls_goes() {
    let config = Config {
        write_timeout: 50 * MILLISECOND,
        ..quick()
    };
    let harness = Harness::with(config).await;
    harness.polling().await;
    harness.until_empty().await;
}

#[tokio::test]
async fn the_client_leaves() {
    let mut harness = Harness::start().await;
    for farewell in ["41", "1"] {
        let (mut client, mut connection) = harness.joined().await;
        client.send("42[1]").await;
        client.send(farewell).await;
        // What came before is not lost.
        assert_eq!(text(connection.incoming.next().await), "[1]");
        assert_eq!(connection.incoming.next().await, None);
        assert_eq!(client.closed().await, (vec![], 1000));
    }
    let (mut client, mut connection) = harness.joined().await;
    client.send("42[1]").await;
    client.send_frame(Frame::Close(None)).await;
    assert_eq!(text(connection.incoming.next().await), "[1]");
    assert_eq!(connection.incoming.next().await, None);
    assert_eq!(client.closed().await, (vec![], 1000));

    let (client, mut connection) = harness.joined().await;
    drop(client);
    assert_eq!(patiently(connection.incoming.next()).await, None);
    harness.until_empty().await;
}

#[tokio::test]
async fn the_application_tells_the_client_to_leave() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    connection
        .outgoing
        .send(&[Packet::event("m", "1")])
        .await
        .unwrap();
    connection.outgoing.disconnect();
    assert!(connection.outgoing.is_gone());
    assert_eq!(connection.incoming.next().await, None);
    let texts = vec![r#"42["m",1]"#.to_owned(), "41".to_owned()];
    assert_eq!(client.closed().await, (texts, 1000));

    // The same when nobody keeps the connection.
    let (mut client, connection) = harness.joined().await;
    connection.outgoing.disconnect();
    drop(connection);
    assert_eq!(client.closed().await, (vec!["41".to_owned()], 1000));
    harness.until_empty().await;
}

#[tokio::test]
async fn the_application_drops_the_connection() {
    let mut harness = Harness::start().await;
    let (mut client, connection) = harness.joined().await;
    let outgoing = connection.outgoing.clone();
    drop(connection.incoming);
    // Not told to leave: it may come back.
    assert_eq!(client.closed().await, (vec![], 1001));
    assert!(outgoing.is_gone());
    harness.until_empty().await;
}

#[tokio::test]
async fn closing_closes_all_and_takes_no_more() {
    let mut harness = Harness::start().await;
    let (mut client, mut connection) = harness.joined().await;
    let mut early = harness.websocket().await;
    let poller = harness.polling().await;
    let poll = poller.begin_poll().await;
    let clients = async {
        assert_eq!(client.closed().await, (vec![], 1001));
        assert_eq!(early.closed().await, (vec![], 1001));
        // Closes its side.
        drop((client, early));
    };
    patiently(async { tokio::join!(harness.server.close(), clients) }).await;
    assert_eq!(poll.answer().await.body, "1");
    assert_eq!(harness.server.connections(), 0);
    assert_eq!(connection.incoming.next().await, None);
    assert!(harness.connections.next().await.is_none());
    assert!(harness.dial("EIO=4&transport=websocket").await.is_err());
    let target = "/socket.io/?EIO=4&transport=polling";
    assert_eq!(crate::http::get(harness.address, target).await.status, 503);
}

#[tokio::test]
async fn a_client_that_does_not_close_its_side_does_not_hold_up_closing() {
    let config = Config {
        write_timeout: 50 * MILLISECOND,
        ..Config::default()
    };
    let mut harness = Harness::with(config).await;
    let (_client, connection) = harness.joined().await;
    patiently(harness.server.close()).await;
    assert!(connection.outgoing.is_gone());
}

#[tokio::test]
async fn no_task_is_left() {
    let config = Config {
        // As long as a farewell waits for a poll, and a poll may take on a busy machine.
        write_timeout: Duration::from_secs(3),
        ..Config::default()
    };
    let mut harness = Harness::with(config).await;
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let mut clients = Vec::new();
    let mut connections = Vec::new();
    for _ in 0..30 {
        let (client, connection) = harness.joined().await;
        clients.push(client);
        connections.push(connection);
        let (_, connection) = harness.joined_polling().await;
        connections.push(connection);
        clients.push(harness.websocket().await);
    }
    assert_eq!(harness.server.connections(), 90);
    assert!(tasks() >= before + 90);
    drop(clients);
    for connection in &connections {
        // Those that poll have no socket that could close.
        connection.outgoing.disconnect();
    }
    drop(connections);
    harness.until_empty().await;
    until(|| tasks() <= before).await;
}

#[tokio::test]
async fn an_application_that_is_slow_to_accept_loses_nobody() {
    let mut harness = Harness::start().await;
    let mut clients = Vec::new();
    for number in 0..200 {
        let mut client = harness.websocket().await;
        client.send("40").await;
        client.receive().await;
        client.send(&format!("42[{number}]")).await;
        clients.push(client);
    }
    let mut numbers = Vec::new();
    for _ in 0..200 {
        let mut connection = harness.next_connection().await;
        numbers.push(text(connection.incoming.next().await));
    }
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 200);
}

#[tokio::test]
async fn a_slow_farewell_is_bounded() {
    let config = Config {
        write_timeout: Duration::from_secs(1),
        ..Config::default()
    };
    let mut harness = Harness::with(config).await;
    let (_client, connection) = harness.joined().await;
    let packets = vec![Packet::event("m", &"1".repeat(100_000)); 500];
    // The client does not read: neither the packets nor the farewell can be written.
    let mut send = Box::pin(connection.outgoing.send(&packets));
    let waits = tokio::time::timeout(Duration::from_millis(100), &mut send).await;
    connection.outgoing.disconnect();
    // On a busy machine the time of the packets may be over already.
    let sent = match waits {
        Ok(sent) => sent,
        Err(_) => patiently(send).await,
    };
    assert_eq!(sent, Err(Gone));
    harness.until_empty().await;
}
