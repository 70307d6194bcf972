//! Pads as files: what is exported, and what an import does to a pad.
//!
//! Which formats there are and how they are written is `convert`'s matter. A pad with its whole
//! history can be far larger than memory, so it is handed out in parts.

use std::sync::Arc;

use changeset::{Document, Pool, Text};
use contract::Error;
use convert::native::{self, Counts, Writer};
use pad::edit::Run;
use pad::limits::{AUTHOR_NAME, CHAT_TEXT, SAVED_ID, SAVED_LABEL, SAVED_REVISIONS, cut};
use pad::{Author, AuthorId, ChatMessage, Colour, Rev, Revision, Timestamp, Title};
use store::{Import, PadKey, PadRecord, SavedRevision, Store};

use crate::Service;
use crate::admission::{JoinRequest, Visit};
use crate::limits::{CHAT_PAGE, EXPORTED_REVISIONS};
use crate::live::{Edit, Ending};

/// A pad whose newest revision has a smaller number may be replaced with its history, as Etherpad
/// has it.
pub const REPLACEABLE: Rev = Rev(10);

/// An `.etherpad` file that is being written.
pub struct NativeFile {
    store: Store,
    key: PadKey,
    writer: Writer,
    next_revision: Rev,
    /// The revision after the last one.
    end: Rev,
    next_message: u64,
    messages: u64,
    names: Vec<Author>,
    ended: bool,
}

impl Service {
    /// What a visitor sees: the newest content, or that of a revision. One beyond the newest is
    /// taken for it.
    pub async fn content(
        &self,
        visit: &Visit,
        rev: Option<Rev>,
    ) -> Result<(Document, Arc<Pool>), Error> {
        let live = self.open(&visit.pad).await?;
        let head = live.head();
        let rev = rev.filter(|rev| Some(*rev) < head.rev);
        Ok((self.document(&live, rev).await?, head.pool))
    }

    /// The names of those who have written in it.
    pub async fn names_in(&self, visit: &Visit) -> Result<Vec<String>, Error> {
        let ids = self.list_authors_of_pad(&visit.pad).await?;
        let authors = self.store.authors(&ids).await?;
        let mut names: Vec<String> = authors.into_iter().filter_map(|it| it.name).collect();
        names.dedup();
        Ok(names)
    }

    /// The pad with its history, whole or up to a revision, under the name the visitor used. A
    /// revision beyond the newest is taken for it.
    pub async fn native_file(&self, visit: &Visit, rev: Option<Rev>) -> Result<NativeFile, Error> {
        let live = self.open(&visit.pad).await?;
        let head = live.head();
        let rev = rev.filter(|rev| Some(*rev) < head.rev);
        let record = self.record(&visit.pad).await?;
        let last = rev.or(head.rev);
        let mut saved = self.store.saved_revisions(live.key).await?;
        saved.retain(|saved| Some(saved.rev) <= last);
        let ids = self.store.authors_of_pad(live.key).await?;
        let names = self.store.authors(&ids).await?;
        let end = last.map_or(Rev::FIRST, Rev::next);
        let counts = Counts {
            revisions: end.0,
            chat: record.chat_count,
        };
        let about = native::Head {
            id: visit.name.clone(),
            document: self.document(&live, rev).await?,
            pool: Pool::clone(&head.pool),
            saved_revisions: saved.into_iter().map(saved_revision).collect(),
            public_status: record.public,
            settings: settings(&record),
            title: record.title.as_ref().map(|title| title.as_str().into()),
        };
        let mut writer = Writer::new(about, counts);
        for author in names.iter().filter(|author| !author.id.is_system()) {
            writer.author(&native_author(author));
        }
        Ok(NativeFile {
            store: self.store.clone(),
            key: live.key,
            writer,
            next_revision: Rev::FIRST,
            end,
            next_message: 0,
            messages: record.chat_count,
            names,
            ended: false,
        })
    }

    /// Replaces the content of a pad by that of a file, as a revision of the visitor's, and makes
    /// the pad if there is none. What was there stays in the history.
    pub async fn import(
        &self,
        request: &JoinRequest,
        visit: &Visit,
        runs: Vec<Run>,
    ) -> Result<(), Error> {
        if runs.iter().map(|run| run.text.len()).sum::<usize>() > self.config.max_text {
            return Err(Error::TextTooLong);
        }
        let author = self.importing_author(request, visit).await?;
        self.edit(&visit.pad, Edit::SetRuns(runs), &author.id).await
    }
}

impl Service {
    /// Gives a pad the whole history of an `.etherpad` file in place of its own, and makes the pad
    /// if there is none. False: the pad has [`REPLACEABLE`] revisions or more; nothing was done.
    pub async fn import_native(
        &self,
        request: &JoinRequest,
        visit: &Visit,
        file: native::Pad,
    ) -> Result<bool, Error> {
        if file.head.document.len() > self.config.max_text {
            return Err(Error::TextTooLong);
        }
        self.importing_author(request, visit).await?;
        let replaced = (&visit.pad, Some(Ending::Replaced));
        let _taken = self.live.take(&[replaced]).await;
        let record = self.record(&visit.pad).await?;
        if record.head >= REPLACEABLE {
            return Ok(false);
        }
        let import = to_import(file);
        let imported = self.store.import_pad(record.key, record.head, import);
        Ok(imported.await?.is_some())
    }

    /// Who imports, and who creates the pad if there is none yet.
    async fn importing_author(
        &self,
        request: &JoinRequest,
        visit: &Visit,
    ) -> Result<Author, Error> {
        let author = self.author_of_visit(request).await;
        let author = author.map_err(|_| Error::Internal)?;
        if self.store.pad(&visit.pad).await?.is_none() {
            // Somebody else may have been faster; then it is there all the same.
            self.new_pad(&visit.pad, Some(Text::default()), Some(&author.id), None)
                .await?;
        }
        Ok(author)
    }
}

impl NativeFile {
    /// The next part; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<String>, Error> {
        if self.next_revision < self.end {
            self.write_revisions().await?;
        } else if self.next_message < self.messages {
            self.write_chat().await?;
        } else if self.ended {
            return Ok(None);
        } else {
            self.writer.finish();
            self.ended = true;
        }
        Ok(Some(self.writer.take()))
    }

    async fn write_revisions(&mut self) -> Result<(), Error> {
        let end = self.next_revision.plus(EXPORTED_REVISIONS).min(self.end);
        let range = self.next_revision..end;
        let revisions = self.store.revisions(self.key, range).await?;
        // Fewer means that the pad went away meanwhile.
        if Some(revisions.len() as u64) != end.since(self.next_revision) {
            return Err(Error::PadMissing);
        }
        for revision in revisions {
            let author = revision.author.map(AuthorId::into_string);
            let revision = native::Revision {
                changeset: revision.change,
                author: author.unwrap_or_default(),
                timestamp: unsigned(revision.time),
            };
            self.writer.revision(&revision).map_err(|error| {
                tracing::error!(%error, "a stored revision cannot be exported");
                Error::Internal
            })?;
        }
        self.next_revision = end;
        Ok(())
    }

    async fn write_chat(&mut self) -> Result<(), Error> {
        let end = (self.next_message + CHAT_PAGE).min(self.messages);
        let messages = self.store.chat(self.key, self.next_message..end).await?;
        for (_, message) in messages {
            let author = message.author.as_ref();
            let known = self.names.iter().find(|known| Some(&known.id) == author);
            let message = native::ChatMessage {
                name: known.and_then(|author| author.name.clone()),
                author: message.author.map(AuthorId::into_string),
                text: message.text,
                time: unsigned(message.time),
                extra: Vec::new(),
            };
            self.writer.chat(&message);
        }
        self.next_message = end;
        Ok(())
    }
}

/// A file as the store takes it: what is longer than we store it is cut.
pub fn to_import(file: native::Pad) -> Import {
    let revision = |revision: native::Revision| Revision {
        change: revision.changeset,
        author: AuthorId::parse(&revision.author),
        time: timestamp(revision.timestamp),
    };
    let message = |message: native::ChatMessage| ChatMessage {
        text: message
            .text
            .get(..CHAT_TEXT)
            .map_or(message.text.clone(), Text::from),
        author: message.author.as_deref().and_then(AuthorId::parse),
        time: timestamp(message.time),
    };
    let saved = |saved: native::SavedRevision| SavedRevision {
        rev: Rev(saved.revision),
        id: cut(&saved.id, SAVED_ID).to_owned(),
        label: cut(&saved.label.to_string_lossy(), SAVED_LABEL).to_owned(),
        author: AuthorId::parse(&saved.saved_by),
        time: timestamp(saved.timestamp),
    };
    let author = |author: native::Author| {
        Some(Author {
            id: AuthorId::parse(&author.id)?,
            name: author.name.map(|name| cut(&name, AUTHOR_NAME).to_owned()),
            colour: match author.colour {
                native::Colour::Palette(number) => Colour::palette(number),
                native::Colour::Hex(hex) => Colour::parse_hex(&hex).unwrap_or(Colour::Palette(0)),
            },
            created: timestamp(author.timestamp),
            last_seen: timestamp(author.last_seen.unwrap_or(author.timestamp)),
            erased: None,
        })
    };
    let saved_revisions = file.head.saved_revisions.into_iter();
    let title = file.head.title;
    Import {
        pool: Arc::new(file.head.pool),
        revisions: file.revisions.into_iter().map(revision).collect(),
        chat: file.chat.into_iter().map(message).collect(),
        saved: saved_revisions.take(SAVED_REVISIONS).map(saved).collect(),
        title: title.and_then(|title| Title::cut(&title.to_string_lossy())),
        authors: file.authors.into_iter().filter_map(author).collect(),
    }
}

fn saved_revision(saved: SavedRevision) -> native::SavedRevision {
    native::SavedRevision {
        id: saved.id,
        revision: saved.rev.0,
        saved_by: saved.author.map(AuthorId::into_string).unwrap_or_default(),
        label: saved.label.as_str().into(),
        timestamp: unsigned(saved.time),
    }
}

fn native_author(author: &Author) -> native::Author {
    native::Author {
        id: author.id.as_str().to_owned(),
        name: author.name.clone(),
        colour: match &author.colour {
            Colour::Palette(number) => native::Colour::Palette(*number),
            other => native::Colour::Hex(other.to_css().to_owned()),
        },
        timestamp: unsigned(author.created),
        last_seen: Some(unsigned(author.last_seen)),
    }
}

fn settings(record: &PadRecord) -> serde_json::Value {
    let text = record.settings.as_deref();
    text.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

fn unsigned(time: Timestamp) -> u64 {
    u64::try_from(time.millis()).unwrap_or(0)
}

fn timestamp(millis: u64) -> Timestamp {
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}
