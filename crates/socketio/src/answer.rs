//! The body of a poll's answer: pieces that others share, written as the client reads them.
//!
//! The poll is under way until the last piece is handed over. So a client that polls and does not
//! read has one answer outstanding, and a sender waits, as with a websocket.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use crate::requests::Underway;

/// No more is handed over at a time: what is, is no longer waited for.
const PIECE: usize = 64 * 1024;

pub(crate) struct Answer {
    pieces: VecDeque<Bytes>,
    underway: Option<Underway>,
}

impl Answer {
    pub(crate) fn new(pieces: Vec<Bytes>, underway: Underway) -> Answer {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        Answer {
            pieces: pieces.collect(),
            underway: Some(underway),
        }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let answer = self.get_mut();
        let piece = answer.pieces.front_mut();
        let piece = piece.map(|piece| piece.split_to(piece.len().min(PIECE)));
        if answer.pieces.front().is_some_and(Bytes::is_empty) {
            answer.pieces.pop_front();
        }
        if answer.pieces.is_empty()
            && let Some(underway) = answer.underway.take()
        {
            underway.finish();
        }
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.pieces.iter().map(|piece| piece.len() as u64).sum())
    }
}
