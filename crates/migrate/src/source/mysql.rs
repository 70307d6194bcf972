//! A MySQL or MariaDB server.

use mysql_async::prelude::Queryable as _;
use mysql_async::{Conn, Opts, Row};
use rusqlite::Connection;

use crate::{Error, Progress};

/// How many records are read between two reports of progress.
const REPORT_RECORDS: u64 = 10_000;
/// One state of the database, however long reading takes and whatever is written meanwhile.
const SNAPSHOT: &str = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

pub(super) fn fill(
    address: &str,
    table: &mut Connection,
    progress: Progress<'_>,
) -> Result<(), Error> {
    // The driver's own message would repeat the address, and with it the password.
    let options = Opts::from_url(address);
    let options = options
        .map_err(|_| Error::Source("this is not an address of a MySQL server".to_owned()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Source(error.to_string()))?;
    runtime.block_on(copy(options, table, progress))
}

async fn copy(options: Opts, table: &mut Connection, progress: Progress<'_>) -> Result<(), Error> {
    let failed = |error: mysql_async::Error| Error::Source(format!("MySQL: {error}"));
    let mut source = Conn::new(options).await.map_err(failed)?;
    // Whatever the server's defaults are: a client that asks for less gets `?`.
    source
        .query_drop("SET NAMES utf8mb4")
        .await
        .map_err(failed)?;
    source.query_drop(SNAPSHOT).await.map_err(failed)?;
    let count = "SELECT COUNT(*) FROM store";
    let total: Option<u64> = source.query_first(count).await.map_err(failed)?;
    let total = total.unwrap_or_default();
    let changes = table.transaction()?;
    {
        let mut put = changes.prepare("INSERT INTO store (key, value) VALUES (?1, ?2)")?;
        let select = "SELECT `key`, `value` FROM store";
        let mut rows = source.query_iter(select).await.map_err(failed)?;
        let mut done = 0;
        while let Some(mut row) = rows.next().await.map_err(failed)? {
            let key = text(&mut row, 0)?;
            let value =
                text(&mut row, 1).map_err(|_| not_utf8(key.as_deref().unwrap_or_default()))?;
            put.execute((key, value))?;
            done += 1;
            if done % REPORT_RECORDS == 0 || done == total {
                progress(done, total);
            }
        }
    }
    changes.commit()?;
    source.disconnect().await.map_err(failed)
}

fn text(row: &mut Row, column: usize) -> Result<Option<String>, Error> {
    let bytes: Option<Vec<u8>> = row.take(column).unwrap_or_default();
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| not_utf8("a key"))
}

fn not_utf8(key: &str) -> Error {
    Error::Source(format!("{key} is not valid UTF-8"))
}
