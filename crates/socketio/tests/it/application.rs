//! An application for real clients to talk to: it does what the name of an event says.

use serde_json::{Value, json};
use socketio::{Connection, Connections, Packet};
use tokio::task::JoinSet;

/// Serves all who come until the server closes.
pub(crate) async fn serve(mut connections: Connections) {
    let mut tasks = JoinSet::new();
    while let Some(connection) = connections.next().await {
        tasks.spawn(converse(connection));
    }
    tasks.join_all().await;
}

async fn converse(mut connection: Connection) {
    let outgoing = connection.outgoing.clone();
    let mut counted = 0;
    while let Some(message) = connection.incoming.next().await {
        let arguments: Value = serde_json::from_slice(&message.arguments).unwrap();
        let argument = &arguments[1];
        let packets = match arguments[0].as_str().unwrap() {
            "echo" => vec![Packet::event("echo", &argument.to_string())],
            // Must be the number of those that came before.
            "count" => {
                assert_eq!(argument.as_u64(), Some(counted), "out of order");
                counted += 1;
                vec![]
            }
            "counted" => vec![Packet::event("counted", &counted.to_string())],
            "burst" => (0..argument.as_u64().unwrap())
                .map(|number| Packet::event("burst", &number.to_string()))
                .collect(),
            "large" => {
                let text = "x".repeat(argument.as_u64().unwrap() as usize);
                vec![Packet::event("large", &json!(text).to_string())]
            }
            "query" => {
                let query = connection.request.uri.query().unwrap_or_default();
                vec![Packet::event("query", &json!(query).to_string())]
            }
            "leave" => {
                outgoing.disconnect();
                vec![]
            }
            // Ends without telling the client to leave.
            "drop" => return,
            _ => vec![],
        };
        // A burst as many sends, the rest as one.
        for packets in packets.chunks(60) {
            let _ = outgoing.send(packets).await;
        }
        if let Some(ack) = message.ack {
            let answer = json!([null, argument]).to_string();
            let _ = outgoing.send(&[Packet::ack(ack, &answer)]).await;
        }
    }
}
