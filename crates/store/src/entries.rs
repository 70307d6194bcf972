//! Small values that end by themselves, shared by all nodes: logins, codes, counts of failures.
//!
//! A value is found by its kind and a key, which is the hash of a secret and never the secret. One
//! that has expired is not there, whether its row is still stored or not. When a kind has too many,
//! those that end first go first.

use pad::Timestamp;

use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::{ENTRIES_OF_KIND, ENTRIES_REMOVED};
use crate::sql::{Dialect, Failure, Row, Tx};

/// A value and when it ends.
pub type Entry = (Vec<u8>, Timestamp);

impl Store {
    pub async fn entry(
        &self,
        kind: &'static str,
        key: &[u8],
        now: Timestamp,
    ) -> Result<Option<Entry>, Error> {
        let key = key.to_vec();
        let read = move |tx: &mut dyn Tx| {
            let sql = "SELECT value, expires FROM entries WHERE kind = $1 AND key = $2";
            let row = tx.row(sql, &[kind.into(), key.as_slice().into()])?;
            live(row, now)
        };
        self.engine.read(read).await
    }

    /// The keys of a kind, at most so many.
    pub async fn entry_keys(
        &self,
        kind: &'static str,
        limit: u64,
        now: Timestamp,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT key FROM entries WHERE kind = $1 AND expires > $2
                 ORDER BY expires DESC LIMIT $3",
                &[kind.into(), now.millis().into(), limit.into()],
            )?;
            rows.into_iter().map(|mut row| row.blob(0)).collect()
        };
        self.engine.read(read).await
    }

    /// Stores a value in place of what is there.
    pub async fn put_entry(
        &self,
        kind: &'static str,
        key: &[u8],
        (value, expires): (&[u8], Timestamp),
        now: Timestamp,
    ) -> Result<(), Error> {
        let value = value.to_vec();
        let put = move |_: Option<&[u8]>| (Some((value.clone(), expires)), ());
        self.update_entry(kind, key, now, put).await
    }

    /// Removes a value and gives it. Of many who ask, one gets it.
    pub async fn take_entry(
        &self,
        kind: &'static str,
        key: &[u8],
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, Error> {
        let take = |found: Option<&[u8]>| (None, found.map(<[u8]>::to_vec));
        self.update_entry(kind, key, now, take).await
    }

    /// False: there is no such value.
    pub async fn remove_entry(&self, kind: &'static str, key: &[u8]) -> Result<bool, Error> {
        let (turn, key) = (turn(kind, key), key.to_vec());
        let write = move |tx: &mut dyn Tx| Ok(remove(tx, kind, &key)? > 0);
        self.engine.write(turn, write).await
    }

    /// Makes of a value what comes next, while nobody else can: nothing, or another value. The
    /// function may be called more than once; what it gave last counts.
    pub async fn update_entry<T, F>(
        &self,
        kind: &'static str,
        key: &[u8],
        now: Timestamp,
        mut update: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(Option<&[u8]>) -> (Option<Entry>, T) + Send + 'static,
    {
        let (turn, key) = (turn(kind, key), key.to_vec());
        let write = move |tx: &mut dyn Tx| {
            let found = lock(tx, kind, &key, now)?;
            let (next, answer) = update(found.as_ref().map(|(value, _)| value.as_slice()));
            store(tx, kind, &key, next)?;
            Ok(answer)
        };
        self.engine.write(turn, write).await
    }

    /// [`Store::update_entry`] for several keys at once, which differ. Values are given and taken
    /// in their order.
    pub async fn update_entries<T, F>(
        &self,
        kind: &'static str,
        keys: &[Vec<u8>],
        now: Timestamp,
        mut update: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&[Option<Entry>]) -> (Vec<Option<Entry>>, T) + Send + 'static,
    {
        // The same order everywhere: two who take the same rows do not wait for each other.
        let mut keys: Vec<(usize, Vec<u8>)> = keys.iter().cloned().enumerate().collect();
        keys.sort_by(|(_, one), (_, other)| one.cmp(other));
        let write = move |tx: &mut dyn Tx| {
            let mut found = vec![None; keys.len()];
            for (place, key) in &keys {
                let entry = lock(tx, kind, key, now)?;
                if let Some(slot) = found.get_mut(*place) {
                    *slot = entry;
                }
            }
            let (mut next, answer) = update(&found);
            for (place, key) in &keys {
                let entry = next.get_mut(*place).and_then(Option::take);
                store(tx, kind, key, entry)?;
            }
            Ok(answer)
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// Removes what has expired, and of each kind what is too much. Says how many there were.
    pub async fn remove_expired_entries(&self, now: Timestamp) -> Result<u64, Error> {
        let mut count = 0;
        loop {
            let write = move |tx: &mut dyn Tx| {
                let sql = "DELETE FROM entries WHERE (kind, key) IN
                     (SELECT kind, key FROM entries WHERE expires <= $1
                      ORDER BY expires LIMIT $2)";
                tx.execute(sql, &[now.millis().into(), ENTRIES_REMOVED.into()])
            };
            let removed = self.engine.write(Turn::Alone, write).await?;
            count += removed;
            if removed < ENTRIES_REMOVED {
                break;
            }
        }
        Ok(count + self.engine.write(Turn::Alone, trim).await?)
    }
}

/// Of each kind with too many, those that end first go.
fn trim(tx: &mut dyn Tx) -> Result<u64, Failure> {
    let mut count = 0;
    for mut row in tx.rows("SELECT kind, COUNT(*) FROM entries GROUP BY kind", &[])? {
        let (kind, stored) = (row.text(0)?, row.count(1)?);
        let surplus = stored.saturating_sub(ENTRIES_OF_KIND);
        if surplus > 0 {
            count += tx.execute(
                "DELETE FROM entries WHERE kind = $1 AND key IN
                     (SELECT key FROM entries WHERE kind = $1 ORDER BY expires LIMIT $2)",
                &[kind.as_str().into(), surplus.into()],
            )?;
        }
    }
    Ok(count)
}

fn turn(kind: &str, key: &[u8]) -> Turn {
    use std::fmt::Write;
    let mut name = kind.to_owned();
    for byte in key {
        // Writing to a text does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    Turn::named(&name)
}

/// The value, whose row nobody else changes until the transaction ends. A row that is not there
/// cannot be locked, so it is made; [`store`] fills or removes it.
fn lock(
    tx: &mut dyn Tx,
    kind: &'static str,
    key: &[u8],
    now: Timestamp,
) -> Result<Option<Entry>, Failure> {
    let select = match tx.dialect() {
        Dialect::Sqlite => "SELECT value, expires FROM entries WHERE kind = $1 AND key = $2",
        Dialect::Postgres => {
            tx.execute(
                "INSERT INTO entries (kind, key, value, expires) VALUES ($1, $2, '', 0)
                 ON CONFLICT (kind, key) DO NOTHING",
                &[kind.into(), key.into()],
            )?;
            "SELECT value, expires FROM entries WHERE kind = $1 AND key = $2 FOR UPDATE"
        }
    };
    let row = tx.row(select, &[kind.into(), key.into()])?;
    live(row, now)
}

fn store(
    tx: &mut dyn Tx,
    kind: &'static str,
    key: &[u8],
    next: Option<Entry>,
) -> Result<(), Failure> {
    let Some((value, expires)) = next else {
        return remove(tx, kind, key).map(drop);
    };
    tx.execute(
        "INSERT INTO entries (kind, key, value, expires) VALUES ($1, $2, $3, $4)
         ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires = excluded.expires",
        &[
            kind.into(),
            key.into(),
            value.as_slice().into(),
            expires.millis().into(),
        ],
    )
    .map(drop)
}

fn remove(tx: &mut dyn Tx, kind: &'static str, key: &[u8]) -> Result<u64, Failure> {
    let sql = "DELETE FROM entries WHERE kind = $1 AND key = $2";
    tx.execute(sql, &[kind.into(), key.into()])
}

fn live(row: Option<Row>, now: Timestamp) -> Result<Option<Entry>, Failure> {
    let Some(mut row) = row else {
        return Ok(None);
    };
    let (value, expires) = (row.blob(0)?, Timestamp(row.int(1)?));
    Ok((expires > now).then_some((value, expires)))
}
