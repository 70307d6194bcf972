//! Where releases come from: a bare repository, and a working copy in which they are made.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a release does when it is built and started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Becomes the program under test.
    Good,
    /// Ends soon after it was started.
    Crashing,
    /// Waits for ever before it serves.
    Mute,
    /// Ends at once, before anything can be counted.
    Dead,
    /// Cannot be built.
    Broken,
}

pub(super) struct Origin {
    pub bare: PathBuf,
    work: PathBuf,
    /// A file in here makes what it is named after wait.
    holds: PathBuf,
}

pub(super) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(["-c", "init.defaultBranch=main", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

impl Origin {
    /// With version 1.0.0 in it.
    pub(super) fn new(folder: &Path) -> Origin {
        let origin = Origin {
            bare: folder.join("origin.git"),
            work: folder.join("work"),
            holds: folder.join("holds"),
        };
        for folder in [&origin.work, &origin.holds, &origin.bare] {
            std::fs::create_dir_all(folder).unwrap();
        }
        git(&origin.work, &["init", "--quiet"]);
        git(&origin.bare, &["init", "--quiet", "--bare"]);
        let bare = origin.bare.to_str().unwrap();
        git(&origin.work, &["remote", "add", "origin", bare]);
        origin.commit("1.0.0", Kind::Good, "1.70");
        git(&origin.work, &["push", "--quiet", "origin", "main"]);
        origin.tag("v1.0.0");
        origin
    }

    /// A commit of a version, not tagged yet.
    pub(super) fn commit(&self, version: &str, kind: Kind, rust_version: &str) -> String {
        let manifest = format!(
            "[package]\nname = \"padsvc\"\nversion = \"{version}\"\nedition = \"2021\"\n\
             rust-version = \"{rust_version}\"\n[workspace]\n"
        );
        let lock =
            format!("version = 3\n\n[[package]]\nname = \"padsvc\"\nversion = \"{version}\"\n");
        std::fs::create_dir_all(self.work.join("src")).unwrap();
        std::fs::write(self.work.join("Cargo.toml"), manifest).unwrap();
        std::fs::write(self.work.join("Cargo.lock"), lock).unwrap();
        std::fs::write(self.work.join("src/main.rs"), self.source(kind)).unwrap();
        // Something that is there in this version only.
        std::fs::write(self.work.join(format!("notes-{version}")), version).unwrap();
        git(&self.work, &["add", "."]);
        git(&self.work, &["commit", "--quiet", "-m", version]);
        git(&self.work, &["rev-parse", "HEAD"])
    }

    /// Tags the newest commit and publishes the tag.
    pub(super) fn tag(&self, tag: &str) {
        git(&self.work, &["tag", "--force", "-a", "-m", tag, tag]);
        self.push(tag);
    }

    pub(super) fn push(&self, tag: &str) {
        let name = format!("refs/tags/{tag}");
        git(&self.work, &["push", "--quiet", "--force", "origin", &name]);
    }

    /// Signs the tag with the key in a folder.
    pub(super) fn sign(&self, tag: &str, keys: &Path) {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(["tag", "--force", "-s", "-m", tag, tag])
            .current_dir(&self.work)
            .env("GNUPGHOME", keys)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        self.push(tag);
    }

    pub(super) fn commit_of(&self, tag: &str) -> String {
        git(&self.work, &["rev-parse", &format!("{tag}^{{commit}}")])
    }

    pub(super) fn hold(&self, what: &str) {
        std::fs::write(self.holds.join(what), "").unwrap();
    }

    pub(super) fn let_go(&self, what: &str) {
        std::fs::remove_file(self.holds.join(what)).unwrap();
    }

    /// Programs that wait as long as they are held, and then are the real ones.
    pub(super) fn tools(&self) -> PathBuf {
        let folder = self.holds.join("tools");
        std::fs::create_dir_all(&folder).unwrap();
        for program in ["cargo", "rustc", "git"] {
            let holds = self.holds.display();
            let script = format!(
                "#!/bin/sh\n\
                 # Pre-flight fetches as well, and is not held.\n\
                 state=var/update-state.json\n\
                 fetch() {{ grep -qs executing $state && echo fetch || echo none; }}\n\
                 case \" $* \" in\n  *' --force '*) what=restore;;\n  \
                 *' build '*) what=build;;\n  *' fetch '*) what=$(fetch);;\n  \
                 *) what={program};;\nesac\n\
                 while [ -e '{holds}/'$what ]; do sleep 0.02; done\nexec '{}' \"$@\"\n",
                find(program).display()
            );
            write_program(&folder.join(program), &script);
        }
        folder
    }

    fn source(&self, kind: Kind) -> String {
        let extra = match kind {
            Kind::Broken => return "fn main() { this is no Rust }\n".to_owned(),
            Kind::Dead => return "fn main() { std::process::exit(1) }\n".to_owned(),
            Kind::Good => "",
            Kind::Crashing => "\"--settings\", \"../broken.json\"",
            Kind::Mute => "\"--settings\", \"../mute.json\"",
        };
        format!(
            "use std::os::unix::process::CommandExt;\n\
             fn main() {{\n\
                 let hold = std::path::Path::new({:?});\n\
                 while hold.exists() {{\n\
                     std::thread::sleep(std::time::Duration::from_millis(20));\n\
                 }}\n\
                 let mut command = std::process::Command::new({:?});\n\
                 command.args(std::env::args_os().skip(1));\n\
                 command.args([\"--as-version\", env!(\"CARGO_PKG_VERSION\")]);\n\
                 command.args::<[&str; {}], _>([{extra}]);\n\
                 panic!(\"{{}}\", command.exec());\n\
             }}\n",
            self.holds.join("start"),
            env!("CARGO_BIN_EXE_padsvc"),
            if extra.is_empty() { 0 } else { 2 },
        )
    }
}

/// Where a program is.
pub(super) fn find(program: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap();
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(program));
    found.find(|path| path.is_file()).unwrap()
}

pub(super) fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, permissions).unwrap();
}
