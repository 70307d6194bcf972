//! Two thousand frames and bodies that are noise, or that were right before a few bytes changed.
//!
//! Whatever comes, the server neither panics nor hangs, another client is undisturbed all the
//! while, and in the end nothing is left.

use std::collections::VecDeque;

use socketio::{Config, Connections, Packet};
use tokio::io::AsyncWriteExt;

use crate::harness::{Client, Harness, MILLISECOND, patiently, text};

const ROUNDS: usize = 1000;

/// Right in themselves, and a good place to begin going wrong.
const SAMPLES: [&str; 14] = [
    "40",
    "40{\"token\":\"x\"}",
    "40/foo,{}",
    "41",
    "42[\"message\",{\"a\":1}]",
    "427[\"message\",\"\\ud83d\"]",
    "431[null]",
    "1",
    "2probe",
    "3",
    "5",
    "6",
    "451-[{\"_placeholder\":true,\"num\":0}]",
    "bAAECAw==",
];

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn bytes(&mut self, below: usize) -> Vec<u8> {
        let length = self.next(below);
        (0..length).map(|_| self.next(256) as u8).collect()
    }

    /// Some samples in a row, with up to three bytes changed, added or removed.
    fn mutated(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..=self.next(3) {
            if !bytes.is_empty() {
                bytes.push(0x1e);
            }
            bytes.extend(SAMPLES[self.next(SAMPLES.len())].bytes());
        }
        for _ in 0..self.next(4) {
            let at = self.next(bytes.len());
            match self.next(3) {
                0 => bytes[at] = self.next(256) as u8,
                1 => bytes.insert(at, self.next(256) as u8),
                _ if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {}
            }
        }
        bytes
    }

    fn body(&mut self) -> Vec<u8> {
        match self.next(4) {
            0 => self.bytes(100),
            _ => self.mutated(),
        }
    }

    /// Bytes on a websocket: noise, a frame with a strange header, or a right one around a body.
    fn frame(&mut self) -> Vec<u8> {
        let body = self.body();
        let first = match self.next(4) {
            0 => self.next(256) as u8,
            _ => 0x81,
        };
        let length = match self.next(8) {
            0 => self.next(256) as u8,
            _ => 0x80 | body.len().min(125) as u8,
        };
        match self.next(8) {
            0 => body,
            _ => [&[first, length, 0, 0, 0, 0], body.as_slice()].concat(),
        }
    }
}

/// Takes all who join and whatever they send, as an application does.
async fn application(connections: &mut Connections) {
    let mut kept = VecDeque::new();
    while let Some(mut connection) = connections.next().await {
        kept.push_back(async move {
            while let Some(message) = connection.incoming.next().await {
                if let Some(ack) = message.ack {
                    let _ = connection.outgoing.send(&[Packet::ack(ack, "[]")]).await;
                }
            }
        });
        // Those that were to close have closed by now, all but a few.
        if kept.len() > 20
            && let Some(oldest) = kept.pop_front()
        {
            let _ = tokio::time::timeout(MILLISECOND, oldest).await;
        }
    }
}

fn config() -> Config {
    Config {
        max_payload: 10_000,
        write_timeout: 100 * MILLISECOND,
        connect_timeout: 5000 * MILLISECOND,
        ..Config::default()
    }
}

async fn is_undisturbed(
    bystander: &mut Client,
    connection: &mut socketio::Connection,
    round: usize,
) {
    bystander.send(&format!("42[{round}]")).await;
    assert_eq!(
        text(patiently(connection.incoming.next()).await),
        format!("[{round}]")
    );
    let packet = [Packet::event("m", &round.to_string())];
    connection.outgoing.send(&packet).await.unwrap();
    assert_eq!(bystander.receive().await, format!("42[\"m\",{round}]"));
}

#[tokio::test]
async fn on_websockets() {
    let mut harness = Harness::with(config()).await;
    let (mut bystander, mut connection) = harness.joined().await;
    let (_, unused) = socketio::Server::new(Config::default());
    let mut connections = std::mem::replace(&mut harness.connections, unused);
    let attack = async {
        let mut random = Random(1);
        for round in 0..ROUNDS {
            let mut client = harness.websocket().await;
            if random.next(2) == 0 {
                client.send("40").await;
                client.receive().await;
            }
            for _ in 0..=random.next(3) {
                let _ = client.stream().write_all(&random.frame()).await;
            }
            drop(client);
            is_undisturbed(&mut bystander, &mut connection, round).await;
        }
    };
    tokio::select! {
        () = application(&mut connections) => panic!("the application has ended"),
        () = attack => {}
    }
    drop((bystander, connection, connections));
    patiently(harness.until_empty()).await;
}

#[tokio::test]
async fn in_bodies() {
    let mut harness = Harness::with(config()).await;
    let (mut bystander, mut connection) = harness.joined().await;
    let (_, unused) = socketio::Server::new(Config::default());
    let mut connections = std::mem::replace(&mut harness.connections, unused);
    let attack = async {
        let mut random = Random(2);
        for round in 0..ROUNDS {
            let poller = harness.polling().await;
            if random.next(2) == 0 {
                poller.post("40").await;
                poller.poll().await;
            }
            let answer = poller.post_bytes(&random.body()).await;
            assert!([200, 400].contains(&answer.status), "{answer:?}");
            is_undisturbed(&mut bystander, &mut connection, round).await;
        }
    };
    tokio::select! {
        () = application(&mut connections) => panic!("the application has ended"),
        () = attack => {}
    }
    drop((bystander, connection, connections));
    patiently(harness.until_empty()).await;
}
