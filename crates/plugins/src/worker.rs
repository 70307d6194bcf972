//! Worker: the process that runs the script of one plugin, and the frames on its pipes.
//!
//! Nothing is inherited: no environment, no file but the pipes. A process that is dropped is
//! killed. What it says is believed as far as `plugin::wire` has checked it, and no further.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use plugin::wire::{Decoder, FrameError, FromWorker, ToWorker, encode};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::process::{Child, Command};

/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;
/// How long a worker that was stopped may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// Starts workers.
pub(crate) type Launcher = dyn Fn() -> io::Result<Worker> + Send + Sync;

pub(crate) struct Worker {
    reader: Box<dyn AsyncRead + Send + Unpin>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    decoder: Decoder<FromWorker>,
    outgoing: Vec<u8>,
    piece: Vec<u8>,
    child: Option<Child>,
}

/// Why nothing more comes from a worker.
#[derive(Debug, Error)]
pub(crate) enum WorkerError {
    #[error("the worker ended")]
    Ended,
    #[error("the worker sends nonsense: {0}")]
    Frame(#[from] FrameError),
}

impl Worker {
    /// Starts the program's hidden command.
    pub(crate) fn spawn(program: &Path) -> io::Result<Worker> {
        let mut child = Command::new(program)
            .arg("plugin-worker")
            .env_clear()
            .env("TZ", "UTC")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = child.stdout.take().zip(child.stdin.take());
        let (reader, writer) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        let worker = Worker::new(Box::new(reader), Box::new(writer));
        Ok(Worker {
            child: Some(child),
            ..worker
        })
    }

    pub(crate) fn new(
        reader: Box<dyn AsyncRead + Send + Unpin>,
        writer: Box<dyn AsyncWrite + Send + Unpin>,
    ) -> Worker {
        Worker {
            reader,
            writer,
            decoder: Decoder::default(),
            outgoing: Vec::new(),
            piece: vec![0; PIECE],
            child: None,
        }
    }

    /// Puts a message behind what waits to be written.
    pub(crate) fn send(&mut self, message: &ToWorker) -> Result<(), FrameError> {
        self.outgoing.extend(encode(message)?);
        Ok(())
    }

    /// How many bytes wait to be written.
    pub(crate) fn backlog(&self) -> usize {
        self.outgoing.len()
    }

    /// Writes what waits, and gives the next message. Nothing is lost when it is dropped midway.
    pub(crate) async fn next(&mut self) -> Result<FromWorker, WorkerError> {
        loop {
            if let Some(message) = self.decoder.next_message()? {
                return Ok(message);
            }
            tokio::select! {
                read = self.reader.read(&mut self.piece) => match read {
                    Ok(count) if count > 0 => {
                        self.decoder.push(self.piece.get(..count).unwrap_or_default());
                    }
                    _ => return Err(WorkerError::Ended),
                },
                written = self.writer.write(&self.outgoing), if !self.outgoing.is_empty() => {
                    match written {
                        Ok(count) if count > 0 => drop(self.outgoing.drain(..count)),
                        // What it said before it ended is still there to be read.
                        _ => self.outgoing.clear(),
                    }
                }
            }
        }
    }

    /// Lets the process end, and ends it if it does not.
    pub(crate) async fn stop(mut self) {
        let _ = self.send(&ToWorker::Stop);
        let ended = async { while self.next().await.is_ok() {} };
        let _ = tokio::time::timeout(END_TIMEOUT, ended).await;
        self.kill().await;
    }

    pub(crate) async fn kill(self) {
        if let Some(mut child) = self.child {
            // It may have ended by itself.
            let _ = child.kill().await;
        }
    }
}
