//! Updates that go well.

use serde_json::{Value, json};

use crate::client::{self, Request};
use crate::update::installation::Installation;
use crate::update::origin::{Kind, git};

#[test]
fn an_update_is_installed_and_stays() {
    let mut here = Installation::new("success", json!({}));
    let answer = here.apply_new("1.1.0", Kind::Good);
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(answer.json()["accepted"], true);
    assert!(
        answer.json()["drainEndsAt"]
            .as_str()
            .unwrap()
            .ends_with('Z')
    );
    here.until_status("verified");
    here.until_runs("1.1.0");
    assert_eq!(here.codes(), [Some(75)]);
    assert_eq!(here.head(), here.origin.commit_of("v1.1.0"));
    let result = here.state()["lastResult"].take();
    assert_eq!(result["outcome"], "verified");
    // Every state was passed, in its order.
    let log = here.update_log();
    let words = [
        "PREFLIGHT",
        "DRAINING",
        "EXECUTING",
        "PENDING-VERIFICATION",
        "VERIFIED",
    ];
    let places: Vec<usize> = words.iter().map(|word| log.find(word).unwrap()).collect();
    assert!(places.is_sorted(), "{log}");
    assert!(
        here.get("/admin/update/log")
            .text()
            .ends_with(log.trim_end().lines().last().unwrap())
    );
    // It stays so after a restart, which asks the feed again.
    here.restart();
    here.until("asked again", || here.feed.given().last() == Some(&304));
    assert_eq!(here.status(), "verified");
    let refused = here.apply();
    assert_eq!(refused.status, 409);
    assert_eq!(refused.json()["reason"], "up-to-date");
    // Both programs are kept, to go back without building.
    assert!(here.root.join("var/releases/first/padsvc").exists());
    assert_eq!(
        std::fs::read_dir(here.root.join("var/releases"))
            .unwrap()
            .count(),
        2
    );
    // And the next one comes on top.
    here.publish("1.2.0", Kind::Good);
    here.restart();
    here.until_known("v1.2.0");
    assert_eq!(here.apply().status, 202);
    here.until_runs("1.2.0");
    here.until_status("verified");
    let first = here.root.join("var/releases/first");
    here.until("the oldest is gone", || !first.exists());
    // Runtime files do not make the tree dirty, and no branch or tag was touched.
    assert_eq!(git(&here.root, &["tag"]), "v1.0.0");
    here.stop();
}

#[test]
fn without_a_link_the_program_that_runs_is_kept() {
    let mut here = Installation::new("first_link", json!({}));
    here.publish("1.1.0", Kind::Good);
    // As somebody starts it who has built it by hand, without a supervisor.
    std::fs::remove_dir_all(here.root.join("var")).unwrap();
    let settings = here.settings.to_string();
    std::fs::write(here.root.join("settings.json"), settings).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_padsvc"));
    command
        .args(["--as-version", "1.0.0"])
        .current_dir(&here.root)
        .env_remove("PORT");
    command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    here.until_known("v1.1.0");
    assert_eq!(here.apply().status, 202);
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let kept = format!("first-{}", &here.origin.commit_of("v1.0.0")[..12]);
    let kept = here.root.join("var/releases").join(kept).join("padsvc");
    let same = std::fs::metadata(env!("CARGO_BIN_EXE_padsvc"))
        .unwrap()
        .len();
    assert_eq!(std::fs::metadata(kept).unwrap().len(), same);
    here.start();
    here.until_status("verified");
    here.until_runs("1.1.0");
    here.stop();
}

#[test]
fn the_status_shows_more_to_administrators() {
    let mut here = Installation::new("status", json!({ "tier": "notify" }));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let others = client::send(&here.address, &Request::get("/admin/update/status"));
    assert_eq!(others.status, 200);
    let status = others.json();
    assert_eq!(status["currentVersion"], "1.0.0");
    assert_eq!(status["latest"]["tag"], "v1.1.0");
    assert_eq!(status["installMethod"], "git");
    assert_eq!(status["tier"], "notify");
    assert_eq!(status["policy"]["canNotify"], true);
    assert_eq!(status["policy"]["canManual"], false);
    assert_eq!(status["execution"], json!({ "status": "idle" }));
    assert_eq!(
        (&status["lockHeld"], &status["lastResult"]),
        (&json!(false), &Value::Null)
    );
    // Nothing is installed at this tier; the rest is there, and there is nothing to do.
    assert_eq!(here.apply().status, 404);
    nothing_to_do(&here);
    here.settings["updates"]["tier"] = json!("manual");
    here.settings["updates"]["requireAdminForStatus"] = json!(true);
    here.restart();
    let ada = Request::get("/admin/update/status").header("authorization", "Basic YWRhOnB3");
    assert_eq!(client::send(&here.address, &ada).status, 403);
    assert_eq!(
        client::send(&here.address, &Request::get("/admin/update/status")).status,
        401
    );
    assert_eq!(here.get("/admin/update/status").status, 200);
    for path in ["apply", "cancel", "acknowledge"] {
        let request = Request::post(&format!("/admin/update/{path}"));
        assert_eq!(client::send(&here.address, &request).status, 401);
        let ada = request.header("authorization", "Basic YWRhOnB3");
        assert_eq!(client::send(&here.address, &ada).status, 403);
    }
    nothing_to_do(&here);
    here.settings["updates"]["tier"] = json!("off");
    here.restart();
    for path in ["/admin/update/status", "/api/version-status"] {
        assert_eq!(here.get(path).status, 404, "{path}");
    }
    assert_eq!(here.apply().status, 404);
    nothing_to_do(&here);
    let log = client::send(&here.address, &Request::get("/admin/update/log"));
    assert_eq!(log.status, 401);
    here.stop();
}

/// What administrators can do at every tier.
fn nothing_to_do(here: &Installation) {
    let cancelled = here.post("/admin/update/cancel");
    let expected = json!({ "error": "not-cancellable", "status": "idle" });
    assert_eq!((cancelled.status, cancelled.json()), (409, expected));
    let acknowledged = here.post("/admin/update/acknowledge");
    let expected = json!({ "error": "not-terminal", "status": "idle" });
    assert_eq!((acknowledged.status, acknowledged.json()), (409, expected));
    assert_eq!(here.get("/admin/update/log").status, 200);
}
