//! A member of a pad, until it is dropped.
//!
//! What it may do is checked here with every call: a reader changes nothing, and sessions end while
//! people write.

use std::sync::Arc;
use std::time::Duration;

use changeset::{Document, Pool, Text};
use contract::Error;
use hints::CaretHint;
use pad::access::Role;
use pad::limits::{CHAT_TEXT, SAVED_LABEL, fits};
use pad::{
    AuthorId, ChatMessage, Colour, Deleter, Head, History, HistoryRequest, ORIGIN_REVISIONS,
    OptionsPatch, Origin, PadId, Period, Rev, Session, Submission, Timestamp, Title,
};
use store::{Note, PadKey, Said, SavedRevision, Store};

use crate::chat_entry::ChatEntry;
use crate::cluster::Message;
use crate::config::Config;
use crate::environment::Environment;
use crate::erasure::evict;
use crate::limits::CHAT_PAGE;
use crate::live::{
    Acceptance, Caret, CommandError, Encoded, Event, LivePad, MemberId, Presence, Seat, SubmitError,
};

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
    pub(super) presence: Presence,
    pub(super) seat: Seat,
    pub(super) session: Option<Session>,
    pub(super) role: Role,
    pub(super) pad: LivePad,
    pub(super) store: Store,
    pub(super) environment: Arc<dyn Environment>,
    pub(super) config: Arc<Config>,
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

    pub fn role(&self) -> Role {
        self.role
    }

    pub fn is_read_only(&self) -> bool {
        !self.role.may_write()
    }

    /// Whether the member may set options of the pad.
    pub fn may_set_options(&self) -> bool {
        self.config.options.may_set(self.role)
    }

    /// Whether the member may delete the pad without a token.
    pub fn may_delete(&self) -> bool {
        let (role, token) = (self.role, None);
        Deleter::Member { role, token }.may_delete(None, self.config.deletion_by_all)
    }

    pub(crate) fn live(&self) -> &LivePad {
        &self.pad
    }

    /// What others see of it.
    pub fn presence(&self) -> &Presence {
        &self.presence
    }

    pub(crate) fn seat(&self) -> &Seat {
        &self.seat
    }

    pub(crate) fn key(&self) -> PadKey {
        self.pad.key
    }

    /// Whether the member is still here by right.
    fn check_stay(&self) -> Result<(), Error> {
        if self.is_erased() {
            return Err(Error::AuthorErased);
        }
        if self.may_stay() {
            Ok(())
        } else {
            Err(Error::SessionEnded)
        }
    }

    /// Whether the member may change anything now.
    pub(crate) fn check_write(&self) -> Result<(), Error> {
        self.check_stay()?;
        if self.role.may_write() {
            Ok(())
        } else {
            Err(Error::ReadOnly)
        }
    }

    /// Whether other nodes know the member. Before that its author may be writing there, so the
    /// member must come again.
    fn check_seat(&self) -> Result<(), SubmitError> {
        if !self.store.is_shared() || self.seat.seats().is_some() {
            return Ok(());
        }
        match self.store.storage().borrow().is_failing() {
            true => Err(SubmitError::NotStored),
            false => Err(SubmitError::Unavailable),
        }
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

    /// What the member's page gets for parts that are not ours. `None`: there are no hooks.
    pub async fn page_parts(&self) -> Option<serde_json::Value> {
        let hooks = self.pad.hooks().0.as_ref()?;
        let parts = hooks.page_parts(self.pad(), self.author(), self.is_read_only());
        Some(parts.await)
    }

    /// How many members the pad has, this one included.
    pub fn member_count(&self) -> usize {
        self.pad.roster().len()
    }

    /// Makes a change the next revision: durable when this returns.
    pub async fn submit(&self, submission: Submission) -> Result<Acceptance, SubmitError> {
        self.check_write().map_err(SubmitError::Forbidden)?;
        self.check_seat()?;
        self.pad.submit(submission, self.seat.clone()).await
    }

    /// Sets the member's caret. Fails for a revision that the pad does not have yet.
    pub fn set_caret(&self, rev: Rev, position: u64, anchor: u64) -> Result<(), Error> {
        self.check_write()?;
        if self.pad.head().rev < Some(rev) {
            return Err(Error::RevTooHigh);
        }
        let window = self.id().window();
        self.pad.carets().put(Caret {
            author: self.author().clone(),
            window,
            rev,
            position,
            anchor,
            encoded: Encoded::default(),
        });
        if let Some(cluster) = self.pad.cluster() {
            cluster.outbox.has_moved(CaretHint {
                pad: self.pad.key,
                author: self.author().clone(),
                window,
                rev,
                position,
                anchor,
            });
        }
        Ok(())
    }

    /// Says something in the chat.
    pub async fn chat(&self, text: Text) -> Result<(), Error> {
        self.check_write()?;
        if text.len() > CHAT_TEXT {
            return Err(Error::TextTooLong);
        }
        let text = self.reviewed(text).await?;
        let author = Some(self.author().clone());
        let message = ChatMessage {
            text,
            author,
            time: self.environment.now(),
        };
        let number = match self.store.append_own_chat(self.pad.key, &message).await? {
            Said::Stored(number) => Some(number),
            Said::PadGone => return Err(Error::PadMissing),
            Said::AuthorErased => return Err(self.evicted()),
        };
        let name = self
            .store
            .author(self.author())
            .await?
            .and_then(|author| author.name);
        let entry = ChatEntry {
            message,
            author_name: name,
            number,
        };
        self.pad.tell(Event::Chat(Arc::new(entry)));
        Ok(())
    }

    /// A message as hooks let it pass.
    async fn reviewed(&self, text: Text) -> Result<Text, Error> {
        let name = self.name();
        let review = self.pad.hooks();
        let review = review.review_chat(self.pad(), self.author(), name.as_deref(), &text);
        match review.await? {
            Some(other) if other.len() > CHAT_TEXT => Err(Error::TextTooLong),
            other => Ok(other.unwrap_or(text)),
        }
    }

    /// Whether hooks let a message pass that is no change, no chat message and no name.
    pub async fn review_message(&self, kind: &str, text: Option<&str>) -> Result<(), Error> {
        let hooks = self.pad.hooks().0.as_ref();
        let Some(hooks) = hooks.filter(|hooks| hooks.reviews_messages()) else {
            return Ok(());
        };
        let review = hooks.member_message(self.pad(), self.author(), kind, text);
        Ok(review.await?)
    }

    /// Chat messages by number, both ends included.
    pub async fn chat_messages(&self, start: u64, end: u64) -> Result<Vec<ChatEntry>, Error> {
        self.check_stay()?;
        let end = end.min(start.saturating_add(CHAT_PAGE));
        let messages = self.store.chat(self.pad.key, start..end + 1).await?;
        let messages = messages.into_iter().map(|(_, message)| message).collect();
        crate::api::with_names(&self.store, messages).await
    }

    /// Takes another name and colour, everywhere.
    pub async fn rename(&mut self, name: Option<&str>, colour: &Colour) -> Result<(), Error> {
        self.check_write()?;
        crate::api::check_name(name)?;
        let reviewed = self.reviewed_name(name).await?;
        let name = reviewed.as_deref().or(name);
        crate::api::check_name(name)?;
        // Clients repeat the colour that they were given, which is no choice.
        let own = &self.presence.colour;
        let is_same = own.to_css().eq_ignore_ascii_case(colour.to_css());
        let colour = &if is_same { own } else { colour }.clone();
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

    /// Another name that hooks put in place of one. Only a name that is new is reviewed.
    async fn reviewed_name(&self, name: Option<&str>) -> Result<Option<String>, Error> {
        let known = self.name();
        let Some(name) = name.filter(|name| Some(*name) != known.as_deref()) else {
            return Ok(None);
        };
        let hooks = self.pad.hooks();
        let review = hooks.review_name(self.pad(), self.author(), name).await;
        Ok(review?)
    }

    /// The author turns out to be erased, perhaps by another process.
    fn evicted(&self) -> Error {
        self.seat.erase();
        evict(&self.pad, self.author());
        Error::AuthorErased
    }

    /// Marks the newest revision.
    pub async fn save_revision(&self) -> Result<(), Error> {
        self.check_write()?;
        let rev = self.pad.head().rev.unwrap_or_default();
        let saved = SavedRevision {
            rev,
            id: format!("{:032x}", self.environment.entropy())
                .chars()
                .take(20)
                .collect(),
            label: usual_label(rev),
            author: Some(self.author().clone()),
            time: self.environment.now(),
        };
        if crate::api::save_revision(&self.store, self.pad.key, &saved).await? {
            self.pad.notify_saved(&saved);
            self.pad.tell(Event::Saved(Arc::new(saved)));
        }
        Ok(())
    }

    /// Gives a marked revision another label; without one it gets the usual one. Everybody learns
    /// of it, the member included.
    pub async fn name_saved_revision(&self, rev: Rev, label: &str) -> Result<(), Error> {
        self.check_write()?;
        let label = pad::one_line(label);
        if !fits(&label, SAVED_LABEL) {
            return Err(Error::TooLong("label", SAVED_LABEL));
        }
        let label = if label.is_empty() {
            usual_label(rev)
        } else {
            label
        };
        self.pad.name_saved(rev, label).await.map_err(command)?;
        self.pad.deliver_saved_name(&self.store, rev).await
    }

    /// Gives the pad a title, or takes it away. Everybody learns of it, the member included.
    pub async fn set_title(&self, title: Option<Title>) -> Result<(), Error> {
        self.check_write()?;
        self.pad.set_title(title).await.map_err(command)
    }

    /// Changes the pad's options, and tells everybody, the member included, the values that hold
    /// now of those it has named. For the pad's creator alone.
    pub async fn set_options(&self, patch: OptionsPatch) -> Result<(), Error> {
        self.check_write()?;
        if !self.may_set_options() {
            return Err(Error::NotCreator);
        }
        let by = self.name();
        let after = self.pad.set_options(patch.clone(), by.clone()).await;
        let after = after.map_err(command)?;
        self.pad.tell(Event::OptionsChanged {
            options: Arc::new(after.named_by(&patch)),
            by,
        });
        Ok(())
    }

    /// Suggests a name to another author.
    pub fn suggest_name(&self, to: AuthorId, name: &str) -> Result<(), Error> {
        self.check_write()?;
        if let Some(cluster) = self.pad.cluster() {
            let message = Message::suggested_name(&to, name);
            cluster.leave(Note::Message(Some(self.pad.key), message));
        }
        self.pad.tell(Event::NameSuggested {
            to,
            name: name.into(),
        });
        Ok(())
    }

    /// The pad as a revision left it. One beyond the newest is taken for the newest.
    pub async fn past(&self, rev: Rev) -> Result<Past, Error> {
        self.check_stay()?;
        let head = self.pad.head();
        let rev = rev.min(head.rev.unwrap_or_default());
        let key = self.pad.key;
        let revision = self.store.revisions(key, rev..rev.next()).await?.pop();
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

    /// Which revision wrote a unit of the text that `rev` left, by the newest revisions before it.
    pub async fn origin(&self, rev: Rev, unit: usize) -> Result<Option<Origin>, Error> {
        self.check_stay()?;
        let rev = rev.min(self.pad.head().rev.unwrap_or_default());
        let first = rev.next().minus(ORIGIN_REVISIONS);
        let revisions = self
            .store
            .revisions(self.pad.key, first..rev.next())
            .await?;
        Ok(pad::origin(first, &revisions, unit))
    }

    /// Periods of writing before a revision, newest first, and where those before them end.
    pub async fn periods(&self, before: Rev) -> Result<(Vec<Period>, Option<Rev>), Error> {
        self.check_stay()?;
        let end = before.min(self.pad.head().next_rev());
        let credits = self.store.credits(self.pad.key, end).await?;
        Ok(pad::periods(end.minus(credits.len() as u64), &credits))
    }

    /// A stretch of the pad's history.
    pub async fn history(&self, request: HistoryRequest) -> Result<(pad::Stretch, History), Error> {
        self.check_stay()?;
        let head = self.pad.head();
        let stretch = request.stretch(head.rev.unwrap_or_default());
        let key = self.pad.key;
        let first = stretch.start.minus(1);
        let mut revisions = self
            .store
            .revisions(key, first..stretch.end.max(first))
            .await?;
        let time = revisions
            .first()
            .map_or(Timestamp::default(), |revision| revision.time);
        let before = match stretch.start {
            Rev::FIRST => Head::empty().document,
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

/// What a saved revision is called until somebody names it.
fn usual_label(rev: Rev) -> String {
    format!("Revision {rev}")
}

fn command(error: CommandError) -> Error {
    match error {
        CommandError::Closed => Error::PadMissing,
        CommandError::Failed(error) => error,
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        match self.pad.roster().leave(self.id()) {
            Some((presence, true)) => {
                self.pad.carets().remove(&presence.author);
                self.pad.notify_left(&presence.author);
                self.pad.tell(Event::Left { presence });
            }
            Some((presence, false)) => {
                self.pad.close_windows(&presence.author, &[presence.member]);
            }
            None => {}
        }
        if let Some(cluster) = self.pad.cluster() {
            cluster.depart(self.pad.key, self.id().number());
        }
    }
}
