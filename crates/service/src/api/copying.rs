//! Copying, moving and compacting whole pads.

use changeset::Document;
use contract::{CallArguments, EDITING_AUTHOR, Error, PAD_ID, Param, Version};
use pad::{AuthorId, DeletionToken, Head, PadId, edit};
use serde_json::{Value, json};
use store::{NewPad, Transfer};

use crate::Service;
use crate::api::content::author_or_system;
use crate::api::function::{Function, Heading, value};
use crate::hooks::Notice;
use crate::live::Ending;

impl Service {
    /// Copies a pad with its history and chat. The copy gets a deletion token of its own.
    pub async fn copy_pad(
        &self,
        source: &PadId,
        destination: &PadId,
        force: bool,
    ) -> Result<(), Error> {
        self.check_destination(destination).await?;
        if source == destination {
            return self.same_place(source, force).await;
        }
        let replaced = (destination, Some(Ending::Replaced));
        let _taken = self.live.take(&[(source, None), replaced]).await;
        let key = self.record(source).await?.key;
        let deletion = self.copied_token();
        let now = self.now();
        finished(
            self.store
                .copy_pad(key, destination, force, deletion, now)
                .await?,
        )?;
        self.notify_copied(source, destination, false);
        Ok(())
    }

    /// Copies what a pad says now, without its history and chat.
    pub async fn copy_pad_without_history(
        &self,
        source: &PadId,
        destination: &PadId,
        force: bool,
        author: Option<&AuthorId>,
    ) -> Result<(), Error> {
        self.check_destination(destination).await?;
        let head = self.head(source).await?;
        if source == destination {
            return self.same_place(source, force).await;
        }
        let replaced = (destination, Some(Ending::Replaced));
        let _taken = self.live.take(&[replaced]).await;
        let step = copied(&head, &author_or_system(author), self.now())?;
        let deletion = self.copied_token();
        let public = self.record(source).await?.public;
        let new = NewPad {
            id: destination,
            step: &step,
            deletion,
            public,
            settings: None,
        };
        let created = if force {
            self.store.create_pad_over(new).await?
        } else {
            self.store.create_pad(new).await?
        };
        match created {
            Some(_) => {
                self.notify_copied(source, destination, false);
                Ok(())
            }
            None => Err(Error::DestinationExists),
        }
    }

    /// Gives a pad another name. Its deletion token and read-only id stay with it.
    pub async fn move_pad(
        &self,
        source: &PadId,
        destination: &PadId,
        force: bool,
    ) -> Result<(), Error> {
        self.check_destination(destination).await?;
        if source == destination {
            return self.same_place(source, force).await;
        }
        let gone = [source, destination].map(|pad| (pad, Some(Ending::Gone)));
        let _taken = self.live.take(&gone).await;
        let key = self.record(source).await?.key;
        finished(self.store.move_pad(key, destination, force).await?)?;
        self.notify_copied(source, destination, true);
        Ok(())
    }

    fn notify_copied(&self, pad: &PadId, copy: &PadId, moved: bool) {
        self.hooks.notify(Notice::PadCopied { pad, copy, moved });
    }

    /// Shortens the history of a pad to its last `keep` revisions; to none without a number.
    pub async fn compact_pad(&self, pad: &PadId, keep: Option<u64>) -> Result<(), Error> {
        if !self.config.compaction {
            return Err(Error::CompactionDisabled);
        }
        let _taken = self.live.take(&[(pad, Some(Ending::Replaced))]).await;
        loop {
            let key = self.record(pad).await?.key;
            // Another process may have written meanwhile; then its revision is part of the task.
            if self.store.compact_pad(key, keep).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// A pad copied or moved onto itself stays as it is.
    async fn same_place(&self, pad: &PadId, force: bool) -> Result<(), Error> {
        self.record(pad).await?;
        if force {
            Ok(())
        } else {
            Err(Error::DestinationExists)
        }
    }

    pub(crate) async fn check_destination(&self, destination: &PadId) -> Result<(), Error> {
        let Some(group) = destination.group() else {
            return Ok(());
        };
        if self.store.group_exists(&group).await? {
            Ok(())
        } else {
            Err(Error::DestinationGroupMissing)
        }
    }

    /// A token that nobody gets: the copy can be deleted with a credential, and a caller that
    /// creates a pad of its name later gets another one.
    fn copied_token(&self) -> Option<pad::TokenHash> {
        Some(DeletionToken::random([self.entropy(), self.entropy()]).hash())
    }

    /// The pad that a call is to make.
    async fn destination(&self, arguments: &CallArguments) -> Result<PadId, Error> {
        let name = arguments.text("destinationID")?;
        let pad = PadId::for_new(name).ok_or(Error::PadIdForm)?;
        Ok(self.name_for_new(pad).await?)
    }
}

/// The first revision of a pad that says what another one says.
fn copied(head: &Head, author: &AuthorId, now: pad::Timestamp) -> Result<pad::Step, Error> {
    let empty = Head::empty();
    let runs = edit::runs_of(&head.document, &head.pool);
    let document: &Document = &empty.document;
    let prepared = edit::set_runs(document, &empty.pool, &runs, author);
    let step = empty.advance(prepared.change, prepared.pool, Some(author.clone()), now)?;
    step.ok_or(Error::Internal)
}

fn finished(transfer: Transfer) -> Result<(), Error> {
    match transfer {
        Transfer::Done(_) => Ok(()),
        Transfer::SourceMissing => Err(Error::PadMissing),
        Transfer::DestinationExists => Err(Error::DestinationExists),
    }
}

const SOURCE: Param = Param::text("sourceID", "the pad to take");
const DESTINATION: Param = Param::text("destinationID", "the id of the pad to make");
const FORCE: Param = Param::boolean("force", "whether an existing pad is overwritten").optional();

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "copyPad",
        heading: Heading::Pads,
        since: Version::V1_2_9,
        params: &[SOURCE, DESTINATION, FORCE],
        about: "Copies a pad with its history and chat.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let source = arguments.pad("sourceID")?;
                let destination = service.destination(arguments).await?;
                let force = arguments.boolean("force")?.unwrap_or(false);
                let source = service.find_pad(&source).await?;
                service.copy_pad(&source, &destination, force).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "copyPadWithoutHistory",
        heading: Heading::Pads,
        since: Version::V1_2_15,
        params: &[SOURCE, DESTINATION, FORCE, EDITING_AUTHOR],
        about: "Copies what a pad says now, without its history and chat.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let source = arguments.pad("sourceID")?;
                let destination = service.destination(arguments).await?;
                let force = arguments.boolean("force")?.unwrap_or(false);
                let author = arguments.editing_author()?;
                let source = service.find_pad(&source).await?;
                let author = author.as_ref();
                service
                    .copy_pad_without_history(&source, &destination, force, author)
                    .await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "movePad",
        heading: Heading::Pads,
        since: Version::V1_2_9,
        params: &[SOURCE, DESTINATION, FORCE],
        about: "Gives a pad another id.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let source = arguments.pad("sourceID")?;
                let destination = service.destination(arguments).await?;
                let force = arguments.boolean("force")?.unwrap_or(false);
                let source = service.find_pad(&source).await?;
                service.move_pad(&source, &destination, force).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "compactPad",
        heading: Heading::Pads,
        since: Version::V1_3_1,
        params: &[
            PAD_ID,
            Param::integer("keepRevisions", "how many revisions stay; none if left out").optional(),
        ],
        about: "Removes older history. The text, the chat and the newest revisions stay.",
        result: "{ok: true, mode: \"all\"|\"keepLast\", keepRevisions?: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                if !service.config.compaction {
                    return Err(Error::CompactionDisabled);
                }
                let keep = match arguments.optional_text("keepRevisions") {
                    Ok(Some("")) => None,
                    _ => arguments
                        .natural("keepRevisions")
                        .map_err(|_| Error::KeepRevisions)?,
                };
                let keep = keep.filter(|keep| *keep > 0);
                let pad = service.find_pad(&pad).await?;
                service.compact_pad(&pad, keep).await?;
                Ok(match keep {
                    None => json!({ "ok": true, "mode": "all" }),
                    Some(keep) => json!({ "ok": true, "mode": "keepLast", "keepRevisions": keep }),
                })
            })
        },
    },
];
