//! Task of one connection.
//!
//! It wakes for a message of the client, a delivery of the pad, the end of the right to be there,
//! or the stop of the server. It handles messages one after another and answers each before it
//! reads the next, so order needs no care. A change is acknowledged when it is durable.

mod answers;

mod delivery;

mod join;

mod room_messages;

mod storage;

use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use pad::{Submission, Timestamp};
use service::{Delivery, Feed, StorageState};
use socketio::{Connection, Outgoing, Packet};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::message::{Message, Room};
use crate::stay::{self, Stay};
use crate::unread::{Budget, Reserved};
use crate::{Context, wire};
use delivery::packets;
use identity::accounts::Accounts;
use identity::rate_limit::TokenBucket;
use identity::visitor::Visitor;
use telemetry::metrics::{Counted, METRICS};

/// The longest wait before access is checked again, because the system clock may be set.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a connection checks that its login is still open. Signing out is noticed at once.
const LOGIN_RECHECK: Duration = Duration::from_secs(10);
/// Packets gathered for one write. The last delivery may exceed it.
const BATCH_PACKETS: usize = 64;
/// Bytes gathered for one write, likewise.
const BATCH_BYTES: usize = 1_000_000;

/// Serves a connection until it ends. A client that gets no reason reconnects.
///
/// What is rare is in boxes: with room for all of it the task of an idle connection would be
/// several times as large.
pub(super) async fn serve(connection: Connection, context: Arc<Context>) {
    let Connection {
        request,
        mut incoming,
        outgoing,
        ..
    } = connection;
    let sockets = &context.settings.sockets;
    let window = Duration::from_secs(sockets.rate_window_seconds);
    // A client over its rate is read later, not disconnected. Each connection has its own bucket,
    // so a classroom behind one address is no different from forty homes.
    let mut rate_limit = TokenBucket::new(sockets.messages_in_window, window);
    let mut quiet_until = None;
    let mut is_slowed = false;
    METRICS.connects.inc();
    let _counted = Counted::on(&METRICS.connections);
    let mut closings = context.accounts.closings();
    let visitor = Visitor::of(&request, &context.settings);
    let mut task = ConnectionTask {
        unread: context.unread.of(visitor.client),
        visitor,
        seat: None,
        outgoing,
        storage: context.service.storage(),
        unstored: None,
        context: Arc::clone(&context),
    };
    drop(request);
    let mut time_to_move = pin!(context.time_to_move());
    loop {
        let may_stay_until = task.seat.as_ref().and_then(|seat| seat.until);
        let outcome = tokio::select! {
            () = until(quiet_until) => {
                quiet_until = None;
                Ok(())
            }
            message = incoming.next(), if quiet_until.is_none() => match message {
                Some(message) => {
                    quiet_until = rate_limit.charge(1).map(|wait| Instant::now() + wait);
                    if quiet_until.is_some() && !mem::replace(&mut is_slowed, true) {
                        METRICS.slowed.inc();
                        stay::slowed(task.visitor.client, &context.settings);
                    }
                    Box::pin(task.on_message(message)).await
                }
                None => Err(End::Gone),
            },
            delivery = next_delivery(&mut task.seat) => Box::pin(task.deliver(delivery)).await,
            () = until(may_stay_until) => task.recheck_access(),
            Ok(()) = closings.changed() => task.recheck_access(),
            Ok(()) = task.storage.changed() => Box::pin(task.storage_changed()).await,
            () = context.stopping.cancelled() => Err(task.stop()),
            () = &mut time_to_move => Err(End::Interrupted(None)),
        };
        match outcome {
            Ok(()) => {}
            Err(End::Gone) => return,
            Err(End::Interrupted(word)) => {
                let _ = Box::pin(task.outgoing.send(word.as_slice())).await;
                return;
            }
            Err(End::Dismissed(word)) => {
                let _ = Box::pin(task.outgoing.send(&[word])).await;
                task.outgoing.disconnect();
                return;
            }
        }
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// Waits for ever before the visitor has joined.
async fn next_delivery(seat: &mut Option<Seat>) -> Delivery {
    match seat {
        Some(seat) => seat.feed.next().await,
        None => std::future::pending().await,
    }
}

/// Why a connection ends.
enum End {
    Gone,
    /// With a reason; the client does not reconnect.
    Dismissed(Packet),
    /// The client reconnects.
    Interrupted(Option<Packet>),
}

impl From<socketio::Gone> for End {
    fn from(_: socketio::Gone) -> End {
        End::Gone
    }
}

fn dismissed(reason: &str) -> End {
    End::Dismissed(wire::disconnect(reason))
}

/// Membership of a connection in a pad.
struct Seat {
    member: service::Member,
    feed: Feed,
    /// What the client calls the pad, if it shows titles.
    address: Option<String>,
    /// Whether the client loads parts of plugins.
    shows_plugins: bool,
    /// When the right to be here ends, as far as is known.
    until: Option<Instant>,
    _stay: Stay,
}

impl Seat {
    /// When the revisions of a delivery were made that others have made.
    fn times_of_others(&self, delivery: &Delivery) -> Vec<Timestamp> {
        let revisions = match delivery {
            Delivery::Revisions(revisions) => revisions,
            // In a crowd each would be millions of measurements: the one that has waited longest.
            Delivery::Batch(batch) => return batch.oldest().into_iter().collect(),
            _ => return Vec::new(),
        };
        let own = Some(self.member.id());
        let others = revisions.iter().filter(|live| live.origin != own);
        others.map(|live| live.revision.time).collect()
    }
}

struct ConnectionTask {
    visitor: Visitor,
    unread: Budget,
    seat: Option<Seat>,
    outgoing: Outgoing,
    storage: watch::Receiver<StorageState>,
    /// A change that waits until something can be stored.
    unstored: Option<Submission>,
    context: Arc<Context>,
}

/// Outcome of a client's message, sent if the client asks for an acknowledgement.
enum Reply {
    Accepted,
    Refused(String),
}

impl From<Result<(), service::Error>> for Reply {
    fn from(outcome: Result<(), service::Error>) -> Reply {
        match outcome {
            Ok(()) => Reply::Accepted,
            Err(error) => Reply::Refused(error.to_string()),
        }
    }
}

fn refused(text: impl Into<String>) -> Result<Reply, End> {
    Ok(Reply::Refused(text.into()))
}

impl ConnectionTask {
    async fn send(&self, packets: &[Packet]) -> Result<(), End> {
        let _reserved = self.reserve(packets.iter().map(Packet::len).sum()).await?;
        Ok(self.outgoing.send(packets).await?)
    }

    /// Waits until an answer of so many bytes may be made.
    async fn reserve(&self, bytes: usize) -> Result<Reserved, End> {
        tokio::select! {
            biased;
            reserved = self.unread.reserve(bytes) => Ok(reserved),
            () = self.outgoing.gone() => Err(End::Gone),
        }
    }

    /// Sends an answer for which there is room.
    async fn send_within(&self, mut reserved: Reserved, packet: Packet) -> Result<(), End> {
        reserved.shrink_to(packet.len());
        Ok(self.outgoing.send(&[packet]).await?)
    }

    async fn on_message(&mut self, message: socketio::Message) -> Result<(), End> {
        let Ok(arguments) = wtf_json::parse(&message.arguments) else {
            return Err(End::Interrupted(None));
        };
        let (name, argument) = match arguments.as_array() {
            Some([name, argument, ..]) => (name.to_str(), argument),
            _ => return Ok(()),
        };
        if name.as_deref() != Some("message") {
            return Ok(());
        }
        let wants_answer = message.ack.is_some();
        let reply = match Message::read(argument) {
            Ok(read) => {
                if read.is_stored() {
                    self.count_history(message.arguments.len())?;
                }
                self.handle(read, wants_answer).await?
            }
            Err(text) => Reply::Refused(text.to_owned()),
        };
        match message.ack {
            Some(id) => {
                let problem = match &reply {
                    Reply::Accepted => None,
                    Reply::Refused(text) => Some(text),
                };
                self.send(&[wire::acknowledge(id, problem)]).await
            }
            None => Ok(()),
        }
    }

    /// Ends the connection of a client whose address has stored more than it may.
    fn count_history(&self, bytes: usize) -> Result<(), End> {
        let client = self.visitor.client;
        let counted = self.context.limits.add_history(client, bytes);
        counted.map_err(|_| {
            stay::limited(client, &self.context.settings);
            dismissed("rateLimited")
        })
    }

    async fn handle(&mut self, message: Message, wants_answer: bool) -> Result<Reply, End> {
        match message {
            Message::Ready(ready) => return self.join(&ready).await,
            _ if self.seat.is_none() => return refused("CLIENT_READY comes first"),
            _ => {}
        }
        let Some(seat) = &mut self.seat else {
            return Ok(Reply::Accepted);
        };
        if seat.member.is_erased() {
            return Err(dismissed("rejected"));
        }
        if !seat.member.may_stay() || self.visitor.must_leave(&self.context.accounts) {
            return Err(End::Dismissed(wire::denied()));
        }
        match message {
            Message::History { request, id } => self.answer_history(request, &id).await,
            Message::Past { rev, id } => self.answer_past(rev, &id).await,
            Message::Origin { rev, position, id } => self.answer_origin(rev, position, &id).await,
            Message::Periods { before, id } => self.answer_periods(before, &id).await,
            Message::Room(Room::ChatMessages { start, end }) => {
                let room = Room::ChatMessages { start, end };
                match self.review(&room).await? {
                    Some(refused) => Ok(refused),
                    None => self.answer_chat(start, end).await,
                }
            }
            // Also from those who may only read: they take up what they wrote before.
            Message::Room(Room::EndWindows(windows)) => self.end_windows(&windows).await,
            // The member would refuse it too; here it is refused whatever it says.
            Message::Room(_) if seat.member.is_read_only() => {
                refused(service::Error::ReadOnly.to_string())
            }
            Message::Room(Room::Changes(changes)) => self.submit(changes, wants_answer).await,
            Message::Room(room) => self.on_room_message(room).await,
            Message::Ready(_) => Ok(Reply::Accepted),
        }
    }

    /// Ends the connection if its right to be here has ended.
    fn recheck_access(&mut self) -> Result<(), End> {
        let Some(seat) = &mut self.seat else {
            return Ok(());
        };
        let accounts = &self.context.accounts;
        if !seat.member.may_stay() || self.visitor.must_leave(accounts) {
            return Err(End::Dismissed(wire::denied()));
        }
        seat.until = end_of(&seat.member, accounts);
        Ok(())
    }

    fn stop(&self) -> End {
        match self.seat {
            _ if self.context.draining.is_cancelled() => End::Interrupted(None),
            Some(_) => End::Interrupted(Some(wire::stopping(self.context.service.now()))),
            None => dismissed("updateInProgress"),
        }
    }

    async fn deliver(&mut self, delivery: Delivery) -> Result<(), End> {
        let Some(seat) = &mut self.seat else {
            return Ok(());
        };
        // Everything else that waits goes out in the same write.
        let mut made = seat.times_of_others(&delivery);
        let mut batch = packets(&delivery, seat)?;
        let mut bytes: usize = batch.iter().map(Packet::len).sum();
        while batch.len() < BATCH_PACKETS
            && bytes < BATCH_BYTES
            && let Some(delivery) = seat.feed.next().now_or_never()
        {
            made.extend(seat.times_of_others(&delivery));
            match packets(&delivery, seat) {
                Ok(more) => {
                    bytes += more.iter().map(Packet::len).sum::<usize>();
                    batch.extend(more);
                }
                Err(end) => {
                    self.send(&batch).await?;
                    return Err(end);
                }
            }
        }
        self.send(&batch).await?;
        let now = self.context.service.now();
        for time in made {
            METRICS.delivered(now.millis() - time.millis());
        }
        Ok(())
    }
}

/// When to check again whether a member may stay.
fn end_of(member: &service::Member, accounts: &Accounts) -> Option<Instant> {
    // A signed-in user stays as long as the page is open, so the login is checked regularly.
    let recheck = accounts.are_asked_for().then_some(LOGIN_RECHECK);
    let left = member.time_left().into_iter().chain(recheck).min()?;
    // Never at once, should the two clocks not agree.
    Some(Instant::now() + left.clamp(Duration::from_millis(10), A_DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of_task<F: Future>(_: impl FnOnce(Connection, Arc<Context>) -> F) -> usize {
        size_of::<F>()
    }

    /// A connection that does nothing costs this, its member, and what the transport takes.
    #[test]
    fn an_idle_connection_is_small() {
        assert!(size_of_task(serve) <= 4096, "{}", size_of_task(serve));
    }
}
