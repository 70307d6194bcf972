//! Stopping: the signals that ask for it.
//!
//! Both are requests, never a kill: what is under way is finished first.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tracing::info;

/// Registers the handlers at once; the future ends when the first signal arrives.
pub fn requested() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        let name = tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        };
        info!("{name} received");
    })
}
