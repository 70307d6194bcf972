//! `cargo xtask update-rehearsal`: a clone of this repository updates itself to the next tag, and
//! back from one that does not work.
//!
//! Everything is real but the code host, which is a few lines here. The clone builds the program
//! twice, so this takes a while and is no part of the tests.

mod http;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::{shell, usage};
use http::CodeHost;

/// Longer than two builds on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60 * 60);
const TEXT: &str = "written before the update";

/// `--quick` builds without optimisation.
pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let quick = usage::quick("update-rehearsal", arguments)?;
    shell::run_in_terminal(project.command("cargo build --locked --package padsvc"))?;
    let mut stage = Stage::set(project, quick)?;
    stage.report("the clone is at the first tag");
    let first = stage.version.clone();
    let (good, bad) = (stage.next_version(1)?, stage.next_version(2)?);
    stage.release(&good, false)?;
    stage.release(&bad, true)?;

    stage.start(&good)?;
    stage.until_runs(&first)?;
    stage.api(
        "createPad",
        &format!("padID=notes&text={}", TEXT.replace(' ', "+")),
    )?;
    stage.apply(&good)?;
    stage.until_status("verified")?;
    stage.until_runs(&good)?;
    stage.is_at(&good)?;
    stage.report(&format!("{good} is installed, runs and is verified"));

    stage.stop()?;
    stage.start(&bad)?;
    stage.until_runs(&good)?;
    stage.apply(&bad)?;
    stage.until_status("rolled-back")?;
    stage.until_runs(&good)?;
    stage.is_at(&good)?;
    stage.report(&format!(
        "{bad} breaks when it is started; {good} is back and runs"
    ));
    stage.stop()
}

struct Stage {
    folder: PathBuf,
    root: PathBuf,
    program: PathBuf,
    host: CodeHost,
    port: u16,
    /// What this repository is at.
    version: String,
    quick: bool,
    supervisor: Option<Child>,
    begun: Instant,
}

impl Stage {
    fn set(project: &Project, quick: bool) -> Result<Stage> {
        let folder = project.scratch().join("update-rehearsal");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let manifest = read(&project.root.join("Cargo.toml"))?;
        let version = manifest
            .split_once("[workspace.package]\nversion = \"")
            .and_then(|(_, rest)| rest.split_once('"'));
        let version = version.ok_or("Cargo.toml has no version")?.0.to_owned();
        let stage = Stage {
            root: folder.join("root"),
            program: project.target.join("debug/padsvc"),
            host: CodeHost::start()?,
            port: http::free_port()?,
            version,
            quick,
            supervisor: None,
            begun: Instant::now(),
            folder,
        };
        let here = project.root.to_string_lossy();
        stage.git(
            &stage.folder,
            &format!("clone --quiet --bare {here} origin.git"),
        )?;
        stage.git(&stage.folder, "clone --quiet origin.git work")?;
        let tag = format!("v{}", stage.version);
        let work = stage.folder.join("work");
        stage.git(&work, &format!("tag --force {tag}"))?;
        stage.git(
            &work,
            &format!("push --quiet --force origin refs/tags/{tag}"),
        )?;
        stage.git(
            &stage.folder,
            &format!("clone --quiet --branch {tag} origin.git root"),
        )?;
        Ok(stage)
    }

    fn report(&self, text: &str) {
        let seconds = self.begun.elapsed().as_secs();
        println!("{:>3}:{:02}  {text}", seconds / 60, seconds % 60);
    }

    fn git(&self, folder: &Path, line: &str) -> Result<String> {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=rehearsal",
            "-c",
            "user.email=rehearsal@example.org",
        ]);
        command.args(["-c", "advice.detachedHead=false"]);
        command.args(line.split(' ')).current_dir(folder);
        let output = shell::capture(command).ok_or(format!("failed: git {line}"))?;
        Ok(output.trim().to_owned())
    }

    fn next_version(&self, steps: u32) -> Result<String> {
        let (front, patch) = self.version.rsplit_once('.').ok_or("no version")?;
        let patch: u32 = patch.parse().map_err(|_| "no version")?;
        Ok(format!("{front}.{}", patch + steps))
    }

    /// A commit with another version, tagged and pushed; one that breaks when it is started, if so
    /// wished.
    fn release(&self, version: &str, breaks: bool) -> Result<()> {
        let work = self.folder.join("work");
        let manifest = work.join("Cargo.toml");
        let text = read(&manifest)?;
        let head = "[workspace.package]\nversion = \"";
        let (before, after) = text.split_once(head).ok_or("no version")?;
        let (old, after) = after.split_once('"').ok_or("no version")?;
        // What is published names the versions of the crates it needs.
        let needs = |version: &str| format!("\", version = \"{version}\" }}");
        let after = after.replace(&needs(old), &needs(version));
        write(&manifest, &format!("{before}{head}{version}\"{after}"))?;
        if breaks {
            let main = work.join("crates/padsvc/src/main.rs");
            let line = "match wait_for(serve::run(";
            let text = read(&main)?;
            if !text.contains(line) {
                return Err("main.rs does not serve where it did".into());
            }
            let broken = format!(
                "if !updates.places.root.as_os_str().is_empty() {{\n        \
                return ExitCode::FAILURE;\n    }}\n    {line}"
            );
            write(&main, &text.replacen(line, &broken, 1))?;
        }
        let mut lock = Command::new("cargo");
        lock.args(["update", "--workspace", "--offline", "--quiet"])
            .current_dir(&work);
        shell::capture(lock).ok_or("failed: cargo update --workspace")?;
        self.git(&work, &format!("commit --quiet --all --message {version}"))?;
        self.git(&work, &format!("tag v{version}"))?;
        self.git(&work, &format!("push --quiet origin refs/tags/v{version}"))?;
        self.report(&format!("v{version} is tagged"));
        Ok(())
    }

    /// Starts the service under its supervisor; the code host offers a release.
    fn start(&mut self, offered: &str) -> Result<()> {
        self.host.offer(&format!("v{offered}"));
        let settings = serde_json::json!({
            "port": self.port,
            "exposeVersion": true,
            "users": { "admin": { "password": "rehearsal", "is_admin": true } },
            "updates": {
                "tier": "manual",
                "installMethod": "git",
                "codehostRepo": self.host.address,
                "allowInsecureFeed": true,
                "drainSeconds": 3,
            },
        });
        write(&self.root.join("settings.json"), &settings.to_string())?;
        let log = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(self.folder.join("service.log"))?;
        let mut command = Command::new(&self.program);
        command
            .arg("supervise")
            .current_dir(&self.root)
            .env_remove("PORT")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        if self.quick {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        }
        let child = command.spawn()?;
        self.supervisor = Some(child);
        Ok(())
    }

    fn stop(&mut self) -> Result<()> {
        let Some(mut child) = self.supervisor.take() else {
            return Ok(());
        };
        let mut kill = Command::new("kill");
        kill.args(["-s", "TERM", &child.id().to_string()]);
        shell::run_in_terminal(kill)?;
        child.wait().map(drop).map_err(Failure::from)
    }

    fn apply(&self, version: &str) -> Result<()> {
        let known = format!("\"tag\": \"v{version}\"");
        self.until("the release is known", || self.state().contains(&known))?;
        let answer = http::request(self.port, "POST", "/admin/update/apply")?;
        match answer.starts_with("HTTP/1.1 202 ") {
            true => {
                self.report(&format!("v{version} is accepted; it is built now"));
                Ok(())
            }
            false => Err(format!("apply was answered: {answer}").into()),
        }
    }

    fn state(&self) -> String {
        let state = self.root.join("var/update-state.json");
        std::fs::read_to_string(state).unwrap_or_default()
    }

    fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while !is_so() {
            if Instant::now() > end {
                return Err(format!(
                    "it did not happen that {what}; see {}",
                    self.folder.display()
                )
                .into());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    fn until_status(&self, status: &str) -> Result<()> {
        let wanted = format!("\"status\": \"{status}\"");
        let other = match status {
            "verified" => "\"status\": \"rolled-back\"",
            _ => "\"status\": \"verified\"",
        };
        let began = self.state();
        self.until(status, || {
            let state = self.state();
            state.contains(&wanted) || (state.contains(other) && !began.contains(other))
        })?;
        match self.state().contains(&wanted) {
            true => Ok(()),
            false => Err(format!("not {status}: {}", self.state()).into()),
        }
    }

    /// Waits until a version answers, with the text that was written.
    fn until_runs(&self, version: &str) -> Result<()> {
        let release = format!("\"releaseId\":\"{version}\"");
        self.until(&format!("{version} runs"), || {
            http::request(self.port, "GET", "/health").is_ok_and(|it| it.contains(&release))
        })?;
        if self.api("checkToken", "").is_ok() && self.state().contains("lastResult\": {") {
            let text = self.api("getText", "padID=notes")?;
            if !text.contains(TEXT) {
                return Err(format!("the text is lost: {text}").into());
            }
        }
        Ok(())
    }

    fn is_at(&self, version: &str) -> Result<()> {
        let head = self.git(&self.root, "rev-parse HEAD")?;
        let tag = format!("rev-parse v{version}^{{commit}}");
        let tag = self.git(&self.folder.join("work"), &tag)?;
        let changes = self.git(&self.root, "status --porcelain --untracked-files=no")?;
        match head == tag && changes.is_empty() {
            true => Ok(()),
            false => Err(format!("the clone is at {head}, not at {tag}: {changes}").into()),
        }
    }

    fn api(&self, function: &str, query: &str) -> Result<String> {
        let key = read(&self.root.join("APIKEY.txt"))?;
        let path = format!("/api/1.3.1/{function}?apikey={}&{query}", key.trim());
        let answer = http::request(self.port, "GET", &path)?;
        match answer.contains("\"code\":0") {
            true => Ok(answer),
            false => Err(format!("{function}: {answer}").into()),
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(Failure::at(path))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(Failure::at(path))
}
