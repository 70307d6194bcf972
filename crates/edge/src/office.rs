//! LibreOffice, which reads and writes the formats that we do not.
//!
//! A document comes from outside and may be made to harm its reader. So each run has a folder
//! and a profile of its own, nothing of our environment, settings that run no macro and fetch
//! nothing, and a time after which it is ended with every process it has started. The folder is
//! gone when the run is over, also if nobody waits for it any more.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use convert::FileFormat;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use crate::conversions::{Conversions, Converter};
use settings::Files;

const TIMEOUT: Duration = Duration::from_secs(120);
/// No file that comes out may be larger.
const LARGEST: u64 = 256 << 20;
/// What LibreOffice has for settings before it is first started.
const PROFILE: &str = include_str!("office/profile.xcu");

/// A run of LibreOffice: from one ending to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    from: &'static str,
    pub to: &'static str,
    /// As `--convert-to` wants it.
    filter: &'static str,
}

impl Conversion {
    /// From DOCX to this format.
    pub fn export(format: &FileFormat) -> Option<Conversion> {
        format.external.map(|_| Conversion {
            from: "docx",
            to: format.name,
            filter: format.name,
        })
    }

    /// From this format to one that we read.
    pub fn import(format: &FileFormat) -> Option<Conversion> {
        format.external.map(|readable| Conversion {
            from: format.name,
            to: readable.name,
            filter: readable.filter,
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// Too many wait already.
    Busy,
    TooLong,
    /// The file cannot be read, or LibreOffice cannot be run.
    Failed,
}

pub struct Office {
    program: PathBuf,
    timeout: Duration,
    conversions: Arc<Conversions>,
}

/// Whether a setting names a program. If it does not, that is said, and the setting is as if it was
/// not there: later requests get the truth. Relative paths start at `root`.
pub fn check_program(settings: &mut Files, root: &Path) {
    let Some(named) = settings.soffice.take() else {
        return;
    };
    let program = root.join(named);
    let found = std::fs::metadata(&program);
    let runs = |file: Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    if found.is_ok_and(runs) {
        settings.soffice = Some(program.display().to_string());
    } else {
        let formats = FileFormat::ALL.iter();
        let missing = formats.filter(|format| format.codec.is_none());
        let missing: Vec<&str> = missing.map(|format| format.name).collect();
        warn!(
            "soffice: {} is no program; there is no {}",
            program.display(),
            missing.join(", ")
        );
    }
}

impl Office {
    pub fn new(program: PathBuf, conversions: Arc<Conversions>) -> Office {
        Office {
            program,
            timeout: TIMEOUT,
            conversions,
        }
    }

    pub async fn convert(
        &self,
        content: Vec<u8>,
        conversion: Conversion,
    ) -> Result<Vec<u8>, Failure> {
        let slot = self.conversions.enter(Converter::Office).await;
        let slot = slot.map_err(|_| Failure::Busy)?;
        let (program, timeout) = (self.program.clone(), self.timeout);
        let given_up = CancellationToken::new();
        let _waits = given_up.clone().drop_guard();
        // A task of its own, which cleans up even if the client has gone.
        let task = tokio::spawn(async move {
            let _held = slot;
            in_folder(program, content, conversion, timeout, given_up).await
        });
        task.await.unwrap_or_else(|error| {
            error!("a conversion ended early: {error}");
            Err(Failure::Failed)
        })
    }
}

async fn in_folder(
    program: PathBuf,
    content: Vec<u8>,
    conversion: Conversion,
    timeout: Duration,
    given_up: CancellationToken,
) -> Result<Vec<u8>, Failure> {
    let prepared = blocking(move || prepare(&content, conversion)).await;
    let folder = prepared.map_err(|error| {
        error!("no folder for a conversion: {error}");
        Failure::Failed
    })?;
    let ended = match command(&program, folder.path(), conversion).spawn() {
        Ok(child) => run(child, timeout, given_up).await,
        Err(error) => {
            error!("{} cannot be run: {error}", program.display());
            Err(Failure::Failed)
        }
    };
    // Read and removed by one thread that may wait for the disk.
    let file = blocking(move || ended.map(|status| (status, result(folder.path(), conversion))));
    let (status, file) = file.await?;
    file.map_err(|error| {
        warn!(
            "a file could not be converted to {}: {status}, {error}",
            conversion.to
        );
        Failure::Failed
    })
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn prepare(content: &[u8], conversion: Conversion) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("padsvc-").tempdir()?;
    let user = folder.path().join("profile/user");
    std::fs::create_dir_all(&user)?;
    std::fs::write(user.join("registrymodifications.xcu"), PROFILE)?;
    std::fs::create_dir(folder.path().join("out"))?;
    std::fs::write(input(folder.path(), conversion), content)?;
    Ok(folder)
}

fn input(folder: &Path, conversion: Conversion) -> PathBuf {
    folder.join(format!("document.{}", conversion.from))
}

fn command(program: &Path, folder: &Path, conversion: Conversion) -> Command {
    let mut command = Command::new(program);
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.display());
    command
        .args([
            "--headless",
            "--norestore",
            "--nologo",
            "--nodefault",
            "--nolockcheck",
        ])
        .arg(profile)
        .args(["--convert-to", conversion.filter, "--outdir"])
        .arg(folder.join("out"))
        .arg(input(folder, conversion))
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command
}

async fn run(
    mut child: Child,
    timeout: Duration,
    given_up: CancellationToken,
) -> Result<ExitStatus, Failure> {
    let group = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
    let ended = tokio::select! {
        status = child.wait() => status.map_err(|_| Failure::Failed),
        () = tokio::time::sleep(timeout) => Err(Failure::TooLong),
        () = given_up.cancelled() => Err(Failure::Failed),
    };
    // Whatever it has started goes too, also if it has ended by itself.
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait().await;
    if ended == Err(Failure::TooLong) {
        warn!(
            "a conversion took longer than {} seconds",
            timeout.as_secs()
        );
    }
    ended
}

/// LibreOffice says that all is well when nothing is: only the file counts.
fn result(folder: &Path, conversion: Conversion) -> io::Result<Vec<u8>> {
    let file = folder.join(format!("out/document.{}", conversion.to));
    match std::fs::symlink_metadata(&file)? {
        found if !found.is_file() || found.len() == 0 => Err(io::ErrorKind::InvalidData.into()),
        found if found.len() > LARGEST => Err(io::ErrorKind::FileTooLarge.into()),
        _ => std::fs::read(&file),
    }
}

#[cfg(test)]
mod tests;
