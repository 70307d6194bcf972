//! Tunnel: a websocket whose other end is at another node, until either end closes it.

use std::io;
use std::time::Duration;

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

/// Both ends send something twice a minute. One that is silent for longer is gone.
const SILENCE: Duration = Duration::from_secs(120);
/// How long an end may take to read a piece.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the ends may take to change over to the websocket.
const UPGRADE_TIMEOUT: Duration = Duration::from_secs(10);
const PIECE: usize = 8 * 1024;

pub(crate) async fn run(client: OnUpgrade, node: OnUpgrade, _permit: OwnedSemaphorePermit) {
    let both = async { tokio::join!(client, node) };
    let Ok((Ok(client), Ok(node))) = timeout(UPGRADE_TIMEOUT, both).await else {
        return;
    };
    let (mut from_client, mut to_client) = tokio::io::split(TokioIo::new(client));
    let (mut from_node, mut to_node) = tokio::io::split(TokioIo::new(node));
    // The first end that closes has got all that it was sent before, or does not want it.
    let _ = tokio::select! {
        ended = copy(&mut from_client, &mut to_node) => ended,
        ended = copy(&mut from_node, &mut to_client) => ended,
    };
}

async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let count = timeout(SILENCE, from.read(&mut piece)).await??;
        let Some(read) = piece.get(..count).filter(|read| !read.is_empty()) else {
            return timeout(WRITE_TIMEOUT, to.shutdown()).await?;
        };
        let write = async {
            to.write_all(read).await?;
            to.flush().await
        };
        timeout(WRITE_TIMEOUT, write).await??;
    }
}
