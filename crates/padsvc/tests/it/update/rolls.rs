//! Updates of two nodes on one PostgreSQL database: one after the other, and none after a failure.

use serde_json::json;
use store::Location;

use crate::cluster::Cluster;
use crate::update::editors::join;
use crate::update::installation::Installation;
use crate::update::origin::Kind;

/// An installation whose feed has nothing newer.
fn node(test: &str, database: &Location) -> Installation {
    let Location::Postgres(connection) = database else {
        panic!("not a database on a server");
    };
    let mut here = Installation::new(test, json!({}));
    here.settings["dbType"] = json!("postgres");
    here.settings["dbSettings"] = json!({ "connectionString": connection });
    here.settings["adminEmail"] = json!("admin@example.org");
    here
}

/// Two nodes that know of each other, and a release that only the first learns of.
fn nodes(test: &str, kinds: [Kind; 2]) -> Option<[Installation; 2]> {
    let database = Cluster::shared()?.database();
    let mut nodes = ["a", "b"].map(|name| node(&format!("{test}_{name}"), &database));
    for (node, kind) in nodes.iter_mut().zip(kinds) {
        node.origin.commit("1.1.0", kind, "1.70");
        node.origin.tag("v1.1.0");
    }
    nodes[0].feed.offer("v1.1.0");
    for node in &mut nodes {
        node.start();
    }
    for node in &nodes {
        let line = "nodes that serve the database: 2";
        node.until(line, || node.log().contains(line));
    }
    nodes[0].until_known("v1.1.0");
    Some(nodes)
}

/// The time of a line of the log of updates.
fn time_of(node: &Installation, word: &str) -> String {
    let log = node.update_log();
    let line = log.lines().find(|line| line.contains(word)).unwrap();
    line.split(']').next().unwrap().to_owned()
}

#[test]
fn one_click_updates_both_nodes_one_after_the_other() {
    let Some(mut nodes) = nodes("roll", [Kind::Good, Kind::Good]) else {
        return;
    };
    let [a, b] = &nodes;
    let mut member = join(&a.address, 1).unwrap();
    b.origin.hold("fetch");
    let answer = a.apply();
    assert_eq!(answer.status, 202, "{}", answer.text());
    // The other node takes over: nobody is warned.
    while let Some(message) = member.next_message() {
        assert!(!message.to_string().contains("update.drain"), "{message}");
        assert_ne!(message["disconnect"], "updateInProgress");
    }
    a.until_runs("1.1.0");
    a.until_status("verified");
    // Now it is the other's turn. It was not asked, and its feed has nothing.
    b.until_status("executing");
    let roll = || a.get("/admin/update/status").json()["roll"].take();
    let updating = json!(format!("http://{}", b.address));
    a.until("b's turn is known", || roll()["updating"] == updating);
    assert_eq!(roll()["target"], "v1.1.0");
    // One at a time: a restart or another update is not begun meanwhile.
    assert_eq!(a.apply().json()["reason"], "up-to-date");
    let newcomer = join(&b.address, 2);
    assert!(newcomer.is_some(), "nobody is turned away");
    drop((newcomer, member));
    b.origin.let_go("fetch");
    b.until_runs("1.1.0");
    b.until_status("verified");
    assert!(time_of(a, "VERIFIED") < time_of(b, "PREFLIGHT"));
    a.until("the turn is over", || roll()["updating"].is_null());
    let logs = nodes.each_ref().map(Installation::log).join("");
    let mails = logs.matches("(would send email)").count();
    assert_eq!(mails, 1, "{logs}");
    nodes.iter_mut().for_each(Installation::stop);
}

#[test]
fn after_a_failure_no_node_is_updated_until_one_is_acknowledged() {
    let Some(mut nodes) = nodes("roll_stops", [Kind::Broken, Kind::Good]) else {
        return;
    };
    let [a, b] = &nodes;
    assert_eq!(a.apply().status, 202);
    a.until_status("rolled-back");
    a.until("started again", || a.codes() == [Some(75)]);
    a.is_as_before();
    let shown = b.until_status("preflight-failed");
    let reason = shown["reason"].as_str().unwrap();
    let expected = format!("other-node: http://{}: rolled-back: build: ", a.address);
    assert!(reason.starts_with(&expected), "{reason}");
    let line = "PREFLIGHT-FAILED target=v1.1.0";
    b.until(line, || b.update_log().contains(line));
    let stopped = b.get("/admin/update/status").json()["roll"]["stopped"].take();
    assert_eq!(stopped["outcome"], "rolled-back");
    b.feed.offer("v1.1.0");
    assert_eq!(b.apply().json()["error"], "acknowledge-first");
    assert_eq!(a.apply().json()["error"], "acknowledge-first");
    b.acknowledge();
    a.until_status("idle");
    assert_eq!(b.status(), "idle");
    b.until_runs("1.0.0");
    // What was begun on the first is over: it is not tried again by itself.
    assert!(!b.update_log().contains("PREFLIGHT target"));
    nodes.iter_mut().for_each(Installation::stop);
}

#[test]
fn what_one_node_has_begun_is_cancelled_on_the_other() {
    let Some(mut nodes) = nodes("roll_cancelled", [Kind::Good, Kind::Good]) else {
        return;
    };
    let [a, b] = &nodes;
    assert_eq!(b.post("/admin/update/cancel").status, 409);
    a.origin.hold("rustc");
    let refused = std::thread::scope(|scope| {
        let apply = scope.spawn(|| a.apply());
        a.until_status("preflight");
        let roll = || b.get("/admin/update/status").json()["roll"].take();
        b.until("a's turn is known", || roll()["updating"].is_string());
        let answer = b.post("/admin/update/cancel");
        assert_eq!(answer.json(), json!({ "cancelled": true }));
        let refused = apply.join().unwrap();
        b.until("the turn is over", || roll()["updating"].is_null());
        refused
    });
    a.origin.let_go("rustc");
    assert_eq!(refused.json()["error"], "cancelled-during-preflight");
    assert_eq!(a.state()["lastResult"]["reason"], "admin-cancelled");
    nodes.iter().for_each(Installation::is_as_before);
    // A click starts again, and goes through both.
    assert_eq!(nodes[0].apply().status, 202);
    for node in &nodes {
        node.until_runs("1.1.0");
        node.until_status("verified");
    }
    nodes.iter_mut().for_each(Installation::stop);
}
