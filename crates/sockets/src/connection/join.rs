//! Join handler: makes a visitor a member.

use std::sync::Arc;

use pad::Rev;
use pad::limits::AUTHOR_NAME;
use service::{Delivery, JoinError, Joined, TemplateUse};
use socketio::Packet;
use store::SavedRevision;

use super::answers::bytes_of_text;
use super::delivery::{packets, revision};
use super::{ConnectionTask, End, Reply, Seat, dismissed, end_of, refused};
use crate::client_vars::{Told, client_vars};
use crate::message::Ready;
use crate::stay::{self, Stay};
use crate::wire;

impl ConnectionTask {
    /// Makes the visitor a member and sends the first answer.
    pub(super) async fn join(&mut self, ready: &Ready) -> Result<Reply, End> {
        if self.context.stopping.is_cancelled() && self.context.draining.is_cancelled() {
            return Err(End::Interrupted(None));
        }
        if self.context.stopping.is_cancelled() || self.context.intake.is_closed() {
            return Err(dismissed("updateInProgress"));
        }
        let (accounts, settings) = (&self.context.accounts, &self.context.settings);
        let known = self.visitor.request(&ready.pad, accounts, settings);
        // A second join on the same connection starts over.
        self.seat = None;
        self.unstored = None;
        let Ok(known) = known else {
            stay::denied(self.visitor.client, &self.context.settings);
            return Err(End::Dismissed(wire::denied()));
        };
        let mut request = ready.request(known);
        request.template = self.template(request.template)?;
        let context = Arc::clone(&self.context);
        let new_pad = context.limits.new_pad(self.visitor.client);
        request.existing_only = new_pad.is_err();
        let mut joined = match self.context.service.join(&request).await {
            Ok(joined) => joined,
            Err(error) => return self.reject(error),
        };
        // Given back at once if it was not needed: what follows may take a while.
        if let Ok(new_pad) = new_pad
            && joined.created
        {
            new_pad.used();
        }
        if let Some(TemplateUse::Copied(units)) = joined.template {
            self.count_history(units)?;
        }
        if ready.wants_carets {
            joined.feed.follow_carets();
        }
        match ready.reconnect {
            Some(None) => return Err(dismissed("rejected")),
            Some(Some(_)) => {}
            None => {
                self.send_first_answer(&joined, ready).await?;
            }
        }
        let mut newcomers: Vec<Packet> = joined.others.iter().map(wire::user_info).collect();
        let head = joined.head.rev.unwrap_or_default();
        let stay = Stay::begin(&joined.member, self.visitor.client, &self.context.settings);
        let until = end_of(&joined.member, &self.context.accounts);
        let mut seat = Seat {
            member: joined.member,
            feed: joined.feed,
            address: ready.wants_titles.then(|| ready.pad.clone()),
            shows_plugins: ready.wants_plugins,
            until,
            _stay: stay,
        };
        if ready.reconnect.is_some() {
            self.send_missed(&mut seat, head).await?;
            self.send_names(&seat, &joined.saved).await?;
        }
        if ready.takes_batches {
            // Not before: what was missed is sent one by one.
            seat.feed.take_batches();
        }
        if ready.reconnect.is_some() && seat.member.record().is_some() {
            // Another window may have changed what the author is called meanwhile.
            newcomers.push(wire::user_info(seat.member.presence()));
        }
        self.send(&newcomers).await?;
        self.seat = Some(seat);
        self.send_storage_state().await?;
        Ok(Reply::Accepted)
    }

    /// The pad that a visitor means by a template. A copy is history that nobody sent: a client
    /// that owes bytes gets none.
    fn template(&self, name: Option<String>) -> Result<Option<String>, End> {
        let Some(name) = name else {
            return Ok(None);
        };
        self.count_history(1)?;
        let pads = &self.context.settings.pads;
        Ok(Some(pads.template(&name).to_owned()))
    }

    /// The answer to a visitor who does not become a member.
    fn reject(&self, error: JoinError) -> Result<Reply, End> {
        let (client, settings) = (self.visitor.client, &self.context.settings);
        Err(match error {
            JoinError::Denied | JoinError::Name => {
                stay::denied(client, settings);
                End::Dismissed(wire::denied())
            }
            JoinError::Missing => {
                stay::limited(client, settings);
                dismissed("rateLimited")
            }
            JoinError::NameTooLong => {
                return refused(format!("a name has at most {AUTHOR_NAME} characters"));
            }
            JoinError::UnknownRevision => dismissed("rejected"),
            JoinError::Unchecked => {
                let notice = wire::shout(wire::UNCHECKED, self.context.service.now());
                End::Interrupted(Some(notice))
            }
            JoinError::Unavailable => End::Interrupted(None),
            JoinError::NotStored => {
                End::Interrupted(Some(wire::storage(true, self.context.service.now())))
            }
        })
    }

    /// Sends a member what it missed while it was away.
    async fn send_missed(&self, seat: &mut Seat, head: Rev) -> Result<(), End> {
        if seat.feed.place() >= head {
            let nothing = wire::reconnect_without_changes(head, &seat.member);
            return self.send(&[nothing]).await;
        }
        while seat.feed.place() < head {
            let delivery = seat.feed.next().await;
            let missed = match &delivery {
                Delivery::Revisions(revisions) => revisions
                    .iter()
                    .map(|live| {
                        if live.rev <= head {
                            wire::reconnect_change(live, head, &seat.member)
                        } else {
                            revision(live, seat)
                        }
                    })
                    .collect(),
                // Presence is sent again after this; what ends the pad ends this too.
                other => packets(other, seat).map(|_| Vec::new())?,
            };
            self.send(&missed).await?;
        }
        Ok(())
    }

    /// Sends a member that was here before what may be called otherwise now.
    async fn send_names(&self, seat: &Seat, saved: &[SavedRevision]) -> Result<(), End> {
        let Some(address) = &seat.address else {
            return Ok(());
        };
        let title = wire::title(seat.feed.title(), address);
        self.send(&[title, wire::saved_revisions(saved)]).await
    }

    async fn send_first_answer(&self, joined: &Joined, ready: &Ready) -> Result<(), End> {
        let page_plugins = match ready.wants_plugins {
            true => joined.member.page_parts().await,
            false => None,
        };
        let length = joined.snapshot.head.document.len();
        let reserved = self.reserve(bytes_of_text(length)).await?;
        let told = Told {
            joined,
            asked_for: &ready.pad,
            shows_titles: ready.wants_titles,
            takes_batches: ready.takes_batches,
            page_plugins,
            settings: &self.context.settings,
            now: self.context.service.now(),
        };
        self.send_within(reserved, client_vars(&told)).await
    }
}
