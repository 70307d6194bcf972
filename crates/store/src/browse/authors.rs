//! Authors, those who were here last first.

use pad::Author;

use super::{Mark, Page, has, page, stretch};
use crate::Store;
use crate::error::Error;
use crate::people::author;
use crate::sql::{Failure, Tx};

#[derive(Clone, Debug)]
pub struct AuthorsAsked {
    /// A part of the name or of the id.
    pub search: String,
    pub after: Option<Mark>,
    pub limit: usize,
}

impl Store {
    /// Some of the authors that are asked for.
    pub async fn browse_authors(&self, asked: &AuthorsAsked) -> Result<Page<Author>, Error> {
        let asked = asked.clone();
        self.engine.read(move |tx| browse(tx, &asked)).await
    }

    pub async fn count_authors(&self) -> Result<u64, Error> {
        let read = |tx: &mut dyn Tx| {
            let row = tx.row("SELECT COUNT(*) FROM authors", &[])?;
            row.map_or(Ok(0), |mut row| row.count(0))
        };
        self.engine.read(read).await
    }
}

pub(crate) const AUTHORS_SEEN: &str =
    "SELECT id, name, colour, created, last_seen, erased FROM authors
     WHERE (last_seen, id) < ($1, $2) ORDER BY last_seen DESC, id DESC LIMIT $3";

fn browse(tx: &mut dyn Tx, asked: &AuthorsAsked) -> Result<Page<Author>, Failure> {
    let stretch = stretch(asked.limit, !asked.search.is_empty());
    let (seen, id) = match &asked.after {
        Some(Mark::Number(seen, id)) => (*seen, id.as_str()),
        _ => (i64::MAX, ""),
    };
    let rows = tx.rows(
        AUTHORS_SEEN,
        &[seen.into(), id.into(), (stretch as u64).into()],
    )?;
    let authors: Vec<Author> = rows.into_iter().map(author).collect::<Result<_, _>>()?;
    let mark =
        |author: &Author| Mark::Number(author.last_seen.millis(), author.id.as_str().to_owned());
    let is_wanted = |author: &Author| {
        let name = author.name.as_deref().unwrap_or_default();
        !author.id.is_system()
            && (has(name, &asked.search) || has(author.id.as_str(), &asked.search))
    };
    Ok(page(authors, asked.limit, stretch, mark, |author| {
        is_wanted(&author).then_some(author)
    }))
}
