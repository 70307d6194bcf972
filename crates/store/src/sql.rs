//! What a transaction can do, whichever engine carries it out.
//!
//! Statements are written once. They use `$1`, `$2` … in the order of first appearance, name their
//! columns, and keep to what both engines understand. Numbers are 64 bits, flags are 0 and 1.

use pad::Rev;

use crate::error::Error;
use codec::Malformed;

/// Which of the two ways to define a table is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// A transaction under way.
pub(crate) trait Tx {
    fn rows(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Vec<Row>, Failure>;

    /// Says how many rows were written.
    fn execute(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<u64, Failure>;

    /// Carries out statements that define tables. They are not kept ready for the next time.
    fn define(&mut self, sql: &str) -> Result<(), Failure>;

    fn dialect(&self) -> Dialect;

    fn row(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Option<Row>, Failure> {
        Ok(self.rows(sql, binds)?.into_iter().next())
    }
}

/// A value given to a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bind<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

impl From<i64> for Bind<'_> {
    fn from(value: i64) -> Self {
        Bind::Int(value)
    }
}

impl From<bool> for Bind<'_> {
    fn from(value: bool) -> Self {
        Bind::Int(value.into())
    }
}

/// Counts. None of them reaches 2^63.
impl From<u64> for Bind<'_> {
    fn from(value: u64) -> Self {
        Bind::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<Rev> for Bind<'_> {
    fn from(rev: Rev) -> Self {
        rev.0.into()
    }
}

impl<'a> From<&'a str> for Bind<'a> {
    fn from(value: &'a str) -> Self {
        Bind::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Bind<'a> {
    fn from(value: &'a [u8]) -> Self {
        Bind::Blob(value)
    }
}

impl<'a, T: Into<Bind<'a>>> From<Option<T>> for Bind<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Bind::Null, Into::into)
    }
}

/// A value that a statement gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Value {
    #[default]
    Null,
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

impl<'a> From<&'a Value> for Bind<'a> {
    fn from(value: &'a Value) -> Bind<'a> {
        match value {
            Value::Null => Bind::Null,
            Value::Int(number) => Bind::Int(*number),
            Value::Text(text) => Bind::Text(text),
            Value::Blob(bytes) => Bind::Blob(bytes),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Row(pub Vec<Value>);

/// Values are taken out, so that a large one is not copied. A column of another kind than its
/// table says is damage.
impl Row {
    pub(crate) fn int(&mut self, column: usize) -> Result<i64, Failure> {
        match self.take(column) {
            Value::Int(value) => Ok(value),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn count(&mut self, column: usize) -> Result<u64, Failure> {
        u64::try_from(self.int(column)?).map_err(|_| damaged())
    }

    pub(crate) fn rev(&mut self, column: usize) -> Result<Rev, Failure> {
        self.count(column).map(Rev)
    }

    pub(crate) fn flag(&mut self, column: usize) -> Result<bool, Failure> {
        Ok(self.int(column)? != 0)
    }

    pub(crate) fn text(&mut self, column: usize) -> Result<String, Failure> {
        self.optional_text(column)?.ok_or_else(damaged)
    }

    pub(crate) fn blob(&mut self, column: usize) -> Result<Vec<u8>, Failure> {
        match self.take(column) {
            Value::Blob(value) => Ok(value),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn optional_blob(&mut self, column: usize) -> Result<Option<Vec<u8>>, Failure> {
        match self.take(column) {
            Value::Blob(value) => Ok(Some(value)),
            Value::Null => Ok(None),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn optional_int(&mut self, column: usize) -> Result<Option<i64>, Failure> {
        match self.take(column) {
            Value::Int(value) => Ok(Some(value)),
            Value::Null => Ok(None),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn optional_text(&mut self, column: usize) -> Result<Option<String>, Failure> {
        match self.take(column) {
            Value::Text(value) => Ok(Some(value)),
            Value::Null => Ok(None),
            _ => Err(damaged()),
        }
    }

    /// A text that has to have the form of an id.
    pub(crate) fn id<T>(
        &mut self,
        column: usize,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        parse(&self.text(column)?).ok_or_else(damaged)
    }

    pub(crate) fn optional_id<T>(
        &mut self,
        column: usize,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let text = self.optional_text(column)?;
        text.map(|text| parse(&text).ok_or_else(damaged))
            .transpose()
    }

    fn take(&mut self, column: usize) -> Value {
        self.0
            .get_mut(column)
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

pub(crate) fn damaged() -> Failure {
    Failure::Error(Error::Corrupt(
        "a column holds what it cannot hold".to_owned(),
    ))
}

/// Why a transaction could not go on. All of them end it.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The engine refused a statement.
    Statement(String),
    /// The disk did not take what was written: it is full, broken or read-only.
    Disk(String),
    /// Another transaction was in the way; the same again may succeed.
    Contended(String),
    /// The connection is of no use any more.
    Lost(String),
    Error(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Failure {
        Failure::Error(malformed.into())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match failure {
            Failure::Error(error) => error,
            Failure::Disk(detail) => Error::NotStored(detail),
            Failure::Statement(detail) | Failure::Contended(detail) | Failure::Lost(detail) => {
                Error::Unavailable(detail)
            }
        }
    }
}
