//! Two processes on one PostgreSQL database.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Request;
use crate::cluster::Cluster;
use crate::postgresql::root;
use crate::server::{Server, TempRoot, run, stderr, stdout};
use crate::socket::insert;
use crate::socket_client::{Member, token};

/// What `padsvc nodes --json` lists.
fn nodes(root: &TempRoot) -> Vec<Value> {
    let listed = run(root, &["nodes", "--json"]);
    assert!(listed.status.success(), "{}", stderr(&listed));
    let listed: Value = serde_json::from_str(&stdout(&listed)).unwrap();
    let rows = listed["rows"].as_array().cloned().unwrap_or_default();
    assert_eq!(listed["nodes"], rows.len());
    rows
}

/// Waits until so many nodes are listed.
fn until_listed(root: &TempRoot, count: usize) -> Vec<Value> {
    loop {
        let nodes = nodes(root);
        if nodes.len() == count {
            return nodes;
        }
    }
}

/// Waits until a node knows of so many, itself included.
pub(crate) fn until_known(server: &Server, count: usize) {
    let line = format!("nodes that serve the database: {count}");
    let is_known = |log: &str| {
        let mut lines = log.lines().rev();
        let last = lines.find(|line| line.contains("nodes that serve the database"));
        last.is_some_and(|last| last.contains(&line))
    };
    while !is_known(&server.log()) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn two_nodes_serve_one_database() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let roots = ["nodes_a", "nodes_b"].map(|name| root(name, &database, json!({})));
    let a = Server::start(&roots[0]);
    let b = Server::start_beside(&a, &roots[1]);
    a.data("createPad", &json!({"padID": "notes", "text": "zero"}));
    let text = b.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text["text"], "zero\n");

    let listed = until_listed(&roots[0], 2);
    let addresses: Vec<_> = listed.iter().map(|node| node["address"].clone()).collect();
    for server in [&a, &b] {
        let address = json!(format!("http://{}", server.address));
        assert!(addresses.contains(&address), "{listed:?}");
    }
    for node in &listed {
        assert_eq!(node["id"].as_str().unwrap().len(), 16);
        assert_eq!(node["draining"], false);
        assert!(!node["version"].as_str().unwrap().is_empty());
    }
    let shown = stdout(&run(&roots[1], &["nodes"]));
    assert!(shown.ends_with("\n2 nodes\n"), "{shown}");

    // One that ends leaves, and one that is killed is missed.
    a.stop();
    assert_eq!(nodes(&roots[1]).len(), 1);
    b.signal("KILL");
    b.wait();
    until_listed(&roots[1], 0);
}

#[test]
fn an_embedded_database_has_no_nodes() {
    let root = TempRoot::new("nodes_embedded");
    let _server = Server::start(&root);
    let shown = stdout(&run(&root, &["nodes"]));
    assert_eq!(shown, "an embedded database has no nodes\n");
    let refused = stderr(&run(&root, &["--port", "0"]));
    assert!(refused.contains("in use by another process"), "{refused}");
}

#[test]
fn a_node_that_ends_hands_over_to_the_others() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let roots = ["handover_a", "handover_b"].map(|name| root(name, &database, json!({})));
    let a = Server::start(&roots[0]);
    let b = Server::start_beside(&a, &roots[1]);
    until_known(&a, 2);
    let mut members: Vec<Member> = (0..6)
        .map(|person| Member::join(&a, "notes", &token(person)))
        .collect();
    let mut newcomer = Member::connect(&a);
    let ada = &mut members[0];
    ada.change(0, insert(ada.length(), "kept ", &ada.author.clone()));
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    assert_eq!(a.get("/health/ready").status, 200);
    a.signal("TERM");
    while a.get("/health/ready").status != 503 {}
    // It serves meanwhile.
    assert_eq!(a.get("/health").status, 200);
    // Nobody learns to stay away, or that the server stops.
    for member in &mut members {
        while let Some(packet) = member.packet() {
            assert!(packet.starts_with("42[\"message\""), "{packet}");
        }
    }
    assert_eq!(newcomer.packet(), None);
    drop((members, newcomer));
    assert_eq!(a.wait(), (Some(0), String::new()));
    assert_eq!(nodes(&roots[1]).len(), 1);
    let text = b.data("getText", &json!({"padID": "notes"}));
    assert!(text["text"].as_str().unwrap().starts_with("kept "));
    // Now it is alone, and people learn that the server stops.
    until_known(&b, 1);
    let mut left = Member::join(&b, "notes", &token(1));
    b.signal("TERM");
    left.shout("The server stops");
    drop(left);
    assert_eq!(b.wait(), (Some(0), String::new()));
}

#[test]
fn people_on_two_nodes_are_in_one_pad() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let roots = ["together_a", "together_b"].map(|name| root(name, &database, json!({})));
    let a = Server::start(&roots[0]);
    let b = Server::start_beside(&a, &roots[1]);
    until_known(&a, 2);
    until_known(&b, 2);
    let mut ada = Member::join(&a, "notes", &token(1));
    let mut bob = Member::join(&b, "notes", &token(2));
    let length = ada.length();
    assert_eq!(ada.room("USER_NEWINFO")["userInfo"]["userId"], bob.author);

    // Text, one after the other and at once.
    ada.change(0, insert(length, "one ", &ada.author.clone()));
    assert_eq!(ada.edit()["newRev"], 1);
    assert_eq!(bob.edit()["newRev"], 1);
    bob.change(1, insert(length + 4, "two ", &bob.author.clone()));
    assert_eq!(bob.edit()["newRev"], 2);
    assert_eq!(ada.edit()["newRev"], 2);
    ada.change(2, insert(length + 8, "three ", &ada.author.clone()));
    bob.change(2, insert(length + 8, "four ", &bob.author.clone()));
    for member in [&mut ada, &mut bob] {
        for rev in [3, 4] {
            assert_eq!(member.edit()["newRev"], rev);
        }
    }
    let [here, there] = [&a, &b].map(|server| server.data("getText", &json!({"padID": "notes"})));
    assert_eq!(here, there);
    let revisions = a.data("getRevisionsCount", &json!({"padID": "notes"}));
    assert_eq!(revisions["revisions"], 4);

    // Names, chat, and who leaves.
    let info = json!({ "name": "Ada", "colorId": "#ff0000" });
    ada.say(&json!({ "type": "USERINFO_UPDATE", "userInfo": info }));
    while bob.room("USER_NEWINFO")["userInfo"]["name"] != "Ada" {}
    bob.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": "over here" } }));
    assert_eq!(ada.room("CHAT_MESSAGE")["message"]["text"], "over here");
    let author = ada.author.clone();
    drop(ada);
    assert_eq!(bob.room("USER_LEAVE")["userInfo"]["userId"], author);
    let metrics = Request::get("/metrics").header("apikey", &b.key);
    let metrics = b.send(&metrics);
    assert!(metrics.text().contains("\npadsvc_nodes 2\n"), "{metrics:?}");
    for name in ["commits", "replans", "unhinted_revisions"] {
        let name = format!("\npadsvc_{name}_total ");
        assert!(metrics.text().contains(&name), "{name}");
    }
    a.stop();
    b.stop();
}
