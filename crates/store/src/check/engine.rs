//! The engine's own integrity check, which sees pages where ours sees rows.
//!
//! SQLite compares every page of the file with its place in the trees and every index with its
//! table. PostgreSQL does so with the extension `amcheck`, if the database has it.

use std::path::Path;

use crate::Store;
use crate::engine::{Turn, open_read_only};
use crate::error::Error;
use crate::sql::{Dialect, Failure, Row, Tx};

/// More problems than these are not listed.
const INTEGRITY_CHECK: &str = "PRAGMA integrity_check(100)";

/// What the engine says about its own files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCheck {
    pub problems: Vec<String>,
    /// Why the engine did not check everything, if it did not.
    pub skipped: Option<String>,
}

impl Store {
    /// Has the engine check its files. Takes as long as reading all of them.
    pub async fn check_engine(&self) -> Result<EngineCheck, Error> {
        let dialect = self.engine.read(|tx| Ok(tx.dialect())).await?;
        let outcome = match dialect {
            Dialect::Sqlite => self.engine.read(check_sqlite).await.map(|problems| {
                let skipped = None;
                EngineCheck { problems, skipped }
            }),
            Dialect::Postgres => self.check_postgres().await,
        };
        damage_is_a_finding(outcome)
    }

    /// Rebuilds every index from its table.
    pub async fn rebuild_indexes(&self) -> Result<(), Error> {
        let write = |tx: &mut dyn Tx| match tx.dialect() {
            Dialect::Sqlite => tx.define("REINDEX"),
            // All tables at once are not possible in a transaction.
            Dialect::Postgres => tx.define(
                "DO $$ DECLARE name text; BEGIN
                     FOR name IN SELECT relname FROM pg_class
                         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                     LOOP EXECUTE format('REINDEX TABLE %I', name); END LOOP;
                 END $$",
            ),
        };
        self.engine.write(Turn::Alone, write).await
    }

    async fn check_postgres(&self) -> Result<EngineCheck, Error> {
        let mut check = EngineCheck::default();
        let relations = self.engine.read(|tx| {
            let sql = "SELECT 1::bigint FROM pg_extension WHERE extname = 'amcheck'";
            match tx.row(sql, &[])? {
                Some(_) => relations(tx).map(Some),
                None => Ok(None),
            }
        });
        let Some(relations) = relations.await? else {
            let text = "PostgreSQL did not check its files: the database does not have the \
                 extension amcheck (CREATE EXTENSION amcheck, as its superuser)";
            check.skipped = Some(text.to_owned());
            return Ok(check);
        };
        // Each by itself: a finding ends the transaction.
        for relation in relations {
            let name = relation.clone();
            match self.engine.read(move |tx| amcheck(tx, &name)).await {
                Ok(found) => check.problems.extend(found),
                Err(Error::Unavailable(text)) if text.contains("permission denied") => {
                    let text = format!("PostgreSQL did not check its files: {text}");
                    check.skipped = Some(text);
                    return Ok(check);
                }
                Err(Error::Unavailable(text) | Error::Corrupt(text)) => {
                    check.problems.push(format!("{}: {text}", relation.name));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(check)
    }
}

/// The check of a database file that is too damaged to be opened as a store.
pub fn check_file(path: &Path) -> Result<EngineCheck, Error> {
    let checked = open_read_only(path).and_then(|mut connection| check_sqlite(&mut *connection));
    let checked = checked.map_err(Error::from).map(|problems| EngineCheck {
        problems,
        skipped: None,
    });
    damage_is_a_finding(checked)
}

fn damage_is_a_finding(outcome: Result<EngineCheck, Error>) -> Result<EngineCheck, Error> {
    match outcome {
        Err(Error::Corrupt(text)) => Ok(EngineCheck {
            problems: vec![text],
            skipped: None,
        }),
        other => other,
    }
}

fn check_sqlite(tx: &mut dyn Tx) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for mut row in tx.rows(INTEGRITY_CHECK, &[])? {
        let text = row.text(0)?;
        let lines = text.lines().filter(|line| !line.starts_with("*** in"));
        problems.extend(lines.filter(|line| *line != "ok").map(str::to_owned));
    }
    // Trees are numbered; people know tables. Where their names cannot be read, numbers do.
    let names = tree_names(tx).unwrap_or_default();
    let named = problems.iter().map(|problem| with_name(problem, &names));
    Ok(named.collect())
}

fn tree_names(tx: &mut dyn Tx) -> Result<Vec<(i64, String)>, Failure> {
    let sql = "SELECT rootpage, name FROM sqlite_schema WHERE rootpage > 0";
    let pair = |mut row: Row| Ok((row.int(0)?, row.text(1)?));
    tx.rows(sql, &[])?.into_iter().map(pair).collect()
}

/// `Tree 5 page 7: …` with the name of the table or index.
fn with_name(problem: &str, names: &[(i64, String)]) -> String {
    let number = problem.strip_prefix("Tree ").and_then(|rest| {
        let digits = rest.split(' ').next()?;
        digits.parse::<i64>().ok()
    });
    let name = names.iter().find(|(root, _)| Some(*root) == number);
    match name {
        Some((_, name)) => format!("{name}: {problem}"),
        None => problem.to_owned(),
    }
}

#[derive(Clone)]
struct Relation {
    name: String,
    is_index: bool,
}

/// The tables and indexes of this schema that can be checked.
fn relations(tx: &mut dyn Tx) -> Result<Vec<Relation>, Failure> {
    let rows = tx.rows(
        "SELECT c.relname::text, (c.relkind = 'i')::int4 FROM pg_class c
         LEFT JOIN pg_am a ON a.oid = c.relam
         WHERE c.relnamespace = current_schema()::regnamespace
             AND (c.relkind = 'r' OR c.relkind = 'i' AND a.amname = 'btree')
         ORDER BY c.relname",
        &[],
    )?;
    let relation = |mut row: Row| {
        Ok(Relation {
            name: row.text(0)?,
            is_index: row.flag(1)?,
        })
    };
    rows.into_iter().map(relation).collect()
}

fn amcheck(tx: &mut dyn Tx, relation: &Relation) -> Result<Vec<String>, Failure> {
    let name = [relation.name.as_str().into()];
    if relation.is_index {
        let sql = "SELECT (bt_index_check(quote_ident($1)::regclass, true) IS NULL)::int4";
        return tx.rows(sql, &name).map(|_| Vec::new());
    }
    let rows = tx.rows(
        "SELECT blkno::int8, msg FROM verify_heapam(quote_ident($1)::regclass) LIMIT 100",
        &name,
    )?;
    let problem = |mut row: Row| {
        let (block, text) = (row.int(0)?, row.text(1)?);
        Ok(format!("{}: block {block}: {text}", relation.name))
    };
    rows.into_iter().map(problem).collect()
}
