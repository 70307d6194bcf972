//! The life of one connection.
//!
//! One task: it wakes because the client said something, because the pad has something to tell, or
//! because somebody announces something to all. Messages are taken one after another, each answered
//! before the next is read, so order needs no care. A change is acknowledged when it is durable.

use std::sync::Arc;
use std::time::Duration;

use convert::wtf_json::{self, Json};
use pad::{AuthorId, PadId, Submission};
use service::api::Caller;
use service::{
    Caret, Delivery, Ending, Event, Expulsion, Feed, JoinError, Joined, LiveRevision, Refusal,
};
use socketio::{Connection, Outgoing, Packet};

use crate::socket::Context;
use crate::socket::client_vars::{Told, client_vars};
use crate::socket::message::{Changes, Message, Ready, Room};
use crate::socket::throttle::Throttle;
use crate::socket::visitor::Visitor;
use crate::socket::{options, wire};

/// Serves a connection until it ends.
pub(super) async fn serve(connection: Connection, context: Arc<Context>) {
    let Connection {
        request,
        mut incoming,
        outgoing,
        ..
    } = connection;
    let sockets = &context.settings.sockets;
    let window = Duration::from_secs(sockets.rate_window_seconds);
    let mut throttle = Throttle::new(sockets.messages_in_window, window);
    let mut quiet_until = None;
    let mut announcements = context.announcements.subscribe();
    let mut talk = Talk {
        visitor: Visitor::of(&request, &context.settings),
        seat: None,
        outgoing,
        context: Arc::clone(&context),
    };
    loop {
        let outcome = tokio::select! {
            () = tokio::time::sleep_until(quiet_until.unwrap_or_else(tokio::time::Instant::now)),
                if quiet_until.is_some() =>
            {
                quiet_until = None;
                Ok(())
            }
            message = incoming.next(), if quiet_until.is_none() => match message {
                Some(message) => {
                    quiet_until = throttle.take();
                    talk.hear(message).await
                }
                None => Err(End::Gone),
            },
            delivery = next_delivery(&mut talk.seat) => talk.tell(delivery).await,
            Ok(packet) = announcements.recv() => talk.send(&[packet]).await,
        };
        match outcome {
            Ok(()) => {}
            Err(End::Gone) => return,
            Err(End::Dismissed(farewell)) => {
                let _ = talk.outgoing.send(&[farewell]).await;
                talk.outgoing.disconnect();
                return;
            }
            Err(End::Interrupted) => return talk.outgoing.disconnect(),
        }
    }
}

/// A visitor that has not joined hears nothing.
async fn next_delivery(seat: &mut Option<Seat>) -> Delivery {
    match seat {
        Some(seat) => seat.feed.next().await,
        None => std::future::pending().await,
    }
}

/// Why a connection ends.
enum End {
    Gone,
    /// With a last word.
    Dismissed(Packet),
    /// The client shall come again.
    Interrupted,
}

impl From<socketio::Gone> for End {
    fn from(_: socketio::Gone) -> End {
        End::Gone
    }
}

fn dismissed(reason: &str) -> End {
    End::Dismissed(wire::disconnect(reason))
}

/// A place in a pad.
struct Seat {
    member: service::Member,
    feed: Feed,
    creator: bool,
}

struct Talk {
    visitor: Visitor,
    seat: Option<Seat>,
    outgoing: Outgoing,
    context: Arc<Context>,
}

/// What a client that asked for it is told about its message.
type Heard = Result<Result<(), String>, End>;

fn refused(text: impl Into<String>) -> Heard {
    Ok(Err(text.into()))
}

impl Talk {
    async fn send(&self, packets: &[Packet]) -> Result<(), End> {
        Ok(self.outgoing.send(packets).await?)
    }

    async fn hear(&mut self, message: socketio::Message) -> Result<(), End> {
        let Ok(arguments) = wtf_json::parse(&message.arguments) else {
            return Err(End::Interrupted);
        };
        let (name, argument) = match arguments.as_array() {
            Some([name, argument, ..]) => (name.to_str(), argument),
            _ => return Ok(()),
        };
        if name.as_deref() != Some("message") {
            return Ok(());
        }
        let heard = match Message::read(argument) {
            Ok(message) => self.handle(message, argument).await?,
            Err(text) => Err(text.to_owned()),
        };
        match message.ack {
            Some(id) => {
                self.send(&[wire::acknowledge(id, heard.as_ref().err())])
                    .await
            }
            None => Ok(()),
        }
    }

    async fn handle(&mut self, message: Message, original: &Json) -> Heard {
        match message {
            Message::Ready(ready) => return self.join(&ready).await,
            _ if self.seat.is_none() => return refused("CLIENT_READY comes first"),
            _ => {}
        }
        let Some(seat) = &mut self.seat else {
            return Ok(Ok(()));
        };
        if !seat.member.may_stay() {
            return Err(End::Dismissed(wire::denied()));
        }
        match message {
            Message::History { request, id } => match seat.member.history(request).await {
                Ok((stretch, history)) => {
                    let packet = wire::history(stretch, request.granularity, &history, &id);
                    self.send(&[packet]).await?;
                    Ok(Ok(()))
                }
                Err(error) => refused(error.to_string()),
            },
            Message::Room(Room::ChatMessages { start, end }) => {
                match seat.member.chat_messages(start, end).await {
                    Ok(entries) => {
                        self.send(&[wire::chat_messages(&entries)]).await?;
                        Ok(Ok(()))
                    }
                    Err(error) => refused(error.to_string()),
                }
            }
            Message::Room(_) if seat.member.is_read_only() => {
                refused("write attempt on a read-only pad")
            }
            Message::Room(Room::Changes(changes)) => self.submit(changes).await,
            Message::Room(room) => self.speak(room, original).await,
            Message::Ready(_) => Ok(Ok(())),
        }
    }

    /// A visitor becomes a member.
    async fn join(&mut self, ready: &Ready) -> Heard {
        if *self.context.draining.borrow() {
            return Err(dismissed("updateInProgress"));
        }
        let request = self.visitor.request(ready, &self.context.settings);
        // Coming a second time on the same connection is coming anew.
        self.seat = None;
        let mut joined = match self.context.service.join(&request).await {
            Ok(joined) => joined,
            Err(JoinError::Denied | JoinError::Name) => {
                return Err(End::Dismissed(wire::denied()));
            }
            Err(JoinError::UnknownRevision) => return Err(dismissed("rejected")),
            Err(JoinError::Unavailable) => return Err(End::Interrupted),
        };
        if ready.wants_carets {
            joined.feed.follow_carets();
        }
        if joined.created {
            self.set_first_options(&mut joined, ready).await;
        }
        match ready.reconnect {
            Some(None) => return Err(dismissed("rejected")),
            Some(Some(_)) => {}
            None => self.send(&[self.first_answer(&joined, ready)]).await?,
        }
        let newcomers: Vec<Packet> = joined.others.iter().map(wire::user_info).collect();
        let head = joined.head.rev.unwrap_or_default();
        let creator = joined.record.creator.as_ref() == Some(&joined.author.id);
        let mut seat = Seat {
            member: joined.member,
            feed: joined.feed,
            creator,
        };
        if ready.reconnect.is_some() {
            self.send_missed(&mut seat, head).await?;
        }
        self.send(&newcomers).await?;
        self.seat = Some(seat);
        Ok(Ok(()))
    }

    /// Whoever creates a pad by coming may bring options for it.
    async fn set_first_options(&self, joined: &mut Joined, ready: &Ready) {
        let settings = &self.context.settings;
        let Some(wanted) = ready
            .options
            .as_ref()
            .filter(|_| settings.pads.pad_wide_settings)
        else {
            return;
        };
        let plain = options::complete(None, settings);
        let chosen = options::merged(&plain, &wanted.to_value(), settings).to_string();
        // Without them the pad is as good; the client is told which ones hold.
        if joined
            .member
            .update_settings(|_| chosen.clone())
            .await
            .is_ok()
        {
            joined.record.settings = Some(chosen);
        }
    }

    /// Tells a member what it missed while it was away.
    async fn send_missed(&self, seat: &mut Seat, head: pad::Rev) -> Result<(), End> {
        if seat.feed.place() >= head {
            return self.send(&[wire::reconnect_without_changes(head)]).await;
        }
        while seat.feed.place() < head {
            let delivery = seat.feed.next().await;
            let missed = match &delivery {
                Delivery::Revisions(revisions) => revisions
                    .iter()
                    .map(|live| match live.rev <= head {
                        true => wire::reconnect_change(live, head),
                        false => revision(live, seat),
                    })
                    .collect(),
                // Presence is told anew after this; what ends the pad ends this too.
                other => packets(other, seat).map(|_| Vec::new())?,
            };
            self.send(&missed).await?;
        }
        Ok(())
    }

    fn first_answer(&self, joined: &Joined, ready: &Ready) -> Packet {
        let told = Told {
            joined,
            asked_for: &ready.pad,
            settings: &self.context.settings,
            now: self.context.service.now(),
        };
        wire::client_vars(&client_vars(&told))
    }

    /// A change: answered when it is durable, or the end of the connection.
    async fn submit(&mut self, changes: Option<Changes>) -> Heard {
        let (Some(changes), Some(seat)) = (changes, &mut self.seat) else {
            return Err(dismissed("badChangeset"));
        };
        let Changes { base, change, pool } = changes;
        let author = seat.member.author().clone();
        let submission = Submission {
            author,
            base,
            change,
            pool,
        };
        match seat.member.submit(submission).await {
            Ok(acceptance) => {
                // Everything up to the change goes first, and the change itself is told by the
                // feed; one without effect is not part of it.
                while seat.feed.place() < acceptance.rev {
                    let delivery = seat.feed.next().await;
                    let packets = packets(&delivery, seat)?;
                    self.outgoing.send(&packets).await?;
                }
                if !acceptance.had_effect {
                    self.outgoing
                        .send(&[wire::accept_commit(seat.feed.place())])
                        .await?;
                }
                Ok(Ok(()))
            }
            Err(Refusal::Rejected(rejection)) => {
                tracing::debug!(?rejection, "a change was refused");
                Err(dismissed("badChangeset"))
            }
            Err(Refusal::Unavailable) => Err(End::Interrupted),
        }
    }

    /// Everything else that a member says.
    async fn speak(&mut self, room: Room, original: &Json) -> Heard {
        let Some(seat) = &mut self.seat else {
            return Ok(Ok(()));
        };
        let member = &mut seat.member;
        let outcome = match room {
            Room::Chat(text) => member.chat(text).await,
            Room::Caret { .. } if !seat.feed.follows_carets() => {
                return refused("CLIENT_READY did not announce this extension");
            }
            Room::Caret {
                rev,
                position,
                anchor,
            } => member.point(rev, position, anchor),
            Room::UserInfo { name, colour } => member.rename(name.as_deref(), &colour).await,
            Room::SaveRevision => member.save_revision().await,
            Room::SuggestName { author } => {
                if let Some(author) = AuthorId::parse(&author) {
                    member.relay(original.to_value(), Some(author));
                }
                Ok(())
            }
            Room::Options { options } => return self.set_options(&options, original).await,
            Room::Delete { pad, token } => return self.delete(&pad, token.as_deref()).await,
            Room::Changes(_) | Room::ChatMessages { .. } => Ok(()),
        };
        Ok(outcome.map_err(|error| error.to_string()))
    }

    async fn set_options(&mut self, change: &Json, original: &Json) -> Heard {
        let Some(seat) = &self.seat else {
            return Ok(Ok(()));
        };
        let settings = &self.context.settings;
        if !seat.creator || !settings.pads.pad_wide_settings {
            let notice = wire::shout("pad.settings.notCreator", self.context.service.now());
            self.send(&[notice]).await?;
            return refused("only whoever created the pad may set its options");
        }
        let change = change.to_value();
        let update = |stored: Option<&str>| {
            let before = options::complete(stored, settings);
            options::merged(&before, &change, settings).to_string()
        };
        match seat.member.update_settings(update).await {
            Ok(()) => {
                seat.member.relay(original.to_value(), None);
                Ok(Ok(()))
            }
            Err(error) => refused(error.to_string()),
        }
    }

    async fn delete(&mut self, pad: &str, token: Option<&str>) -> Heard {
        let Some(seat) = &self.seat else {
            return Ok(Ok(()));
        };
        if PadId::parse(pad).as_ref() != Some(seat.member.pad()) {
            return refused("another pad than this one");
        }
        let caller = match token {
            None if seat.creator => Caller::Trusted,
            _ => Caller::Anonymous,
        };
        let pad = seat.member.pad().clone();
        match self.context.service.delete_pad(&pad, token, caller).await {
            Ok(()) => Ok(Ok(())),
            Err(error) => {
                let key = match token {
                    Some(_) => "pad.deletionToken.invalid",
                    None => "pad.deletionToken.notCreator",
                };
                self.send(&[wire::shout(key, self.context.service.now())])
                    .await?;
                refused(error.to_string())
            }
        }
    }

    async fn tell(&mut self, delivery: Delivery) -> Result<(), End> {
        let Some(seat) = &self.seat else {
            return Ok(());
        };
        let packets = packets(&delivery, seat)?;
        self.send(&packets).await
    }
}

/// What a delivery is on the wire. The end of the pad is the end of the connection.
fn packets(delivery: &Delivery, seat: &Seat) -> Result<Vec<Packet>, End> {
    let event = match delivery {
        Delivery::Revisions(revisions) => {
            return Ok(revisions.iter().map(|live| revision(live, seat)).collect());
        }
        Delivery::Carets(carets) => {
            let encode = |caret: &Arc<Caret>| caret.encoded.get_or_make(|| wire::caret(caret));
            return Ok(carets.iter().map(encode).collect());
        }
        Delivery::Event(event) => event,
        Delivery::Behind | Delivery::Ended(Ending::Interrupted) => return Err(End::Interrupted),
        Delivery::Ended(Ending::Gone) => return Err(dismissed("deleted")),
    };
    Ok(match event {
        Event::Chat(entry) => vec![wire::chat(entry)],
        Event::Info { presence } => vec![wire::user_info(presence)],
        Event::Left { presence } => vec![wire::user_left(presence)],
        Event::Saved(saved) => vec![wire::saved(saved)],
        Event::Relay { message, to } => match to {
            Some(author) if author != seat.member.author() => Vec::new(),
            _ => vec![wire::relayed(message)],
        },
        Event::Custom { kind, time } => vec![wire::custom(kind, *time)],
        Event::Expel {
            reason: Expulsion::Duplicate,
            ..
        } => return Err(dismissed("userdup")),
        Event::Expel {
            reason: Expulsion::Denied,
            ..
        } => {
            return Err(End::Dismissed(wire::denied()));
        }
    })
}

fn revision(live: &LiveRevision, seat: &Seat) -> Packet {
    if live.origin == Some(seat.member.id()) {
        return wire::accept_commit(live.rev);
    }
    live.encoded(wire::new_changes)
}
