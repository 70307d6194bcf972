//! Admission of visitors to a pad.
//!
//! A visitor brings the name of a pad and its credentials. `pad::access` decides; this module looks
//! up what the decision needs.

use contract::Error;
use pad::access::{self, Grant, PadState, Policy, Rights, Visitor};
use pad::limits::{AUTHOR_NAME, fits};
use pad::{
    Author, AuthorId, AuthorToken, Colour, OptionsPatch, PadId, ReadOnlyId, Rev, SessionId, Title,
    WindowId,
};
use store::PadRecord;

use crate::Service;
use crate::hooks::Narrowing;

/// A visitor's request to join a pad, with its credentials.
#[derive(Clone, Debug, Default)]
pub struct JoinRequest {
    /// The name of a pad, or its read-only id.
    pub pad: String,
    pub token: Option<String>,
    /// The sessions of the visitor's cookie, in its order.
    pub sessions: Vec<SessionId>,
    /// What a logged-in user may do; `None` where no login is required.
    pub rights: Option<Rights>,
    pub policy: Policy,
    /// The visitor's new name and colour, if they change.
    pub name: Option<String>,
    pub colour: Option<Colour>,
    /// Options for the pad, if the visitor creates it by coming and may set them.
    pub options: Option<OptionsPatch>,
    /// The name of a pad, or its read-only id, whose text the pad starts with, if the visitor
    /// creates it by coming.
    pub template: Option<String>,
    /// The title of the pad, if the visitor creates it by coming: a link must not rename a pad that
    /// others have.
    pub title: Option<Title>,
    /// The last revision a member knows that was here before.
    pub known: Option<Rev>,
    /// The window it comes with, beside others of the same author. `None`: all that have named none
    /// are the same window.
    pub window: Option<WindowId>,
    /// Windows of the author that are gone, and that this one takes up where they ended.
    pub ends: Vec<WindowId>,
    /// A window that only looks: it takes nobody's place.
    pub looks_only: bool,
    /// Whether the visitor comes only to a pad that exists.
    pub existing_only: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// No such name can exist.
    Name,
    /// The visitor wants to be called something too long.
    NameTooLong,
    Denied,
    /// A hook that has to decide about it gave no answer; it may a moment later.
    Unchecked,
    /// The pad does not exist, and the visitor may not create it now.
    Missing,
    /// The visitor knows a revision that the pad does not have.
    UnknownRevision,
    /// The store failed.
    Unavailable,
    /// There is no such pad, and none can be created while nothing can be stored.
    NotStored,
}

/// A visitor who may do one thing with a pad.
#[derive(Clone, Debug)]
pub struct Visit {
    pub pad: PadId,
    /// The name the visitor used: by a read-only one the real one is not learnt.
    pub name: String,
    pub head: Rev,
    pub read_only: bool,
    /// There is no such pad yet; it is created by what is written.
    pub is_new: bool,
}

/// The decision about a visitor, and the records it rests on.
pub(crate) struct Admission {
    pub pad: PadId,
    pub record: Option<PadRecord>,
    pub grant: Grant,
    pub token: Option<AuthorToken>,
}

/// The pad that a visitor names.
struct Named {
    pad: PadId,
    /// `None`: it was not looked up, or there was none.
    record: Option<PadRecord>,
    through_read_only_id: bool,
}

impl Service {
    /// Admits a visitor who reads a pad without becoming a member. `None`: there is no such
    /// pad, and none is created.
    pub async fn visit(&self, request: &JoinRequest) -> Result<Option<Visit>, JoinError> {
        let admission = self.admit(request, true).await?;
        let Some(record) = admission.record else {
            return Ok(None);
        };
        Ok(Some(Visit {
            pad: admission.pad,
            name: request.pad.clone(),
            head: record.head,
            read_only: admission.grant.read_only,
            is_new: false,
        }))
    }

    /// Admits a visitor who writes to a pad without becoming a member. The first write creates a
    /// pad that does not exist.
    pub async fn visit_to_write(&self, request: &JoinRequest) -> Result<Visit, JoinError> {
        let admission = self.admit(request, false).await?;
        if admission.grant.read_only {
            return Err(JoinError::Denied);
        }
        Ok(Visit {
            pad: admission.pad,
            name: request.pad.clone(),
            is_new: admission.record.is_none(),
            head: admission.record.map_or(Rev::FIRST, |record| record.head),
            read_only: false,
        })
    }

    /// The author for a visitor who writes.
    pub(crate) async fn author_of_visit(&self, request: &JoinRequest) -> Result<Author, JoinError> {
        let admission = self.admit(request, false).await?;
        let (author, _) = self.visiting_author(&admission, request).await?;
        Ok(author)
    }

    /// The author that a visitor already is, and whether that author created the pad. `None` for an
    /// unknown visitor, for a missing pad, and for a visitor who may not open it.
    pub async fn known_visitor(
        &self,
        request: &JoinRequest,
    ) -> Result<Option<(AuthorId, bool)>, JoinError> {
        let admission = match self.admit(request, true).await {
            Ok(admission) => admission,
            Err(JoinError::Unavailable) => return Err(JoinError::Unavailable),
            Err(_) => return Ok(None),
        };
        let author = match (admission.grant.author, &admission.token) {
            (Some(author), _) => Some(author),
            (None, Some(token)) => self.store.find_author_of_token(token).await?,
            (None, None) => None,
        };
        let creator = admission.record.and_then(|record| record.creator);
        Ok(author.map(|author| {
            let is_first = creator.as_ref() == Some(&author);
            (author, is_first)
        }))
    }

    /// Decides whether a visitor may open a pad. `looks` is for one who would not create it.
    pub(crate) async fn admit(
        &self,
        request: &JoinRequest,
        looks: bool,
    ) -> Result<Admission, JoinError> {
        let Named {
            pad,
            record,
            through_read_only_id,
        } = self.named(&request.pad).await?;
        let sessions = self.store.sessions(&request.sessions).await?;
        let sessions = self.admitting(sessions).await?;
        let token = match request.token.as_deref() {
            None => None,
            Some(token) => Some(AuthorToken::parse(token).ok_or(JoinError::Denied)?),
        };
        let record = match record {
            Some(record) => Some(record),
            None => self.store.pad(&pad).await?,
        };
        let visitor = Visitor {
            sessions: &sessions,
            token_author: None,
            rights: request.rights,
        };
        let state = PadState {
            exists: looks || record.is_some(),
            public: record.as_ref().is_some_and(|record| record.public),
            through_read_only_id,
        };
        let grant = access::decide(&pad, state, &visitor, request.policy, self.now())
            .map_err(|_| JoinError::Denied)?;
        let grant = self.narrowed(&pad, state, grant, token.as_ref()).await?;
        Ok(Admission {
            pad,
            record,
            grant,
            token,
        })
    }

    /// What hooks leave of a grant.
    async fn narrowed(
        &self,
        pad: &PadId,
        state: PadState,
        mut grant: Grant,
        token: Option<&AuthorToken>,
    ) -> Result<Grant, JoinError> {
        let Some(hooks) = self.hooks.0.as_ref().filter(|it| it.narrows_access()) else {
            return Ok(grant);
        };
        let author = match (grant.author.clone(), token) {
            (None, Some(token)) => self.store.find_author_of_token(token).await?,
            (author, _) => author,
        };
        match hooks.access(pad, author.as_ref(), grant.read_only).await {
            Narrowing::Nothing => {}
            // Who may only read does not create a pad either.
            Narrowing::ReadOnly if state.exists => grant.read_only = true,
            Narrowing::ReadOnly | Narrowing::Denied => return Err(JoinError::Denied),
            Narrowing::Unchecked => return Err(JoinError::Unchecked),
        }
        Ok(grant)
    }

    /// The name under which a visitor reaches a pad, existing or new, by the name that was asked
    /// for; `None` if no pad can be reached by it.
    pub async fn address(&self, name: &str) -> Result<Option<String>, JoinError> {
        match self.named(name).await {
            Ok(named) if named.through_read_only_id => Ok(Some(name.to_owned())),
            Ok(named) => Ok(Some(named.pad.into_string())),
            Err(JoinError::Name | JoinError::Denied) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The pad that a visitor names.
    async fn named(&self, name: &str) -> Result<Named, JoinError> {
        if name.starts_with("r.") {
            let id = ReadOnlyId::parse(name).ok_or(JoinError::Denied)?;
            let pad = self.store.pad_of_read_only_id(&id).await?;
            return Ok(Named {
                pad: pad.ok_or(JoinError::Denied)?,
                record: None,
                through_read_only_id: true,
            });
        }
        let mut pad = PadId::parse(name).ok_or(JoinError::Name)?;
        let record = self.store.pad(&pad).await?;
        if record.is_none() {
            let new = PadId::for_new(name).ok_or(JoinError::Name)?;
            pad = self.name_for_new(new).await?;
        }
        Ok(Named {
            pad,
            record,
            through_read_only_id: false,
        })
    }

    /// The author that a visitor is, and whether it is somebody new.
    pub(crate) async fn visiting_author(
        &self,
        admission: &Admission,
        request: &JoinRequest,
    ) -> Result<(Author, bool), JoinError> {
        let token = admission.token.as_ref();
        let (visitor, is_new) = match &admission.grant.author {
            // A session may name an author that was never created; it is somebody all the same.
            Some(author) => {
                let id = author.clone();
                (
                    Author {
                        id,
                        ..self.new_author(None)
                    },
                    false,
                )
            }
            None => self.author_by_token(token, request.known.is_some()).await?,
        };
        let (id, now) = (&visitor.id, self.now());
        let name = self.visiting_name(&admission.pad, id, request).await?;
        let mut is_stored = true;
        if let Some(name) = &name {
            let stored = self.store.set_author_name(id, Some(name), now).await;
            is_stored &= was_stored(stored.map(drop))?;
        }
        if let Some(colour) = &request.colour {
            let stored = self.store.set_author_colour(id, colour, now).await;
            is_stored &= was_stored(stored.map(drop))?;
        }
        let mut author = match self.store.author(id).await? {
            // Erased in this moment: coming again makes somebody new.
            Some(author) if author.is_erased() => return Err(JoinError::Unavailable),
            Some(author) => author,
            None => {
                is_stored = false;
                visitor
            }
        };
        if !is_stored {
            // Then it holds for this visit.
            author.name = name.or(author.name);
            author.colour = request.colour.clone().unwrap_or(author.colour);
            self.newcomers.update(token, &author);
        }
        Ok((author, is_new))
    }

    /// The name that a visitor takes, as hooks let it pass. One that is refused stays outside,
    /// and its visitor comes in under the name that it had before.
    async fn visiting_name(
        &self,
        pad: &PadId,
        author: &AuthorId,
        request: &JoinRequest,
    ) -> Result<Option<String>, JoinError> {
        let (Some(name), Some(_)) = (&request.name, &self.hooks.0) else {
            return Ok(request.name.clone());
        };
        let known = self.store.author(author).await?.and_then(|it| it.name);
        if known.as_ref() == Some(name) {
            return Ok(known);
        }
        Ok(match self.hooks.review_name(pad, author, name).await {
            Ok(None) => Some(name.clone()),
            Ok(Some(other)) => Some(other).filter(|other| fits(other, AUTHOR_NAME)),
            Err(_) => None,
        })
    }
}

/// A visitor may come in although nothing can be stored.
pub(crate) fn was_stored(outcome: Result<(), store::Error>) -> Result<bool, store::Error> {
    match outcome {
        Ok(()) => Ok(true),
        Err(store::Error::NotStored(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

impl From<store::Error> for JoinError {
    fn from(error: store::Error) -> JoinError {
        if let store::Error::NotStored(_) = error {
            return JoinError::NotStored;
        }
        tracing::error!(%error, "the store failed");
        JoinError::Unavailable
    }
}

impl From<Error> for JoinError {
    fn from(error: Error) -> JoinError {
        match error {
            Error::NotStored => JoinError::NotStored,
            _ => JoinError::Unavailable,
        }
    }
}
