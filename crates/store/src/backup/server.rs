//! A PostgreSQL database copied into an embedded one, and the other way: row by row, since both
//! have the same tables.
//!
//! The copy gets the version of the schema that the original has, and is upgraded when it is
//! opened.

use std::path::Path;

use postgres::binary_copy::BinaryCopyInWriter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::Type;
use postgres::{IsolationLevel, Transaction};
use rusqlite::Connection;

use super::{Report, because, file};
use crate::engine::{Postgres, postgres_row, sqlite_value};
use crate::error::Error;
use crate::schema::{self, VERSIONS};
use crate::sql::{Bind, Dialect, Failure, Row};

/// How many rows are copied between two reports of progress.
const ROWS: u64 = 1_000;
/// What nodes know of each other, and their keys. No part of a copy: it may be restored for other
/// nodes, with other keys.
const OF_NODES: [&str; 5] = ["leases", "nodes", "notes", "presence", "secrets"];
/// What may be there in a database that counts as empty, because a node writes it at its start.
const OF_STARTS: [&str; 2] = ["entries", "series_hours"];

pub(super) fn backup(from: &str, draft: &Path, report: Report<'_>) -> Result<(), Error> {
    let mut client = Postgres::new(from, false)?.client()?;
    let begin = client.build_transaction().read_only(true);
    let begun = begin
        .isolation_level(IsolationLevel::RepeatableRead)
        .start();
    let mut source = begun.map_err(failed)?;
    let version = version(&mut source)?;
    let mut target = file::create(draft)?;
    let copied = fill_file(&mut source, &mut target, version, report);
    copied.map_err(|error| match error {
        Failure::Statement(reason) => because(draft, reason),
        other => other.into(),
    })?;
    file::finish(target, draft)
}

pub(super) fn restore(from: &Path, to: &str, report: Report<'_>) -> Result<(), Error> {
    let (source, version) = file::sound(from)?;
    let mut client = Postgres::new(to, false)?.claimed_client()?;
    // All of it or nothing.
    let mut target = client.transaction().map_err(failed)?;
    let mut tables = tables(&source).map_err(Failure::from)?;
    make_room(&mut target, &tables)?;
    tables.retain(Table::is_copied);
    let script = schema::script(version, Dialect::Postgres);
    target.batch_execute(&script).map_err(failed)?;
    let mut progress = Progress::new(&source, &tables, report).map_err(Failure::from)?;
    for table in &tables {
        fill_table(&source, &mut target, table, &mut progress)?;
    }
    // The next pad's key is behind all that were copied.
    let sql = "SELECT setval(pg_get_serial_sequence('pads', 'key'), MAX(key)) FROM pads";
    target.query(sql, &[]).map_err(failed)?;
    target.commit().map_err(failed)?;
    Ok(())
}

fn version(source: &mut Transaction<'_>) -> Result<u32, Error> {
    let row = source.query_one("SELECT version FROM schema", &[]);
    let row =
        row.map_err(|error| Error::Unavailable(format!("it is no database of padsvc: {error}")))?;
    let found = u32::try_from(row.get::<_, i64>(0)).unwrap_or(u32::MAX);
    let known = VERSIONS.last().map_or(0, |version| version.number);
    // A later release may have tables that this one would leave out.
    if found > known {
        Err(Error::TooNew { found, known })
    } else {
        Ok(found)
    }
}

fn fill_file(
    source: &mut Transaction<'_>,
    target: &mut Connection,
    version: u32,
    report: Report<'_>,
) -> Result<(), Failure> {
    let target = target.transaction()?;
    target.execute_batch(&schema::script(version, Dialect::Sqlite))?;
    let mut tables = tables(&target)?;
    tables.retain(Table::is_copied);
    let mut progress = Progress {
        done: 0,
        total: 0,
        report,
    };
    for table in &tables {
        let sql = format!("SELECT COUNT(*) FROM {}", table.name);
        progress.total += source.query_one(&sql, &[])?.get::<_, i64>(0).unsigned_abs();
    }
    for table in &tables {
        let insert = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            table.name,
            table.columns,
            vec!["?"; table.width].join(", ")
        );
        let mut insert = target.prepare(&insert)?;
        let select = format!("SELECT {} FROM {}", table.columns, table.name);
        let mut rows = source.query_raw::<_, Bind<'_>, _>(&select, [])?;
        while let Some(row) = rows.next()? {
            let row = postgres_row(&row)?;
            insert.execute(rusqlite::params_from_iter(row.0.iter().map(Bind::from)))?;
            progress.step();
        }
    }
    Ok(target.commit()?)
}

fn fill_table(
    source: &Connection,
    target: &mut Transaction<'_>,
    table: &Table,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let Table { name, columns, .. } = table;
    let prepared = target.prepare(&format!("SELECT {columns} FROM {name}"))?;
    let types: Vec<Type> = prepared
        .columns()
        .iter()
        .map(|it| it.type_().clone())
        .collect();
    let sink = target.copy_in(&format!("COPY {name} ({columns}) FROM STDIN BINARY"))?;
    let mut sink = BinaryCopyInWriter::new(sink, &types);
    let mut select = source.prepare(&format!("SELECT {columns} FROM {name}"))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let value = |column| row.get_ref(column).map(sqlite_value);
        let row = Row((0..table.width).map(value).collect::<Result<_, _>>()?);
        let binds: Vec<Bind<'_>> = row.0.iter().map(Bind::from).collect();
        let values: Vec<_> = binds.iter().map(|bind| bind as _).collect();
        sink.write(&values)?;
        progress.step();
    }
    sink.finish()?;
    Ok(())
}

struct Table {
    name: String,
    /// Their names, with commas.
    columns: String,
    width: usize,
}

impl Table {
    fn is_copied(&self) -> bool {
        !OF_NODES.contains(&self.name.as_str())
    }
}

/// All tables but that of the version, as the embedded database of the two has them.
fn tables(database: &Connection) -> Result<Vec<Table>, rusqlite::Error> {
    let sql = "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema'";
    let mut names = database.prepare(sql)?;
    let names = names.query_map([], |row| row.get::<_, String>(0))?;
    let table = |name: String| {
        let mut columns = database.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let columns = columns.query_map([&name], |row| row.get::<_, String>(0))?;
        let columns: Vec<String> = columns.collect::<Result<_, _>>()?;
        Ok(Table {
            name,
            width: columns.len(),
            columns: columns.join(", "),
        })
    };
    names.map(|name| table(name?)).collect()
}

/// Removes tables in which there is nothing. They are there if the service was started once.
fn make_room(target: &mut Transaction<'_>, tables: &[Table]) -> Result<(), Error> {
    let names = tables.iter().map(|table| table.name.as_str());
    for name in names.chain(["schema"]) {
        let sql = "SELECT 1 FROM information_schema.tables
             WHERE table_schema = current_schema() AND table_name = $1";
        if target.query_opt(sql, &[&name]).map_err(failed)?.is_none() {
            continue;
        }
        let used = format!("SELECT 1 FROM {name} LIMIT 1");
        let counts = name != "schema" && !OF_NODES.contains(&name) && !OF_STARTS.contains(&name);
        if counts && target.query_opt(&used, &[]).map_err(failed)?.is_some() {
            let text = "the PostgreSQL database is not empty; restore into a new one";
            return Err(Error::Unavailable(text.to_owned()));
        }
        let drop = format!("DROP TABLE {name}");
        target.batch_execute(&drop).map_err(failed)?;
    }
    Ok(())
}

struct Progress<'a> {
    done: u64,
    total: u64,
    report: Report<'a>,
}

impl<'a> Progress<'a> {
    fn new(
        source: &Connection,
        tables: &[Table],
        report: Report<'a>,
    ) -> Result<Progress<'a>, rusqlite::Error> {
        let mut total = 0;
        for table in tables {
            let sql = format!("SELECT COUNT(*) FROM {}", table.name);
            total += source
                .query_row(&sql, [], |row| row.get::<_, i64>(0))?
                .unsigned_abs();
        }
        Ok(Progress {
            done: 0,
            total,
            report,
        })
    }

    fn step(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(ROWS) || self.done == self.total {
            (self.report)(self.done, self.total);
        }
    }
}

fn failed(error: postgres::Error) -> Error {
    Failure::from(error).into()
}
