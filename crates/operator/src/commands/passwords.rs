//! `padsvc hash-password`: what to write into the settings instead of a password.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};
use std::process::ExitCode;

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use serde_json::json;

use super::Outcome;
use super::display::Display;
use super::error::CommandError;
use crate::arguments;
use crate::operate::Summary;
use system::environment::random_bytes;

pub(super) fn run(arguments: &arguments::HashPassword) -> ExitCode {
    Display::new(arguments.output.json).end(hash())
}

fn hash() -> Outcome {
    let password = read_password()?;
    if password.is_empty() {
        return Err(CommandError::EmptyPassword);
    }
    let hash = oidc::hash_password(&password, &random_bytes::<16>());
    let hash = hash.ok_or(CommandError::Memory)?;
    Ok(Summary {
        data: json!({ "hash": hash }),
        text: hash,
        ok: true,
    })
}

/// Reads a line from standard input, on a terminal with a prompt and without echo.
fn read_password() -> std::io::Result<String> {
    let terminal = stdin().is_terminal();
    let before = if terminal {
        let _ = write!(stderr(), "Password: ");
        Some(tcgetattr(stdin())?)
    } else {
        None
    };
    if let Some(before) = &before {
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Flush, &hidden)?;
    }
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line);
    if let Some(before) = &before {
        tcsetattr(stdin(), OptionalActions::Flush, before)?;
        let _ = writeln!(stderr());
    }
    read?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
