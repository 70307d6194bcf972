//! The half of a session that is there for long polling: what is offered to the next poll, what
//! was posted, and how far the client is on its way to a websocket.
//!
//! At most one poll and one post at a time, at most one body waits to be read, and what is offered
//! is what one call of `send` brought.

use std::sync::Mutex;

use bytes::Bytes;
use tokio::sync::Notify;

use crate::lock::lock;
use crate::packet::{Packet, payload};
use crate::parse::{self, Malformed, Received};
use crate::pipe::Pipe;
use crate::websocket::{Reader, Writer};

pub(crate) struct Polling {
    state: Mutex<State>,
    /// For the poll: there may be something to answer.
    changed: Notify,
    /// For the one who offers: there may be nothing left of it.
    taken: Notify,
    /// For the farewell: the websocket has taken over, or has failed.
    settled: Notify,
    pub bodies: Pipe<Bytes>,
    /// The websocket that takes the place of polling.
    pub readers: Pipe<Reader>,
}

struct State {
    stage: Stage,
    offered: Vec<Packet>,
    /// Whether what was offered is being written to a poll.
    is_written: bool,
    has_poll: bool,
    has_post: bool,
    is_over: bool,
    /// Waits for the next one who writes.
    websocket: Option<Writer>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Polling,
    /// A websocket is being tried.
    Probing,
    /// The websocket works: polls are answered at once, so that the client can stop polling.
    Probed,
    Upgraded,
}

/// One request at a time of each kind.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    Poll,
    Post,
}

impl Polling {
    pub(crate) fn new() -> Self {
        Self::at(Stage::Polling)
    }

    /// For a session that began with a websocket.
    pub(crate) fn done() -> Self {
        Self::at(Stage::Upgraded)
    }

    fn at(stage: Stage) -> Self {
        Polling {
            state: Mutex::new(State {
                stage,
                offered: Vec::new(),
                is_written: false,
                has_poll: false,
                has_post: false,
                is_over: false,
                websocket: None,
            }),
            changed: Notify::new(),
            taken: Notify::new(),
            settled: Notify::new(),
            bodies: Pipe::new(1),
            readers: Pipe::new(1),
        }
    }

    /// Whether polling is still what the client does.
    pub(crate) fn is_current(&self) -> bool {
        lock(&self.state).stage != Stage::Upgraded
    }

    /// Whether there was no request of this kind. `finish_turn` must follow.
    pub(crate) fn take_turn(&self, turn: Turn) -> bool {
        !std::mem::replace(lock(&self.state).turn(turn), true)
    }

    /// What a poll that was not answered to its end had taken counts as unread for ever.
    pub(crate) fn finish_turn(&self, turn: Turn, is_answered: bool) {
        let mut state = lock(&self.state);
        *state.turn(turn) = false;
        if let (Turn::Poll, true) = (turn, is_answered) {
            state.is_written = false;
            self.taken.notify_one();
        }
    }

    /// What the poll is answered with, as soon as there is something. It counts as unread until
    /// `finish_turn`.
    pub(crate) async fn poll(&self) -> Vec<Bytes> {
        loop {
            {
                let mut state = lock(&self.state);
                if !state.offered.is_empty() {
                    state.is_written = true;
                    return payload(&std::mem::take(&mut state.offered));
                }
                if state.is_over {
                    return vec![Bytes::from_static(b"1")];
                }
                if matches!(state.stage, Stage::Probed | Stage::Upgraded) {
                    return vec![Bytes::from_static(b"6")];
                }
            }
            self.changed.notified().await;
        }
    }

    /// Resolves when the packets are written to a poll, or with the websocket they go to, where
    /// they have been put already. There must be only one call at a time. If it is dropped, what
    /// was offered stays so.
    pub(crate) async fn offer(&self, packets: &[Packet]) -> Option<Writer> {
        let mut is_placed = packets.is_empty();
        loop {
            {
                let mut state = lock(&self.state);
                if let Some(mut websocket) = state.take_websocket() {
                    if !is_placed {
                        websocket.push(packets);
                    }
                    return Some(websocket);
                }
                let is_free = state.offered.is_empty() && !state.is_written;
                match (is_free, is_placed) {
                    (true, true) => return None,
                    (true, false) => {
                        state.offered = packets.to_vec();
                        is_placed = true;
                        self.changed.notify_one();
                    }
                    (false, _) => {}
                }
            }
            self.taken.notified().await;
        }
    }

    /// As `offer`, and then tells a client that polls that nothing will follow. In the answer to
    /// another poll: clients look at that before they have looked at the packets beside it.
    ///
    /// A client may be between two polls, so it is waited for: a poll that finds no session is an
    /// error to the client and not an end.
    pub(crate) async fn offer_last(&self, packets: &[Packet]) -> Option<Writer> {
        let offer = async {
            let websocket = self.offer(packets).await;
            if websocket.is_some() {
                return websocket;
            }
            self.offer(&[Packet::text(&["1"])]).await
        };
        tokio::select! {
            websocket = offer => websocket,
            () = self.client_closes() => None,
        }
    }

    /// Reads what the client still posts, until that is its own end.
    async fn client_closes(&self) {
        while let Some(body) = self.bodies.take().await {
            if parse::packets(&body).any(|packet| is_end(parse::packet(packet))) {
                return;
            }
        }
    }

    pub(crate) fn take_websocket(&self) -> Option<Writer> {
        lock(&self.state).take_websocket()
    }

    /// Whether a websocket may be tried now. `end_probe` or `switch` must follow.
    pub(crate) fn begin_probe(&self) -> bool {
        let mut state = lock(&self.state);
        let may_begin = state.stage == Stage::Polling && !state.is_over;
        if may_begin {
            state.stage = Stage::Probing;
        }
        may_begin
    }

    pub(crate) fn probed(&self) {
        lock(&self.state).stage = Stage::Probed;
        self.changed.notify_one();
    }

    pub(crate) fn end_probe(&self) {
        lock(&self.state).stage = Stage::Polling;
        self.settled.notify_one();
    }

    /// Waits while it is open whether the client will poll again.
    pub(crate) async fn settled(&self) {
        while matches!(lock(&self.state).stage, Stage::Probing | Stage::Probed) {
            self.settled.notified().await;
        }
    }

    /// From now on everything goes over the websocket.
    pub(crate) async fn switch(&self, reader: Reader, writer: Writer) {
        {
            let mut state = lock(&self.state);
            state.stage = Stage::Upgraded;
            if state.is_over {
                return;
            }
            state.websocket = Some(writer);
        }
        self.readers.put(reader, 1).await;
        self.changed.notify_one();
        self.taken.notify_one();
        self.settled.notify_one();
    }

    /// The session is over: a poll that waits is answered, a websocket that waits is dropped.
    pub(crate) fn finish(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        state.websocket = None;
        self.changed.notify_one();
        self.bodies.close();
        self.readers.close();
        drop(self.readers.try_take());
    }
}

/// Whether the client leaves by this packet, or knows that it has to.
fn is_end(packet: Result<Received, Malformed>) -> bool {
    matches!(packet, Ok(Received::Close | Received::Leave))
}

impl State {
    fn turn(&mut self, turn: Turn) -> &mut bool {
        match turn {
            Turn::Poll => &mut self.has_poll,
            Turn::Post => &mut self.has_post,
        }
    }

    /// The websocket, if it waits, with what was offered and not taken.
    fn take_websocket(&mut self) -> Option<Writer> {
        let mut websocket = self.websocket.take()?;
        websocket.push(&std::mem::take(&mut self.offered));
        Some(websocket)
    }
}
