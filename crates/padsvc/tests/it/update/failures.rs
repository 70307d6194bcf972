//! Updates that go wrong after they have begun, and what is put back.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::update::installation::Installation;
use crate::update::origin::{Kind, git};

/// Waits for the rollback, after which these runs have ended, and gives its reason. The old version
/// runs again.
fn rolled_back(here: &Installation, codes: &[Option<i32>]) -> String {
    let execution = here.until_status("rolled-back");
    here.until("restarted", || here.codes() == codes);
    here.is_as_before();
    assert_eq!(execution["restoredSha"], here.origin.commit_of("v1.0.0"));
    assert_eq!(here.state()["lastResult"]["outcome"], "rolled-back");
    execution["reason"].as_str().unwrap().to_owned()
}

/// An update that is accepted, and something that happens before its installation begins.
fn begun(test: &str, kind: Kind, meanwhile: impl FnOnce(&Installation)) -> Installation {
    let mut here = Installation::new(test, json!({}));
    here.origin.hold("fetch");
    let answer = here.apply_new("1.1.0", kind);
    assert_eq!(answer.status, 202, "{}", answer.text());
    meanwhile(&here);
    here.origin.let_go("fetch");
    here
}

#[test]
fn the_origin_is_gone() {
    let mut here = begun("no_fetch", Kind::Good, |here| {
        std::fs::rename(&here.origin.bare, here.path("away.git")).unwrap();
    });
    let reason = rolled_back(&here, &[Some(75)]);
    assert!(
        reason.starts_with("fetch: git fetch exit 128: "),
        "{reason}"
    );
    here.stop();
}

#[test]
fn the_tag_is_another_than_the_one_that_was_verified() {
    let mut here = begun("moved", Kind::Good, |here| {
        here.origin.commit("1.1.1", Kind::Good, "1.70");
        here.origin.tag("v1.1.0");
    });
    let reason = rolled_back(&here, &[Some(75)]);
    assert_eq!(
        reason,
        "fetch: v1.1.0 is not the commit any more that was verified"
    );
    here.stop();
}

#[test]
fn something_is_in_the_way_of_the_checkout() {
    let mut here = begun("no_checkout", Kind::Good, |here| {
        std::fs::write(here.root.join("notes-1.1.0"), "mine").unwrap();
    });
    let execution = here.until_status("rolled-back");
    let reason = execution["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("checkout: git checkout exit 1: "),
        "{reason}"
    );
    here.until("restarted", || here.codes() == [Some(75)]);
    here.until_runs("1.0.0");
    assert_eq!(here.head(), here.origin.commit_of("v1.0.0"));
    // What is not ours is still there.
    assert_eq!(
        std::fs::read_to_string(here.root.join("notes-1.1.0")).unwrap(),
        "mine"
    );
    here.stop();
}

#[test]
fn the_release_cannot_be_built() {
    let mut here = begun("no_build", Kind::Broken, |_| ());
    let reason = rolled_back(&here, &[Some(75)]);
    assert!(
        reason.starts_with("build: cargo build exit 101: "),
        "{reason}"
    );
    assert_eq!(here.codes(), [Some(75)]);
    // What the compiler said is in the log.
    assert!(
        here.get("/admin/update/log")
            .text()
            .contains("cargo build ERR | ")
    );
    assert_eq!(here.post("/admin/update/acknowledge").status, 200);
    assert_eq!(here.status(), "idle");
    here.stop();
}

#[test]
fn the_release_breaks_at_every_start() {
    let mut here = begun("crashing", Kind::Crashing, |_| ());
    // The update, two starts that break, and the third that puts things right.
    let codes = [Some(75), Some(1), Some(1), Some(75)];
    let reason = rolled_back(&here, &codes);
    assert_eq!(reason, "health-check-failed-or-crash-loop");
    here.stop();
}

#[test]
fn the_release_never_gets_healthy() {
    let mut here = Installation::new("mute", json!({ "rollbackHealthCheckSeconds": 1 }));
    // A database that takes calls and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut settings = here.settings.clone();
    settings["dbType"] = json!("postgres");
    settings["dbSettings"] = json!({
        "host": "127.0.0.1", "port": silent.local_addr().unwrap().port(),
        "user": "nobody", "database": "none",
    });
    std::fs::write(here.path("mute.json"), settings.to_string()).unwrap();
    assert_eq!(here.apply_new("1.1.0", Kind::Mute).status, 202);
    let reason = rolled_back(&here, &[Some(75), Some(75)]);
    assert_eq!(reason, "health-check-timeout");
    here.stop();
}

#[test]
fn not_even_the_rollback_works() {
    let mut here = Installation::new("stuck", json!({ "tier": "auto" }));
    here.settings["updates"]["preApplyGraceMinutes"] = json!(60);
    here.origin.hold("fetch");
    assert_eq!(here.apply_new("1.1.0", Kind::Good).status, 202);
    let (git_folder, away) = (here.root.join(".git"), here.path("git-away"));
    std::fs::rename(&git_folder, &away).unwrap();
    here.origin.let_go("fetch");
    let execution = here.until_status("rollback-failed");
    let reason = execution["reason"].as_str().unwrap();
    assert!(
        reason.contains("; rollback: checkout: git checkout exit "),
        "{reason}"
    );
    here.until("restarted", || here.codes() == [Some(75)]);
    here.until_runs("1.0.0");
    // Nothing happens by itself any more, but an administrator can still try.
    std::fs::rename(&away, &git_folder).unwrap();
    here.publish("1.2.0", Kind::Good);
    here.restart();
    here.until_known("v1.2.0");
    let policy = here.get("/admin/update/status").json()["policy"].take();
    let expected = (json!("rollback-failed-terminal"), json!(false), json!(true));
    let found = |key: &str| -> Value { policy[key].clone() };
    assert_eq!(
        (found("reason"), found("canAuto"), found("canManual")),
        expected
    );
    assert_eq!(here.status(), "rollback-failed");
    assert_eq!(here.apply().status, 202);
    here.until_runs("1.2.0");
    here.until_status("verified");
    assert_eq!(
        git(&here.root, &["rev-parse", "HEAD"]),
        here.origin.commit_of("v1.2.0")
    );
    here.stop();
}
