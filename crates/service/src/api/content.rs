//! Pad content: reading and setting text and HTML, and the history behind it.

use changeset::{Changeset, Document, Pool, Text};
use contract::{EDITING_AUTHOR, Error, PAD_ID, Param, REV, Version};
use convert::Meanings;
use convert::html::Fault;
use pad::edit::Run;
use pad::{AuthorId, PadId, Rev, Revision};
use serde_json::{Map, Value, json};
use wtf_json::{Json, object};

use crate::Service;
use crate::answer_cache::{Form, Source};
use crate::api::function::{Function, Heading, value};
use crate::api::{Data, large};
use crate::live::{Edit, LivePad};

/// # Pad content
///
/// What pads say now and said before, as text and as HTML.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// use service::pad::PadId;
///
/// let pad = PadId::for_new("notes").ok_or("no such name can exist")?;
/// service.create_pad(&pad, Some("one".into()), None).await?;
/// let before = service.get_revisions_count(&pad).await?;
///
/// service.set_html(&pad, "<p>one and <b>two</b></p>", None).await?;
/// assert!(service.get_html(&pad, None).await?.contains("<strong>two</strong>"));
/// assert!(service.get_text(&pad, Some(before)).await?.to_string().starts_with("one\n"));
///
/// // What changed, and back again.
/// let (html, _authors) = service.create_diff_html(&pad, before, before.next()).await?;
/// assert!(html.contains("two"));
/// service.restore_revision(&pad, before, None).await?;
/// assert!(!service.get_text(&pad, None).await?.to_string().contains("two"));
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    /// The text, lists written out. With a revision, the text as it is stored: where a line has a
    /// list, its marker is a `*`.
    pub async fn get_text(&self, pad: &PadId, rev: Option<Rev>) -> Result<Text, Error> {
        let live = self.open(pad).await?;
        let document = self.document(&live, rev).await?;
        let (pool, declared) = (live.head().pool, self.declared_attributes());
        Ok(text_of(&document, Meanings::new(&pool, &declared), rev))
    }

    pub async fn set_text(
        &self,
        pad: &PadId,
        text: Text,
        author: Option<&AuthorId>,
    ) -> Result<(), Error> {
        self.check_length(&text)?;
        self.edit(pad, Edit::SetText(text), &author_or_system(author))
            .await
    }

    /// Adds text at the end, in front of the final newline.
    pub async fn append_text(
        &self,
        pad: &PadId,
        text: Text,
        author: Option<&AuthorId>,
    ) -> Result<(), Error> {
        self.check_length(&text)?;
        self.edit(pad, Edit::AppendText(text), &author_or_system(author))
            .await
    }

    pub async fn get_html(&self, pad: &PadId, rev: Option<Rev>) -> Result<String, Error> {
        let live = self.open(pad).await?;
        let document = self.document(&live, rev).await?;
        let (pool, declared) = (live.head().pool, self.declared_attributes());
        let meanings = Meanings::new(&pool, &declared);
        Ok(convert::html::get_html(&document, meanings))
    }

    /// Replaces the content by what the HTML says, in one revision.
    pub async fn set_html(
        &self,
        pad: &PadId,
        html: &str,
        author: Option<&AuthorId>,
    ) -> Result<(), Error> {
        // A pad that does not exist is the caller's first concern.
        self.open(pad).await?;
        let limits = convert::Limits {
            text: self.config.max_text,
            declared: self.declared_attributes(),
            ..convert::Limits::default()
        };
        let read = convert::html::read_with_faults(html, &limits);
        let (runs, faults) = read.map_err(|error| match error {
            convert::Error::TextTooLong => Error::TextTooLong,
            other => Error::Html(other.to_string()),
        })?;
        if let Some(Fault { line, what }) = faults.first {
            let count = faults.count;
            tracing::warn!(
                target: "api",
                "setHTML was given malformed HTML: {what} in line {line} ({count} in all)"
            );
        }
        let runs: Vec<Run> = runs
            .into_iter()
            .map(|run| Run {
                text: run.text,
                attributes: run.attributes,
            })
            .collect();
        self.edit(pad, Edit::SetRuns(runs), &author_or_system(author))
            .await
    }

    pub async fn get_attribute_pool(&self, pad: &PadId) -> Result<Pool, Error> {
        Ok(Pool::clone(&self.head(pad).await?.pool))
    }

    /// The change of a revision; of the newest without a number.
    pub async fn get_revision_changeset(
        &self,
        pad: &PadId,
        rev: Option<Rev>,
    ) -> Result<Changeset, Error> {
        let live = self.open(pad).await?;
        let rev = existing_rev(&live, rev)?;
        let mut revisions = self.store.revisions(live.key, rev..rev.next()).await?;
        revisions
            .pop()
            .map(|revision| revision.change)
            .ok_or(Error::RevTooHigh)
    }

    /// What changed between two revisions, as HTML, and who changed it. Revisions beyond the newest
    /// are taken as the newest.
    pub async fn create_diff_html(
        &self,
        pad: &PadId,
        start: Rev,
        end: Rev,
    ) -> Result<(String, Vec<String>), Error> {
        let live = self.open(pad).await?;
        let head = live.head();
        let newest = head.rev.unwrap_or_default();
        let (start, end) = (start.min(newest), end.min(newest));
        if start > end {
            return Err(Error::RevsOutOfOrder);
        }
        let base = self.document(&live, Some(start)).await?;
        let revisions = self
            .store
            .revisions(live.key, start.next()..end.next())
            .await?;
        let authors = self.store.authors_of_pad(live.key).await?;
        let authors = self.store.authors(&authors).await?;
        let colour_of = |id: &str| {
            let author = authors.iter().find(|author| author.id.as_str() == id)?;
            Some(author.colour.to_css().to_owned())
        };
        let changes: Vec<(Changeset, &str)> = revisions.iter().map(change_and_author).collect();
        let declared = self.declared_attributes();
        let meanings = Meanings::new(&head.pool, &declared);
        convert::html::diff(&base, &changes, meanings, &colour_of).map_err(|error| {
            tracing::error!(%error, "a diff of stored revisions failed");
            Error::Internal
        })
    }

    /// Puts the document of an earlier revision back, as a new revision.
    pub async fn restore_revision(
        &self,
        pad: &PadId,
        rev: Rev,
        author: Option<&AuthorId>,
    ) -> Result<(), Error> {
        let live = self.open(pad).await?;
        let document = self.document(&live, Some(rev)).await?;
        self.edit(pad, Edit::Restore(document), &author_or_system(author))
            .await
    }

    /// The text or the HTML as the API answers it. That of the newest revision is written once.
    async fn answer(&self, form: Form, pad: &PadId, rev: Option<Rev>) -> Result<Data, Error> {
        let live = self.open(pad).await?;
        let head = live.head();
        let source = Source {
            rev: head.rev,
            declared: self.declared_attributes(),
        };
        let kept = || self.answers.get(live.key, form, &source);
        if let Some(json) = rev.is_none().then(kept).flatten() {
            return Ok(Data::Written(json));
        }
        let document = match rev {
            None => head.document,
            Some(_) => self.document(&live, rev).await?,
        };
        let meanings = Meanings::new(&head.pool, &source.declared);
        let data = match form {
            Form::Html => large("html", convert::html::get_html(&document, meanings)).into(),
            Form::Text => {
                let text = text_of(&document, meanings, rev);
                match text.to_utf8() {
                    Some(text) => large("text", text).into(),
                    None => Data::from(object([("text", text.into())])),
                }
            }
        };
        let json = data.into_written();
        if rev.is_none() {
            self.answers.keep(live.key, form, source, &json);
        }
        Ok(Data::Written(json))
    }

    pub(crate) async fn document(
        &self,
        live: &LivePad,
        rev: Option<Rev>,
    ) -> Result<Document, Error> {
        let rev = existing_rev(live, rev)?;
        let head = live.head();
        if head.rev == Some(rev) {
            return Ok(head.document);
        }
        self.store
            .document_at(live.key, rev)
            .await?
            .ok_or(Error::PadMissing)
    }

    pub(crate) fn check_length(&self, text: &[u16]) -> Result<(), Error> {
        if text.len() > self.config.max_text {
            Err(Error::TextTooLong)
        } else {
            Ok(())
        }
    }
}

/// Lists are written out in what a pad says now, and not in what it said.
fn text_of(document: &Document, meanings: Meanings<'_>, rev: Option<Rev>) -> Text {
    match rev {
        Some(_) => document.text(),
        None => convert::text::write(document, meanings),
    }
}

pub(crate) fn author_or_system(author: Option<&AuthorId>) -> AuthorId {
    author.cloned().unwrap_or_else(AuthorId::system)
}

/// A revision that the pad has; the newest if none is named.
pub(super) fn existing_rev(live: &LivePad, rev: Option<Rev>) -> Result<Rev, Error> {
    let newest = live.head().rev.unwrap_or_default();
    match rev.unwrap_or(newest) {
        rev if rev > newest => Err(Error::RevTooHigh),
        rev => Ok(rev),
    }
}

fn change_and_author(revision: &Revision) -> (Changeset, &str) {
    let author = revision.author.as_ref().map_or("", AuthorId::as_str);
    (revision.change.clone(), author)
}

const TEXT: Param = Param::text("text", "the text");

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "getText",
        heading: Heading::Content,
        since: Version::V1,
        params: &[PAD_ID, REV],
        about: "Gives the text of a pad, or of one of its revisions.",
        result: "{text: string}",
        authorizes_itself: false,
        run: |service, arguments| {
            Box::pin(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                service
                    .answer(Form::Text, &pad, arguments.rev("rev")?)
                    .await
            })
        },
    },
    Function {
        name: "setText",
        heading: Heading::Content,
        since: Version::V1,
        params: &[PAD_ID, TEXT, EDITING_AUTHOR],
        about: "Replaces the text of a pad.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let text = arguments.content("text")?;
                let author = arguments.editing_author()?;
                let pad = service.find_pad(&pad).await?;
                service.set_text(&pad, text, author.as_ref()).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "appendText",
        heading: Heading::Content,
        since: Version::V1_2_13,
        params: &[PAD_ID, TEXT, EDITING_AUTHOR],
        about: "Adds text at the end of a pad.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let text = arguments.content("text")?;
                let author = arguments.editing_author()?;
                let pad = service.find_pad(&pad).await?;
                service.append_text(&pad, text, author.as_ref()).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "getHTML",
        heading: Heading::Content,
        since: Version::V1,
        params: &[PAD_ID, REV],
        about: "Gives the content of a pad, or of one of its revisions, as HTML.",
        result: "{html: string}",
        authorizes_itself: false,
        run: |service, arguments| {
            Box::pin(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                service
                    .answer(Form::Html, &pad, arguments.rev("rev")?)
                    .await
            })
        },
    },
    Function {
        name: "setHTML",
        heading: Heading::Content,
        since: Version::V1,
        params: &[
            PAD_ID,
            Param::text("html", "well-formed HTML"),
            EDITING_AUTHOR,
        ],
        about: "Replaces the content of a pad by what HTML says.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let html = arguments.text("html")?;
                let author = arguments.editing_author()?;
                let pad = service.find_pad(&pad).await?;
                service.set_html(&pad, html, author.as_ref()).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "getAttributePool",
        heading: Heading::Content,
        since: Version::V1_2_8,
        params: &[PAD_ID],
        about: "Gives all attributes that the revisions of a pad use.",
        result: "{pool: {numToAttrib: {*: [string]}, attribToNum: {*: integer}, nextNum: integer}}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "pool": pool_data(&service.get_attribute_pool(&pad).await?) }))
            })
        },
    },
    Function {
        name: "getRevisionChangeset",
        heading: Heading::Content,
        since: Version::V1_2_8,
        params: &[PAD_ID, REV],
        about: "Gives the changeset of a revision; of the newest if none is named.",
        result: "string",
        authorizes_itself: false,
        run: |service, arguments| {
            Box::pin(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let rev = arguments.rev("rev")?;
                let change = service.get_revision_changeset(&pad, rev).await?;
                Ok(Data::from(Json::String(change.print())))
            })
        },
    },
    Function {
        name: "createDiffHTML",
        heading: Heading::Content,
        since: Version::V1_2_7,
        params: &[
            PAD_ID,
            Param::integer("startRev", "the revision to start from"),
            Param::integer("endRev", "the revision to end with"),
        ],
        about: "Shows what changed between two revisions, as HTML, and by whom.",
        result: "{html: string, authors: [string]}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let start = arguments
                    .rev("startRev")?
                    .ok_or(Error::NotANumber("startRev"))?;
                let end = arguments
                    .rev("endRev")?
                    .ok_or(Error::NotANumber("endRev"))?;
                let (html, authors) = service.create_diff_html(&pad, start, end).await?;
                Ok(json!({ "html": html, "authors": authors }))
            })
        },
    },
    Function {
        name: "restoreRevision",
        heading: Heading::Content,
        since: Version::V1_2_11,
        params: &[
            Param::text("padId", "the id of the pad"),
            Param::integer("rev", "the revision to restore"),
            EDITING_AUTHOR,
        ],
        about: "Makes the content of an earlier revision the newest one.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padId")?;
                let rev = arguments.rev("rev")?.ok_or(Error::RevMissing)?;
                let author = arguments.editing_author()?;
                let pad = service.find_pad(&pad).await?;
                service.restore_revision(&pad, rev, author.as_ref()).await?;
                Ok(Value::Null)
            })
        },
    },
];

fn pool_data(pool: &Pool) -> Value {
    let mut numbers = Map::new();
    let mut attributes = Map::new();
    for (number, attribute) in pool.entries() {
        numbers.insert(number.to_string(), json!([attribute.key, attribute.value]));
        attributes.insert(
            format!("{},{}", attribute.key, attribute.value),
            json!(number),
        );
    }
    json!({ "numToAttrib": numbers, "attribToNum": attributes, "nextNum": pool.next_number() })
}
