//! A range of revisions as compressed bytes: the authors' names once, who made each revision, when
//! (as differences), and the changes.

use pad::{AuthorId, Credit, Revision, Timestamp};

use super::bytes::{Reader, put_signed, put_size, put_str};
use super::changes::{put_changes, take_changes};
use super::{Malformed, squeeze};

pub fn encode_pack(revisions: &[Revision]) -> Vec<u8> {
    let mut names: Vec<&AuthorId> = Vec::new();
    let mut authors = Vec::new();
    for revision in revisions {
        // Zero is nobody.
        let number = revision.author.as_ref().map_or(0, |author| {
            let known = names.iter().position(|name| *name == author);
            1 + known.unwrap_or_else(|| {
                names.push(author);
                names.len() - 1
            })
        });
        put_size(&mut authors, number);
    }
    let mut raw = Vec::new();
    put_size(&mut raw, revisions.len());
    put_size(&mut raw, names.len());
    names
        .iter()
        .for_each(|name| put_str(&mut raw, name.as_str()));
    raw.extend_from_slice(&authors);
    let mut last = 0;
    for revision in revisions {
        put_signed(&mut raw, revision.time.millis().wrapping_sub(last));
        last = revision.time.millis();
    }
    put_changes(&mut raw, revisions.iter().map(|revision| &revision.change));
    squeeze::compress(&raw)
}

pub fn decode_pack(bytes: &[u8]) -> Result<Vec<Revision>, Malformed> {
    let raw = squeeze::expand(bytes)?;
    let mut reader = Reader::new(&raw);
    let credits = take_credits(&mut reader)?;
    let changes = take_changes(&mut reader, credits.len())?;
    let revision = |(change, Credit { author, time })| Revision {
        change,
        author,
        time,
    };
    Ok(changes.into_iter().zip(credits).map(revision).collect())
}

/// Who made the revisions of a pack, and when, without their changes.
pub fn decode_credits(bytes: &[u8]) -> Result<Vec<Credit>, Malformed> {
    let raw = squeeze::expand(bytes)?;
    take_credits(&mut Reader::new(&raw))
}

fn take_credits(reader: &mut Reader<'_>) -> Result<Vec<Credit>, Malformed> {
    let count = reader.count()?;
    let mut names = Vec::new();
    for _ in 0..reader.count()? {
        let name = AuthorId::parse(reader.str()?);
        names.push(name.ok_or(Malformed("an author's name is not one"))?);
    }
    let mut authors = Vec::new();
    for _ in 0..count {
        let author = match reader.size()?.checked_sub(1) {
            Some(at) => Some(names.get(at).ok_or(Malformed("an author has no name"))?),
            None => None,
        };
        authors.push(author.cloned());
    }
    let mut last = 0i64;
    let credit = |author| {
        last = last.wrapping_add(reader.signed()?);
        let time = Timestamp(last);
        Ok(Credit { author, time })
    };
    authors.into_iter().map(credit).collect()
}
