//! A folder that is gone when the test is over.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Location;

pub(super) struct Scratch {
    pub folder: PathBuf,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("padsvc-store-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Scratch { folder }
    }

    pub(super) fn embedded(&self) -> Location {
        Location::Embedded(self.folder.join("pads.db"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
