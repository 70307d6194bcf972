//! Other programs: started with nothing to read from, with a time limit, in a process group that
//! ends with them. What they say goes to the update log.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Child;

use super::journal::Journal;
use super::places::Places;

/// More of what a program says is not kept; the end of it says why it failed.
const KEPT: usize = 64 * 1024;
/// How much of that a reason shows.
const SHOWN: usize = 300;

/// What is needed to run any.
#[derive(Clone, Copy)]
pub(crate) struct Shell<'a> {
    pub places: &'a Places,
    pub journal: &'a Journal,
}

pub(crate) struct Command<'a> {
    shell: Shell<'a>,
    /// As it is shown.
    name: String,
    inner: tokio::process::Command,
    limit: Duration,
}

/// The program did not do what it should.
#[derive(Debug, Error)]
#[error("{text}")]
pub(crate) struct Failure {
    /// `None` if it did not come to an end by itself.
    pub code: Option<i32>,
    pub text: String,
}

impl Shell<'_> {
    /// `program argument argument…`, in the root of the checkout.
    pub(crate) fn command(
        &self,
        program: &str,
        arguments: &[&str],
        limit: Duration,
    ) -> Command<'_> {
        let mut inner = tokio::process::Command::new(program);
        inner
            .args(arguments)
            .current_dir(&self.places.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .env("LC_ALL", "C");
        // The first word that is no option says what is done.
        let what = arguments
            .iter()
            .find(|word| !word.starts_with('-') && !word.contains('='));
        Command {
            shell: *self,
            name: format!("{program} {}", what.unwrap_or(&""))
                .trim()
                .to_owned(),
            inner,
            limit,
        }
    }
}

impl Command<'_> {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.inner.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.inner.env_remove(name);
        self
    }

    /// Runs it to its end; what it printed.
    pub(crate) async fn run(mut self) -> Result<String, Failure> {
        let failed = |code, text: String| Failure {
            code,
            text: format!("{} {text}", self.name),
        };
        let journal = self.shell.journal;
        let mut child = self.inner.spawn().map_err(|error| {
            journal.line(&format!("{} SPAWN_ERR | {error}", self.name));
            failed(None, format!("cannot be started: {error}"))
        })?;
        let _group = Group::of(&child, self.shell.places.child());
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let all = async {
            let (printed, said, status) = tokio::join!(
                listen(stdout, journal, format!("{} |", self.name)),
                listen(stderr, journal, format!("{} ERR |", self.name)),
                child.wait()
            );
            (printed, said, status)
        };
        let Ok((printed, said, status)) = tokio::time::timeout(self.limit, all).await else {
            let text = format!("took longer than {} s", self.limit.as_secs());
            journal.line(&format!("{} {text}", self.name));
            return Err(failed(None, text));
        };
        match status {
            Ok(status) if status.success() => Ok(printed),
            Ok(status) => {
                let code = status.code();
                let shown = code.map_or("signal".to_owned(), |code| code.to_string());
                Err(failed(code, format!("exit {shown}: {}", last_words(&said))))
            }
            Err(error) => Err(failed(None, error.to_string())),
        }
    }
}

/// Reads to the end, line by line.
async fn listen(
    stream: Option<impl AsyncRead + Unpin>,
    journal: &Journal,
    before: String,
) -> String {
    let Some(stream) = stream else {
        return String::new();
    };
    let mut reader = BufReader::new(stream);
    let mut kept = String::new();
    let mut line = Vec::new();
    while let Ok(1..) = reader.read_until(b'\n', &mut line).await {
        let text = String::from_utf8_lossy(&line);
        let text = without_passwords(text.trim_end_matches(['\n', '\r']));
        journal.line(&format!("{before} {text}"));
        kept.push_str(&text);
        kept.push('\n');
        if kept.len() > KEPT {
            let from = kept.len() - KEPT / 2;
            let from = (from..kept.len()).find(|at| kept.is_char_boundary(*at));
            kept = kept.split_off(from.unwrap_or(0));
        }
        line.clear();
    }
    kept
}

/// Addresses may hold the password of an origin, and programs like to repeat them.
fn without_passwords(text: &str) -> String {
    let mut parts = text.split("://");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean += "://";
        let end = part.find(|c: char| c == '/' || c.is_whitespace());
        let (host, rest) = part.split_at(end.unwrap_or(part.len()));
        clean += host.rsplit('@').next().unwrap_or_default();
        clean += rest;
    }
    clean
}

fn last_words(said: &str) -> String {
    let said = said.trim();
    let skipped = said.chars().count().saturating_sub(SHOWN);
    let words: String = said.chars().skip(skipped).collect();
    words.replace('\n', " / ")
}

/// A process group that does not outlive the wait for it; written down, so that it does not outlive
/// the program either.
struct Group {
    pid: Option<Pid>,
    note: PathBuf,
}

impl Group {
    fn of(child: &Child, note: PathBuf) -> Group {
        let id = child.id();
        if let Some(id) = id {
            let _ = std::fs::write(&note, format!("{id} {}\n", started(id).unwrap_or_default()));
        }
        let pid = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Group { pid, note }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(pid) = self.pid {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = std::fs::remove_file(&self.note);
    }
}

/// Ends what a run that was killed has left behind, if it is still the same process.
pub(crate) fn end_orphans(places: &Places) {
    let note = places.child();
    let Ok(text) = std::fs::read_to_string(&note) else {
        return;
    };
    if let Some((id, start)) = text.trim().split_once(' ')
        && let Ok(id) = id.parse::<u32>()
        && started(id).is_some_and(|now| now == start)
        && let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw)
    {
        let _ = kill_process_group(pid, Signal::KILL);
        wait_for_end(Path::new(&format!("/proc/{id}")));
    }
    let _ = std::fs::remove_file(note);
}

/// A killed process is gone in a moment; one that is not must not hold up the start for ever.
fn wait_for_end(process: &Path) {
    for _ in 0..200 {
        if !process.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// When a process was started, in the kernel's own count: ids are used again, these are not.
fn started(id: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(19).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_kept() {
        for (said, kept) in [
            ("plain", "plain"),
            ("https://host/x", "https://host/x"),
            (
                "at 'https://ada:pw@host/x.git/': no",
                "at 'https://host/x.git/': no",
            ),
            ("ssh://git@host b@c http://t:k@d", "ssh://host b@c http://d"),
        ] {
            assert_eq!(without_passwords(said), kept);
        }
    }
}
