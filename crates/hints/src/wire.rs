//! Hints as bytes.
//!
//! A message is the sender's id and any number of hints, each with its length in front: a release
//! that does not know a kind of hint skips it, so that different releases can run side by side.

use changeset::Attribute;
use pad::{AuthorId, Rev, Revision, Timestamp};

use crate::limits::HINT_REVISION;
use crate::{CaretHint, Hint, RevisionContent, RevisionHint};
use codec::bytes::{Reader, put_number, put_signed, put_size, put_str};
use codec::{Malformed, decode_change, encode_change};
use store::NodeId;
use store::PadKey;

const LOOK: u8 = 0;
const HEAD: u8 = 1;
const REVISION: u8 = 2;
const CARET: u8 = 3;
const CARET_GONE: u8 = 4;

/// Messages of at most `limit` bytes. A single hint is far smaller than any limit in use.
pub(super) fn encode(sender: NodeId, hints: &[Hint], limit: usize) -> Vec<Vec<u8>> {
    let mut start = Vec::new();
    put_signed(&mut start, sender.number());
    let mut messages = Vec::new();
    let mut message = start.clone();
    for hint in hints {
        let body = encode_hint(hint);
        let mut sized = Vec::with_capacity(body.len() + 2);
        put_size(&mut sized, body.len());
        sized.extend_from_slice(&body);
        if message.len() + sized.len() > limit && message.len() > start.len() {
            messages.push(std::mem::replace(&mut message, start.clone()));
        }
        message.extend_from_slice(&sized);
    }
    if message.len() > start.len() {
        messages.push(message);
    }
    messages
}

pub(super) fn decode(message: &[u8]) -> Result<(NodeId, Vec<Hint>), Malformed> {
    let mut reader = Reader::new(message);
    let sender = NodeId::of_number(reader.signed()?).ok_or(Malformed("no node's id"))?;
    let mut hints = Vec::new();
    while !reader.is_empty() {
        let size = reader.size()?;
        hints.extend(decode_hint(reader.take(size)?)?);
    }
    Ok((sender, hints))
}

fn encode_hint(hint: &Hint) -> Vec<u8> {
    let mut out = Vec::new();
    match hint {
        Hint::Look => out.push(LOOK),
        Hint::Revision(revision) => return encode_revision(revision),
        Hint::Caret(caret) => {
            out.push(CARET);
            put_signed(&mut out, caret.pad.0);
            put_str(&mut out, caret.author.as_str());
            put_number(&mut out, caret.rev.0);
            put_number(&mut out, caret.position);
            put_number(&mut out, caret.anchor);
            // Earlier releases read no further.
            put_number(&mut out, caret.window.into());
        }
        Hint::CaretGone { pad, author } => {
            out.push(CARET_GONE);
            put_signed(&mut out, pad.0);
            put_str(&mut out, author.as_str());
        }
    }
    out
}

fn encode_revision(hint: &RevisionHint) -> Vec<u8> {
    let head = |kind| {
        let mut out = vec![kind];
        put_signed(&mut out, hint.pad.0);
        put_number(&mut out, hint.rev.0);
        out
    };
    let Some(content) = &hint.content else {
        return head(HEAD);
    };
    let mut out = head(REVISION);
    put_size(&mut out, content.attributes.len());
    for (number, attribute) in &content.attributes {
        put_number(&mut out, (*number).into());
        put_str(&mut out, &attribute.key);
        put_str(&mut out, &attribute.value);
    }
    let author = content.revision.author.as_ref();
    put_str(&mut out, author.map_or("", AuthorId::as_str));
    put_signed(&mut out, content.revision.time.millis());
    out.extend_from_slice(&encode_change(&content.revision.change));
    if out.len() > HINT_REVISION {
        return head(HEAD);
    }
    out
}

/// `None`: of a kind that a later release has.
fn decode_hint(bytes: &[u8]) -> Result<Option<Hint>, Malformed> {
    let mut reader = Reader::new(bytes);
    Ok(Some(match reader.byte()? {
        LOOK => Hint::Look,
        HEAD => Hint::Revision(RevisionHint {
            pad: PadKey(reader.signed()?),
            rev: Rev(reader.number()?),
            content: None,
        }),
        REVISION => Hint::Revision(RevisionHint {
            pad: PadKey(reader.signed()?),
            rev: Rev(reader.number()?),
            content: Some(take_content(&mut reader)?),
        }),
        CARET => Hint::Caret(CaretHint {
            pad: PadKey(reader.signed()?),
            author: take_author(&mut reader)?,
            rev: Rev(reader.number()?),
            position: reader.number()?,
            anchor: reader.number()?,
            window: take_window(&mut reader)?,
        }),
        CARET_GONE => Hint::CaretGone {
            pad: PadKey(reader.signed()?),
            author: take_author(&mut reader)?,
        },
        _ => return Ok(None),
    }))
}

fn take_content(reader: &mut Reader<'_>) -> Result<RevisionContent, Malformed> {
    let mut attributes = Vec::new();
    for _ in 0..reader.count()? {
        let number = u32::try_from(reader.number()?);
        let number = number.map_err(|_| Malformed("an attribute's number is too large"))?;
        attributes.push((number, Attribute::new(reader.str()?, reader.str()?)));
    }
    let author = match reader.str()? {
        "" => None,
        name => Some(parse_author(name)?),
    };
    let time = Timestamp(reader.signed()?);
    let change = decode_change(reader.rest())?;
    Ok(RevisionContent {
        revision: Revision {
            change,
            author,
            time,
        },
        attributes,
    })
}

/// Earlier releases send none.
fn take_window(reader: &mut Reader<'_>) -> Result<u32, Malformed> {
    if reader.is_empty() {
        return Ok(0);
    }
    u32::try_from(reader.number()?).map_err(|_| Malformed("a window's number is too large"))
}

fn take_author(reader: &mut Reader<'_>) -> Result<AuthorId, Malformed> {
    parse_author(reader.str()?)
}

fn parse_author(name: &str) -> Result<AuthorId, Malformed> {
    AuthorId::parse(name).ok_or(Malformed("an author's name is not one"))
}
