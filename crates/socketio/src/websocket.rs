//! A websocket connection: whole messages in, frames out.
//!
//! Ours rather than a library's for two reasons. The frames written are the shared bytes of
//! `Packet`, several in one system call, and none is copied first. And nothing is kept between
//! messages: buffers that grow to the largest message and stay so are what makes a thousand idle
//! connections expensive. Compression is never agreed to.

pub(crate) mod decode;
pub(crate) mod handshake;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf, ReadHalf, WriteHalf};

use crate::end::End;
use crate::packet::Packet;
use decode::Decoder;
pub(crate) use decode::Frame;

type Stream = TokioIo<Upgraded>;

/// On the stack of the caller, so that waiting costs no memory.
const READ_AT_ONCE: usize = 8 * 1024;
/// More frames than this go out in several system calls.
const FRAMES_AT_ONCE: usize = 64;

pub(crate) fn split(upgraded: Upgraded, max_payload: usize) -> (Reader, Writer) {
    let (read, write) = tokio::io::split(TokioIo::new(upgraded));
    let reader = Reader {
        stream: read,
        decoder: Decoder::new(max_payload),
        is_closed: false,
    };
    let writer = Writer {
        stream: write,
        unsent: VecDeque::new(),
    };
    (reader, writer)
}

pub(crate) struct Reader {
    stream: ReadHalf<Stream>,
    decoder: Decoder,
    is_closed: bool,
}

impl Reader {
    /// May be dropped before it is ready: what has been read so far is kept.
    pub(crate) async fn next(&mut self) -> Result<Frame, End> {
        loop {
            if let Some(frame) = self.decoder.next()? {
                self.is_closed = matches!(frame, Frame::Close);
                return Ok(frame);
            }
            match poll_fn(|context| self.poll_read(context)).await {
                Ok(0) => return Err(End::Left),
                Ok(_) => {}
                Err(_) => return Err(End::Lost),
            }
        }
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut space = [MaybeUninit::uninit(); READ_AT_ONCE];
        let mut read = ReadBuf::uninit(&mut space);
        let result = Pin::new(&mut self.stream).poll_read(context, &mut read);
        result.map_ok(|()| {
            self.decoder.feed(read.filled());
            read.filled().len()
        })
    }

    /// Reads until the client has closed its side, and forgets what it reads. Closing with unread
    /// data would reset the connection, and the client might never see our last words.
    pub(crate) async fn drain(&mut self) {
        while !self.is_closed {
            if self.next().await.is_err() {
                return self.drain_bytes().await;
            }
        }
    }

    /// As `drain`, when what comes makes no sense or has ended.
    async fn drain_bytes(&mut self) {
        let mut poll_read = |context: &mut Context<'_>| {
            let mut space = [MaybeUninit::uninit(); READ_AT_ONCE];
            let mut read = ReadBuf::uninit(&mut space);
            let result = Pin::new(&mut self.stream).poll_read(context, &mut read);
            result.map_ok(|()| read.filled().len())
        };
        while let Ok(1..) = poll_fn(&mut poll_read).await {}
    }
}

pub(crate) struct Writer {
    stream: WriteHalf<Stream>,
    /// Not empty after a write was given up half way: the next one goes on with it, because a
    /// frame that has begun must be finished.
    unsent: VecDeque<Bytes>,
}

impl Writer {
    pub(crate) fn push(&mut self, packets: &[Packet]) {
        let pieces = packets.iter().flat_map(Packet::pieces);
        self.unsent.extend(pieces.cloned());
    }

    /// Writes what was pushed. Dropped before it is ready, it can be called again to go on.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match poll_fn(|context| self.poll_write(context)).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                written => self.advance(written),
            }
        }
        // The room a burst took is not kept.
        self.unsent.shrink_to(4);
        self.stream.flush().await
    }

    fn poll_write(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut slices = [IoSlice::new(&[]); FRAMES_AT_ONCE];
        for (slice, frame) in slices.iter_mut().zip(&self.unsent) {
            *slice = IoSlice::new(frame);
        }
        let count = self.unsent.len().min(FRAMES_AT_ONCE);
        let slices = slices.get(..count).unwrap_or_default();
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn advance(&mut self, mut written: usize) {
        while let Some(frame) = self.unsent.front_mut() {
            if written < frame.len() {
                frame.advance(written);
                return;
            }
            written -= frame.len();
            self.unsent.pop_front();
        }
    }

    /// Writes what was pushed and closes our side.
    pub(crate) async fn finish(&mut self) -> io::Result<()> {
        self.flush().await?;
        self.stream.shutdown().await
    }
}
