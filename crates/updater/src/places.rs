//! Paths of the updater's files. All are below `var`, which is no part of the checkout.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Places {
    /// The checkout, and the root of the service.
    pub root: PathBuf,
    pub var: PathBuf,
}

impl Places {
    pub fn of(root: &Path) -> Places {
        // Other programs are started in other folders, so no path may be relative.
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        Places {
            var: root.join("var"),
            root,
        }
    }

    pub fn state(&self) -> PathBuf {
        self.var.join("update-state.json")
    }

    pub fn lock(&self) -> PathBuf {
        self.var.join("update.lock")
    }

    /// The process that a step has started.
    pub fn child(&self) -> PathBuf {
        self.var.join("update-child")
    }

    pub fn log(&self) -> PathBuf {
        self.var.join("log/update.log")
    }

    /// A folder for each release that can be run.
    pub fn releases(&self) -> PathBuf {
        self.var.join("releases")
    }

    /// The link to the one that is run.
    pub fn current(&self) -> PathBuf {
        self.var.join("current")
    }

    pub fn build(&self) -> PathBuf {
        self.var.join("build")
    }
}
