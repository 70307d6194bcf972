//! Hints between nodes on one PostgreSQL server.

use std::time::Duration;

use tokio::time::timeout;

use crate::cluster::Cluster;
use crate::limits::HINTS_WAITING;
use crate::{
    CLUSTER_KEY_BYTES, ClusterKey, Hint, HintChannel, HintOpening, Location, NodeId, PadKey,
    PostgresHints, ReceivedHint, RevisionHint, SALT_BYTES,
};

/// Far more than any of this takes.
const LIMIT: Duration = Duration::from_secs(120);

fn open(location: &Location, node: u64, key: u8) -> PostgresHints {
    let Location::Postgres(connection) = location else {
        panic!("{location:?}");
    };
    let opening = HintOpening {
        node: NodeId::new(node),
        key: ClusterKey::new([key; CLUSTER_KEY_BYTES]),
        salt: [node as u8; SALT_BYTES],
    };
    PostgresHints::start(connection, opening).unwrap()
}

fn revision(rev: u64) -> Hint {
    Hint::Revision(RevisionHint {
        pad: PadKey(1),
        rev: pad::Rev(rev),
        content: None,
    })
}

/// Waits until a channel has connected.
async fn connected(hints: &PostgresHints) {
    let wait = async { while !hints.next().await.contains(&ReceivedHint::Missed) {} };
    timeout(LIMIT, wait).await.unwrap();
}

/// The revisions that are received, up to one.
async fn revisions_until(hints: &PostgresHints, last: u64) -> Vec<(NodeId, u64)> {
    let wait = async {
        let mut revisions = Vec::new();
        loop {
            for received in hints.next().await {
                if let ReceivedHint::From(node, Hint::Revision(hint)) = received {
                    revisions.push((node, hint.rev.0));
                    if hint.rev.0 == last {
                        return revisions;
                    }
                }
            }
        }
    };
    timeout(LIMIT, wait).await.unwrap()
}

#[tokio::test]
async fn three_nodes_hear_each_other() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let nodes = [1, 2, 3].map(|number| open(&location, number, 1));
    for node in &nodes {
        connected(node).await;
    }
    for (sender, number) in nodes.iter().zip([1u64, 2, 3]) {
        for rev in 0..3000 {
            sender.send(revision(number * 10_000 + rev));
        }
        for (receiver, other) in nodes.iter().zip([1u64, 2, 3]) {
            if other != number {
                let heard = revisions_until(receiver, number * 10_000 + 2999).await;
                let expected = (0..3000).map(|rev| (NodeId::new(number), number * 10_000 + rev));
                assert!(heard.iter().copied().eq(expected), "{number} {other}");
            }
        }
    }
    let counts = nodes[0].counts();
    assert_eq!((counts.dropped, counts.refused), (0, 0));
    // In batches: a message holds hundreds of such hints.
    assert!(counts.messages_sent < 3000, "{counts:?}");
}

#[tokio::test]
async fn what_nobody_with_the_key_has_sent_is_refused() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let [first, second, stranger] =
        [(1, 1), (2, 1), (3, 2)].map(|(n, key)| open(&location, n, key));
    for node in [&first, &second, &stranger] {
        connected(node).await;
    }
    stranger.send(revision(1));
    let Location::Postgres(connection) = &location else {
        return;
    };
    let name = connection.rsplit('=').next().unwrap();
    for forged in ["", "hello", "AQ", &"A".repeat(7999)] {
        cluster.execute(
            name,
            &format!("SELECT pg_notify('padsvc_hints', '{forged}')"),
        );
    }
    let wait = async {
        while second.counts().refused < 5 {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, wait).await.unwrap();
    first.send(revision(2));
    assert_eq!(revisions_until(&second, 2).await, [(NodeId::new(1), 2)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_server_is_found_again() {
    let Some(cluster) = Cluster::wanted() else {
        return;
    };
    let location = cluster.database();
    let [first, second] = [1, 2].map(|number| open(&location, number, 1));
    for (node, other) in [(&first, &second), (&second, &first)] {
        connected(node).await;
        connected(other).await;
        tokio::task::block_in_place(|| cluster.crash_and_restart());
        connected(node).await;
        connected(other).await;
        // A sender may find out only now that its connection is gone; then the hint is dropped and
        // others get a request to look.
        node.send(revision(1));
        let wait = async {
            loop {
                for received in other.next().await {
                    if let ReceivedHint::From(_, Hint::Revision(_) | Hint::Look) = received {
                        return;
                    }
                }
            }
        };
        timeout(LIMIT, wait).await.unwrap();
        // The next round begins as a new channel does.
        tokio::task::block_in_place(|| cluster.crash_and_restart());
    }
    assert!(first.counts().disconnects >= 2, "{:?}", first.counts());
}

/// While there is no server, hints are dropped and counted; nobody waits.
#[tokio::test]
async fn too_many_hints_are_dropped() {
    let nowhere = std::env::temp_dir().join("padsvc-no-server-here");
    let connection = format!("host='{}' user=padsvc dbname=pads", nowhere.display());
    let hints = open(&Location::Postgres(connection), 1, 1);
    for rev in 0..HINTS_WAITING as u64 + 10 {
        hints.send(revision(rev));
    }
    assert_eq!(hints.counts().dropped, 10);
}
