//! A PostgreSQL server.

use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, NoTls};
use rusqlite::Connection;

use crate::{Error, Progress};

/// How many records are read between two reports of progress.
const REPORT_RECORDS: u64 = 10_000;

pub(super) fn fill(
    connection: &str,
    table: &mut Connection,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let failed = |error: postgres::Error| Error::Source(format!("PostgreSQL: {error}"));
    let mut client = Client::connect(connection, NoTls).map_err(failed)?;
    let begin = client.build_transaction().read_only(true);
    let mut source = begin.start().map_err(failed)?;
    let count = source.query_one("SELECT COUNT(*) FROM store", &[]);
    let total = count.map_err(failed)?.get::<_, i64>(0).unsigned_abs();
    let changes = table.transaction()?;
    {
        let mut put = changes.prepare("INSERT INTO store (key, value) VALUES (?1, ?2)")?;
        let none: [&str; 0] = [];
        let select = "SELECT key::text, value::text FROM store";
        let mut rows = source.query_raw(select, none).map_err(failed)?;
        let mut done = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            put.execute((row.get::<_, &str>(0), row.get::<_, Option<&str>>(1)))?;
            done += 1;
            if done % REPORT_RECORDS == 0 || done == total {
                progress(done, total);
            }
        }
    }
    Ok(changes.commit()?)
}
