//! `padsvc completions` and `padsvc man`: what a shell and a reader want to know.

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

use clap::Command;

use crate::arguments;

pub(super) fn completions(arguments: &arguments::Completions, mut program: Command) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "padsvc", &mut script);
    let _ = stdout().write_all(&script);
    ExitCode::SUCCESS
}

pub(super) fn manual(arguments: &arguments::Manual, program: Command) -> ExitCode {
    let written = match &arguments.to {
        Some(folder) => pages(program, folder),
        None => clap_mangen::Man::new(program).render(&mut stdout()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "padsvc: the manual cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pages(program: Command, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(program, folder)
}
