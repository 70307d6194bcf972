//! The history of a pad.
//!
//! Revisions are written as rows, one each. When enough have gathered they are sealed: encoded
//! together, compressed, and put into one row. When what was sealed since the last snapshot weighs
//! as much as that snapshot, another one is taken. So snapshots never take much more space than
//! changes do, and to reach any revision one reads a snapshot and about as much again.
//!
//! The pad's row keeps the weights, so that appending never counts anything. Revisions below
//! `sealed` are in packs, without gaps or overlaps, and those from there up to the head are rows.

mod read;

mod write;

use changeset::Attribute;
use pad::AuthorId;

pub(crate) use read::credits;
pub(crate) use read::{attribute_number, attributes_since, document_at, pool, revisions, unsealed};
pub(crate) use write::{Addition, Ledger};

use crate::error::Error;
use crate::record::PadKey;
use crate::sql::{Failure, Tx};

/// Adds attributes to the pool of a pad, and the authors among them to its authors.
pub(crate) fn add_attributes(
    tx: &mut dyn Tx,
    key: PadKey,
    attributes: &[(u32, Attribute)],
) -> Result<(), Failure> {
    for (number, attribute) in attributes {
        let number = i64::from(*number);
        tx.execute(
            "INSERT INTO attributes (pad, number, key, value) VALUES ($1, $2, $3, $4)",
            &[
                key.0.into(),
                number.into(),
                attribute.key.as_str().into(),
                attribute.value.as_str().into(),
            ],
        )?;
        let author = if attribute.key == "author" {
            AuthorId::parse(&attribute.value)
        } else {
            None
        };
        if let Some(author) = author {
            tx.execute(
                "INSERT INTO pad_authors (pad, author, number) VALUES ($1, $2, $3)
                 ON CONFLICT (pad, author) DO NOTHING",
                &[key.0.into(), author.as_str().into(), number.into()],
            )?;
        }
    }
    Ok(())
}

fn hole(rev: i64) -> Failure {
    Error::Corrupt(format!("revision {rev} is missing")).into()
}
