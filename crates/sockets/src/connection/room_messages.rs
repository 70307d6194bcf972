//! Handlers of the messages that members send to a pad.

use std::time::Instant;

use pad::{AuthorId, OptionsPatch, Submission, Title, WindowId};
use service::{Error, SubmitError};

use super::delivery::packets;
use super::{ConnectionTask, End, Reply, dismissed, refused};
use crate::message::{Changes, Room};
use crate::wire;
use telemetry::metrics::{Counted, METRICS};

const NAME: &str = "name";

/// What of a member's messages plugins may refuse, as clients call it.
fn refusable(room: &Room) -> Option<&'static str> {
    match room {
        Room::Chat(_) => Some("chat"),
        Room::UserInfo { .. } => Some(NAME),
        _ => None,
    }
}

/// What plugins see of a message, and the text in it. Nothing of what comes with every keystroke;
/// chat messages and names have hooks of their own.
fn reviewed(room: &Room) -> Option<(&'static str, Option<&str>)> {
    Some(match room {
        Room::Changes(_)
        | Room::Caret { .. }
        | Room::Chat(_)
        | Room::UserInfo { .. }
        | Room::EndWindows(_) => return None,
        Room::ChatMessages { .. } => ("chatMessages", None),
        Room::SaveRevision => ("saveRevision", None),
        Room::NameSavedRevision { label, .. } => ("nameSavedRevision", Some(label.as_str())),
        Room::Title(title) => ("title", title.as_ref().map(Title::as_str)),
        Room::SuggestName { name, .. } => ("suggestName", Some(name.as_str())),
        Room::Options(_) => ("options", None),
        Room::Delete { .. } => ("delete", None),
    })
}

impl ConnectionTask {
    /// A change: answered when it is durable, or the end of the connection.
    pub(super) async fn submit(
        &mut self,
        changes: Option<Changes>,
        wants_answer: bool,
    ) -> Result<Reply, End> {
        let (Some(changes), Some(seat)) = (changes, &mut self.seat) else {
            return Err(dismissed("badChangeset"));
        };
        if self.unstored.is_some() {
            // One was not answered yet; which of the two comes first only the client knows.
            return Err(End::Interrupted(None));
        }
        let Changes { base, change, pool } = changes;
        let author = seat.member.author().clone();
        let submission = Submission {
            author,
            base,
            change,
            pool,
        };
        self.store_change(submission, wants_answer).await
    }

    pub(super) async fn store_change(
        &mut self,
        submission: Submission,
        wants_answer: bool,
    ) -> Result<Reply, End> {
        let Some(seat) = &mut self.seat else {
            return Ok(Reply::Accepted);
        };
        let received = Instant::now();
        let waiting = Counted::on(&METRICS.changes_waiting);
        let outcome = seat.member.submit(submission.clone()).await;
        drop(waiting);
        match outcome {
            Ok(acceptance) => {
                METRICS.stored(received.elapsed());
                // Everything up to the change goes first, and the change itself is sent by the
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
                Ok(Reply::Accepted)
            }
            Err(SubmitError::Rejected(rejection)) => {
                METRICS.changes_refused.inc();
                tracing::debug!(?rejection, "a change was refused");
                Err(dismissed("badChangeset"))
            }
            Err(SubmitError::Forbidden(Error::AuthorErased)) => Err(dismissed("rejected")),
            Err(SubmitError::Forbidden(_)) => Err(End::Dismissed(wire::denied())),
            Err(SubmitError::NotStored) => self.keep(submission, wants_answer),
            Err(SubmitError::Unavailable) => {
                METRICS.changes_refused.inc();
                Err(End::Interrupted(None))
            }
        }
    }

    /// Lets plugins refuse a message. The reply, if one does.
    pub(super) async fn review(&self, room: &Room) -> Result<Option<Reply>, End> {
        let (Some(seat), Some((kind, text))) = (&self.seat, reviewed(room)) else {
            return Ok(None);
        };
        let outcome = seat.member.review_message(kind, text).await;
        let Err(error) = outcome else {
            return Ok(None);
        };
        self.send_refusal(kind, &error).await?;
        Ok(Some(Err(error).into()))
    }

    /// Handles every message of a member but changes and requests.
    pub(super) async fn on_room_message(&mut self, room: Room) -> Result<Reply, End> {
        if let Some(refused) = self.review(&room).await? {
            return Ok(refused);
        }
        let Some(seat) = &mut self.seat else {
            return Ok(Reply::Accepted);
        };
        let member = &mut seat.member;
        let what = refusable(&room);
        let outcome = match room {
            Room::Chat(text) => member.chat(text).await,
            Room::Caret { .. } if !seat.feed.follows_carets() => {
                return refused("CLIENT_READY did not announce this extension");
            }
            Room::Caret {
                rev,
                position,
                anchor,
            } => member.set_caret(rev, position, anchor),
            Room::UserInfo { name, colour } => member.rename(name.as_deref(), &colour).await,
            Room::SaveRevision => member.save_revision().await,
            Room::NameSavedRevision { rev, label } => member.name_saved_revision(rev, &label).await,
            Room::Title(title) => member.set_title(title).await,
            Room::SuggestName { author, name } => {
                if let Some(author) = AuthorId::parse(&author) {
                    member.suggest_name(author, &name)
                } else {
                    Ok(())
                }
            }
            Room::Options(patch) => return self.set_options(patch).await,
            Room::Delete { pad, token } => return self.delete(&pad, token.as_deref()).await,
            Room::Changes(_) | Room::ChatMessages { .. } | Room::EndWindows(_) => Ok(()),
        };
        if let (Err(error), Some(what)) = (&outcome, what) {
            self.send_refusal(what, error).await?;
        }
        Ok(outcome.into())
    }

    /// The member learns why its message is not there, or what it is still called.
    async fn send_refusal(&self, what: &str, error: &Error) -> Result<(), End> {
        let Some(seat) = &self.seat else {
            return Ok(());
        };
        let (reason, key) = match error {
            Error::Refused(reason) => (reason.clone(), None),
            Error::Unchecked => (error.to_string(), Some(wire::UNCHECKED)),
            _ => return Ok(()),
        };
        let mut packets = vec![match seat.shows_plugins {
            true => wire::refused(what, &reason, key),
            false => wire::announced(&reason, false, self.context.service.now()),
        }];
        if what == NAME {
            packets.push(wire::user_info(seat.member.presence()));
        }
        self.send(&packets).await
    }

    /// Ends windows that are gone. What is stored of theirs is sent before the answer.
    pub(super) async fn end_windows(&mut self, windows: &[WindowId]) -> Result<Reply, End> {
        let Some(seat) = &mut self.seat else {
            return Ok(Reply::Accepted);
        };
        let ended = self.context.service.end_windows(&seat.member, windows);
        if let Err(error) = ended.await {
            return refused(error.to_string());
        }
        let newest = seat.member.newest();
        while seat.feed.place() < newest {
            let delivery = seat.feed.next().await;
            let packets = packets(&delivery, seat)?;
            self.outgoing.send(&packets).await?;
        }
        Ok(Reply::Accepted)
    }

    async fn set_options(&mut self, patch: OptionsPatch) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        let outcome = seat.member.set_options(patch).await;
        if outcome == Err(Error::NotCreator) {
            let notice = wire::shout("pad.settings.notCreator", self.context.service.now());
            self.send(&[notice]).await?;
        }
        Ok(outcome.into())
    }

    async fn delete(&mut self, pad: &str, token: Option<&str>) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        // By any name that leads there: a member never learns what its pad is really called.
        let named = self.context.service.address(pad).await;
        if named.ok().flatten().as_deref() != Some(seat.member.pad().as_str()) {
            return refused("another pad than this one");
        }
        let service = &self.context.service;
        match service.delete_pad_by(&seat.member, token).await {
            Ok(()) => Ok(Reply::Accepted),
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
}
