//! Visitors become members of pads: [`Service::join`] admits those who may enter.

mod colour;
mod member;

mod windows;

use std::collections::HashSet;
use std::sync::Arc;

use contract::Error;
use pad::access::Role;
use pad::limits::{AUTHOR_NAME, fits};
use pad::{
    Author, Deleter, DeletionToken, Head, OptionsPatch, PadId, PadOptions, ReadOnlyId, Rev,
    Session, SessionId,
};
use store::{PadRecord, SavedRevision};

use crate::Service;
use crate::admission::{Admission, JoinError, JoinRequest};
use crate::api::Issued;
use crate::hooks::Notice;
use crate::live::{ColourOffer, Event, Expulsion, Feed, LivePad, Presence, SeatRequest, Snapshot};
use crate::options::from_stored;
use crate::templates::TemplateUse;
pub use member::{Member, Past};

/// What a new member needs to know.
pub struct Joined {
    pub member: Member,
    pub feed: Feed,
    /// The state that a newcomer is shown, and its feed starts from.
    pub snapshot: Arc<Snapshot>,
    /// The newest state for a member that was here before: its feed starts from the one it knew.
    pub head: Head,
    pub record: PadRecord,
    pub options: PadOptions,
    pub author: Author,
    /// Everybody who has written here. Empty for a member that was here before: it knows them.
    pub authors: Vec<Author>,
    pub others: Vec<Presence>,
    pub saved: Vec<SavedRevision>,
    /// `None`: the member was here before, or the pad has none yet and none can be stored.
    pub read_only_id: Option<ReadOnlyId>,
    /// Whether the visitor created the pad by coming.
    pub created: bool,
    /// What became of the template that the visitor named, if any.
    pub template: Option<TemplateUse>,
    /// Given once, to the creator of a pad.
    pub deletion_token: Option<DeletionToken>,
}

impl Service {
    /// Lets a visitor into a pad, which is created if it does not exist.
    pub async fn join(&self, request: &JoinRequest) -> Result<Joined, JoinError> {
        let is_long = |name: &String| !fits(name, AUTHOR_NAME);
        if request.name.as_ref().is_some_and(is_long) {
            return Err(JoinError::NameTooLong);
        }
        let admission = self.admit(request, false).await?;
        if admission.record.is_none() && request.existing_only {
            return Err(JoinError::Missing);
        }
        let (mut author, is_new) = self.visiting_author(&admission, request).await?;
        let Admission {
            pad,
            record,
            grant,
            token,
        } = admission;
        let (issued, template) = match record {
            Some(_) => (
                None,
                request.template.as_ref().map(|_| TemplateUse::Ignored),
            ),
            None => {
                let options = request.options.as_ref();
                let options = options.and_then(|patch| self.first_options(patch));
                self.new_pad_for(&pad, &author.id, options.as_ref(), request)
                    .await?
            }
        };
        if let (Some(_), Some(title)) = (&issued, &request.title) {
            self.set_title(&pad, Some(title.clone())).await?;
        }
        let live = self.open(&pad).await?;
        let was_empty = live.roster().len() == 0;
        let offer = self.colour_offer(&live, &author, is_new, request).await?;
        let (session, read_only) = (grant.session, grant.read_only);
        let member = self.seat(live, &author, session, read_only, request, offer);
        self.take_colour(&member, &mut author, token.as_ref())
            .await?;
        self.arrive(&member, request.known).await?;
        if !request.ends.is_empty() {
            let ended = self.end_windows(&member, &request.ends).await;
            ended.map_err(|_| JoinError::Unavailable)?;
        }
        let joined = self.welcome(member, author, request.known, issued).await?;
        // Not before the member hears what is said in the pad because of it.
        if was_empty {
            let hooks = joined.member.pad.hooks();
            hooks.notify(Notice::PadOpened { pad: &pad });
        }
        Ok(Joined { template, ..joined })
    }

    /// The options of a new pad, if its creator may choose them.
    fn first_options(&self, patch: &OptionsPatch) -> Option<PadOptions> {
        let rules = &self.config.options;
        let may_set = rules.may_set(Role::Creator);
        may_set.then(|| rules.defaults().apply(patch, rules))
    }

    /// Makes a visitor a member, and sends away other connections of its window.
    fn seat(
        &self,
        pad: LivePad,
        author: &Author,
        session: Option<Session>,
        read_only: bool,
        request: &JoinRequest,
        offer: Option<ColourOffer>,
    ) -> Member {
        let returns = request.known.is_some();
        let was_here = pad.roster().has_author(&author.id);
        let session_id = session.as_ref().map(|session| session.id.clone());
        let seat_request = SeatRequest {
            author,
            session: session_id,
            looks_only: request.looks_only,
            window: request.window.as_ref(),
            entropy: self.entropy(),
            returns,
            now: self.now(),
        };
        let arrival = pad.roster().join(seat_request, offer);
        windows::expel(&pad, &arrival.presence, arrival.replaced);
        if !was_here {
            pad.hooks().notify(Notice::MemberJoined {
                pad: &pad.id,
                author: &author.id,
                name: author.name.as_deref(),
                read_only,
            });
        }
        Member {
            presence: arrival.presence,
            seat: arrival.seat,
            session,
            // Who created the pad is read when it can no longer change.
            role: Role::of(&author.id, None, read_only),
            pad,
            store: self.store.clone(),
            environment: Arc::clone(&self.environment),
            config: Arc::clone(&self.config),
        }
    }

    /// Gathers what a member needs to know.
    async fn welcome(
        &self,
        mut member: Member,
        author: Author,
        known: Option<Rev>,
        issued: Option<Issued>,
    ) -> Result<Joined, JoinError> {
        let pad = &member.pad;
        // The erasure of an author looks for its members afterwards: this one is found there, or
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
        let mut feed = Feed::new(&member.seat, author.id.clone(), pad, &self.store, place);
        let record = self.record(&pad.id).await?;
        feed.skip_chat_before(record.chat_count);
        let saved = self.store.saved_revisions(pad.key).await?;
        let (mut authors, mut read_only_id) = (Vec::new(), None);
        if known.is_none() {
            let ids = self.store.authors_of_pad(pad.key).await?;
            authors = self.store.authors(&ids).await?;
            let candidate = ReadOnlyId::random(self.entropy());
            read_only_id = match self.store.read_only_id(pad.key, candidate).await {
                Err(store::Error::NotStored(_)) => None,
                found => Some(found?.ok_or(JoinError::Unavailable)?),
            };
        }
        let mut others = self.present(pad).await?;
        let mut seen = HashSet::from([author.id.clone()]);
        others.retain(|other| seen.insert(other.author.clone()));
        pad.tell(Event::Info {
            presence: member.presence.clone(),
        });
        member.role = Role::of(&author.id, record.creator.as_ref(), member.is_read_only());
        let options = from_stored(record.settings.as_deref(), &self.config.options);
        Ok(Joined {
            member,
            feed,
            snapshot,
            head,
            record,
            options,
            author,
            authors,
            others,
            saved,
            read_only_id,
            created: issued.is_some(),
            template: None,
            deletion_token: issued.map(|issued| issued.0),
        })
    }

    /// Deletes a pad for one of its members: its creator without a token, anybody who writes with
    /// the pad's deletion token.
    pub async fn delete_pad_by(&self, member: &Member, token: Option<&str>) -> Result<(), Error> {
        member.check_write()?;
        let record = self.record(member.pad()).await?;
        // Another pad of the same name is not the member's.
        if record.key != member.key() {
            return Err(Error::PadMissing);
        }
        let role = member.role();
        let by_all = self.config.deletion_by_all;
        if !(Deleter::Member { role, token }).may_delete(record.deletion.as_ref(), by_all) {
            return Err(Error::DeletionToken);
        }
        self.remove_pad(member.pad()).await
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
            deny(&pad, is_uninvited);
        }
    }
}

/// Whether a member came while the pad was open to everybody.
pub(crate) fn is_uninvited(presence: &Presence) -> bool {
    presence.session.is_none()
}

/// Ends the right of members of this node.
pub(crate) fn deny(pad: &LivePad, is_meant: impl Fn(&Presence) -> bool) {
    let mut members = pad.roster().local_members();
    members.retain(is_meant);
    if !members.is_empty() {
        let members = members.iter().map(|presence| presence.member).collect();
        pad.tell(Event::Expel {
            members,
            reason: Expulsion::Denied,
        });
    }
}
