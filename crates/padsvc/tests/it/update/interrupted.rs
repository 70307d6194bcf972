//! Killed at every point. The next start always reaches a defined state, and the service runs.

use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::Kind;

fn killed_in(test: &str, status: &str, hold: Option<&str>, kind: Kind) -> Installation {
    // Long enough to be killed in.
    let drain_seconds = if status == "draining" { 3600 } else { 1 };
    let mut here = Installation::new(test, json!({ "drainSeconds": drain_seconds }));
    here.publish("1.1.0", kind);
    here.start();
    here.until_known("v1.1.0");
    if let Some(hold) = hold {
        here.origin.hold(hold);
    }
    std::thread::scope(|scope| {
        // In pre-flight the answer does not come.
        scope.spawn(|| {
            let request = crate::client::Request::post("/admin/update/apply");
            let request = crate::update::installation::as_admin(request);
            crate::client::exchange(&here.address, &request.bytes())
        });
        here.until_status(status);
        here.kill();
    });
    here
}

#[test]
fn in_preflight() {
    let mut here = killed_in("kill_preflight", "preflight", Some("rustc"), Kind::Good);
    here.until_status("idle");
    here.is_as_before();
    assert_eq!(here.state()["lastResult"]["reason"], "interrupted");
    here.origin.let_go("rustc");
    here.stop();
}

#[test]
fn while_draining() {
    let mut here = killed_in("kill_drain", "draining", None, Kind::Good);
    here.until_status("idle");
    here.is_as_before();
    assert_eq!(here.state()["lastResult"]["reason"], "interrupted");
    here.stop();
}

#[test]
fn while_building() {
    let mut here = killed_in("kill_build", "executing", Some("build"), Kind::Good);
    // What was building does not go on behind our back.
    let execution = here.until_status("rolled-back");
    assert_eq!(execution["reason"], "interrupted");
    here.is_as_before();
    assert!(!here.root.join("var/update-child").exists());
    assert_eq!(here.codes(), [None, Some(75)]);
    here.origin.let_go("build");
    // And everything works once nobody pulls the plug.
    here.acknowledge();
    assert_eq!(here.apply().status, 202);
    here.until_runs("1.1.0");
    here.until_status("verified");
    here.stop();
}

#[test]
fn before_the_new_version_has_shown_that_it_works() {
    let mut here = Installation::new("kill_pending", json!({}));
    here.origin.hold("start");
    assert_eq!(here.apply_new("1.1.0", Kind::Good).status, 202);
    here.until("the new one is started", || here.codes() == [Some(75)]);
    here.kill();
    here.until("started again", || here.codes().len() == 2);
    assert_eq!(here.status(), "pending-verification");
    here.origin.let_go("start");
    here.until_status("verified");
    here.until_runs("1.1.0");
    here.stop();
}

#[test]
fn between_the_state_and_the_switch() {
    let mut here = Installation::new("kill_switch", json!({}));
    here.origin.hold("start");
    assert_eq!(here.apply_new("1.1.0", Kind::Good).status, 202);
    here.until("the new one is started", || here.codes() == [Some(75)]);
    // As if the power had gone a moment earlier: the link is still the old one.
    let current = here.root.join("var/current");
    std::fs::remove_file(&current).unwrap();
    std::os::unix::fs::symlink("releases/first", &current).unwrap();
    here.kill();
    let execution = here.until_status("rolled-back");
    assert_eq!(execution["reason"], "the restart ran 1.0.0 and not 1.1.0");
    here.is_as_before();
    here.stop();
}

#[test]
fn while_rolling_back() {
    let mut here = killed_in(
        "kill_rollback",
        "rolling-back",
        Some("restore"),
        Kind::Broken,
    );
    // It starts over, and is killed again.
    here.until("started again", || here.codes().len() == 1);
    here.kill();
    here.until("started again", || here.codes().len() == 2);
    here.origin.let_go("restore");
    let execution = here.until_status("rolled-back");
    assert!(execution["reason"].as_str().unwrap().starts_with("build: "));
    here.is_as_before();
    here.stop();
}

#[test]
fn in_the_states_that_stay() {
    let updates = json!({ "tier": "auto", "preApplyGraceMinutes": 60 });
    let mut here = Installation::new("kill_rest", updates);
    here.publish("1.1.0", Kind::Good);
    here.start();
    let scheduled = here.until_status("scheduled");
    here.kill();
    here.until("started again", || here.codes().len() == 1);
    here.until_runs("1.0.0");
    assert_eq!(here.state()["execution"], scheduled);
    assert_eq!(here.apply().status, 202);
    here.until_status("verified");
    here.until_runs("1.1.0");
    here.kill();
    here.until("started again", || here.codes().len() == 3);
    here.until_runs("1.1.0");
    assert_eq!(here.status(), "verified");
    here.stop();
}
