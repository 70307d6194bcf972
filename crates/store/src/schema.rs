//! The tables, and how those of an earlier release become those of this one.
//!
//! Each version is a step from the one before it. Steps are never changed once released, and never
//! undone. A database written by a later release is opened as long as that release says that this
//! one can still work with it, so that a release can be taken back:
//!
//! * A step may add tables, indexes, and columns that are null or have a default. Then
//!   `readable_from` stays what it was in the version before. No statement of this crate uses `*`,
//!   so none of them notices.
//! * A step that changes the meaning of what is there comes one release after the code that can
//!   read both, and raises `readable_from` to that release's version.

use crate::error::Error;
use crate::sql::{Bind, Dialect, Failure, Tx};

/// One step.
pub(crate) struct Version {
    pub number: u32,
    /// The version whose release can still work with a database of this one.
    pub readable_from: u32,
    /// Statements. Words in braces are replaced by what the engine calls them.
    pub statements: &'static str,
}

/// All steps, in order.
pub(crate) const VERSIONS: &[Version] = &[
    Version {
        number: 1,
        readable_from: 1,
        statements: include_str!("schema/v1.sql"),
    },
    Version {
        number: 2,
        readable_from: 1,
        statements: include_str!("schema/v2.sql"),
    },
    Version {
        number: 3,
        readable_from: 1,
        statements: include_str!("schema/v3.sql"),
    },
    Version {
        number: 4,
        readable_from: 1,
        statements: include_str!("schema/v4.sql"),
    },
    Version {
        number: 5,
        readable_from: 1,
        statements: include_str!("schema/v5.sql"),
    },
    Version {
        number: 6,
        readable_from: 1,
        statements: include_str!("schema/v6.sql"),
    },
    Version {
        number: 7,
        readable_from: 1,
        statements: include_str!("schema/v7.sql"),
    },
    Version {
        number: 8,
        readable_from: 1,
        statements: include_str!("schema/v8.sql"),
    },
    Version {
        number: 9,
        readable_from: 1,
        statements: include_str!("schema/v9.sql"),
    },
    Version {
        number: 10,
        readable_from: 1,
        statements: include_str!("schema/v10.sql"),
    },
];

const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema (
    row BIGINT PRIMARY KEY,
    version BIGINT NOT NULL,
    readable_from BIGINT NOT NULL
)";

/// Does the next step, if there is one to do. Says whether it did.
pub(crate) fn upgrade(tx: &mut dyn Tx, versions: &[Version]) -> Result<bool, Failure> {
    tx.define(VERSION_TABLE)?;
    tx.execute(
        "INSERT INTO schema (row, version, readable_from) VALUES (1, 0, 0)
         ON CONFLICT (row) DO NOTHING",
        &[],
    )?;
    // Written and not only read, so that of two processes that start at once one waits here.
    let mut row = tx
        .row(
            "UPDATE schema SET version = version WHERE row = 1 RETURNING version, readable_from",
            &[],
        )?
        .ok_or_else(|| Error::Corrupt("the schema has no version".to_owned()))?;
    let (found, readable_from) = (row.count(0)?, row.count(1)?);
    let known = versions.last().map_or(0, |version| version.number);
    if readable_from > u64::from(known) {
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        return Err(Error::TooNew { found, known }.into());
    }
    let next = versions
        .iter()
        .find(|version| u64::from(version.number) > found);
    let Some(next) = next else {
        return Ok(false);
    };
    tx.define(&translated(next.statements, tx.dialect()))?;
    let binds = [
        Bind::Int(next.number.into()),
        Bind::Int(next.readable_from.into()),
    ];
    tx.execute(
        "UPDATE schema SET version = $1, readable_from = $2 WHERE row = 1",
        &binds,
    )?;
    Ok(true)
}

/// What makes an empty database one of a version.
pub(crate) fn script(version: u32, dialect: Dialect) -> String {
    let steps = VERSIONS.iter().take_while(|step| step.number <= version);
    let readable_from = steps.clone().last().map_or(0, |step| step.readable_from);
    let statements: String = steps
        .map(|step| translated(step.statements, dialect))
        .collect();
    format!(
        "{VERSION_TABLE};
         INSERT INTO schema (row, version, readable_from) VALUES (1, {version}, {readable_from});
         {statements}"
    )
}

/// The words that differ. Keys of pads are never given twice; text is compared byte by byte; and
/// what is found by its primary key lies in the order of that key.
fn translated(statements: &str, dialect: Dialect) -> String {
    let words = match dialect {
        Dialect::Sqlite => [
            ("{key}", "INTEGER PRIMARY KEY AUTOINCREMENT"),
            ("{text}", "TEXT"),
            ("{bytes}", "BLOB"),
            (" {clustered}", " WITHOUT ROWID"),
        ],
        Dialect::Postgres => [
            (
                "{key}",
                "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            ),
            ("{text}", "TEXT COLLATE \"C\""),
            ("{bytes}", "BYTEA"),
            (" {clustered}", ""),
        ],
    };
    words
        .iter()
        .fold(statements.to_owned(), |text, (word, meaning)| {
            text.replace(word, meaning)
        })
}
