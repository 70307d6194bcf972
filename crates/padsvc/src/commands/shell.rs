//! `padsvc completions` and `padsvc man`: what a shell and a reader want to know.

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;

use crate::cli::{Cli, upkeep};

pub fn completions(arguments: &upkeep::Completions) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "padsvc", &mut script);
    let _ = stdout().write_all(&script);
    ExitCode::SUCCESS
}

pub fn manual(arguments: &upkeep::Manual) -> ExitCode {
    let written = match &arguments.to {
        Some(folder) => pages(folder),
        None => clap_mangen::Man::new(Cli::command()).render(&mut stdout()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "padsvc: the manual cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command(), folder)
}
