//! Install method of the program, detected from its folder.

use crate::config::InstallMethod;

/// What was looked at. Looking is the caller's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// `/.dockerenv` exists.
    pub docker_mark: bool,
    /// The root holds a folder `.git`.
    pub git_folder: bool,
    pub root_is_writable: bool,
    /// The root holds a `package-lock.json` that can be written.
    pub writable_package_lock: bool,
}

/// The first of the rules that fits.
pub fn detect(facts: Facts) -> InstallMethod {
    if facts.docker_mark {
        InstallMethod::Docker
    } else if facts.git_folder && facts.root_is_writable {
        InstallMethod::Git
    } else if facts.writable_package_lock {
        InstallMethod::Npm
    } else {
        InstallMethod::Managed
    }
}
