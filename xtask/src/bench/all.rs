//! `cargo xtask bench all`: measures what docs/performance.md shows, and writes it there.
//!
//! Invariant: the page is its own recipe. What stands between `<!-- bench growth -->` and
//! `<!-- end of bench -->` are the tables that `cargo xtask bench growth` printed last, below the
//! machine and the day; all other words are left alone. The goals are looked up in these tables.

mod goals;
mod machine;
mod page;

use std::process::{Command, Stdio};

use crate::failure::{Failure, Result};
use crate::project::Project;
use page::Page;

/// Without names every block is measured again, otherwise those that begin with one of them.
pub fn run(project: &Project, wanted: &[&str]) -> Result<()> {
    let path = project.root.join("docs/performance.md");
    let text = std::fs::read_to_string(&path).map_err(Failure::at(&path))?;
    let mut page = Page::parse(&text)?;
    let commands = page.commands();
    let is_known = |name: &&&str| commands.iter().any(|command| command.starts_with(**name));
    if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
        let known = commands.join(", ");
        return Err(format!("the page has no block {unknown}; there are: {known}").into());
    }
    let is_wanted =
        |command: &str| wanted.is_empty() || wanted.iter().any(|name| command.starts_with(name));
    for command in commands.iter().filter(|command| is_wanted(command)) {
        if command == goals::BLOCK {
            continue;
        }
        let printed = measure(project, command)?;
        let measured = format!("{}\n\n{}", machine::and_day()?, page::tables(&printed));
        page.fill(command, measured.trim_end());
        // At once, so that a run that is stopped has not been for nothing.
        std::fs::write(&path, page.to_string()).map_err(Failure::at(&path))?;
    }
    page.fill(goals::BLOCK, &goals::table(&page)?);
    std::fs::write(&path, page.to_string()).map_err(Failure::at(&path))
}

/// What a bench of these commands prints, which is shown only at its end.
fn measure(project: &Project, command: &str) -> Result<String> {
    println!("cargo xtask bench {command}");
    let this = std::env::current_exe()?;
    let mut bench = Command::new(this);
    bench.arg("bench").args(command.split_whitespace());
    bench
        .current_dir(&project.root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    let output = bench.output()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("{printed}");
    match output.status.success() {
        true => Ok(printed),
        false => Err(format!("failed: bench {command}").into()),
    }
}
