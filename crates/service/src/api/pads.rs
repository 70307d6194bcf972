//! Pad management: creating, deleting, naming and asking about pads.

use std::sync::Arc;

use changeset::Text;
use contract::{EDITING_AUTHOR, Error, PAD_ID, Param, REV, Version};
use pad::limits::SAVED_REVISIONS;
use pad::{
    AuthorId, Deleter, DeletionToken, Head, PadId, PadOptions, ReadOnlyId, Rev, Timestamp, edit,
};
use serde_json::{Value, json};
use store::{PadKey, SavedRevision, Store};

use crate::Service;
use crate::api::content::{author_or_system, existing_rev};
use crate::api::function::{Function, Heading, value};
use crate::api::{Caller, large};
use crate::hooks::Notice;
use crate::live::{Ending, Event};

/// The deletion token of a new pad.
pub(crate) struct Issued(pub DeletionToken);

/// # Pad management
///
/// Creating, finding, copying and deleting pads.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// use service::api::Caller;
/// use service::pad::{PadId, Rev};
///
/// let pad = PadId::for_new("notes").ok_or("no such name can exist")?;
/// let token = service.create_pad(&pad, Some("Hello".into()), None).await?;
/// let reader = service.get_read_only_id(&pad).await?;
/// assert_eq!(service.get_pad_id(&reader).await?, pad);
///
/// service.append_text(&pad, " world".into(), None).await?;
/// service.save_revision(&pad, None).await?;
/// assert_eq!(service.list_saved_revisions(&pad).await?, [Rev(1)]);
///
/// let copy = PadId::for_new("copy").ok_or("no such name can exist")?;
/// service.copy_pad(&pad, &copy, false).await?;
/// assert_eq!(service.list_all_pads().await?.len(), 2);
///
/// // The holder of the token may delete the pad, without any other right.
/// let token = Some(token.as_str());
/// service.delete_pad(&pad, token, Caller::Anonymous).await?;
/// assert_eq!(service.list_all_pads().await?, [copy]);
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    /// Creates a pad outside of groups, and gives its deletion token.
    pub async fn create_pad(
        &self,
        pad: &PadId,
        text: Option<Text>,
        author: Option<&AuthorId>,
    ) -> Result<DeletionToken, Error> {
        if pad.is_group_pad() {
            return Err(Error::GroupPadWithoutGroup);
        }
        Ok(self
            .new_pad(pad, text, author, None)
            .await?
            .ok_or(Error::PadExists)?
            .0)
    }

    /// Creates a pad of either kind; `None` if there is one of that name.
    pub(crate) async fn new_pad(
        &self,
        pad: &PadId,
        text: Option<Text>,
        author: Option<&AuthorId>,
        options: Option<&PadOptions>,
    ) -> Result<Option<Issued>, Error> {
        let first_author = author_or_system(author.filter(|_| text.is_some()));
        // What a caller gives is stored as it is, like Etherpad does it; the default text is not.
        let text = match text {
            Some(text) => text,
            None => self.default_text(pad, author).await,
        };
        self.check_length(&text)?;
        let first = edit::first_text(&text, &first_author);
        let by = Some(author_or_system(author));
        let step = Head::empty().advance(first.change, first.pool, by, self.now())?;
        let step = step.ok_or(Error::Internal)?;
        self.store_new_pad(pad, &step, options).await
    }

    /// The pad that a caller means: of that very name, or of the name as new pads get it.
    pub async fn find_pad(&self, pad: &PadId) -> Result<PadId, Error> {
        if self.live.open(pad).await?.is_some() {
            return Ok(pad.clone());
        }
        let named = match PadId::for_new(pad.as_str()) {
            Some(cleaned) => self.name_for_new(cleaned).await?,
            None => return Err(Error::PadMissing),
        };
        if named != *pad && self.live.open(&named).await?.is_some() {
            Ok(named)
        } else {
            Err(Error::PadMissing)
        }
    }

    /// What a new pad is called that is asked for by this name. One that exists keeps its spelling.
    pub(crate) async fn name_for_new(&self, asked: PadId) -> Result<PadId, store::Error> {
        if !self.config.lower_case_ids {
            return Ok(asked);
        }
        let lower = asked.in_lower_case();
        if lower == asked || self.store.pad(&asked).await?.is_some() {
            Ok(asked)
        } else {
            Ok(lower)
        }
    }

    /// Deletes a pad. A caller without credential needs its deletion token.
    pub async fn delete_pad(
        &self,
        pad: &PadId,
        token: Option<&str>,
        caller: Caller,
    ) -> Result<(), Error> {
        let deleter = match caller {
            Caller::Trusted => Deleter::Trusted,
            Caller::Anonymous => Deleter::Anonymous { token },
        };
        // The same answer for a wrong token and for no pad: nobody learns which pads exist.
        let record = self.store.pad(pad).await?;
        let hash = record.and_then(|record| record.deletion);
        if !deleter.may_delete(hash.as_ref(), self.config.deletion_by_all) {
            return Err(Error::DeletionToken);
        }
        self.remove_pad(pad).await
    }

    /// Takes a pad out of circulation and deletes it.
    pub(crate) async fn remove_pad(&self, pad: &PadId) -> Result<(), Error> {
        let _taken = self.live.take(&[(pad, Some(Ending::Gone))]).await;
        let record = self.record(pad).await?;
        if !self.store.delete_pad(record.key).await? {
            return Err(Error::PadMissing);
        }
        self.hooks.notify(Notice::PadDeleted { pad });
        Ok(())
    }

    /// The number of the newest revision.
    pub async fn get_revisions_count(&self, pad: &PadId) -> Result<Rev, Error> {
        Ok(self.head(pad).await?.rev.unwrap_or_default())
    }

    pub async fn list_saved_revisions(&self, pad: &PadId) -> Result<Vec<Rev>, Error> {
        let record = self.record(pad).await?;
        let saved = self.store.saved_revisions(record.key).await?;
        Ok(saved.into_iter().map(|saved| saved.rev).collect())
    }

    /// Marks a revision, the newest without a number. Marking it twice is fine.
    pub async fn save_revision(&self, pad: &PadId, rev: Option<Rev>) -> Result<(), Error> {
        let live = self.open(pad).await?;
        let saved = SavedRevision {
            rev: existing_rev(&live, rev)?,
            id: format!("{:032x}", self.entropy())
                .chars()
                .take(20)
                .collect(),
            label: "Saved through API call".to_owned(),
            author: None,
            time: self.now(),
        };
        if save_revision(&self.store, live.key, &saved).await? {
            live.notify_saved(&saved);
            live.tell(Event::Saved(Arc::new(saved)));
        }
        Ok(())
    }

    /// The id under which a pad can be read and not written; made at the first call.
    pub async fn get_read_only_id(&self, pad: &PadId) -> Result<ReadOnlyId, Error> {
        let record = self.record(pad).await?;
        let candidate = ReadOnlyId::random(self.entropy());
        self.store
            .read_only_id(record.key, candidate)
            .await?
            .ok_or(Error::PadMissing)
    }

    pub async fn get_pad_id(&self, read_only: &ReadOnlyId) -> Result<PadId, Error> {
        self.store
            .pad_of_read_only_id(read_only)
            .await?
            .ok_or(Error::PadMissing)
    }

    /// Opens a group's pad to everybody, or closes it again.
    pub async fn set_public_status(&self, pad: &PadId, public: bool) -> Result<(), Error> {
        let record = self.group_pad(pad).await?;
        if !self.store.set_public(record.key, public).await? {
            return Err(Error::PadMissing);
        }
        if !public {
            self.expel_uninvited(pad).await;
        }
        Ok(())
    }

    pub async fn get_public_status(&self, pad: &PadId) -> Result<bool, Error> {
        Ok(self.group_pad(pad).await?.public)
    }

    async fn group_pad(&self, pad: &PadId) -> Result<store::PadRecord, Error> {
        if !pad.is_group_pad() {
            return Err(Error::NotAGroupPad);
        }
        self.record(pad).await
    }

    /// Everybody who has written in a pad, the system author left out.
    pub async fn list_authors_of_pad(&self, pad: &PadId) -> Result<Vec<AuthorId>, Error> {
        let record = self.record(pad).await?;
        let mut authors = self.store.authors_of_pad(record.key).await?;
        authors.retain(|author| !author.is_system());
        Ok(authors)
    }

    /// When the newest revision was made.
    pub async fn get_last_edited(&self, pad: &PadId) -> Result<Timestamp, Error> {
        Ok(self.head(pad).await?.time)
    }
}

pub(super) const PAD_IDS: &str = "{padIDs: [string]}";

pub(super) fn pad_ids(pads: Vec<PadId>) -> Value {
    let ids = pads.into_iter().map(|pad| pad.into_string().into());
    large("padIDs", Value::Array(ids.collect()))
}

const PUBLIC_STATUS: Param = Param::boolean("publicStatus", "whether everybody may open the pad");

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "createPad",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[
            PAD_ID,
            Param::text("text", "the first text; the default text if left out").optional(),
            EDITING_AUTHOR,
        ],
        about: "Creates a pad that belongs to no group.",
        result: "{deletionToken: string|null}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let name = arguments.text("padID")?;
                if name.contains(['/', '?', '&', '#']) {
                    return Err(Error::PadIdMalformed);
                }
                if name.contains('$') {
                    return Err(Error::GroupPadWithoutGroup);
                }
                let pad = PadId::for_new(name).ok_or(Error::PadIdForm)?;
                let pad = service.name_for_new(pad).await?;
                let text = arguments.optional_content("text")?;
                let author = arguments.editing_author()?;
                let token = service.create_pad(&pad, text, author.as_ref()).await?;
                Ok(json!({ "deletionToken": token.as_str() }))
            })
        },
    },
    Function {
        name: "getRevisionsCount",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Gives the number of the newest revision.",
        result: "{revisions: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "revisions": service.get_revisions_count(&pad).await?.0 }))
            })
        },
    },
    Function {
        name: "getSavedRevisionsCount",
        heading: Heading::Pads,
        since: Version::V1_2_11,
        params: &[PAD_ID],
        about: "Tells how many revisions are saved.",
        result: "{savedRevisions: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "savedRevisions": service.list_saved_revisions(&pad).await?.len() }))
            })
        },
    },
    Function {
        name: "listSavedRevisions",
        heading: Heading::Pads,
        since: Version::V1_2_11,
        params: &[PAD_ID],
        about: "Lists the saved revisions.",
        result: "{savedRevisions: [integer]}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let saved = service.list_saved_revisions(&pad).await?;
                let saved: Vec<u64> = saved.into_iter().map(|rev| rev.0).collect();
                Ok(json!({ "savedRevisions": saved }))
            })
        },
    },
    Function {
        name: "saveRevision",
        heading: Heading::Pads,
        since: Version::V1_2_11,
        params: &[PAD_ID, REV],
        about: "Marks a revision as saved; the newest if none is named.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                service.save_revision(&pad, arguments.rev("rev")?).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "deletePad",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[
            PAD_ID,
            Param::text(
                "deletionToken",
                "what createPad gave; for callers without credential",
            )
            .optional(),
        ],
        about: "Deletes a pad.",
        result: "null",
        authorizes_itself: true,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let token = arguments.optional_text("deletionToken")?;
                let pad = match service.find_pad(&pad).await {
                    Err(Error::PadMissing) => pad,
                    found => found?,
                };
                service.delete_pad(&pad, token, arguments.caller).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "getReadOnlyID",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Gives the id under which a pad can be read and not written.",
        result: "{readOnlyID: string}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "readOnlyID": service.get_read_only_id(&pad).await?.as_str() }))
            })
        },
    },
    Function {
        name: "getPadID",
        heading: Heading::Pads,
        since: Version::V1_2_10,
        params: &[Param::text("roID", "the read-only id of a pad")],
        about: "Gives the pad that a read-only id stands for.",
        result: "{padID: string}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let read_only = arguments.id("roID", ReadOnlyId::parse, Error::PadMissing)?;
                Ok(json!({ "padID": service.get_pad_id(&read_only).await?.as_str() }))
            })
        },
    },
    Function {
        name: "setPublicStatus",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID, PUBLIC_STATUS],
        about: "Opens a group's pad to everybody, or closes it again.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let public = arguments.boolean("publicStatus");
                let pad = service.find_group_pad(&pad).await?;
                let public = public?.ok_or(Error::NotABoolean("publicStatus"))?;
                service.set_public_status(&pad, public).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "getPublicStatus",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Tells whether everybody may open a group's pad.",
        result: "{publicStatus: boolean}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_group_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "publicStatus": service.get_public_status(&pad).await? }))
            })
        },
    },
    Function {
        name: "listAuthorsOfPad",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Lists everybody who has written in a pad.",
        result: "{authorIDs: [string]}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let authors = service.list_authors_of_pad(&pad).await?;
                let ids: Vec<&str> = authors.iter().map(AuthorId::as_str).collect();
                Ok(json!({ "authorIDs": ids }))
            })
        },
    },
    Function {
        name: "getLastEdited",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Tells when the newest revision was made, in milliseconds.",
        result: "{lastEdited: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "lastEdited": service.get_last_edited(&pad).await?.millis() }))
            })
        },
    },
];

/// Marks a revision, unless the pad has too many of them. False: it is marked already.
pub(crate) async fn save_revision(
    store: &Store,
    key: PadKey,
    saved: &SavedRevision,
) -> Result<bool, Error> {
    // People mark revisions by hand, so that a list of them is short and seldom read here.
    let marked = store.saved_revisions(key).await?;
    if marked.len() >= SAVED_REVISIONS && marked.iter().all(|it| it.rev != saved.rev) {
        return Err(Error::TooManySavedRevisions);
    }
    Ok(store.save_revision(key, saved).await?)
}

impl Service {
    /// Like [`Service::find_pad`], for functions that only concern pads of groups.
    async fn find_group_pad(&self, pad: &PadId) -> Result<PadId, Error> {
        if !pad.is_group_pad() {
            return Err(Error::NotAGroupPad);
        }
        self.find_pad(pad).await
    }
}
