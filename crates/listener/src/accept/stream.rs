//! The stream of a connection: counted while it is open, checked and timed as it is used.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connections::Permit;
use super::request_heads::RequestHeads;

/// How long a client may take nothing of what is sent to it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

pub(super) struct GuardedStream<S> {
    stream: S,
    heads: RequestHeads,
    /// Runs while something waits to be taken.
    stalled: Option<Pin<Box<Sleep>>>,
    _permit: Permit,
}

impl<S> GuardedStream<S> {
    pub(super) fn new(stream: S, permit: Permit) -> GuardedStream<S> {
        GuardedStream {
            stream,
            heads: RequestHeads::default(),
            stalled: None,
            _permit: permit,
        }
    }

    /// The outcome of a write, or an error if writes have led to nothing for too long.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for GuardedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(ending) = self.heads.ending() {
            let room = buffer.remaining().min(ending.len());
            buffer.put_slice(ending.get(..room).unwrap_or_default());
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        let new = buffer.filled_mut().get_mut(before..).unwrap_or_default();
        self.heads.check(new);
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for GuardedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.heads.answered(bytes);
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.heads
            .answered(slices.first().map_or(&[], |slice| slice));
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, outcome)
    }
}
