//! The files of a base image, out of the Debian packages of this machine: what the image that ours
//! rests on is made of, too.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::shell::{self, Log};

/// What `gcr.io/distroless/cc-debian12` has. There is no shell among it.
const PACKAGES: &[&str] = &[
    "base-files",
    "ca-certificates",
    "libc6",
    "libgcc-s1",
    "netbase",
    "tzdata",
];
/// Made when the packages are installed, so that no package owns them.
const MADE: &[&str] = &["/etc/ssl/certs/ca-certificates.crt"];

/// Whether this machine can make it, and let a program see nothing else.
pub fn can_be_made() -> bool {
    super::is_root() && packages(&["--show"]).is_some()
}

pub fn make(folder: &Path, log: &mut Log) -> Result<(), String> {
    let files = packages(&["--listfiles"]).ok_or("the packages of the base cannot be listed")?;
    super::stage::make_folder(&folder.join("usr/lib"))?;
    // Debian has had these below /usr for long.
    for name in ["lib", "lib64"] {
        super::stage::make_folder(&folder.join("usr").join(name))?;
        symlink(format!("usr/{name}"), folder.join(name)).map_err(|error| error.to_string())?;
    }
    let wanted = |file: &&str| {
        let path = Path::new(file);
        let is_file = path.symlink_metadata().is_ok_and(|about| !about.is_dir());
        is_file && !path.starts_with("/usr/share/doc") && !path.starts_with("/usr/share/man")
    };
    let list: Vec<&str> = files
        .lines()
        .filter(wanted)
        .chain(MADE.iter().copied())
        .collect();
    let mut copy = Command::new("cp");
    copy.args(["--no-dereference", "--preserve=all", "--parents"]);
    copy.args(&list).arg(folder);
    shell::capture(copy).ok_or("the files of the base cannot be copied")?;
    log.line(&format!("{} files of {}", list.len(), PACKAGES.join(", ")));
    for name in ["tmp", "etc", "proc", "dev"] {
        super::stage::make_folder(&folder.join(name))?;
    }
    Ok(())
}

fn packages(how: &[&str]) -> Option<String> {
    let mut query = Command::new("dpkg-query");
    query.args(how).args(PACKAGES);
    shell::capture(query)
}
