//! `cargo xtask image`: every step of the Dockerfile, then the image started as an engine would.
//!
//! Without `--quick` nothing that was built or downloaded for Rust before is used. As root on
//! Debian the last stage is all that the program sees, and it runs as the user that the Dockerfile
//! names; elsewhere it runs as the caller, out of the folder of the stage.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::dockerfile::{self, expand};
use super::stage::{Build, Stage, argument, make_folder};
use super::{base, clean_copy, started};
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell::{self, Log};
use crate::test::BUILD_FOR_TESTS;

/// Where base images look for programs.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What a quick build reads in the place of what the Dockerfile says: what the tests build, so that
/// no dependency is built again.
const QUICK: [(&str, &str); 2] = [
    (
        "cargo build --profile dist --locked --package padsvc",
        BUILD_FOR_TESTS,
    ),
    ("target/dist/", "target/debug/"),
];

pub fn make_and_start(project: &Project, log: &mut Log, quick: bool) -> Result<()> {
    let folder = project.scratch().join("image");
    let _ = std::fs::remove_dir_all(&folder);
    let context = folder.join("context");
    clean_copy(project, &context, log)?;
    ignore(&context)?;
    let mut text = read(&context.join("packaging/Dockerfile"))?;
    if quick {
        for (slow, fast) in QUICK {
            if !text.contains(slow) {
                return Err(format!("the Dockerfile no longer says `{slow}`").into());
            }
            text = text.replace(slow, fast);
        }
    }
    let stages = build(project, &text, &folder, quick, log)?;
    let image = stages.last().ok_or("the Dockerfile makes nothing")?;
    let image = Image {
        confined: base::can_be_made(),
        stage: image,
    };
    log.line(&format!("the image has {}", image.size()?));
    image.start(log)?;
    std::fs::remove_dir_all(&folder).map_err(Failure::from)
}

/// An engine does not see what `.dockerignore` names.
fn ignore(context: &Path) -> Result<()> {
    for line in read(&context.join(".dockerignore"))?.lines() {
        if !line.is_empty() && !line.starts_with('#') {
            let path = context.join(line);
            let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
        }
    }
    Ok(())
}

fn build(
    project: &Project,
    text: &str,
    folder: &Path,
    quick: bool,
    log: &mut Log,
) -> Result<Vec<Stage>> {
    let programs = programs(folder, quick);
    let mut before_stages = Vec::new();
    let mut stages: Vec<Stage> = Vec::new();
    for step in dockerfile::parse(text)? {
        log.line(&format!("# {} {}", step.keyword, step.rest));
        if step.keyword == "FROM" {
            let from = expand(&step.rest, &before_stages);
            let (base, name) = from.split_once(" AS ").unwrap_or((&from, "image"));
            let stage = Stage::new(name.to_owned(), base.to_owned(), folder.join(name));
            make_folder(&stage.folder)?;
            if name == "image" && base::can_be_made() {
                base::make(&stage.folder, log)?;
            }
            stages.push(stage);
            continue;
        }
        let Some((stage, finished)) = stages.split_last_mut() else {
            before_stages.push(argument(&step.rest));
            continue;
        };
        let build = Build {
            context: &folder.join("context"),
            finished,
            target: quick.then_some(&project.target),
            programs: &programs,
        };
        stage
            .step(&step, &build, log)
            .map_err(|error| format!("{} {}: {error}", step.keyword, step.rest))?;
    }
    Ok(stages)
}

/// What cargo gets as settings: that it has downloaded nothing yet, unless the build must be quick.
fn programs(folder: &Path, quick: bool) -> Vec<(String, String)> {
    if quick {
        return Vec::new();
    }
    let home = folder.join("build/usr/local/cargo");
    vec![("CARGO_HOME".to_owned(), home.to_string_lossy().into_owned())]
}

struct Image<'a> {
    stage: &'a Stage,
    /// Whether the program sees the image alone, as its own user.
    confined: bool,
}

impl Image<'_> {
    fn size(&self) -> Result<String> {
        let bytes = |path: PathBuf| -> Result<u64> {
            let mut command = Command::new("du");
            command.args(["--summarize", "--bytes"]).arg(path);
            let said = shell::capture(command).unwrap_or_default();
            let number = said.split_whitespace().next().unwrap_or_default();
            Ok(number.parse().map_err(|_| "du says nothing")?)
        };
        let megabytes = |bytes: u64| bytes / 1_000_000;
        let all = bytes(self.stage.folder.clone())?;
        let program = bytes(self.stage.inside("/usr/bin/padsvc")?)?;
        Ok(format!(
            "{} MB, {} of them the program; base: {}",
            megabytes(all),
            megabytes(program),
            self.stage.base
        ))
    }

    fn start(&self, log: &mut Log) -> Result<()> {
        let stage = self.stage;
        if !self.confined {
            log.line("not root, or not Debian: it runs outside of its folder");
        }
        let words: Vec<String> = stage
            .entry
            .iter()
            .chain(&stage.arguments)
            .cloned()
            .collect();
        let mut serve = self.command(&words)?;
        serve.envs(started::SETTINGS.iter().copied());
        let health = || self.command(&stage.health);
        started::try_out(serve, health, &stage.stop_signal, log)?;
        for volume in &stage.volumes {
            let key = stage.inside(&format!("{volume}/APIKEY.txt"))?;
            is_private(&key)?;
        }
        Ok(())
    }

    /// A command in the image, as its user and in its folder.
    fn command(&self, words: &[String]) -> Result<Command> {
        let stage = self.stage;
        let (program, arguments) = words.split_first().ok_or("the image starts nothing")?;
        let mut command;
        if self.confined {
            command = Command::new("chroot");
            command.arg(format!("--userspec={}", stage.user));
            command.arg(&stage.folder).arg(program).args(arguments);
        } else {
            command = Command::new(stage.inside(&format!("/usr/bin/{program}"))?);
            for argument in arguments {
                match argument.starts_with('/') {
                    true => command.arg(stage.inside(argument)?),
                    false => command.arg(argument),
                };
            }
            command.current_dir(stage.inside(".")?);
        }
        command.env_clear().env("PATH", PATH);
        command.envs(stage.environment.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }
}

/// Nobody but the image's user can read the API's key.
fn is_private(key: &Path) -> Result<()> {
    let mut command = Command::new("stat");
    command.args(["--format=%a"]).arg(key);
    match shell::capture(command).as_deref() {
        Some("600\n") => Ok(()),
        other => Err(format!("{}: rights {other:?}, not 600", key.display()).into()),
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(Failure::at(path))
}
