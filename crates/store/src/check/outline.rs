//! What can be said of a pad without decoding its history, in one look.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use changeset::Pool;
use pad::{AuthorId, PadId};

use super::Problem;
use crate::history;
use crate::record::PadKey;
use crate::sql::{Failure, Tx};
use codec::decode_text;

pub(crate) struct Outline {
    pub key: PadKey,
    pub head: i64,
    pub head_time: i64,
    pub chat_count: i64,
    pub pool: Arc<Pool>,
}

impl Outline {
    /// `None`: there is no such pad.
    pub(crate) fn read(
        tx: &mut dyn Tx,
        id: &PadId,
    ) -> Result<Option<(Outline, Vec<Problem>)>, Failure> {
        let row = tx.row(
            "SELECT key, head, head_time, chat_count, next_attribute, sealed, loose_bytes
             FROM pads WHERE name = $1",
            &[id.as_str().into()],
        )?;
        let Some(mut row) = row else {
            return Ok(None);
        };
        let key = PadKey(row.int(0)?);
        let (next_attribute, sealed) = (row.int(4)?, row.int(5)?);
        let pool = history::pool(tx, key, next_attribute)?;
        let outline = Outline {
            key,
            head: row.int(1)?,
            head_time: row.int(2)?,
            chat_count: row.int(3)?,
            pool: Arc::new(pool),
        };
        let mut problems = Vec::new();
        if i64::from(outline.pool.next_number()) != next_attribute {
            problems.push(Problem::WrongColumn("next_attribute"));
        }
        outline.check_packs(tx, sealed, &mut problems)?;
        outline.check_rows(tx, sealed, row.int(6)?, &mut problems)?;
        outline.check_authors(tx, &mut problems)?;
        outline.check_strays(tx, &mut problems)?;
        Ok(Some((outline, problems)))
    }

    /// Packs follow one another from zero to where the rows begin.
    fn check_packs(
        &self,
        tx: &mut dyn Tx,
        sealed: i64,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Failure> {
        let packs = tx.rows(
            "SELECT first, last FROM packs WHERE pad = $1 ORDER BY last",
            &[self.key.0.into()],
        )?;
        let mut next = 0;
        for mut pack in packs {
            let (first, last) = (pack.int(0)?, pack.int(1)?);
            if first < next || last < first {
                problems.push(Problem::Stray {
                    table: "packs",
                    number: last,
                });
            }
            // A gap is found when the revisions in it are.
            next = last + 1;
        }
        if next != sealed {
            problems.push(Problem::WrongColumn("sealed"));
        }
        Ok(())
    }

    fn check_rows(
        &self,
        tx: &mut dyn Tx,
        sealed: i64,
        loose_bytes: i64,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Failure> {
        let rows = tx.rows(
            "SELECT rev, LENGTH(change) FROM revisions WHERE pad = $1 ORDER BY rev",
            &[self.key.0.into()],
        )?;
        let mut weight = 0;
        for mut row in rows {
            let number = row.int(0)?;
            weight += row.int(1)?;
            if number < sealed || number > self.head {
                problems.push(Problem::Stray {
                    table: "revisions",
                    number,
                });
            }
        }
        if weight != loose_bytes {
            problems.push(Problem::WrongColumn("loose_bytes"));
        }
        Ok(())
    }

    fn check_authors(&self, tx: &mut dyn Tx, problems: &mut Vec<Problem>) -> Result<(), Failure> {
        let rows = tx.rows(
            "SELECT author FROM pad_authors WHERE pad = $1",
            &[self.key.0.into()],
        )?;
        let listed = rows.into_iter().map(|mut row| row.text(0));
        let listed: BTreeSet<String> = listed.collect::<Result<_, _>>()?;
        let attributes = self.pool.entries().map(|(_, attribute)| attribute);
        let authors = attributes.filter(|attribute| attribute.key == "author");
        let names = authors.map(|attribute| attribute.value.clone());
        let pooled: BTreeSet<String> = names
            .filter(|name| AuthorId::parse(name).is_some())
            .collect();
        if listed != pooled {
            problems.push(Problem::WrongAuthors);
        }
        Ok(())
    }

    /// Rows with a number that the pad does not reach.
    fn check_strays(&self, tx: &mut dyn Tx, problems: &mut Vec<Problem>) -> Result<(), Failure> {
        let tables = [
            (
                "saved_revisions",
                "SELECT rev FROM saved_revisions WHERE pad = $1 AND rev >= $2",
                self.head + 1,
            ),
            (
                "snapshots",
                "SELECT rev FROM snapshots WHERE pad = $1 AND rev >= $2",
                self.head + 1,
            ),
            (
                "chat",
                "SELECT number FROM chat WHERE pad = $1 AND number >= $2",
                self.chat_count,
            ),
        ];
        for (table, sql, end) in tables {
            for mut row in tx.rows(sql, &[self.key.0.into(), end.into()])? {
                let number = row.int(0)?;
                problems.push(Problem::Stray { table, number });
            }
        }
        Ok(())
    }
}

pub(super) fn check_chat(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<Vec<Problem>, Failure> {
    let alive = tx.row(
        "SELECT key FROM pads WHERE key = $1 AND name IS NOT NULL",
        &[key.0.into()],
    )?;
    if alive.is_none() {
        return Ok(Vec::new());
    }
    let rows = tx.rows(
        "SELECT number, text FROM chat WHERE pad = $1 AND number >= $2 AND number < $3
         ORDER BY number",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    let mut problems = Vec::new();
    let mut next = range.start;
    for mut row in rows {
        let number = row.int(0)?;
        problems.extend((next..number).map(Problem::MissingMessage));
        if decode_text(&row.blob(1)?).is_err() {
            problems.push(Problem::Unreadable {
                table: "chat",
                number,
            });
        }
        next = number + 1;
    }
    problems.extend((next..range.end).map(Problem::MissingMessage));
    Ok(problems)
}
