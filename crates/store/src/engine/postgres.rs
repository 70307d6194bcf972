//! PostgreSQL.
//!
//! Every worker has a connection. Writers read what is committed at each statement and take the
//! rows they change; readers see one state throughout. Commits wait for the disk, whatever the
//! server's own setting is.

use std::collections::HashMap;
use std::error::Error as _;

use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};

use super::claim::Claim;
use super::server::Server;
use super::{CommitFailure, Connection, Driver, Purpose, WorkerCounts};
use crate::error::Error;
use crate::limits::{POSTGRES_BATCH, POSTGRES_READERS, POSTGRES_WRITERS};
use crate::sql::{Bind, Dialect, Failure, Row, Tx, Value};

pub(crate) struct Postgres {
    server: Server,
    claim: Claim,
}

impl Postgres {
    /// For a node, or for a process that wants the database to itself.
    pub(crate) fn new(connection: &str, is_node: bool) -> Result<Postgres, Error> {
        Ok(Postgres {
            server: Server::new(connection, "padsvc")?,
            claim: match is_node {
                true => Claim::of_nodes(),
                false => Claim::default(),
            },
        })
    }

    /// A connection that is refused while another process uses the database.
    pub(crate) fn claimed_client(&self) -> Result<Client, Failure> {
        let mut client = self.client()?;
        self.claim.hold(&mut client)?;
        Ok(client)
    }

    pub(crate) fn client(&self) -> Result<Client, Failure> {
        Ok(self.server.client()?)
    }
}

impl Driver for Postgres {
    fn connect(&self, purpose: Purpose) -> Result<Box<dyn Connection>, Failure> {
        let (mut client, begin) = match purpose {
            Purpose::Write => (
                self.claimed_client()?,
                "BEGIN ISOLATION LEVEL READ COMMITTED",
            ),
            Purpose::Read => (
                self.client()?,
                "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
            ),
        };
        client.batch_execute("SET synchronous_commit = on")?;
        Ok(Box::new(Session {
            client,
            begin,
            has_written: false,
            statements: HashMap::new(),
        }))
    }

    fn worker_counts(&self) -> WorkerCounts {
        WorkerCounts {
            writers: POSTGRES_WRITERS,
            readers: POSTGRES_READERS,
            batch: POSTGRES_BATCH,
            max_linger: None,
        }
    }
}

struct Session {
    client: Client,
    begin: &'static str,
    has_written: bool,
    statements: HashMap<&'static str, Statement>,
}

impl Session {
    fn statement(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Statement, Failure> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        // Left alone the server takes a number next to `1` for one of 32 bits.
        let types: Vec<Type> = binds.iter().map(type_of).collect();
        let statement = self.client.prepare_typed(sql, &types)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl Connection for Session {
    fn begin(&mut self) -> Result<(), Failure> {
        self.has_written = false;
        Ok(self.client.batch_execute(self.begin)?)
    }

    fn commit(&mut self) -> Result<(), CommitFailure> {
        self.client.batch_execute("COMMIT").map_err(|error| {
            let failure = Failure::from(error);
            match failure {
                Failure::Lost(_) => CommitFailure::Unknown(failure),
                _ => CommitFailure::RolledBack(failure),
            }
        })
    }

    fn rollback(&mut self) -> Result<(), Failure> {
        Ok(self.client.batch_execute("ROLLBACK")?)
    }

    fn has_written(&self) -> bool {
        self.has_written
    }
}

impl Tx for Session {
    fn rows(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Vec<Row>, Failure> {
        let statement = self.statement(sql, binds)?;
        let found = self.client.query(&statement, &parameters(binds))?;
        found.iter().map(owned).collect()
    }

    fn execute(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<u64, Failure> {
        let statement = self.statement(sql, binds)?;
        let count = self.client.execute(&statement, &parameters(binds))?;
        self.has_written |= count > 0;
        Ok(count)
    }

    fn define(&mut self, sql: &str) -> Result<(), Failure> {
        Ok(self.client.batch_execute(sql)?)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }
}

fn parameters<'a>(binds: &'a [Bind<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    let as_parameter = |bind: &'a Bind<'a>| bind as &(dyn ToSql + Sync);
    binds.iter().map(as_parameter).collect()
}

fn type_of(bind: &Bind<'_>) -> Type {
    match bind {
        Bind::Null => Type::UNKNOWN,
        Bind::Int(_) => Type::INT8,
        Bind::Text(_) => Type::TEXT,
        Bind::Blob(_) => Type::BYTEA,
    }
}

impl ToSql for Bind<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match *self {
            Bind::Null => Ok(IsNull::Yes),
            Bind::Int(value) => value.to_sql(kind, out),
            Bind::Text(value) => match escaped(value) {
                Some(escaped) => escaped.to_sql(kind, out),
                None => value.to_sql(kind, out),
            },
            Bind::Blob(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

pub(crate) fn owned(row: &postgres::Row) -> Result<Row, Failure> {
    let value = |(index, column): (usize, &postgres::Column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index)?.map(Value::Int),
            Type::INT4 => row
                .try_get::<_, Option<i32>>(index)?
                .map(|v| Value::Int(v.into())),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index)?.map(Value::Blob),
            _ => row
                .try_get::<_, Option<&str>>(index)?
                .map(|v| Value::Text(unescaped(v))),
        };
        Ok(value.unwrap_or_default())
    };
    let values = row.columns().iter().enumerate().map(value);
    Ok(Row(values.collect::<Result<_, postgres::Error>>()?))
}

/// PostgreSQL keeps no zero bytes in text. They are rare, and written as a rarer character and a
/// digit; that character is written so too. Other text stays as it is.
const ESCAPE: char = '\u{10FFFD}';

fn escaped(text: &str) -> Option<String> {
    let is_special = |c| c == '\0' || c == ESCAPE;
    text.contains(is_special).then(|| {
        let marked = text.replace(ESCAPE, &format!("{ESCAPE}1"));
        marked.replace('\0', &format!("{ESCAPE}0"))
    })
}

fn unescaped(text: &str) -> String {
    if text.contains(ESCAPE) {
        let unmarked = text.replace(&format!("{ESCAPE}0"), "\0");
        unmarked.replace(&format!("{ESCAPE}1"), &ESCAPE.to_string())
    } else {
        text.to_owned()
    }
}

impl From<postgres::Error> for Failure {
    fn from(error: postgres::Error) -> Failure {
        let source = error.source().map(|source| format!(": {source}"));
        let detail = format!("{error}{}", source.unwrap_or_default());
        let Some(code) = error.code() else {
            // Whatever the server did not say itself is the connection's fault, but for values
            // that the driver could not convert, of which there are none.
            return Failure::Lost(detail);
        };
        // The detail of these names the values that collide, so it is left out.
        let is_contended = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
            SqlState::UNIQUE_VIOLATION,
            SqlState::DUPLICATE_TABLE,
        ]
        .contains(code);
        // Shutdown, crash, and what else an operator does to a session.
        let is_lost = code.code().starts_with("57P") || code.code().starts_with("08");
        // No room, no answer from the disk, or a server that only copies another one.
        let is_disk = code.code().starts_with("53")
            || code.code().starts_with("58")
            || *code == SqlState::READ_ONLY_SQL_TRANSACTION;
        match () {
            () if is_contended => Failure::Contended(error.to_string()),
            () if is_lost => Failure::Lost(detail),
            () if is_disk => Failure::Disk(detail),
            () => Failure::Statement(detail),
        }
    }
}
