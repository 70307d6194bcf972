//! Control socket of the server, in the root folder, for the server's own user.
//!
//! It wakes for two reasons: a command has connected, or a task is done. A user who may open the
//! socket could also read the database, so no further authorization is needed.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncRead;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::{debug, info, warn};

use super::frames::Frame;
use super::{Operations, ProgressSender, Task, TaskEvent};
use listener::accept::accepted;

/// Concurrent tasks. Further commands are refused.
const MOST: usize = 16;
const ADMINISTRATOR: u32 = 0;
/// How long a command may take to send its task.
const TASK_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval of heartbeats while a task reports nothing else.
const HEARTBEAT: Duration = Duration::from_secs(5);

pub fn path_in(root: &Path) -> PathBuf {
    root.join("var").join("padsvc.sock")
}

pub struct Control {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
}

impl Control {
    /// Opens the socket. `None`: it cannot be, which is said in the log; the server runs without.
    pub async fn open(root: &Path) -> Option<Control> {
        let path = path_in(root);
        if UnixStream::connect(&path).await.is_ok() {
            warn!(
                "another server has {}; commands go to that one",
                path.display()
            );
            return None;
        }
        // What a server has left that did not end well.
        let _ = std::fs::remove_file(&path);
        match bind(&path) {
            Ok((listener, owner)) => Some(Control {
                listener,
                path,
                owner,
            }),
            Err(error) => {
                warn!("no commands while running: {}: {error}", path.display());
                None
            }
        }
    }

    /// Does tasks. Does not end by itself; those under way end with it.
    pub async fn serve(&self, operations: &Arc<Operations>) {
        let mut tasks = JoinSet::new();
        loop {
            tokio::select! {
                (stream, _) = accepted("a command", || self.listener.accept()) => {
                    if tasks.len() < MOST && self.knows(&stream) {
                        tasks.spawn(answer(stream, Arc::clone(operations)));
                    }
                }
                Some(ended) = tasks.join_next() => {
                    if let Ok(Err(error)) = ended {
                        debug!("a command went away: {error}");
                    }
                }
            }
        }
    }

    /// Whether it is the server's user who connects. The file's mode says the same, but only from
    /// the moment on when it is set.
    fn knows(&self, stream: &UnixStream) -> bool {
        let user = stream.peer_cred().map(|peer| peer.uid());
        user.is_ok_and(|user| user == self.owner || user == ADMINISTRATOR)
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn bind(path: &Path) -> io::Result<(UnixListener, u32)> {
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o600))?;
    let owner = std::fs::metadata(path)?.uid();
    Ok((listener, owner))
}

async fn answer(stream: UnixStream, operations: Arc<Operations>) -> io::Result<()> {
    let (mut from, mut to) = stream.into_split();
    let Some(task) = timeout(TASK_TIMEOUT, read_task(&mut from)).await?? else {
        return Ok(());
    };
    info!("an operator asks for: {}", task.name());
    let (out, mut events) = ProgressSender::new();
    let work = async {
        let audited = task.audited();
        let outcome = operations.carry_out(task, &out).await;
        if let Some((action, target)) = audited {
            operations.record(action, target, outcome.is_ok()).await;
        }
        out.end(outcome).await;
    };
    let send = async {
        loop {
            let event = match timeout(HEARTBEAT, events.recv()).await {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(_) => TaskEvent::Working,
            };
            let frame = match event {
                TaskEvent::Bytes(bytes) => Frame::Bytes(bytes),
                other => Frame::of(&other)?,
            };
            frame.write(&mut to).await?;
        }
        Ok(())
    };
    // If sending fails, the client is gone: the work is dropped, between two steps of it.
    tokio::pin!(work, send);
    tokio::select! {
        sent = &mut send => sent,
        () = &mut work => send.await,
    }
}

/// `None`: the command left without saying what it wants, as one does that only looks for us.
async fn read_task(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Task>> {
    let (Some(asked), Some(Frame::Bytes(file))) =
        (Frame::read(from).await?, Frame::read(from).await?)
    else {
        return Ok(None);
    };
    let mut task: Task = asked.parse()?;
    if let Some(place) = task.file() {
        *place = file;
    }
    Ok(Some(task))
}
