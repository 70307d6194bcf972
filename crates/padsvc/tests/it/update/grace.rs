//! Updates that install themselves, and what happens before they do.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::Kind;

#[test]
fn without_anybody_asking() {
    let mut here = Installation::new("by_itself", json!({ "tier": "auto" }));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_runs("1.1.0");
    here.until_status("verified");
    assert_eq!(here.state()["lastResult"]["trigger"], "auto");
    assert_eq!(here.codes(), [Some(75)]);
    here.stop();
}

#[test]
fn what_happens_during_the_grace() {
    let updates = json!({ "tier": "auto", "preApplyGraceMinutes": 60 });
    let mut here = Installation::new("grace", updates);
    here.publish("1.1.0", Kind::Good);
    here.start();
    let scheduled = here.until_status("scheduled");
    assert_eq!(scheduled["targetTag"], "v1.1.0");
    // A restart changes nothing about it.
    here.restart();
    here.until("asked", || here.feed.given().len() == 2);
    assert_eq!(here.state()["execution"], scheduled);
    // A newer tag takes its place.
    here.publish("1.2.0", Kind::Good);
    here.restart();
    here.until_known("v1.2.0");
    let newer = here.until_status("scheduled");
    assert_eq!(newer["targetTag"], "v1.2.0");
    assert!(newer["scheduledFor"].as_str() > scheduled["scheduledFor"].as_str());
    // Another tier calls it off at the next look.
    here.settings["updates"]["tier"] = json!("manual");
    here.restart();
    here.until_status("idle");
    here.settings["updates"]["tier"] = json!("auto");
    here.restart();
    here.until_status("scheduled");
    here.settings["updates"]["tier"] = json!("off");
    here.restart();
    here.until_status("idle");
    // Apply now: the rest of the grace is skipped.
    here.settings["updates"]["tier"] = json!("auto");
    here.restart();
    here.until_status("scheduled");
    assert_eq!(here.apply().status, 202);
    here.until_runs("1.2.0");
    here.until_status("verified");
    here.stop();
}

#[test]
fn the_window_was_missed() {
    let now = Timestamp::now();
    let clock = |minutes: i64| {
        let at = now + SignedDuration::from_mins(minutes);
        at.strftime("%H:%M").to_string()
    };
    let window = json!({ "start": clock(120), "end": clock(180), "tz": "utc" });
    let updates = json!({ "tier": "autonomous", "maintenanceWindow": window });
    let mut here = Installation::new("window", updates);
    here.publish("1.1.0", Kind::Good);
    here.start();
    let scheduled = here.until_status("scheduled");
    let opens: Timestamp = scheduled["scheduledFor"].as_str().unwrap().parse().unwrap();
    let away = opens.duration_since(now).as_mins();
    assert!((118..=120).contains(&away), "{away}");
    let status = here.get("/admin/update/status").json();
    assert_eq!(status["nextWindowOpensAt"], scheduled["scheduledFor"]);
    assert_eq!(status["maintenanceWindow"]["start"], clock(120).as_str());
    assert_eq!(status["windowIsOpen"], false);
    here.stop();
    // The machine was off while the window was open: the time is over, and the window is closed.
    let mut state = here.state();
    state["execution"]["scheduledFor"] = json!(now - SignedDuration::from_hours(22));
    std::fs::write(here.root.join("var/update-state.json"), state.to_string()).unwrap();
    here.start();
    here.until("put off", || {
        here.state()["execution"]["scheduledFor"] == scheduled["scheduledFor"]
    });
    here.stop();
    // Inside the window it goes ahead.
    here.settings["updates"]["maintenanceWindow"] =
        json!({ "start": clock(-60), "end": clock(60), "tz": "utc" });
    here.start();
    here.until_runs("1.1.0");
    here.until_status("verified");
    here.stop();
}
