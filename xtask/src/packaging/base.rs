//! The files of a base image, out of the Debian packages of this machine: what the image that ours
//! rests on is made of, too.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::failure::Result;
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
const MADE: [&str; 1] = ["/etc/ssl/certs/ca-certificates.crt"];
const COPY: &str = "tar --create --absolute-names --no-recursion --files-from \"$0\" \
                    | tar --extract --keep-directory-symlink --directory \"$1\"";

/// Whether this machine can make it, and let a program see nothing else.
pub fn can_be_made() -> bool {
    super::is_root() && packages(&["--show"]).is_some()
}

pub fn make(folder: &Path, log: &mut Log) -> Result<()> {
    let files = packages(&["--listfiles"]).ok_or("the packages of the base cannot be listed")?;
    let wanted = |file: &&str| {
        let path = Path::new(file);
        let is_file = path.symlink_metadata().is_ok_and(|about| !about.is_dir());
        is_file && !path.starts_with("/usr/share/doc") && !path.starts_with("/usr/share/man")
    };
    // Several packages list the same links.
    let files: BTreeSet<&str> = files.lines().filter(wanted).chain(MADE).collect();
    // Links such as /lib come before what the packages have in them.
    let at_top = |file: &&&str| Path::new(file).parent() == Some(Path::new("/"));
    for link in files.iter().filter(at_top) {
        let to = std::fs::read_link(link).map_err(|error| format!("{link}: {error}"))?;
        super::stage::make_folder(&folder.join(&to))?;
        symlink(to, folder.join(link.trim_start_matches('/')))
            .map_err(|error| format!("{link}: {error}"))?;
    }
    let list = folder.with_extension("files");
    std::fs::write(&list, lines(&files))?;
    let mut copy = Command::new("sh");
    copy.args(["-euc", COPY]).arg(list).arg(folder);
    log.run(copy)?;
    log.line(&format!("{} files of {}", files.len(), PACKAGES.join(", ")));
    for name in ["tmp", "etc", "proc", "dev"] {
        super::stage::make_folder(&folder.join(name))?;
    }
    Ok(())
}

fn lines(files: &BTreeSet<&str>) -> String {
    files.iter().map(|file| format!("{file}\n")).collect()
}

fn packages(how: &[&str]) -> Option<String> {
    let mut query = Command::new("dpkg-query");
    query.args(how).args(PACKAGES);
    shell::capture(query)
}
