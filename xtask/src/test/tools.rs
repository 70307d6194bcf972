//! Installing what the other stages need and the machine does not have.
//!
//! Only ordinary package clients are used (npm, apt-get, cargo), and only for what is missing.

use std::path::Path;
use std::process::Command;

use super::Run;
use crate::failure::Result;
use crate::{fuzz, npm, shell};

/// A program, how to see that it is there, and the Debian package that brings it.
struct Tool {
    package: &'static str,
    is_there: fn() -> bool,
}

const TOOLS: &[Tool] = &[
    Tool {
        package: "chromium-headless-shell",
        is_there: || shell::on_path("chromium-headless-shell"),
    },
    Tool {
        package: "postgresql",
        is_there: has_postgres,
    },
    Tool {
        package: "mariadb-server",
        is_there: || has_server("mariadbd"),
    },
    Tool {
        package: "redis-server",
        is_there: || has_server("redis-server"),
    },
    Tool {
        package: "haproxy",
        is_there: || has_server("haproxy"),
    },
    Tool {
        package: "nginx-light",
        is_there: || has_server("nginx"),
    },
    Tool {
        package: "python3-venv",
        is_there: has_python,
    },
    Tool {
        package: "libreoffice-writer-nogui libreoffice-draw-nogui",
        is_there: || shell::on_path("soffice"),
    },
    Tool {
        package: "poppler-utils",
        is_there: || shell::on_path("pdftotext"),
    },
    Tool {
        package: "strace",
        is_there: || shell::on_path("strace"),
    },
    Tool {
        package: "valgrind",
        is_there: || shell::on_path("valgrind"),
    },
];

pub fn install(run: &mut Run) -> Result<()> {
    npm::install_if_stale(&run.project.web())?;
    npm::install_if_stale(&run.project.ueberdb())?;
    install_packages(run)?;
    if !shell::on_path("cargo-nextest") {
        run.log
            .line("cargo-nextest is not installed; `cargo test` is used in its place");
    }
    if !shell::on_path("cargo-deb") {
        // Used once in a while: a minute less to build it is worth more than its speed.
        let install = "cargo install cargo-deb --locked --debug";
        run.log.run(run.project.command(install))?;
    }
    if fuzz::has_nightly(run.project) && !shell::on_path("cargo-fuzz") {
        run.log
            .run(run.project.command("cargo install cargo-fuzz --locked"))?;
    }
    Ok(())
}

fn install_packages(run: &mut Run) -> Result<()> {
    let missing: Vec<&str> = TOOLS
        .iter()
        .filter(|tool| !(tool.is_there)())
        .map(|tool| tool.package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    let Some(apt) = apt(run) else {
        return Err(format!(
            "These are missing and cannot be installed from here: {packages}.\n\
             Install them with your system's package manager and run this again."
        )
        .into());
    };
    run.log.run(run.project.command(&format!("{apt} update")))?;
    let mut command = run.project.command(&format!(
        "{apt} install --yes --no-install-recommends {packages}"
    ));
    command.env("DEBIAN_FRONTEND", "noninteractive");
    run.log.run(command).map(drop)
}

/// The way to call apt-get with the right to install, if there is one.
fn apt(run: &Run) -> Option<&'static str> {
    if !shell::on_path("apt-get") {
        return None;
    }
    let user = shell::capture(run.project.command("id -u"))?;
    if user.trim() == "0" {
        return Some("apt-get");
    }
    shell::capture(run.project.command("sudo -n true")).map(|_| "sudo -n apt-get")
}

/// Debian has the language and the means to make an environment for it in two packages.
fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.args(["-c", "import ensurepip, venv"]);
    shell::capture(python).is_some()
}

/// Servers are where only root has a search path to.
fn has_server(name: &str) -> bool {
    shell::on_path(name) || Path::new("/usr/sbin").join(name).is_file()
}

/// Debian keeps the server's programs out of the search path.
fn has_postgres() -> bool {
    let versions = std::fs::read_dir(Path::new("/usr/lib/postgresql"));
    let installed = versions.into_iter().flatten().flatten();
    shell::on_path("postgres")
        || installed
            .into_iter()
            .any(|version| version.path().join("bin/postgres").is_file())
}
