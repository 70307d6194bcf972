//! `cargo xtask bench admin`: server time of the pages of the admin area, with 100,000 pads and
//! ninety days of series.

use std::process::Command;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell;

const PADS: &str = "100000";

pub fn run(project: &Project) -> Result<()> {
    let build = "cargo build --locked --release -p store -p admin --example many_pads \
                 --example admin_bench";
    shell::run_in_terminal(project.command(build))?;
    let examples = project.target.join("release/examples");
    let folder = project.scratch().join("bench-admin");
    // From an earlier run, whose database may have another schema.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(Failure::at(&folder))?;
    let file = folder.join("padsvc.db");
    let mut fill = Command::new(examples.join("many_pads"));
    shell::run_in_terminal({
        fill.arg(&file).arg(PADS);
        fill
    })?;
    let mut bench = Command::new(examples.join("admin_bench"));
    bench.arg(&file);
    shell::run_in_terminal(bench)
}
