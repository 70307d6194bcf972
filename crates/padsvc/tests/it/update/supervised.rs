//! `padsvc supervise`, for those who have no other supervisor.

use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::Kind;

/// Ended with the test.
struct Supervisor(Child);

impl Supervisor {
    fn start(here: &Installation) -> Supervisor {
        let settings = here.settings.to_string();
        std::fs::write(here.root.join("settings.json"), settings).unwrap();
        let log = std::fs::File::create(here.path("log")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_padsvc"));
        command
            .args(["supervise", "--root"])
            .arg(&here.root)
            .env_remove("PORT")
            .envs(here.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        Supervisor(command.spawn().unwrap())
    }

    fn stop(mut self) {
        let id = self.0.id().to_string();
        let kill = Command::new("kill").args(["-s", "TERM", &id]).status();
        assert!(kill.unwrap().success());
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if self.0.try_wait().unwrap().is_none() {
            let id = self.0.id().to_string();
            // So that it takes along what it has started.
            let _ = Command::new("kill").args(["-s", "TERM", &id]).status();
            let _ = self.0.wait();
        }
    }
}

#[test]
fn it_starts_the_new_version() {
    let here = Installation::new("supervise", json!({}));
    here.publish("1.1.0", Kind::Good);
    let supervisor = Supervisor::start(&here);
    here.until_known("v1.1.0");
    assert_eq!(here.apply().status, 202);
    here.until_runs("1.1.0");
    here.until_status("verified");
    supervisor.stop();
}

#[test]
fn it_goes_back_from_one_that_does_not_even_start() {
    let here = Installation::new("supervise_dead", json!({}));
    here.publish("1.1.0", Kind::Dead);
    let supervisor = Supervisor::start(&here);
    here.until_known("v1.1.0");
    assert_eq!(here.apply().status, 202);
    let execution = here.until_status("rolled-back");
    assert_eq!(execution["reason"], "the new program does not start");
    here.is_as_before();
    supervisor.stop();
}
