//! What the task of a connection, its senders and its HTTP requests share.
//!
//! Senders write to the socket itself, one after the other; there is no queue. A session
//! ends once, for one reason, and everything that waits in it wakes when it does.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, Notify};
use tokio::task::unconstrained;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::end::{End, Gone};
use crate::message::Message;
use crate::packet::Packet;
use crate::pipe::Pipe;
use crate::polling::Polling;
use crate::websocket;

/// The bytes of messages that may wait for the application. Handing over one at a time took three
/// times as long, because two tasks had to be woken for each.
const MESSAGES: usize = 4096;
/// What a message weighs without its text.
const MESSAGE: usize = 64;

/// How long the last words may take, and the client to close its side.
pub(crate) const FAREWELL: Duration = Duration::from_secs(5);

pub(crate) struct Session {
    pub id: String,
    pub config: Arc<Config>,
    /// Events on their way to the application.
    messages: Pipe<Message>,
    pub polling: Polling,
    pub pong: Notify,
    /// A send was dropped half way and someone has to go on with it.
    pub abandoned: Notify,
    writer: Mutex<Writer>,
    end: OnceLock<End>,
    over: CancellationToken,
}

enum Writer {
    Closed,
    Polling,
    WebSocket(websocket::Writer),
}

impl Session {
    /// A session whose client polls.
    pub(crate) fn polling(id: String, config: Arc<Config>) -> Self {
        Self::new(id, config, Writer::Polling, Polling::new())
    }

    /// A session whose websocket is still to come.
    pub(crate) fn websocket(id: String, config: Arc<Config>) -> Self {
        Self::new(id, config, Writer::Closed, Polling::done())
    }

    fn new(id: String, config: Arc<Config>, writer: Writer, polling: Polling) -> Self {
        Session {
            id,
            config,
            messages: Pipe::new(MESSAGES),
            polling,
            pong: Notify::new(),
            abandoned: Notify::new(),
            writer: Mutex::new(writer),
            end: OnceLock::new(),
            over: CancellationToken::new(),
        }
    }

    /// Waits until the application has taken most of what came before.
    pub(crate) async fn deliver(&self, message: Message) {
        let weight = MESSAGE + message.arguments.len();
        self.messages.put(message, weight).await;
    }

    /// The next message for the application; `None` when there will be none.
    pub(crate) async fn next_message(&self) -> Option<Message> {
        self.messages.take().await
    }

    /// Whether messages are not read because the application has not taken those before.
    pub(crate) fn is_held_up(&self) -> bool {
        self.messages.is_full()
    }

    pub(crate) async fn open(&self, writer: websocket::Writer) {
        *self.writer.lock().await = Writer::WebSocket(writer);
    }

    /// Only the first reason counts.
    pub(crate) fn end(&self, end: End) {
        if self.end.set(end).is_ok() {
            self.over.cancel();
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Resolves when the session has ended.
    pub(crate) async fn over(&self) -> End {
        self.over.cancelled().await;
        self.end.get().copied().unwrap_or(End::Lost)
    }

    pub(crate) async fn send(&self, packets: &[Packet]) -> Result<(), Gone> {
        // A caller is in the queue at once, even if tokio thinks that the caller's task has
        // done enough for now: the order of calls is the order on the wire.
        let mut writer = unconstrained(self.turn()).await?;
        let mut unfinished = Unfinished(Some(&self.abandoned));
        let write = timeout(self.config.write_timeout, self.write(&mut writer, packets));
        let written = tokio::select! {
            biased;
            written = write => written,
            _ = self.over() => return Err(Gone),
        };
        unfinished.0 = None;
        match written {
            Ok(Ok(())) => Ok(()),
            _ => {
                self.end(End::Lost);
                Err(Gone)
            }
        }
    }

    /// Waits until all who came before have written.
    async fn turn(&self) -> Result<MutexGuard<'_, Writer>, Gone> {
        if self.is_over() {
            return Err(Gone);
        }
        // Does not get past those who wait: the lock is handed to the first of them.
        if let Ok(writer) = self.writer.try_lock() {
            return Ok(writer);
        }
        tokio::select! {
            biased;
            _ = self.over() => Err(Gone),
            writer = self.writer.lock() => Ok(writer),
        }
    }

    async fn write(&self, writer: &mut Writer, packets: &[Packet]) -> io::Result<()> {
        match writer {
            Writer::Closed => return Err(io::ErrorKind::NotConnected.into()),
            Writer::WebSocket(websocket) => websocket.push(packets),
            Writer::Polling => match self.polling.offer(packets).await {
                None => return Ok(()),
                Some(websocket) => *writer = Writer::WebSocket(websocket),
            },
        }
        match writer {
            Writer::WebSocket(websocket) => websocket.flush().await,
            Writer::Polling | Writer::Closed => Ok(()),
        }
    }

    /// Says what there is to say at the end, closes our side and waits for the client's, given as
    /// a future. To be called by the session's task when everything else has stopped.
    pub(crate) async fn farewell(&self, end: End, client_closes: impl Future<Output = ()>) {
        self.messages.close();
        let last_words = async {
            // Those who were sending have woken up, and let go.
            let mut writer = self.writer.lock().await;
            let is_said = self.say_farewell(&mut writer, end).await;
            if is_said.is_ok() && matches!(*writer, Writer::WebSocket(_)) {
                client_closes.await;
            }
        };
        if end != End::Lost {
            let limit = FAREWELL.min(self.config.write_timeout);
            let _ = timeout(limit, last_words).await;
        }
        self.polling.finish();
        // Closes the socket even if handles of the application live on.
        if let Ok(mut writer) = timeout(FAREWELL, self.writer.lock()).await {
            *writer = Writer::Closed;
        }
    }

    async fn say_farewell(&self, writer: &mut Writer, end: End) -> io::Result<()> {
        let leave = [Packet::text(&["41"])];
        let leave = match end {
            End::Disconnected => leave.as_slice(),
            _ => &[],
        };
        if let Writer::Polling = writer {
            self.polling.settled().await;
            let websocket = match end {
                End::Disconnected | End::Closing => self.polling.offer_last(leave).await,
                // It knows, or cannot be expected to ask again.
                _ => self.polling.take_websocket(),
            };
            match websocket {
                Some(websocket) => *writer = Writer::WebSocket(websocket),
                None => return Ok(()),
            }
        } else if let Writer::WebSocket(websocket) = writer {
            websocket.push(leave);
        }
        match writer {
            Writer::WebSocket(websocket) => {
                websocket.push(&[Packet::websocket_close(close_code(end))]);
                websocket.finish().await
            }
            Writer::Polling | Writer::Closed => Ok(()),
        }
    }
}

/// Reports a write that its caller did not wait for.
struct Unfinished<'a>(Option<&'a Notify>);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if let Some(abandoned) = self.0 {
            abandoned.notify_one();
        }
    }
}

/// The status codes of websockets (RFC 6455, section 7.4).
fn close_code(end: End) -> u16 {
    match end {
        End::Left | End::Disconnected | End::Lost => 1000,
        End::Closing | End::TimedOut => 1001,
        End::Invalid => 1002,
        End::TooLarge => 1009,
    }
}
