//! Running other programs and keeping what they print.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::{Failure, Result};

/// Keeps everything the commands of one stage print, in memory and in a file.
pub struct Log {
    file: File,
    /// Also show it while it is being printed.
    verbose: bool,
    text: String,
}

impl Log {
    pub fn create(path: &Path, verbose: bool) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let file = std::fs::create_dir_all(folder).and_then(|()| File::create(path));
        let file = file.map_err(Failure::at(path))?;
        Ok(Self {
            file,
            verbose,
            text: String::new(),
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn line(&mut self, line: &str) {
        self.append(&format!("{line}\n"));
    }

    /// Runs a command to its end. What it printed is returned when it succeeded.
    pub fn run(&mut self, command: Command) -> Result<String> {
        let start = self.text.len();
        let line = describe(&command);
        self.line(&format!("$ {line}"));
        let succeeded = self.follow(command).map_err(|error| match error.kind() {
            ErrorKind::NotFound => format!("{line}: the program is not installed"),
            _ => format!("{line}: {error}"),
        })?;
        match succeeded {
            true => Ok(self.text.get(start..).unwrap_or_default().to_owned()),
            false => Err(format!("failed: {line}").into()),
        }
    }

    fn follow(&mut self, mut command: Command) -> std::io::Result<bool> {
        // One pipe for both streams keeps their order.
        let (mut reader, writer) = std::io::pipe()?;
        command
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .env("NO_COLOR", "1");
        let mut child = command.spawn()?;
        // The command still holds the writing end; the reader would wait for it for ever.
        drop(command);
        let mut buffer = vec![0; 64 * 1024];
        let mut unfinished = Vec::new();
        loop {
            let count = reader.read(&mut buffer)?;
            unfinished.extend_from_slice(buffer.get(..count).unwrap_or_default());
            // Whole lines only, so that no character is cut in two.
            let whole = match count {
                0 => unfinished.len(),
                _ => unfinished
                    .iter()
                    .rposition(|&byte| byte == b'\n')
                    .map_or(0, |at| at + 1),
            };
            let rest = unfinished.split_off(whole);
            self.append(&String::from_utf8_lossy(&unfinished));
            unfinished = rest;
            if count == 0 {
                break;
            }
        }
        Ok(child.wait()?.success())
    }

    fn append(&mut self, text: &str) {
        self.text.push_str(text);
        // The log file is a convenience; a full disk will show itself soon enough elsewhere.
        let _ = self.file.write_all(text.as_bytes());
        if self.verbose {
            print!("{text}");
        }
    }
}

/// Runs a command on the user's terminal.
pub fn run_in_terminal(mut command: Command) -> Result<()> {
    let line = describe(&command);
    let status = command
        .status()
        .map_err(|error| format!("{line}: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("failed: {line}").into()),
    }
}

/// Runs a command quietly; what it printed on standard output, when it succeeded.
pub fn capture(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where the user's shell would find a program.
pub fn on_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

fn describe(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
