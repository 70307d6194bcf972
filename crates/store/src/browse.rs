//! Looking through pads, authors and the audit log, a page at a time, in any of their orders.
//!
//! However many there are, a page costs the same: it begins behind a mark in an index and reads so
//! many rows from there. A search returns what is among a stretch of rows, and
//! a mark to go on from, so that no question takes long.

mod audit;

mod authors;

mod pads;

mod weights;

pub use audit::{AuditAsked, AuditLine};
pub use authors::AuthorsAsked;
pub use pads::{PadLine, PadOrder, PadsAsked};
pub use weights::Weights;

#[cfg(test)]
pub(crate) use {authors::AUTHORS_SEEN, pads::STATEMENTS};

/// Where to go on: the last row that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    Name(String),
    /// What the rows are ordered by, and the name.
    Number(i64, String),
}

/// Some of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub found: Vec<T>,
    /// `None`: there are no more.
    pub next: Option<Mark>,
}

/// How many rows are looked at to fill a page. Without a wish the page's own rows are enough, and
/// one more, which tells that there are others.
fn stretch(limit: usize, has_wish: bool) -> usize {
    if has_wish {
        crate::limits::BROWSED_ROWS.max(limit + 1)
    } else {
        limit + 1
    }
}

/// Takes rows until the page is full.
fn page<R, T>(
    rows: Vec<R>,
    limit: usize,
    stretch: usize,
    mark: impl Fn(&R) -> Mark,
    mut take: impl FnMut(R) -> Option<T>,
) -> Page<T> {
    let is_last = rows.len() < stretch;
    let mut found = Vec::new();
    let mut next = None;
    for row in rows {
        if found.len() == limit {
            return Page { found, next };
        }
        next = Some(mark(&row));
        found.extend(take(row));
    }
    if is_last {
        next = None;
    }
    Page { found, next }
}

/// Whether a text has another in it, whatever the case.
fn has(text: &str, wanted: &str) -> bool {
    wanted.is_empty() || text.to_lowercase().contains(&wanted.to_lowercase())
}
