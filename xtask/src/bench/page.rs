//! `cargo xtask bench page`: how the pad page opens and answers keys, in a real browser.
//!
//! Beside a page that has only the editor library, in the same run: seconds hold for the machine
//! and the hour, the ratio for longer.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::test::server::Server;
use crate::{npm, shell};

/// The generator may type as fast as it can.
const SETTINGS: &str = r#"{
    "commitRateLimiting": {"duration": 1, "points": 1000000},
    "creationRateLimiting": {"historyBytesPerMinute": 0}
}"#;
/// About 100,000 revisions.
const LONG_HISTORY: [&str; 6] = ["--authors", "4", "--interval", "0", "--seconds", "20"];

/// Serves pads from the release build and has them measured by `web/tools/page-bench.ts`.
pub fn run(project: &Project) -> Result<()> {
    let build = "cargo build --locked --release --package padsvc --bin padsvc";
    shell::run_in_terminal(project.command(build))?;
    npm::install_if_stale(&project.web())?;
    let server = Server::start_build(project, "release", "bench-page", SETTINGS)?;
    let mut typing = Command::new(project.target.join("release/padsvc"));
    typing.args(["loadtest", &server.url]).args(LONG_HISTORY);
    shell::run_in_terminal(typing)?;
    let mut bench = project.command("npm run --silent bench");
    bench
        .current_dir(project.web())
        .env("PADSVC_URL", &server.url)
        .env("PADSVC_KEY", server.api_key()?);
    shell::run_in_terminal(bench)
}
