//! Backups of a running server, alone and as one of several nodes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Request;
use crate::cluster::Cluster;
use crate::postgresql;
use crate::server::{Server, TempRoot, run, stderr, stdout};

const ROOT: &str = "Basic cm9vdDpwdw==";

fn settings() -> Value {
    json!({ "users": { "root": { "password": "pw", "is_admin": true } } })
}

fn list(server: &Server) -> Value {
    let request = Request::get("/admin/api/backups").header("authorization", ROOT);
    server.send(&request).json()
}

fn begin(server: &Server) {
    let request = Request::post("/admin/api/backups").header("authorization", ROOT);
    let answer = server.send(&request.body("application/json", "{}"));
    assert_eq!(answer.status, 202);
}

fn until(server: &Server, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let found = list(server);
        if is_so(&found) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_backup_of_a_running_server_can_be_restored() {
    let root = TempRoot::with_settings("backup", &settings().to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({"padID": "notes", "text": "zero"}));
    begin(&server);
    let found = until(&server, |found| found["running"].is_null());
    let name = found["files"][0]["name"].as_str().unwrap();
    assert_eq!(files(&root.path("var/backups")), [name]);
    let other = TempRoot::new("backup_restored");
    let copy = root.path("var/backups").join(name);
    let restored = run(&other, &["restore", copy.to_str().unwrap()]);
    assert!(restored.status.success(), "{}", stderr(&restored));
    let check = run(&other, &["check"]);
    assert_eq!(stdout(&check), "checked 1 pad: no problems\n");
    server.stop();
}

/// Both nodes have a schedule; one makes the backup, and both know of it.
#[test]
fn one_node_of_a_cluster_makes_the_scheduled_backup() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let mut settings = settings();
    settings["backups"] = json!({ "everyHours": 24 });
    let roots =
        ["backup_a", "backup_b"].map(|name| postgresql::root(name, &database, settings.clone()));
    let a = Server::start(&roots[0]);
    let b = Server::start_beside(&a, &roots[1]);
    a.data("createPad", &json!({"padID": "notes", "text": "zero"}));
    let is_made = |found: &Value| found["last"].is_object() && found["running"].is_null();
    let last = until(&b, is_made)["last"].clone();
    assert_eq!(list(&a)["last"], last);
    let made: Vec<Value> = [&a, &b].map(|node| list(node)["files"].clone()).to_vec();
    let count = made
        .iter()
        .flat_map(|files| files.as_array().unwrap())
        .count();
    assert_eq!(count, 1, "{made:?}");
    // By hand, at any node.
    begin(&b);
    let found = until(&b, |found| {
        found["running"].is_null() && found["last"] != last
    });
    let name = found["last"]["name"].as_str().unwrap();
    let copy = roots[1].path("var/backups").join(name);
    let other = TempRoot::new("backup_pg");
    let restored = run(&other, &["restore", copy.to_str().unwrap()]);
    assert!(restored.status.success(), "{}", stderr(&restored));
    a.stop();
    b.stop();
}
