//! One stage of a Dockerfile as a folder that stands for its file system.
//!
//! Folders are copied between stages as an engine would; a RUN is carried out in the folder of its
//! WORKDIR, with the programs of this machine in the place of those in the base image. So it may
//! name relative paths only, and a step that does otherwise is refused.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::dockerfile::{Instruction, expand, pairs};
use crate::failure::{Failure, Result};
use crate::shell::Log;

/// A stage and what its instructions have said so far.
pub struct Stage {
    pub name: String,
    pub base: String,
    pub folder: PathBuf,
    pub environment: Vec<(String, String)>,
    pub working_folder: String,
    pub user: String,
    pub volumes: Vec<String>,
    pub stop_signal: String,
    pub health: Vec<String>,
    pub entry: Vec<String>,
    pub arguments: Vec<String>,
}

/// What all stages share.
pub struct Build<'a> {
    pub context: &'a Path,
    pub finished: &'a [Stage],
    /// What cargo has built before, if the stage uses it.
    pub target: Option<&'a PathBuf>,
    /// For programs that a RUN starts.
    pub programs: &'a [(String, String)],
}

impl Stage {
    pub fn new(name: String, base: String, folder: PathBuf) -> Stage {
        Stage {
            name,
            base,
            folder,
            environment: Vec::new(),
            working_folder: "/".to_owned(),
            user: String::new(),
            volumes: Vec::new(),
            stop_signal: "SIGTERM".to_owned(),
            health: Vec::new(),
            entry: Vec::new(),
            arguments: Vec::new(),
        }
    }

    pub fn step(&mut self, step: &Instruction, build: &Build, log: &mut Log) -> Result<()> {
        let text = expand(&step.rest, &self.environment);
        match step.keyword.as_str() {
            "ARG" => self.environment.push(argument(&step.rest)),
            "ENV" => self.environment.extend(pairs(&text)?),
            "LABEL" => drop(pairs(&text)?),
            "WORKDIR" => {
                self.working_folder = text;
                make_folder(&self.inside(&self.working_folder)?)?;
            }
            "COPY" => self.copy(step, &text, build, log)?,
            "RUN" => self.run(step, build, log)?,
            "USER" => self.user = text,
            "VOLUME" => self.volumes.push(text),
            "STOPSIGNAL" => self.stop_signal = text,
            "EXPOSE" => drop(
                text.parse::<u16>()
                    .map_err(|_| format!("no port: {text}"))?,
            ),
            "HEALTHCHECK" => self.health = step.words()?,
            "ENTRYPOINT" => self.entry = step.words()?,
            "CMD" => self.arguments = step.words()?,
            other => return Err(format!("{other} is not understood here").into()),
        }
        Ok(())
    }

    /// Where a path of the image is on this machine.
    pub fn inside(&self, path: &str) -> Result<PathBuf> {
        let whole = Path::new(&self.working_folder).join(path);
        let below = whole.strip_prefix("/");
        let below = below.map_err(|_| format!("{path} is in no WORKDIR"))?;
        Ok(self.folder.join(below))
    }

    fn copy(&self, step: &Instruction, text: &str, build: &Build, log: &mut Log) -> Result<()> {
        let mut sources: Vec<&str> = text.split_whitespace().collect();
        let to = sources.pop().unwrap_or_default();
        let from = match step.flag("from") {
            None => build.context,
            Some(name) => {
                let stage = build.finished.iter().find(|stage| stage.name == name);
                &stage
                    .ok_or_else(|| format!("no stage is called {name}"))?
                    .folder
            }
        };
        let target = self.inside(to)?;
        for source in sources {
            let source = from.join(source.trim_start_matches('/'));
            let mut command = Command::new("cp");
            command.arg("--archive");
            if source.is_dir() {
                make_folder(&target)?;
                // The content of a folder, not the folder.
                command.arg(source.join(".")).arg(&target);
            } else {
                make_folder(match to.ends_with('/') {
                    true => &target,
                    false => target.parent().unwrap_or(&target),
                })?;
                command.arg(source).arg(&target);
            }
            log.run(command)?;
        }
        if let (Some(owner), true) = (step.flag("chown"), super::is_root()) {
            let mut command = Command::new("chown");
            command.args(["--recursive", owner]).arg(&target);
            log.run(command)?;
        }
        Ok(())
    }

    fn run(&self, step: &Instruction, build: &Build, log: &mut Log) -> Result<()> {
        let absolute = |word: &str| word.starts_with('/') || word.contains("=/");
        if let Some(path) = step.rest.split_whitespace().find(|word| absolute(word)) {
            return Err(format!("a RUN names {path}, which is not in the WORKDIR").into());
        }
        let mut command = Command::new("sh");
        command
            .args(["-euc", &step.rest])
            .current_dir(self.inside(".")?)
            .env_remove("CARGO_TARGET_DIR")
            .envs(build.programs.iter().map(|(name, value)| (name, value)))
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        let caches = self.caches(step)?;
        for folder in &caches {
            self.mount(folder, build)?;
        }
        log.run(command)?;
        // What an engine keeps is no part of the image.
        for folder in &caches {
            let _ = std::fs::remove_file(folder).or_else(|_| std::fs::remove_dir_all(folder));
        }
        Ok(())
    }

    /// The folders that a RUN finds as an earlier build has left them.
    fn caches(&self, step: &Instruction) -> Result<Vec<PathBuf>> {
        let mounts = step.flags.iter().filter(|(name, _)| name == "mount");
        let target = |(_, value): &(String, String)| {
            let target = value.strip_prefix("type=cache,target=");
            self.inside(target.ok_or_else(|| format!("this mount is not understood: {value}"))?)
        };
        mounts.map(target).collect()
    }

    /// What is not in the WORKDIR belongs to programs, which know where it is.
    fn mount(&self, folder: &Path, build: &Build) -> Result<()> {
        match build.target {
            Some(target) if folder == self.inside("target")? => {
                symlink(target, folder).map_err(Failure::at(folder))
            }
            _ => Ok(()),
        }
    }
}

/// An ARG and its default.
pub fn argument(text: &str) -> (String, String) {
    let (name, default) = text.split_once('=').unwrap_or((text, ""));
    (name.to_owned(), default.to_owned())
}

pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(Failure::at(folder))
}
