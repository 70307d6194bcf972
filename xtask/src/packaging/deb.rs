//! `cargo xtask deb`: the Debian package is built, unpacked, and its program started. The package
//! stays in cargo's folder, under `debian/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::stage::make_folder;
use super::started;
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell::{self, Log};
use crate::test::BUILD_FOR_TESTS;

pub fn make_and_start(project: &Project, log: &mut Log, quick: bool) -> Result<()> {
    if !shell::on_path("cargo-deb") {
        return Err("cargo-deb is not installed: cargo install cargo-deb --locked".into());
    }
    let profile = if quick { "dev" } else { "dist" };
    let folder = project.scratch().join("deb");
    let _ = std::fs::remove_dir_all(&folder);
    make_folder(&folder)?;
    // The tests have built the first one already.
    log.run(project.command(match quick {
        true => BUILD_FOR_TESTS,
        false => "cargo build --locked --package padsvc --profile dist",
    }))?;
    let built = if quick { "debug" } else { "dist" };
    write_pages(project, &project.target.join(built).join("padsvc"), log)?;
    let package = match quick {
        true => folder.join("padsvc.deb"),
        false => project.target.join("debian/padsvc.deb"),
    };
    let mut make = project.command(&format!(
        "cargo deb --no-build --locked --package padsvc --profile {profile}"
    ));
    make.arg("--output").arg(&package);
    if quick {
        make.arg("--fast");
    }
    log.run(make)?;
    let unpacked = folder.join("unpacked");
    for (what, to) in [
        ("--info", None),
        ("--contents", None),
        ("--extract", Some(&unpacked)),
    ] {
        let mut command = Command::new("dpkg-deb");
        command.arg(what).arg(&package).args(to);
        log.run(command)?;
    }
    holds_all(&unpacked)?;
    start(&folder, &unpacked, log)?;
    unit_is_right(&unpacked, log)?;
    std::fs::remove_dir_all(&folder).map_err(Failure::from)
}

/// The manual and the completions, which the program writes itself.
fn write_pages(project: &Project, program: &Path, log: &mut Log) -> Result<()> {
    // Where Cargo.toml looks for them.
    let pages = project.root.join("target/packaging");
    make_folder(&pages.join("completions"))?;
    let mut man = Command::new(program);
    man.args(["man", "--to"]).arg(pages.join("man"));
    log.run(man)?;
    for name in ["bash", "zsh", "fish"] {
        let mut completions = Command::new(program);
        completions.args(["completions", name]);
        let script = shell::capture(completions).ok_or("there are no completions")?;
        let file = pages.join("completions").join(name);
        std::fs::write(&file, script).map_err(Failure::at(&file))?;
    }
    Ok(())
}

fn holds_all(unpacked: &Path) -> Result<()> {
    for path in [
        "etc/padsvc/settings.json",
        "usr/lib/systemd/system/padsvc.service",
        "usr/share/bash-completion/completions/padsvc",
        "usr/share/doc/padsvc/copyright",
        "usr/share/man/man1/padsvc.1.gz",
    ] {
        if !unpacked.join(path).exists() {
            return Err(format!("{path} is not in the package").into());
        }
    }
    Ok(())
}

/// As the unit would, with what stands in `/etc/default/padsvc` as its environment.
fn start(folder: &Path, unpacked: &Path, log: &mut Log) -> Result<()> {
    let program = unpacked.join("usr/bin/padsvc");
    let root = folder.join("state");
    make_folder(&root)?;
    let command = |words: &[&str]| {
        let mut command = Command::new(&program);
        command.arg("--root").arg(&root).arg("--settings");
        command.arg(unpacked.join("etc/padsvc/settings.json"));
        command.args(words);
        command
    };
    let mut serve = command(&["serve"]);
    serve.env_clear().envs(started::SETTINGS.iter().copied());
    started::try_out(serve, || Ok(command(&["health"])), "SIGTERM", log)?;
    log.run(command(&["--version"])).map(drop)
}

fn unit_is_right(unpacked: &Path, log: &mut Log) -> Result<()> {
    if !shell::on_path("systemd-analyze") {
        log.line("systemd is not here: the unit is not looked over");
        return Ok(());
    }
    // The program is not where the unit says, here; everything else must hold.
    let file: PathBuf = unpacked.join("usr/lib/systemd/system/padsvc.service");
    let unit = std::fs::read_to_string(&file)?;
    let here = unpacked.join("usr/bin/padsvc");
    let unit = unit.replace("/usr/bin/padsvc", &here.to_string_lossy());
    std::fs::write(&file, unit)?;
    let mut verify = Command::new("systemd-analyze");
    verify.args(["verify", "--man=no"]).arg(file);
    log.run(verify).map(drop)
}
