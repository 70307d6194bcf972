//! Chat messages. Those of a pad are numbered from zero without gaps.

use std::ops::Range;

use pad::{AuthorId, ChatMessage, Timestamp};

use crate::Store;
use crate::cluster::{NodeId, Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::people;
use crate::record::PadKey;
use crate::sql::{Failure, Row, Tx};
use codec::{decode_text, encode_text};

impl Store {
    /// Adds a message and gives its index. `None`: the pad is gone.
    pub async fn append_chat(
        &self,
        key: PadKey,
        message: &ChatMessage,
    ) -> Result<Option<u64>, Error> {
        let (message, node) = (message.clone(), self.node);
        let write = self.noting(move |tx| append(tx, key, &message, node));
        self.engine.write(Turn::Of(key.0), write).await
    }

    /// Adds a message that its author sends now, unless the author is erased.
    pub async fn append_own_chat(&self, key: PadKey, message: &ChatMessage) -> Result<Said, Error> {
        let (message, node) = (message.clone(), self.node);
        let write = self.noting(move |tx| {
            if let Some(author) = &message.author
                && !people::see(tx, author, message.time)?
            {
                return Ok(Said::AuthorErased);
            }
            let number = append(tx, key, &message, node)?;
            Ok(number.map_or(Said::PadGone, Said::Stored))
        });
        self.engine.write(Turn::Of(key.0), write).await
    }

    /// The messages of a range, as far as they exist, with their indices.
    pub async fn chat(
        &self,
        key: PadKey,
        range: Range<u64>,
    ) -> Result<Vec<(u64, ChatMessage)>, Error> {
        self.engine
            .read(move |tx| messages(tx, key, range.clone()))
            .await
    }
}

/// What became of a message that somebody sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It is stored under this number.
    Stored(u64),
    PadGone,
    AuthorErased,
}

fn append(
    tx: &mut dyn Tx,
    key: PadKey,
    message: &ChatMessage,
    node: Option<NodeId>,
) -> Result<Option<u64>, Failure> {
    let row = tx.row(
        "UPDATE pads SET chat_count = chat_count + 1
         WHERE key = $1 AND name IS NOT NULL RETURNING chat_count - 1",
        &[key.0.into()],
    )?;
    let Some(mut row) = row else {
        return Ok(None);
    };
    let number = row.count(0)?;
    insert(tx, key, number, message)?;
    leave(tx, node, &Note::Chat(key, number), None)?;
    Ok(Some(number))
}

/// Writes a message under a number that is free.
pub(crate) fn insert(
    tx: &mut dyn Tx,
    key: PadKey,
    number: u64,
    message: &ChatMessage,
) -> Result<(), Failure> {
    let text = encode_text(&message.text);
    tx.execute(
        "INSERT INTO chat (pad, number, author, time, text) VALUES ($1, $2, $3, $4, $5)",
        &[
            key.0.into(),
            number.into(),
            message.author.as_ref().map(AuthorId::as_str).into(),
            message.time.millis().into(),
            text.as_slice().into(),
        ],
    )
    .map(drop)
}

pub(crate) fn messages(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<u64>,
) -> Result<Vec<(u64, ChatMessage)>, Failure> {
    let rows = tx.rows(
        "SELECT number, author, time, text FROM chat
         WHERE pad = $1 AND number >= $2 AND number < $3 ORDER BY number",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    let message = |mut row: Row| {
        let message = ChatMessage {
            author: row.optional_id(1, AuthorId::parse)?,
            time: Timestamp(row.int(2)?),
            text: decode_text(&row.blob(3)?)?,
        };
        Ok((row.count(0)?, message))
    };
    rows.into_iter().map(message).collect()
}
