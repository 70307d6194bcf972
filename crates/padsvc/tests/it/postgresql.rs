//! The program on PostgreSQL: the same scripts, and commands beside a server.

use std::net::TcpListener;
use std::process::Command;

use serde_json::{Value, json};

use crate::bad_requests;
use crate::cluster::Cluster;
use crate::script;
use crate::scripts;
use crate::server::{Server, TempRoot, padsvc, run, stderr, stdout};

/// A folder whose settings name that database.
pub(crate) fn root(name: &str, database: &store::Location, settings: Value) -> TempRoot {
    let store::Location::Postgres(connection) = database else {
        panic!("not a database on a server");
    };
    let mut settings = settings;
    settings["dbType"] = json!("postgres");
    settings["dbSettings"] = json!({ "connectionString": connection });
    TempRoot::with_settings(name, &settings.to_string())
}

#[test]
fn scripts_answer_the_same() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    for (start, script) in script::all().into_iter().enumerate() {
        let settings = serde_json::from_str(&scripts::settings(&script.config)).unwrap();
        let name = format!("postgres_{}", script.name);
        let root = root(&name, &cluster.database(), settings);
        let server = Server::start(&root);
        scripts::run_script(&server, &script, start, &|_| "2.0.0");
        server.stop();
        let check = run(&root, &["check"]);
        assert!(
            stdout(&check).ends_with(": no problems\n"),
            "{}",
            stdout(&check)
        );
        assert!(!root.path("var/padsvc.db").exists());
    }
}

#[test]
fn commands_do_not_work_on_a_database_behind_its_nodes() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let roots = ["claimed_a", "claimed_b"].map(|name| root(name, &database, json!({})));
    let [a, b] = &roots;
    let server = Server::start(a);
    server.data("createPad", &json!({"padID": "notes", "text": "zero"}));
    let copy = b.path("copy.db");
    for arguments in [&["check"][..], &["delete", "notes"]] {
        let refused = run(b, arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        let told = stderr(&refused);
        assert!(
            told.contains("nodes use the database (`padsvc nodes` lists them)"),
            "{arguments:?}: {told}"
        );
    }
    // Copying only reads, and commands that go to the server do not need the database.
    let backup = run(b, &["backup", copy.to_str().unwrap()]);
    assert!(backup.status.success(), "{}", stderr(&backup));
    let check = run(a, &["check"]);
    assert!(check.status.success(), "{}", stderr(&check));
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text["text"], "zero\n");
    // One that was killed is in nobody's way.
    server.signal("KILL");
    server.wait();
    let check = run(b, &["check"]);
    assert!(check.status.success(), "{}", stderr(&check));
}

#[test]
fn texts_that_the_database_does_not_like_are_kept_all_the_same() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let server = Server::start(&root("postgres_nul", &cluster.database(), json!({})));
    let nul = "a\0b";
    let author = server.data("createAuthor", &json!({ "name": nul }));
    let name = server.data("getAuthorName", &json!({"authorID": author["authorID"]}));
    assert_eq!(name["authorName"], nul);
    for (function, mapper) in [
        ("createAuthorIfNotExistsFor", "authorMapper"),
        ("createGroupIfNotExistsFor", "groupMapper"),
    ] {
        let first = server.data(function, &json!({ mapper: nul }));
        assert_eq!(server.data(function, &json!({ mapper: nul })), first);
        assert_ne!(server.data(function, &json!({ mapper: "ab" })), first);
    }
    server.data("createPad", &json!({"padID": "notes", "text": nul}));
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text["text"], "a\0b\n");
    let message = json!({"padID": "notes", "text": nul, "authorID": author["authorID"]});
    server.data("appendChatMessage", &message);
    let history = server.data("getChatHistory", &json!({"padID": "notes"}));
    assert_eq!(history["messages"][0]["text"], nul);
}

#[test]
fn bad_requests_are_refused_there_too() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let settings = bad_requests::settings();
    let server = Server::start(&root("postgres_bad", &cluster.database(), settings));
    bad_requests::refuse_all(&server);
}

/// The connection is encrypted when that is asked for, with a server whose certificate is trusted.
#[test]
fn a_server_across_a_network_is_spoken_to_in_secret() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let key = made.signing_key.serialize_pem();
    let Some(cluster) = Cluster::encrypted(port, &made.cert.pem(), &key) else {
        return;
    };
    cluster.execute("postgres", "CREATE DATABASE pads");
    let address = |host: &str| {
        let database = json!({
            "host": host, "port": port, "user": "padsvc", "database": "pads", "ssl": true,
        });
        json!({ "dbType": "postgres", "dbSettings": database }).to_string()
    };
    let root = TempRoot::with_settings("postgres_secret", &address("localhost"));
    root.write("trusted.pem", &made.cert.pem());
    let trusting = format!("SSL_CERT_FILE={}", root.path("trusted.pem").display());

    let refused = stderr(&run(&root, &["--port", "0"]));
    assert!(refused.contains("certificate"), "{refused}");
    let other = TempRoot::with_settings("postgres_name", &address("127.0.0.1"));
    let mut start = padsvc(&other);
    start.args(["--port", "0"]);
    start.env("SSL_CERT_FILE", root.path("trusted.pem"));
    let refused = stderr(&start.output().unwrap());
    assert!(refused.contains("not valid for name"), "{refused}");

    let mut env = Command::new("env");
    env.arg(trusting);
    let server = Server::start_under(env, &root);
    server.data("createPad", &json!({"padID": "notes", "text": "secret"}));
    let encrypted = "DO $$ BEGIN
        IF (SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'padsvc') IS NOT TRUE
        THEN RAISE 'in the clear'; END IF;
    END $$";
    cluster.execute("pads", encrypted);
    server.stop();
}
