//! Authors, and what they are found by.

use std::collections::HashMap;

use pad::{Author, AuthorId, AuthorToken, Colour, Erasure, PadId, Timestamp};
use sha2::{Digest, Sha256};

use crate::Store;
use crate::cluster::{Note, end_seats, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::AUTHORS_READ;
use crate::pads::names;
use crate::sql::{Dialect, Failure, Row, Tx};

impl Store {
    /// Writes a new author. An author of that id stays as it is.
    pub async fn create_author(&self, author: &Author) -> Result<(), Error> {
        let author = author.clone();
        let turn = Turn::named(author.id.as_str());
        self.engine.write(turn, move |tx| create(tx, &author)).await
    }

    pub async fn author(&self, id: &AuthorId) -> Result<Option<Author>, Error> {
        let id = id.clone();
        self.engine.read(move |tx| find(tx, &id)).await
    }

    /// Those that exist, in the order asked for.
    pub async fn authors(&self, ids: &[AuthorId]) -> Result<Vec<Author>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids = ids.to_vec();
        let read = move |tx: &mut dyn Tx| {
            let mut found = HashMap::new();
            for ids in ids.chunks(AUTHORS_READ) {
                let authors = find_all(tx, ids)?.into_iter();
                found.extend(authors.map(|author| (author.id.clone(), author)));
            }
            let found = ids.iter().filter_map(|id| found.get(id).cloned());
            Ok(found.collect())
        };
        self.engine.read(read).await
    }

    /// The author that an outside system's name stands for. If there is none, `new` becomes it.
    pub async fn author_of_mapper(&self, mapper: &str, new: &Author) -> Result<AuthorId, Error> {
        let hash = digest(mapper);
        let (mapper, new) = (mapper.to_owned(), new.clone());
        let turn = Turn::named(&mapper);
        let find = move |tx: &mut dyn Tx| find_by_mapper(tx, &hash);
        let make = move |tx: &mut dyn Tx| {
            tx.execute(
                "INSERT INTO author_mappers (hash, mapper, author) VALUES ($1, $2, $3)",
                &[
                    hash.as_slice().into(),
                    mapper.as_str().into(),
                    new.id.as_str().into(),
                ],
            )?;
            create(tx, &new)?;
            Ok(new.id.clone())
        };
        self.engine.find_or_make(turn, find, make).await
    }

    /// Some of the names that outside systems have for authors, in the order of their hashes.
    pub async fn author_mappers(
        &self,
        after: &[u8],
        limit: usize,
    ) -> Result<Vec<(Vec<u8>, String, AuthorId)>, Error> {
        let (after, limit) = (after.to_vec(), limit as u64);
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT hash, mapper, author FROM author_mappers
                 WHERE hash > $1 ORDER BY hash LIMIT $2",
                &[after.as_slice().into(), limit.into()],
            )?;
            let mapper =
                |mut row: Row| Ok((row.blob(0)?, row.text(1)?, row.id(2, AuthorId::parse)?));
            rows.into_iter().map(mapper).collect()
        };
        self.engine.read(read).await
    }

    /// The author that a browser's token stands for. If there is none, `new` becomes it.
    pub async fn author_of_token(
        &self,
        token: &AuthorToken,
        new: &Author,
    ) -> Result<AuthorId, Error> {
        let hash = digest(token.as_str());
        let new = new.clone();
        let turn = Turn::named(token.as_str());
        let find = move |tx: &mut dyn Tx| find_by_token(tx, &hash);
        let make = move |tx: &mut dyn Tx| {
            tx.execute(
                "INSERT INTO author_tokens (hash, author) VALUES ($1, $2)",
                &[hash.as_slice().into(), new.id.as_str().into()],
            )?;
            create(tx, &new)?;
            Ok(new.id.clone())
        };
        self.engine.find_or_make(turn, find, make).await
    }

    pub async fn find_author_of_token(
        &self,
        token: &AuthorToken,
    ) -> Result<Option<AuthorId>, Error> {
        let hash = digest(token.as_str());
        self.engine.read(move |tx| find_by_token(tx, &hash)).await
    }

    /// False: there is no such author, or it is erased.
    pub async fn set_author_name(
        &self,
        id: &AuthorId,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let name = name.map(str::to_owned);
        let is_same = {
            let name = name.clone();
            move |author: &Author| author.name == name
        };
        let set = move |tx: &mut dyn Tx, id: &AuthorId| {
            tx.execute(
                "UPDATE authors SET name = $1, last_seen = $2 WHERE id = $3 AND erased IS NULL",
                &[
                    name.as_deref().into(),
                    now.millis().into(),
                    id.as_str().into(),
                ],
            )
        };
        self.change_author(id, is_same, set).await
    }

    /// False: there is no such author, or it is erased.
    pub async fn set_author_colour(
        &self,
        id: &AuthorId,
        colour: &Colour,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (colour, printed) = (colour.clone(), print_colour(colour));
        let is_same = move |author: &Author| author.colour == colour;
        let set = move |tx: &mut dyn Tx, id: &AuthorId| {
            tx.execute(
                "UPDATE authors SET colour = $1, last_seen = $2
                 WHERE id = $3 AND erased IS NULL",
                &[
                    printed.as_str().into(),
                    now.millis().into(),
                    id.as_str().into(),
                ],
            )
        };
        self.change_author(id, is_same, set).await
    }

    /// Changes an author's row, and leaves a note unless the author was the same before.
    async fn change_author(
        &self,
        id: &AuthorId,
        is_same: impl Fn(&Author) -> bool + Send + 'static,
        set: impl Fn(&mut dyn Tx, &AuthorId) -> Result<u64, Failure> + Send + 'static,
    ) -> Result<bool, Error> {
        let (id, node) = (id.clone(), self.node);
        let turn = Turn::named(id.as_str());
        let write = self.noting(move |tx| {
            let is_new = match node {
                Some(_) => !find(tx, &id)?.is_some_and(|author| is_same(&author)),
                None => false,
            };
            let is_set = set(tx, &id)? > 0;
            if is_set && is_new {
                leave(tx, node, &Note::Author(id.clone()), None)?;
            }
            Ok(is_set)
        });
        self.engine.write(turn, write).await
    }

    /// The pads an author has contributed to, by name.
    pub async fn pads_of_author(&self, id: &AuthorId) -> Result<Vec<PadId>, Error> {
        let id = id.clone();
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT name FROM pad_authors JOIN pads ON pads.key = pad_authors.pad
                 WHERE author = $1 AND name IS NOT NULL ORDER BY name",
                &[id.as_str().into()],
            )?;
            names(rows)
        };
        self.engine.read(read).await
    }

    /// Removes what identifies an author: name and colour, what the author is found by, and the
    /// author of chat messages. Text and revisions stay. A second time removes and counts what
    /// came since; of an unknown author there is nothing to remove.
    pub async fn erase_author(
        &self,
        id: &AuthorId,
        now: Timestamp,
        dry_run: bool,
    ) -> Result<Erasure, Error> {
        let id = id.clone();
        if dry_run {
            return self.engine.read(move |tx| count_traces(tx, &id)).await;
        }
        let node = self.node;
        let write = self.noting(move |tx| {
            let erasure = erase(tx, &id, now)?;
            if node.is_some() {
                end_seats(tx, &id)?;
                leave(tx, node, &Note::Author(id.clone()), None)?;
            }
            Ok(erasure)
        });
        self.engine.write(Turn::Alone, write).await
    }
}

/// What is kept of tokens, and what mappers are found by.
pub(crate) fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Does nothing if there is an author of that id.
pub(crate) fn create(tx: &mut dyn Tx, author: &Author) -> Result<(), Failure> {
    let colour = print_colour(&author.colour);
    let binds = [
        author.id.as_str().into(),
        author.name.as_deref().into(),
        colour.as_str().into(),
        author.created.millis().into(),
        author.last_seen.millis().into(),
        author.erased.map(Timestamp::millis).into(),
    ];
    tx.execute(
        "INSERT INTO authors (id, name, colour, created, last_seen, erased)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
        &binds,
    )
    .map(drop)
}

fn find(tx: &mut dyn Tx, id: &AuthorId) -> Result<Option<Author>, Failure> {
    let row = tx.row(
        "SELECT id, name, colour, created, last_seen, erased FROM authors WHERE id = $1",
        &[id.as_str().into()],
    )?;
    row.map(author).transpose()
}

/// One statement for all of them: a newcomer is shown everybody who has written in its pad.
fn find_all(tx: &mut dyn Tx, ids: &[AuthorId]) -> Result<Vec<Author>, Failure> {
    let ids: Vec<&str> = ids.iter().map(AuthorId::as_str).collect();
    let rows = match tx.dialect() {
        // Ids have no characters that JSON or a list would need to escape.
        Dialect::Sqlite => tx.rows(
            "SELECT id, name, colour, created, last_seen, erased FROM authors
             WHERE id IN (SELECT value FROM json_each('[\"' || $1 || '\"]'))",
            &[ids.join("\",\"").as_str().into()],
        )?,
        Dialect::Postgres => tx.rows(
            "SELECT id, name, colour, created, last_seen, erased FROM authors
             WHERE id = ANY (string_to_array($1, ','))",
            &[ids.join(",").as_str().into()],
        )?,
    };
    rows.into_iter().map(author).collect()
}

pub(crate) fn author(mut row: Row) -> Result<Author, Failure> {
    Ok(Author {
        id: row.id(0, AuthorId::parse)?,
        name: row.optional_text(1)?,
        colour: row.id(2, parse_colour)?,
        created: Timestamp(row.int(3)?),
        last_seen: Timestamp(row.int(4)?),
        erased: row.optional_int(5)?.map(Timestamp),
    })
}

fn find_by_token(tx: &mut dyn Tx, hash: &[u8]) -> Result<Option<AuthorId>, Failure> {
    let sql = "SELECT author FROM author_tokens WHERE hash = $1";
    let row = tx.row(sql, &[hash.into()])?;
    row.map(|mut row| row.id(0, AuthorId::parse)).transpose()
}

fn find_by_mapper(tx: &mut dyn Tx, hash: &[u8]) -> Result<Option<AuthorId>, Failure> {
    let sql = "SELECT author FROM author_mappers WHERE hash = $1";
    let row = tx.row(sql, &[hash.into()])?;
    row.map(|mut row| row.id(0, AuthorId::parse)).transpose()
}

fn print_colour(colour: &Colour) -> String {
    let number = colour.stored_number();
    number.map_or_else(|| colour.to_css().to_owned(), |number| number.to_string())
}

pub(crate) fn parse_colour(text: &str) -> Option<Colour> {
    let palette = || text.parse().ok().map(Colour::of_stored_number);
    Colour::parse_hex(text).or_else(palette)
}

/// Notes that an author is active. False: the author is erased. Holds the author's row until the
/// transaction ends, so that an erasure comes before it or after it.
pub(crate) fn see(tx: &mut dyn Tx, id: &AuthorId, now: Timestamp) -> Result<bool, Failure> {
    let active = tx.execute(
        "UPDATE authors SET last_seen = $1 WHERE id = $2 AND erased IS NULL",
        &[now.millis().into(), id.as_str().into()],
    )?;
    // An author that a session names may never have been created; it is not erased.
    Ok(active > 0 || find(tx, id)?.is_none())
}

fn erase(tx: &mut dyn Tx, id: &AuthorId, now: Timestamp) -> Result<Erasure, Failure> {
    let Some(author) = find(tx, id)? else {
        return Ok(Erasure::default());
    };
    // First, because it waits for those who write as the author in this moment.
    tx.execute(
        "UPDATE authors SET name = NULL, colour = '0', erased = $1 WHERE id = $2",
        &[
            author.erased.unwrap_or(now).millis().into(),
            id.as_str().into(),
        ],
    )?;
    let traces = traces_of(tx, &author)?;
    for sql in [
        "DELETE FROM author_tokens WHERE author = $1",
        "DELETE FROM author_mappers WHERE author = $1",
        "UPDATE chat SET author = NULL WHERE author = $1",
    ] {
        tx.execute(sql, &[id.as_str().into()])?;
    }
    Ok(traces)
}

/// What erasing would remove.
fn count_traces(tx: &mut dyn Tx, id: &AuthorId) -> Result<Erasure, Failure> {
    match find(tx, id)? {
        Some(author) => traces_of(tx, &author),
        None => Ok(Erasure::default()),
    }
}

/// What there is to remove of an author as it is, or was before erasing began.
fn traces_of(tx: &mut dyn Tx, author: &Author) -> Result<Erasure, Failure> {
    let mut count = |sql| {
        let row = tx.row(sql, &[author.id.as_str().into()])?;
        row.map_or(Ok(0), |mut row| row.count(0))
    };
    // The texts of an erased author are counted already: a second time counts the pads of
    // messages that came since.
    let affected_pads = match author.erased {
        None => {
            "SELECT COUNT(*) FROM pad_authors JOIN pads ON pads.key = pad_authors.pad
             WHERE author = $1 AND name IS NOT NULL"
        }
        Some(_) => {
            "SELECT COUNT(DISTINCT chat.pad) FROM chat JOIN pads ON pads.key = chat.pad
             WHERE chat.author = $1 AND name IS NOT NULL"
        }
    };
    Ok(Erasure {
        affected_pads: count(affected_pads)?,
        removed_token_mappings: count("SELECT COUNT(*) FROM author_tokens WHERE author = $1")?,
        removed_external_mappings: count("SELECT COUNT(*) FROM author_mappers WHERE author = $1")?,
        cleared_chat_messages: count(
            "SELECT COUNT(*) FROM chat JOIN pads ON pads.key = chat.pad
             WHERE chat.author = $1 AND name IS NOT NULL",
        )?,
    })
}
