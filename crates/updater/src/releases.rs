//! The programs that can be run: a folder for each in `var/releases`, and the link `var/current`.
//!
//! The link is there or not and points to a whole release, whatever happens meanwhile.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::places::Places;

const PROGRAM: &str = "padsvc";

pub(crate) struct Releases<'a>(pub &'a Places);

impl Releases<'_> {
    /// The folder that the link points to.
    pub(crate) fn current(&self) -> Option<String> {
        let target = fs::read_link(self.0.current()).ok()?;
        let name = target.file_name().and_then(OsStr::to_str)?.to_owned();
        self.program(&name).exists().then_some(name)
    }

    pub(crate) fn program(&self, release: &str) -> PathBuf {
        self.0.releases().join(release).join(PROGRAM)
    }

    /// Puts a program in a folder of its own, unless it is there.
    pub(crate) fn place(&self, program: &Path, release: &str) -> io::Result<()> {
        let folder = self.0.releases().join(release);
        if self.program(release).exists() {
            return Ok(());
        }
        let draft = self.0.releases().join(format!(".{release}"));
        let _ = fs::remove_dir_all(&draft);
        fs::create_dir_all(&draft)?;
        let copy = draft.join(PROGRAM);
        fs::copy(program, &copy)?;
        File::open(&copy)?.sync_all()?;
        File::open(&draft)?.sync_all()?;
        let _ = fs::remove_dir_all(&folder);
        fs::rename(&draft, &folder)?;
        File::open(self.0.releases())?.sync_all()
    }

    /// What is started next is this one.
    pub(crate) fn switch(&self, release: &str) -> io::Result<()> {
        if !self.program(release).exists() {
            let text = format!("{} is gone", self.program(release).display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        let draft = self.0.var.join(".current");
        let _ = fs::remove_file(&draft);
        symlink(Path::new("releases").join(release), &draft)?;
        fs::rename(&draft, self.0.current())?;
        File::open(&self.0.var)?.sync_all()
    }

    /// Removes all releases but these.
    pub(crate) fn keep(&self, kept: &[String]) {
        let current = self.current();
        let entries = fs::read_dir(self.0.releases()).into_iter().flatten();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !kept.contains(&name) && current.as_ref() != Some(&name) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_placed_switched_and_removed() {
        let root = std::env::temp_dir().join(format!("padsvc-releases-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("var")).unwrap();
        let places = Places::of(&root);
        let releases = Releases(&places);
        assert_eq!(releases.current(), None);
        assert!(releases.switch("a").is_err());
        let program = root.join("built");
        for release in ["a", "b", "c"] {
            fs::write(&program, release).unwrap();
            releases.place(&program, release).unwrap();
        }
        // One that is there stays as it is.
        releases.place(&program, "a").unwrap();
        releases.switch("a").unwrap();
        releases.switch("b").unwrap();
        assert_eq!(releases.current().as_deref(), Some("b"));
        let through_link = places.current().join(PROGRAM);
        assert_eq!(fs::read_to_string(through_link).unwrap(), "b");
        assert_eq!(fs::read_to_string(releases.program("a")).unwrap(), "a");
        releases.keep(&["a".to_owned()]);
        assert!(releases.program("a").exists() && releases.program("b").exists());
        assert!(!releases.program("c").exists());
        fs::remove_dir_all(root).unwrap();
    }
}
