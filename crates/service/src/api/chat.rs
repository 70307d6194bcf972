//! Chat: what people say beside the text.

use std::sync::Arc;

use changeset::Text;
use contract::{AUTHOR_ID, Error, PAD_ID, Param, Version};
use pad::limits::CHAT_TEXT;
use pad::{AuthorId, ChatMessage, PadId, Timestamp};
use serde_json::{Value, json};
use store::Store;
use wtf_json::{Json, object};

use crate::Service;
use crate::api::Data;
use crate::api::function::{Function, Heading, value};
use crate::chat_entry::ChatEntry;
use crate::live::Event;

/// # Chat
///
/// What people say beside the text.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// use service::pad::PadId;
///
/// let pad = PadId::for_new("notes").ok_or("no such name can exist")?;
/// service.create_pad(&pad, None, None).await?;
/// let ada = service.create_author(Some("Ada")).await?;
/// service.append_chat_message(&pad, "Hello".into(), &ada, None).await?;
///
/// assert_eq!(service.get_chat_head(&pad).await?, 0);
/// let history = service.get_chat_history(&pad, None, None).await?;
/// assert_eq!(history[0].message.text.to_string(), "Hello");
/// assert_eq!(history[0].author_name.as_deref(), Some("Ada"));
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    /// The messages from `start` to `end`, both included; all without them.
    pub async fn get_chat_history(
        &self,
        pad: &PadId,
        start: Option<i64>,
        end: Option<i64>,
    ) -> Result<Vec<ChatEntry>, Error> {
        let record = self.record(pad).await?;
        let head = record.chat_count as i64 - 1;
        if let Some(start) = start {
            if start < 0 {
                return Err(Error::ChatStartNegative);
            }
            if end.is_some_and(|end| start > end) {
                return Err(Error::ChatStartAfterEnd);
            }
            if start >= head {
                return Err(Error::ChatStartTooHigh);
            }
        }
        if end.is_some_and(|end| end > head) {
            return Err(Error::ChatEndTooHigh);
        }
        let first = start.unwrap_or(0).max(0) as u64;
        let after = (end.unwrap_or(head) + 1).max(0) as u64;
        let messages = self.store.chat(record.key, first..after).await?;
        with_names(
            &self.store,
            messages.into_iter().map(|(_, message)| message).collect(),
        )
        .await
    }

    /// The number of the last message; -1 if there is none.
    pub async fn get_chat_head(&self, pad: &PadId) -> Result<i64, Error> {
        Ok(self.record(pad).await?.chat_count as i64 - 1)
    }

    pub async fn append_chat_message(
        &self,
        pad: &PadId,
        text: Text,
        author: &AuthorId,
        time: Option<Timestamp>,
    ) -> Result<(), Error> {
        if text.len() > CHAT_TEXT {
            return Err(Error::TextTooLong);
        }
        let record = self.record(pad).await?;
        let time = time.unwrap_or_else(|| self.now());
        let message = ChatMessage {
            text,
            author: Some(author.clone()),
            time,
        };
        let index = self.store.append_chat(record.key, &message).await?;
        let number = index.ok_or(Error::PadMissing)?;
        if let Some(live) = self.live.peek(pad).await {
            for mut entry in with_names(&self.store, vec![message]).await? {
                entry.number = Some(number);
                live.tell(Event::Chat(Arc::new(entry)));
            }
        }
        Ok(())
    }
}

/// Messages with the names that their authors have now.
pub(crate) async fn with_names(
    store: &Store,
    messages: Vec<ChatMessage>,
) -> Result<Vec<ChatEntry>, Error> {
    let mut ids: Vec<AuthorId> = messages
        .iter()
        .filter_map(|message| message.author.clone())
        .collect();
    ids.sort();
    ids.dedup();
    let authors = store.authors(&ids).await?;
    let name_of = |id: &AuthorId| authors.iter().find(|a| a.id == *id)?.name.clone();
    let entry = |message: ChatMessage| ChatEntry {
        author_name: message.author.as_ref().and_then(name_of),
        message,
        number: None,
    };
    Ok(messages.into_iter().map(entry).collect())
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "getChatHistory",
        heading: Heading::Chat,
        since: Version::V1_2_7,
        params: &[
            PAD_ID,
            Param::integer("start", "the first message").optional(),
            Param::integer("end", "the last message").optional(),
        ],
        about: "Gives the chat messages of a pad, or a part of them.",
        result: "{messages: [{text: string, userId: string|null, time: integer, \
                 userName: string|null}]}",
        authorizes_itself: false,
        run: |service, arguments| {
            Box::pin(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let (start, end) = (arguments.integer("start")?, arguments.integer("end")?);
                let entries = service.get_chat_history(&pad, start, end).await?;
                let messages = Json::Array(entries.iter().map(entry_data).collect());
                Ok(Data::from(object([("messages", messages)])))
            })
        },
    },
    Function {
        name: "getChatHead",
        heading: Heading::Chat,
        since: Version::V1_2_7,
        params: &[PAD_ID],
        about: "Gives the number of the last chat message; -1 if there is none.",
        result: "{chatHead: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "chatHead": service.get_chat_head(&pad).await? }))
            })
        },
    },
    Function {
        name: "appendChatMessage",
        heading: Heading::Chat,
        since: Version::V1_2_12,
        params: &[
            PAD_ID,
            Param::text("text", "the message"),
            AUTHOR_ID,
            Param::integer("time", "when it was said, in milliseconds; now if left out").optional(),
        ],
        about: "Adds a chat message to a pad.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let text = arguments
                    .content("text")
                    .map_err(|_| Error::TextIsNoString)?;
                let author = AuthorId::parse(arguments.text("authorID")?)
                    .ok_or(Error::AuthorForm("authorID"))?;
                let time = arguments
                    .natural("time")?
                    .map(|millis| Timestamp(millis as i64));
                let pad = service.find_pad(&pad).await?;
                service
                    .append_chat_message(&pad, text, &author, time)
                    .await?;
                Ok(Value::Null)
            })
        },
    },
];

fn entry_data(entry: &ChatEntry) -> Json {
    let ChatMessage { text, author, time } = &entry.message;
    object([
        ("text", text.clone().into()),
        ("userId", author.as_ref().map(AuthorId::as_str).into()),
        ("time", Json::Number(time.millis().into())),
        ("userName", entry.author_name.as_deref().into()),
    ])
}
