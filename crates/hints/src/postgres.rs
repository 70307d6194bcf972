//! Hints over PostgreSQL's LISTEN and NOTIFY.
//!
//! One thread has a connection of its own. It listens, and sends all hints that wait in one
//! statement, outside of every transaction that stores something: a NOTIFY takes a lock over the
//! whole database until its transaction has committed. It does not wait for the disk either.
//! Meanwhile the next hints gather, so the busier a node is, the larger its batches are.
//!
//! With a second connection to listen on, each NOTIFY would wake one more process of the server, to
//! bring the sender its own message; on one connection it comes with the answer to the statement.
//!
//! The connection is replaced when it is lost. What was missed meanwhile is unknown, so after that
//! this node compares itself with the database, and asks others to.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Statement};

use crate::limits::{HINT_MESSAGES, HINTS_WAITING};
use crate::queue::{Counters, Inbox, Overflow, count, newest_only, outgoing};
use crate::seal::{Opened, Opener, PLAIN_BYTES, Sealer};
use crate::{Hint, HintChannel, HintCounts, HintOpening, ReceivedHint, wire};
use store::Error;
use store::NodeId;
use store::{PostgresServer as Server, ServerMessages as Messages};

const CHANNEL: &str = "padsvc_hints";
/// For connecting to all hosts in turn.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// A listener sends nothing, so it would never notice that the server is gone.
const PING_INTERVAL: Duration = Duration::from_secs(2);
const FIRST_BACKOFF: Duration = Duration::from_millis(50);
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);
/// For the last hints after the channel was dropped.
const FLUSH_LIMIT: Duration = Duration::from_secs(1);

/// The channel ends when this is dropped; what waits is still sent.
pub struct PostgresHints {
    outgoing: mpsc::Sender<Hint>,
    shared: Arc<Shared>,
    _alive: watch::Sender<()>,
}

struct Shared {
    server: Server,
    node: NodeId,
    opener: Mutex<Opener>,
    inbox: Inbox,
    overflow: Overflow,
    counters: Counters,
}

impl PostgresHints {
    /// Starts to connect. Until that succeeds hints wait, and are dropped when they are too many.
    pub fn start(connection: &str, opening: HintOpening) -> Result<PostgresHints, Error> {
        let failed = |reason: String| Error::Unavailable(format!("hints cannot be sent: {reason}"));
        let sealer = Sealer::new(&opening.key, opening.salt)
            .ok_or_else(|| failed("no key could be derived".to_owned()))?;
        let (sender, receiver) = outgoing();
        let (alive, ended) = watch::channel(());
        let shared = Arc::new(Shared {
            server: Server::new(connection, "padsvc hints")?,
            node: opening.node,
            opener: Mutex::new(Opener::new(opening.key, opening.salt)),
            inbox: Inbox::default(),
            overflow: Overflow::default(),
            counters: Counters::default(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let of_thread = Arc::clone(&shared);
        let run = move || runtime.block_on(run(&of_thread, sealer, receiver, ended));
        let thread = std::thread::Builder::new().name("store-hints".to_owned());
        thread
            .spawn(run)
            .map_err(|error| failed(error.to_string()))?;
        Ok(PostgresHints {
            outgoing: sender,
            shared,
            _alive: alive,
        })
    }
}

impl HintChannel for PostgresHints {
    fn send(&self, hint: Hint) {
        if self.outgoing.try_send(hint).is_err() {
            count(&self.shared.counters.dropped, 1);
            self.shared.overflow.set();
        }
    }

    fn next(&self) -> Pin<Box<dyn Future<Output = Vec<ReceivedHint>> + Send + '_>> {
        Box::pin(self.shared.inbox.next())
    }

    fn counts(&self) -> HintCounts {
        self.shared.counters.read()
    }
}

async fn run(
    shared: &Shared,
    sealer: Sealer,
    waiting: mpsc::Receiver<Hint>,
    mut alive: watch::Receiver<()>,
) {
    let ended = async {
        // It never changes; it ends.
        let _ = alive.changed().await;
        sleep(FLUSH_LIMIT).await;
    };
    let mut channel = Channel {
        shared,
        sealer,
        waiting,
    };
    tokio::select! {
        () = ended => {}
        () = channel.keep_connected() => {}
    }
}

/// A connection is lost, and why does not matter: there will be another one.
struct Lost;

impl Shared {
    async fn connect(&self) -> Result<(Client, Messages), Lost> {
        match timeout(CONNECT_LIMIT, self.server.session()).await {
            Ok(Ok(session)) => Ok(session),
            _ => Err(Lost),
        }
    }

    async fn pause(&self, backoff: &mut Duration) {
        count(&self.counters.disconnects, 1);
        sleep(*backoff).await;
        *backoff = (*backoff * 2).min(LONGEST_BACKOFF);
    }

    /// Waits for an answer; what is received meanwhile is not forgotten.
    async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
        messages: &mut Messages,
    ) -> Result<T, Lost> {
        let mut answer = pin!(answer);
        let wait = async {
            loop {
                tokio::select! {
                    biased;
                    message = next_message(messages) => self.receive(message?),
                    answer = &mut answer => return answer.map_err(|_| Lost),
                }
            }
        };
        timeout(ANSWER_LIMIT, wait).await.unwrap_or(Err(Lost))
    }

    fn receive(&self, message: AsyncMessage) {
        let AsyncMessage::Notification(notification) = message else {
            return;
        };
        let mut opener = self.opener.lock().unwrap_or_else(PoisonError::into_inner);
        let plain = match opener.open(notification.payload()) {
            Some(Opened::Own) => return,
            Some(Opened::Plain(plain)) => wire::decode(&plain).ok(),
            None => None,
        };
        drop(opener);
        let Some((sender, hints)) = plain else {
            count(&self.counters.refused, 1);
            return;
        };
        if sender != self.node {
            let hints = hints.into_iter();
            let hints = hints.map(|hint| ReceivedHint::From(sender, hint));
            self.inbox.put(hints.collect(), &self.counters);
        }
    }
}

async fn next_message(messages: &mut Messages) -> Result<AsyncMessage, Lost> {
    match poll_fn(|context| messages(context)).await {
        Some(Ok(message)) => Ok(message),
        _ => Err(Lost),
    }
}

struct Channel<'a> {
    shared: &'a Shared,
    sealer: Sealer,
    waiting: mpsc::Receiver<Hint>,
}

impl Channel<'_> {
    /// Ends when the channel was dropped and everything is sent.
    async fn keep_connected(&mut self) {
        let mut backoff = FIRST_BACKOFF;
        loop {
            let outcome = match self.shared.connect().await {
                Ok((client, mut messages)) => {
                    backoff = FIRST_BACKOFF;
                    self.exchange(&client, &mut messages).await
                }
                Err(lost) => Err(lost),
            };
            match outcome {
                Ok(()) => return,
                Err(Lost) => self.shared.pause(&mut backoff).await,
            }
        }
    }

    async fn exchange(&mut self, client: &Client, messages: &mut Messages) -> Result<(), Lost> {
        let shared = self.shared;
        let start = format!("SET synchronous_commit = off; LISTEN {CHANNEL}");
        let start = client.batch_execute(&start);
        shared.answer(start, messages).await?;
        shared.inbox.miss();
        let sql =
            format!("SELECT pg_notify('{CHANNEL}', payload) FROM unnest($1) AS all_of(payload)");
        let prepare = client.prepare_typed(&sql, &[Type::TEXT_ARRAY]);
        let notify = shared.answer(prepare, messages).await?;
        // Whatever was lost with the last connection.
        let mut hints = vec![Hint::Look];
        loop {
            if shared.overflow.take() {
                hints.push(Hint::Look);
            }
            let hints_taken = std::mem::take(&mut hints);
            self.send(hints_taken, client, &notify, messages).await?;
            if self.wait(&mut hints, client, messages).await? == 0 {
                return Ok(());
            }
        }
    }

    async fn send(
        &mut self,
        hints: Vec<Hint>,
        client: &Client,
        notify: &Statement,
        messages: &mut Messages,
    ) -> Result<(), Lost> {
        let shared = self.shared;
        let count_of = hints.len();
        let mut payloads = self.seal(newest_only(hints));
        while !payloads.is_empty() {
            let batch: Vec<String> = payloads
                .drain(..payloads.len().min(HINT_MESSAGES))
                .collect();
            let parameters: [&(dyn ToSql + Sync); 1] = [&batch];
            let send = client.execute(notify, &parameters);
            if let Err(lost) = shared.answer(send, messages).await {
                count(&shared.counters.dropped, count_of);
                return Err(lost);
            }
            count(&shared.counters.messages_sent, batch.len());
            count(
                &shared.counters.bytes_sent,
                batch.iter().map(String::len).sum(),
            );
        }
        count(&shared.counters.sent, count_of);
        Ok(())
    }

    /// Receives until there are hints to send, and gives their number: none when the channel was
    /// dropped.
    async fn wait(
        &mut self,
        hints: &mut Vec<Hint>,
        client: &Client,
        messages: &mut Messages,
    ) -> Result<usize, Lost> {
        loop {
            let heard = tokio::select! {
                message = next_message(messages) => Some(message?),
                number = self.waiting.recv_many(hints, HINTS_WAITING) => return Ok(number),
                () = sleep(PING_INTERVAL) => None,
            };
            match heard {
                Some(message) => self.shared.receive(message),
                None => {
                    let ping = client.batch_execute("");
                    self.shared.answer(ping, messages).await?;
                }
            }
        }
    }

    fn seal(&mut self, hints: Vec<Hint>) -> VecDeque<String> {
        let messages = wire::encode(self.shared.node, &hints, PLAIN_BYTES);
        let sealed = messages
            .into_iter()
            .filter_map(|plain| self.sealer.seal(plain));
        sealed.collect()
    }
}
