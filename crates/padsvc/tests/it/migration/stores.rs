//! Every kind of database, read directly where that is possible, and by the dump script.

use std::process::Stdio;

use serde_json::json;

use super::servers::{MariaDb, Redis};
use super::{compare, dump_script, fixture, migrate, migrate_completely, through_script, unpacked};
use crate::cluster::Cluster;
use crate::server::{TempRoot, run, stderr};

#[test]
fn a_dirty_database_moves_in() {
    let (root, file) = unpacked("etherpad_dirty", "dirty.db");
    let report = migrate_completely(&root, &file, Stdio::null());
    assert_eq!(
        (&report["pads"], &report["revisions"]),
        (&json!(61), &json!(2698))
    );
    compare(&root, "dirty", "1.3.1", |_| true);
}

#[test]
fn a_database_of_an_old_version_moves_in() {
    let (root, file) = unpacked("etherpad_old", "dirty-1.8.14.db");
    migrate_completely(&root, &file, Stdio::null());
    compare(&root, "etherpad-1.8.14", "1.2.15", |_| true);
}

#[test]
fn an_sqlite_database_moves_in() {
    let (root, file) = unpacked("etherpad_sqlite", "sqlite.db");
    migrate_completely(&root, &file, Stdio::null());
    assert_eq!(
        std::fs::read(root.path(&file)).unwrap(),
        fixture("sqlite.db")
    );
    compare(&root, "sqlite", "1.3.1", |_| true);
}

#[test]
fn a_postgresql_database_moves_in() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    cluster.execute("postgres", "CREATE DATABASE etherpad_real");
    cluster.load("etherpad_real", &fixture("postgres.sql"));
    let root = TempRoot::new("etherpad_postgresql");
    migrate_completely(&root, &cluster.address("etherpad_real"), Stdio::null());
    compare(&root, "postgres", "1.3.1", |_| true);
}

#[test]
fn a_mariadb_database_moves_in() {
    let server = MariaDb::start();
    server.load("etherpad", &fixture("mariadb.sql"));
    let root = TempRoot::new("etherpad_mariadb");
    migrate_completely(&root, &server.address("etherpad"), Stdio::null());
    compare(&root, "mariadb", "1.3.1", |_| true);

    // What a client with another character set writes is refused, and changes nothing.
    let refused = TempRoot::new("etherpad_mariadb_lossy");
    for (charset, reason) in [("latin1", "not valid UTF-8"), ("ascii", "question marks")] {
        std::fs::write(refused.path("dump.tsv"), server.batch("etherpad", charset)).unwrap();
        let output = run(&refused, &["migrate", "dump.tsv"]);
        assert_eq!(output.status.code(), Some(1), "{charset}");
        assert!(
            stderr(&output).contains(reason),
            "{charset}: {}",
            stderr(&output)
        );
    }
    std::fs::write(
        refused.path("dump.tsv"),
        server.batch("etherpad", "utf8mb4"),
    )
    .unwrap();
    migrate_completely(&refused, "dump.tsv", Stdio::null());
}

#[test]
fn the_script_reads_dirty_databases() {
    let (database, file) = unpacked("dump_of_dirty", "dirty.db");
    let settings = json!({"filename": database.path(&file)});
    let root = through_script("dumped_dirty", "dirty", &settings);
    assert_eq!(
        std::fs::read(database.path(&file)).unwrap(),
        fixture("dirty.db")
    );
    compare(&root, "dirty", "1.3.1", |_| true);
}

#[test]
fn the_script_reads_sqlite_databases() {
    let (database, file) = unpacked("dump_of_sqlite", "sqlite.db");
    let settings = json!({"filename": database.path(&file)});
    let root = through_script("dumped_sqlite", "sqlite", &settings);
    assert_eq!(
        std::fs::read(database.path(&file)).unwrap(),
        fixture("sqlite.db")
    );
    compare(&root, "sqlite", "1.3.1", |_| true);
}

#[test]
fn the_script_reads_rustydb_databases() {
    let (database, file) = unpacked("dump_of_rustydb", "rusty.db");
    let settings = json!({"filename": database.path(&file)});
    let root = through_script("dumped_rustydb", "rustydb", &settings);
    compare(&root, "rustydb", "1.3.1", |_| true);
}

#[test]
fn the_script_reads_redis() {
    let redis = Redis::start(&fixture("redis.rdb"));
    let settings = json!({"url": format!("redis://127.0.0.1:{}", redis.port)});
    let root = through_script("dumped_redis", "redis", &settings);
    compare(&root, "redis", "1.3.1", |_| true);
}

#[test]
fn the_script_resumes_what_was_interrupted() {
    let (database, file) = unpacked("dump_resumed", "dirty.db");
    let settings = json!({"filename": database.path(&file)});
    let whole = super::dumped("dirty", &settings);
    let to = database.path("dump.jsonl");
    let again = || {
        let mut script = dump_script("dirty", &settings);
        script.arg("--to").arg(&to).output().unwrap()
    };
    // As far as it may come: nowhere, into the first line, into some line, to the end of one.
    let middle = whole.len() / 2;
    let line = middle
        + whole[middle..]
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap()
        + 1;
    for length in [0, 10, middle, line] {
        std::fs::write(&to, &whole[..length]).unwrap();
        let output = again();
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(std::fs::read(&to).unwrap() == whole, "{length}");
    }
    let complete = again();
    assert!(
        stderr(&complete).contains("is complete"),
        "{}",
        stderr(&complete)
    );

    // What was not finished is not taken for all there is.
    std::fs::write(&to, &whole[..line]).unwrap();
    let (report, code) = migrate(&database, &["dump.jsonl"], Stdio::null());
    let error = report["error"].as_str().unwrap();
    assert!(
        code == 1 && error.contains("the dump ends early"),
        "{error}"
    );
}

#[test]
fn the_script_reads_the_settings_of_an_etherpad() {
    let (folder, file) = unpacked("dump_settings", "dirty-1.8.14.db");
    let settings = format!(
        "/* Etherpad */ {{\n// the database\n\"dbType\": \"${{DB_TYPE:dirty}}\",\n\
         \"dbSettings\": {{\"filename\": \"{}\",}},\n}}",
        folder.path(&file).display()
    );
    folder.write("settings.json", &settings);
    let mut script = std::process::Command::new("node");
    script.arg(super::project("tools/etherpad-dump.mjs"));
    script.arg("--folder").arg(super::project("tests/ueberdb"));
    script.arg("--settings").arg(folder.path("settings.json"));
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        output.stdout.iter().filter(|byte| **byte == b'\n').count(),
        1_415
    );
    assert_eq!(stderr(&output), "1413 records read\n");

    let nowhere = dump_script("sqlite", &json!({"filename": folder.path("nowhere")})).output();
    let nowhere = nowhere.unwrap();
    assert!(
        stderr(&nowhere).contains("there is no database at"),
        "{}",
        stderr(&nowhere)
    );
    assert!(!folder.path("nowhere").exists());
}
