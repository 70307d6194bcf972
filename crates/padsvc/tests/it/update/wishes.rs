//! What administrators ask for while something is under way.

use serde_json::json;

use crate::client::{self, Request};
use crate::update::installation::{Installation, as_admin};
use crate::update::origin::Kind;

fn cancelled(here: &Installation) {
    let answer = here.post("/admin/update/cancel");
    assert_eq!(
        (answer.status, answer.json()),
        (200, json!({ "cancelled": true }))
    );
    assert_eq!(here.status(), "idle");
    let result = here.state()["lastResult"].take();
    assert_eq!(
        (&result["outcome"], &result["reason"]),
        (&json!("cancelled"), &json!("admin-cancelled"))
    );
    assert_eq!(here.get("/admin/update/status").json()["lockHeld"], false);
    here.is_as_before();
}

#[test]
fn cancelling_in_each_state() {
    let updates = json!({ "tier": "auto", "preApplyGraceMinutes": 60, "drainSeconds": 3600 });
    let mut here = Installation::new("cancel", updates);
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_status("scheduled");
    cancelled(&here);
    // It holds: the same release is not scheduled again, also not after a restart.
    here.restart();
    here.until("asked", || here.feed.given().len() == 2);
    here.until("heard", || here.state()["lastCheckAt"].is_string());
    assert_eq!(here.status(), "idle");
    here.origin.hold("rustc");
    let waiting = std::thread::scope(|scope| {
        let apply = scope.spawn(|| here.apply());
        here.until_status("preflight");
        cancelled(&here);
        apply.join().unwrap()
    });
    assert_eq!(waiting.status, 409);
    assert_eq!(waiting.json()["error"], "cancelled-during-preflight");
    here.origin.let_go("rustc");
    assert_eq!(here.apply().status, 202);
    assert_eq!(here.status(), "draining");
    // It restarts the service itself.
    let restart = as_admin(Request::post("/admin/api/restart"));
    let restart = client::send(&here.address, &restart.body("application/json", "{}"));
    assert_eq!(restart.status, 409);
    cancelled(&here);
    let answer = here.post("/admin/update/cancel");
    assert_eq!(answer.status, 409);
    assert_eq!(
        answer.json(),
        json!({ "error": "not-cancellable", "status": "idle" })
    );
    assert!(here.codes().is_empty());
    // Once something is changed it is too late.
    here.settings["updates"]["drainSeconds"] = json!(1);
    here.restart();
    here.origin.hold("build");
    assert_eq!(here.apply().status, 202);
    here.until_status("executing");
    let answer = here.post("/admin/update/cancel");
    assert_eq!(answer.status, 409);
    assert_eq!(answer.json()["status"], "executing");
    here.origin.let_go("build");
    here.until_status("verified");
    here.until_runs("1.1.0");
    here.stop();
}

#[test]
fn what_a_higher_tier_left_over_is_acknowledged_at_a_lower_one() {
    let mut here = Installation::new("lowered", json!({}));
    here.publish("1.1.0", Kind::Broken);
    here.start();
    here.until_known("v1.1.0");
    for tier in ["notify", "off"] {
        std::fs::write(here.root.join("stray"), "").unwrap();
        assert_eq!(here.apply().json()["error"], "preflight-failed");
        here.settings["updates"]["tier"] = json!(tier);
        here.restart();
        assert_eq!(here.apply().status, 404);
        let log = here.get("/admin/update/log");
        let line = "PREFLIGHT-FAILED target=v1.1.0";
        assert!(log.text().contains(line), "{}", log.text());
        here.acknowledge();
        here.settings["updates"]["tier"] = json!("manual");
        here.restart();
    }
    // One that was rolled back, too.
    std::fs::remove_file(here.root.join("stray")).unwrap();
    assert_eq!(here.apply().status, 202);
    here.until_status("rolled-back");
    here.until("started again", || here.codes() == [Some(75)]);
    here.is_as_before();
    let answer = here.apply();
    assert_eq!(answer.status, 409);
    assert_eq!(answer.json()["status"], "rolled-back");
    here.settings["updates"]["tier"] = json!("off");
    here.restart();
    here.acknowledge();
    here.stop();
}

#[test]
fn applying_twice_at_once() {
    let mut here = Installation::new("twice", json!({}));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let mut answers = std::thread::scope(|scope| {
        let both = [scope.spawn(|| here.apply()), scope.spawn(|| here.apply())];
        both.map(|one| one.join().unwrap())
    });
    answers.sort_by_key(|answer| answer.status);
    let [accepted, refused] = answers;
    assert_eq!((accepted.status, refused.status), (202, 409));
    let error = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("execution-busy:"), "{error}");
    here.until_runs("1.1.0");
    here.until_status("verified");
    assert_eq!(here.codes(), [Some(75)]);
    here.stop();
}

#[test]
fn applying_without_a_release() {
    let mut here = Installation::new("nothing", json!({}));
    here.feed.answer(500, "", "broken");
    here.start();
    let answer = here.apply();
    assert_eq!(
        (answer.status, answer.json()),
        (409, json!({ "error": "no-known-latest" }))
    );
    here.stop();
    // Asked too often: the next question waits, also after a restart.
    here.feed.answer(429, "retry-after: 3600\r\n", "");
    here.start();
    here.until("told to wait", || here.state()["nextCheckAt"].is_string());
    here.feed.offer("v1.1.0");
    let asked = here.feed.given().len();
    here.restart();
    here.restart();
    assert_eq!(here.feed.given().len(), asked);
    here.stop();
}
