//! Pads, as an operator looks through them.

use pad::{PadId, Rev, Timestamp, Title};

use super::{Mark, Page, has, page, stretch};
use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::pads::title;
use crate::record::PadKey;
use crate::sql::{Failure, Row, Tx, damaged};

/// What pads are ordered by. A pad that is being written in may be a minute behind in the order of
/// changes and of revisions; see [`Store::refresh_listing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadOrder {
    Name,
    Edited,
    Created,
    Revisions,
}

#[derive(Clone, Debug)]
pub struct PadsAsked {
    pub order: PadOrder,
    pub descending: bool,
    /// A part of the name or of the title.
    pub search: String,
    /// Pads of groups alone, or the others.
    pub in_group: Option<bool>,
    /// Pads that nobody has written in since they were made.
    pub untouched: bool,
    pub after: Option<Mark>,
    pub limit: usize,
}

/// A pad in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PadLine {
    pub key: PadKey,
    pub id: PadId,
    pub title: Option<Title>,
    pub head: Rev,
    pub edited: Timestamp,
    pub created: Timestamp,
    pub chat_count: u64,
    /// What its history, its texts and its chat take.
    pub bytes: u64,
}

impl PadLine {
    /// Whether its name or its title holds a text, in letters of any case.
    pub fn matches(&self, search: &str) -> bool {
        let title = self.title.as_ref().map_or("", Title::as_str);
        has(self.id.as_str(), search) || has(title, search)
    }
}

impl Store {
    /// Some of the pads that are asked for.
    pub async fn browse_pads(&self, asked: &PadsAsked) -> Result<Page<PadLine>, Error> {
        let asked = asked.clone();
        self.engine.read(move |tx| browse(tx, &asked)).await
    }

    /// Puts a pad where it belongs in lists, once nobody writes in it any more. While somebody
    /// does, that is done once a minute, so that not every commit has to write indexes.
    pub async fn refresh_listing(&self, key: PadKey) -> Result<(), Error> {
        let write = move |tx: &mut dyn Tx| {
            let sql = "UPDATE pads SET listed_head = head, listed_time = head_time
                 WHERE key = $1 AND (listed_head <> head OR listed_time <> head_time)";
            tx.execute(sql, &[key.0.into()]).map(drop)
        };
        self.engine.write(Turn::Of(key.0), write).await
    }

    /// Those of these pads that exist, in a list.
    pub async fn pad_lines(&self, ids: &[PadId]) -> Result<Vec<PadLine>, Error> {
        let ids = ids.to_vec();
        let read = move |tx: &mut dyn Tx| {
            let mut lines = Vec::new();
            for id in &ids {
                let found = tx.row(BY_NAME, &[id.as_str().into()])?;
                if let Some(row) = found {
                    let mut line = line(row)?;
                    line.bytes = weight(tx, line.key)?;
                    lines.push(line);
                }
            }
            Ok(lines)
        };
        self.engine.read(read).await
    }
}

fn browse(tx: &mut dyn Tx, asked: &PadsAsked) -> Result<Page<PadLine>, Failure> {
    let has_wish = !asked.search.is_empty() || asked.in_group.is_some() || asked.untouched;
    let stretch = stretch(asked.limit, has_wish);
    let rows = rows(tx, asked, stretch as u64)?;
    let placed = |mut row: Row| Ok((row.int(7)?, line(row)?));
    let lines: Vec<(i64, PadLine)> = rows
        .into_iter()
        .map(placed)
        .collect::<Result<_, Failure>>()?;
    let mark = |(place, line): &(i64, PadLine)| {
        let name = line.id.as_str().to_owned();
        match asked.order {
            PadOrder::Name => Mark::Name(name),
            _ => Mark::Number(*place, name),
        }
    };
    let mut page = page(lines, asked.limit, stretch, mark, |(_, line)| {
        wanted(asked, &line).then_some(line)
    });
    for line in &mut page.found {
        line.bytes = weight(tx, line.key)?;
    }
    Ok(page)
}

fn wanted(asked: &PadsAsked, line: &PadLine) -> bool {
    line.matches(&asked.search)
        && asked.in_group.is_none_or(|is| line.id.is_group_pad() == is)
        && !(asked.untouched && line.head > Rev::FIRST)
}

fn rows(tx: &mut dyn Tx, asked: &PadsAsked, limit: u64) -> Result<Vec<Row>, Failure> {
    let [upwards, downwards] = statements(asked.order);
    let sql = if asked.descending { downwards } else { upwards };
    let (start, name) = if asked.descending {
        (i64::MAX, LAST_NAME)
    } else {
        (i64::MIN, "")
    };
    let (value, name) = match &asked.after {
        Some(Mark::Name(name)) => (start, name.as_str()),
        Some(Mark::Number(value, name)) => (*value, name.as_str()),
        None => (start, name),
    };
    match asked.order {
        PadOrder::Name => tx.rows(sql, &[name.into(), limit.into()]),
        _ => tx.rows(sql, &[value.into(), name.into(), limit.into()]),
    }
}

fn line(mut row: Row) -> Result<PadLine, Failure> {
    Ok(PadLine {
        key: PadKey(row.int(0)?),
        id: PadId::from_string(row.text(1)?).ok_or_else(damaged)?,
        head: row.rev(2)?,
        edited: Timestamp(row.int(3)?),
        created: Timestamp(row.int(4)?),
        chat_count: row.count(5)?,
        title: title(&mut row, 6)?,
        bytes: 0,
    })
}

fn weight(tx: &mut dyn Tx, key: PadKey) -> Result<u64, Failure> {
    let mut sum = 0;
    for sql in [
        "SELECT COALESCE(SUM(LENGTH(change)), 0) FROM revisions WHERE pad = $1",
        "SELECT COALESCE(SUM(LENGTH(data)), 0) FROM packs WHERE pad = $1",
        "SELECT COALESCE(SUM(LENGTH(data)), 0) FROM snapshots WHERE pad = $1",
        "SELECT COALESCE(SUM(LENGTH(text)), 0) FROM chat WHERE pad = $1",
    ] {
        let row = tx.row(sql, &[key.0.into()])?;
        sum += row.map_or(Ok(0), |mut row| row.count(0))?;
    }
    Ok(sum)
}

/// After every name that can be.
const LAST_NAME: &str = "\u{10FFFF}";

/// Last comes what the rows are ordered by.
macro_rules! columns {
    ($place:literal) => {
        concat!(
            "SELECT key, name, head, head_time, created, chat_count, title, ",
            $place,
            " FROM pads WHERE "
        )
    };
}

macro_rules! by_number {
    ($column:literal, $sign:literal, $direction:literal) => {
        concat!(
            columns!($column),
            "name IS NOT NULL AND (",
            $column,
            ", name) ",
            $sign,
            " ($1, $2) ORDER BY ",
            $column,
            $direction,
            ", name",
            $direction,
            " LIMIT $3"
        )
    };
}

const BY_NAME: &str = concat!(columns!("0"), "name = $1");

/// For each order, upwards and downwards.
pub(crate) const STATEMENTS: [[&str; 2]; 4] = [
    [
        concat!(columns!("0"), "name > $1 ORDER BY name LIMIT $2"),
        concat!(columns!("0"), "name < $1 ORDER BY name DESC LIMIT $2"),
    ],
    [
        by_number!("listed_time", ">", ""),
        by_number!("listed_time", "<", " DESC"),
    ],
    [
        by_number!("created", ">", ""),
        by_number!("created", "<", " DESC"),
    ],
    [
        by_number!("listed_head", ">", ""),
        by_number!("listed_head", "<", " DESC"),
    ],
];

fn statements(order: PadOrder) -> [&'static str; 2] {
    let [name, edited, created, revisions] = STATEMENTS;
    match order {
        PadOrder::Name => name,
        PadOrder::Edited => edited,
        PadOrder::Created => created,
        PadOrder::Revisions => revisions,
    }
}
