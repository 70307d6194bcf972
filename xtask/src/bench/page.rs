//! `cargo xtask bench page`: how the pad page opens and answers keys, in a real browser.
//!
//! Beside a page that has only the editor library, in the same run: seconds hold for the machine
//! and the hour, the ratio for longer.

use crate::failure::Result;
use crate::project::Project;
use crate::test::server::Server;
use crate::{npm, shell};

/// Serves pads from the release build and has them measured by `web/tools/page-bench.ts`.
pub fn run(project: &Project) -> Result<()> {
    let build = "cargo build --locked --release --package padsvc --bin padsvc";
    shell::run_in_terminal(project.command(build))?;
    npm::install_if_stale(&project.web())?;
    let server = Server::start_build(project, "release", "bench-page", "{}")?;
    let mut bench = project.command("npm run --silent bench");
    bench
        .current_dir(project.web())
        .env("PADSVC_URL", &server.url)
        .env("PADSVC_KEY", server.api_key()?);
    shell::run_in_terminal(bench)
}
