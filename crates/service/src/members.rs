//! Visitors become members of pads.
//!
//! [`Service::join`] lets in whoever may come in. A [`Member`] is then in the pad until it is
//! dropped. What it may do is checked with every call, because sessions end while people write.

use std::sync::Arc;
use std::time::Duration;

use changeset::{Document, Pool, Text};
use pad::limits::{AUTHOR_NAME, CHAT_TEXT, fits};
use pad::{
    Author, AuthorId, ChatMessage, Colour, DeletionToken, Head, History, HistoryRequest, PadId,
    ReadOnlyId, Rev, Session, SessionId, Submission, Timestamp,
};
use serde_json::Value;
use store::{PadRecord, Said, SavedRevision, Store};

use crate::Service;
use crate::api::{ChatEntry, Issued};
use crate::door::{Admission, JoinError, JoinRequest};
use crate::environment::Environment;
use crate::erasure::evict;
use crate::error::Error;
use crate::limits::CHAT_PAGE;
use crate::live::{
    Acceptance, Caret, Encoded, Event, Expulsion, Feed, LivePad, MemberId, Presence, Refusal, Seat,
    Snapshot,
};

/// What a new member needs to know.
pub struct Joined {
    pub member: Member,
    pub feed: Feed,
    /// The state that a newcomer is shown, and its feed starts from.
    pub snapshot: Arc<Snapshot>,
    /// The newest state for a member that was here before: its feed starts from the one it knew.
    pub head: Head,
    pub record: PadRecord,
    pub author: Author,
    /// Everybody who has written here.
    pub authors: Vec<Author>,
    pub others: Vec<Presence>,
    pub saved: Vec<SavedRevision>,
    /// `None`: the pad has none yet, and none can be stored.
    pub read_only_id: Option<ReadOnlyId>,
    /// Whether the visitor created the pad by coming.
    pub created: bool,
    /// Given once, to whoever creates a pad.
    pub deletion_token: Option<DeletionToken>,
}

/// A pad as one of its revisions left it.
pub struct Past {
    pub rev: Rev,
    pub document: Document,
    pub pool: Arc<Pool>,
    /// Who made the revision, and when.
    pub author: Option<AuthorId>,
    pub time: Timestamp,
}

/// A connection that is in a pad, until it is dropped.
pub struct Member {
    presence: Presence,
    seat: Seat,
    session: Option<Session>,
    read_only: bool,
    pad: LivePad,
    store: Store,
    environment: Arc<dyn Environment>,
}

impl Service {
    /// Lets a visitor into a pad, which is created if it does not exist.
    pub async fn join(&self, request: &JoinRequest) -> Result<Joined, JoinError> {
        let is_long = |name: &String| !fits(name, AUTHOR_NAME);
        if request.name.as_ref().is_some_and(is_long) {
            return Err(JoinError::NameTooLong);
        }
        let Admission {
            pad,
            record,
            grant,
            token,
        } = self.admit(request, false).await?;
        if record.is_none() && request.existing_only {
            return Err(JoinError::Missing);
        }
        let author = self
            .visiting_author(grant.author.as_ref(), token.as_ref(), request)
            .await?;
        let issued = match record {
            Some(_) => None,
            None => self.new_pad(&pad, None, Some(&author.id)).await?,
        };
        let live = self.open(&pad).await?;
        let member = self.seat(
            live,
            &author,
            grant.session,
            grant.read_only,
            request.looks_only,
        );
        self.welcome(member, author, request.known, issued).await
    }

    /// Makes a visitor a member, and sends away its author's other connections.
    fn seat(
        &self,
        pad: LivePad,
        author: &Author,
        session: Option<Session>,
        read_only: bool,
        looks_only: bool,
    ) -> Member {
        let session_id = session.as_ref().map(|session| session.id.clone());
        let arrival = pad
            .roster()
            .join(author, session_id, looks_only, self.now());
        if !arrival.replaced.is_empty() {
            pad.tell(Event::Expel {
                members: arrival.replaced.into(),
                reason: Expulsion::Duplicate,
            });
        }
        Member {
            presence: arrival.presence,
            seat: arrival.seat,
            session,
            read_only,
            pad,
            store: self.store.clone(),
            environment: Arc::clone(&self.environment),
        }
    }

    /// Gathers what a member needs to know.
    async fn welcome(
        &self,
        member: Member,
        author: Author,
        known: Option<Rev>,
        issued: Option<Issued>,
    ) -> Result<Joined, JoinError> {
        let pad = &member.pad;
        // Whoever erases an author looks for its members afterwards: this one is found there, or
        // finds out here.
        let stored = self.store.author(&author.id).await?;
        if stored.is_some_and(|author| author.is_erased()) {
            return Err(JoinError::Unavailable);
        }
        if known.is_some() {
            // What came through the member's last connection is stored now or never will be.
            pad.settled().await.map_err(|_| JoinError::Unavailable)?;
        }
        let snapshot = pad.snapshot();
        let head = match known {
            Some(_) => pad.head(),
            None => snapshot.head.clone(),
        };
        let newest = head.rev.unwrap_or_default();
        let place = known.unwrap_or(newest);
        if place > newest {
            return Err(JoinError::UnknownRevision);
        }
        let feed = Feed::new(&member.seat, author.id.clone(), pad, &self.store, place);
        let record = self.record(&pad.id).await?;
        let ids = self.store.authors_of_pad(pad.key).await?;
        let authors = self.store.authors(&ids).await?;
        let saved = self.store.saved_revisions(pad.key).await?;
        let candidate = ReadOnlyId::random(self.entropy());
        let read_only_id = match self.store.read_only_id(pad.key, candidate).await {
            Err(store::Error::NotStored(_)) => None,
            found => Some(found?.ok_or(JoinError::Unavailable)?),
        };
        let mut others = self.present(pad).await?;
        others.retain(|other| other.member != member.id() && other.author != author.id);
        pad.tell(Event::Info {
            presence: member.presence.clone(),
        });
        Ok(Joined {
            member,
            feed,
            snapshot,
            head,
            record,
            author,
            authors,
            others,
            saved,
            read_only_id,
            created: issued.is_some(),
            deletion_token: issued.map(|issued| issued.0),
        })
    }

    /// Ends the right of members that came with a session.
    pub(crate) async fn expel_session(&self, session: &SessionId) {
        for pad in self.live.pads().await {
            deny(&pad, |presence| presence.session.as_ref() == Some(session));
        }
    }

    /// Ends the right of members that came to a pad while it was open to everybody.
    pub(crate) async fn expel_uninvited(&self, pad: &PadId) {
        if let Some(pad) = self.live.peek(pad).await {
            deny(&pad, |presence| presence.session.is_none());
        }
    }
}

fn deny(pad: &LivePad, is_meant: impl Fn(&Presence) -> bool) {
    let mut members = pad.roster().members();
    members.retain(is_meant);
    if !members.is_empty() {
        let members = members.iter().map(|presence| presence.member).collect();
        pad.tell(Event::Expel {
            members,
            reason: Expulsion::Denied,
        });
    }
}

impl Member {
    pub fn id(&self) -> MemberId {
        self.presence.member
    }

    pub fn author(&self) -> &AuthorId {
        &self.presence.author
    }

    pub fn pad(&self) -> &PadId {
        &self.pad.id
    }

    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether the member may still be here. A session that was deleted expels by itself.
    pub fn may_stay(&self) -> bool {
        let now = self.environment.now();
        self.session
            .as_ref()
            .is_none_or(|session| session.is_valid(now))
    }

    /// Whether the author is erased: then nothing more is taken from the member.
    pub fn is_erased(&self) -> bool {
        self.seat.is_erased()
    }

    /// How long the member may stay, if that is limited.
    pub fn time_left(&self) -> Option<Duration> {
        let end = self.session.as_ref()?.valid_until.saturating_mul(1000);
        let left = end.saturating_sub(self.environment.now().millis());
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    }

    /// How long the pad's text is now, in UTF-16 units.
    pub fn text_length(&self) -> usize {
        self.pad.head().document.len()
    }

    /// How many members the pad has, this one included.
    pub fn company(&self) -> usize {
        self.pad.roster().len()
    }

    /// Makes a change the next revision: durable when this returns.
    pub async fn submit(&self, submission: Submission) -> Result<Acceptance, Refusal> {
        let acceptance = self.pad.submit(submission, self.seat.clone()).await?;
        if acceptance.had_effect {
            self.seat.has_made(acceptance.rev);
        }
        Ok(acceptance)
    }

    /// Says where the member is. Wrong where that revision is not known yet.
    pub fn point(&self, rev: Rev, position: u64, anchor: u64) -> Result<(), Error> {
        if self.seat.is_erased() {
            return Err(Error::AuthorErased);
        }
        if self.pad.head().rev < Some(rev) {
            return Err(Error::RevTooHigh);
        }
        self.pad.carets().put(Caret {
            author: self.author().clone(),
            rev,
            position,
            anchor,
            encoded: Encoded::default(),
        });
        Ok(())
    }

    /// Says something in the chat.
    pub async fn chat(&self, text: Text) -> Result<(), Error> {
        if text.len() > CHAT_TEXT {
            return Err(Error::TextTooLong);
        }
        let author = Some(self.author().clone());
        let message = ChatMessage {
            text,
            author,
            time: self.environment.now(),
        };
        match self.store.append_own_chat(self.pad.key, &message).await? {
            Said::Stored(_) => {}
            Said::PadGone => return Err(Error::PadMissing),
            Said::AuthorErased => return Err(self.evicted()),
        }
        let name = self
            .store
            .author(self.author())
            .await?
            .and_then(|author| author.name);
        let entry = ChatEntry {
            message,
            author_name: name,
        };
        self.pad.tell(Event::Chat(Arc::new(entry)));
        Ok(())
    }

    /// Chat messages by number, both ends included.
    pub async fn chat_messages(&self, start: u64, end: u64) -> Result<Vec<ChatEntry>, Error> {
        let end = end.min(start.saturating_add(CHAT_PAGE));
        let messages = self.store.chat(self.pad.key, start..end + 1).await?;
        let messages = messages.into_iter().map(|(_, message)| message).collect();
        crate::api::with_names(&self.store, messages).await
    }

    /// Takes another name and colour, everywhere.
    pub async fn rename(&mut self, name: Option<&str>, colour: &Colour) -> Result<(), Error> {
        crate::api::check_name(name)?;
        let now = self.environment.now();
        let store = &self.store;
        let named = store.set_author_name(self.author(), name, now).await?
            && store.set_author_colour(self.author(), colour, now).await?;
        if !named {
            let author = store.author(self.author()).await?;
            if author.is_some_and(|author| author.is_erased()) {
                return Err(self.evicted());
            }
        }
        self.presence.name = name.map(str::to_owned);
        self.presence.colour = colour.clone();
        let presence = self.presence.clone();
        let tell = || self.pad.tell(Event::Info { presence });
        self.pad.roster().rename(self.author(), name, colour, tell);
        Ok(())
    }

    /// The author turns out to be erased, perhaps by another process.
    fn evicted(&self) -> Error {
        self.seat.erase();
        evict(&self.pad, self.author());
        Error::AuthorErased
    }

    /// Marks the newest revision.
    pub async fn save_revision(&self) -> Result<(), Error> {
        let rev = self.pad.head().rev.unwrap_or_default();
        let saved = SavedRevision {
            rev,
            id: format!("{:032x}", self.environment.entropy())
                .chars()
                .take(20)
                .collect(),
            label: format!("Revision {rev}"),
            author: Some(self.author().clone()),
            time: self.environment.now(),
        };
        if crate::api::save_revision(&self.store, self.pad.key, &saved).await? {
            self.pad.tell(Event::Saved(Arc::new(saved)));
        }
        Ok(())
    }

    /// Changes the pad's options, given what is stored of them.
    pub async fn update_settings(
        &self,
        update: impl FnOnce(Option<&str>) -> String,
    ) -> Result<(), Error> {
        let record = self
            .store
            .pad(&self.pad.id)
            .await?
            .ok_or(Error::PadMissing)?;
        let settings = update(record.settings.as_deref());
        match self.store.set_settings(record.key, &settings).await? {
            true => Ok(()),
            false => Err(Error::PadMissing),
        }
    }

    /// Suggests a name to another author.
    pub fn suggest_name(&self, to: AuthorId, name: &str) {
        self.pad.tell(Event::NameSuggested {
            to,
            name: name.into(),
        });
    }

    /// Tells everybody, the member included, which options it has set, by the values that hold now.
    pub fn announce_options(&self, options: Value) {
        self.pad.tell(Event::OptionsChanged {
            options: Arc::new(options),
            by: self.presence.name.clone(),
        });
    }

    /// The pad as a revision left it. One beyond the newest is taken for the newest.
    pub async fn past(&self, rev: Rev) -> Result<Past, Error> {
        let head = self.pad.head();
        let rev = rev.min(head.rev.unwrap_or_default());
        let key = self.pad.key;
        let revision = self.store.revisions(key, rev..rev + 1).await?.pop();
        let document = self.store.document_at(key, rev).await?;
        let (revision, document) = revision.zip(document).ok_or(Error::PadMissing)?;
        Ok(Past {
            rev,
            document,
            pool: head.pool,
            author: revision.author,
            time: revision.time,
        })
    }

    /// A stretch of the pad's history.
    pub async fn history(&self, request: HistoryRequest) -> Result<(pad::Stretch, History), Error> {
        let head = self.pad.head();
        let stretch = request.stretch(head.rev.unwrap_or_default());
        let key = self.pad.key;
        let first = stretch.start.saturating_sub(1);
        let mut revisions = self
            .store
            .revisions(key, first..stretch.end.max(first))
            .await?;
        let time = revisions
            .first()
            .map_or(Timestamp::default(), |revision| revision.time);
        let before = match stretch.start {
            0 => Head::empty().document,
            _ => {
                if !revisions.is_empty() {
                    revisions.remove(0);
                }
                self.store
                    .document_at(key, first)
                    .await?
                    .ok_or(Error::PadMissing)?
            }
        };
        Ok((
            stretch,
            request.answer(&before, time, &revisions, &head.pool)?,
        ))
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some((presence, true)) = self.pad.roster().leave(self.id()) {
            self.pad.carets().remove(&presence.author);
            self.pad.tell(Event::Left { presence });
        }
    }
}
