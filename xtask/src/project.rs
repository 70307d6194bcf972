//! Where things are.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Result;

pub struct Project {
    pub root: PathBuf,
    /// Cargo's folder for everything it builds.
    pub target: PathBuf,
}

impl Project {
    pub fn find() -> Result<Self> {
        let xtask = std::env::var("CARGO_MANIFEST_DIR")
            .map_err(|_| "start this program through `cargo xtask`".to_owned())?;
        let root = Path::new(&xtask)
            .parent()
            .ok_or("xtask is not in a folder")?
            .to_owned();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    pub fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// Etherpad's database layer, for the tests of the migration.
    pub fn ueberdb(&self) -> PathBuf {
        self.root.join("tests/ueberdb")
    }

    /// Logs and scratch files of these commands.
    pub fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// A command that runs in the project's root: `program argument argument…`.
    pub fn command(&self, line: &str) -> Command {
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).current_dir(&self.root);
        command
    }
}
