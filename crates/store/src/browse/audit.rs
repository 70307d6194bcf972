//! Audit log: what administrators did, the newest first. Lines are added and, when they are old,
//! removed; none is ever changed.

use pad::Timestamp;

use super::{Mark, Page, has, page, stretch};
use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::{ATTEMPTS, AUDIT_LINES};
use crate::sql::{Failure, Row, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    pub time: Timestamp,
    pub principal: String,
    pub action: String,
    pub target: String,
    pub detail: String,
    /// Not refused, and not failed.
    pub done: bool,
}

#[derive(Clone, Debug, Default)]
pub struct AuditAsked {
    /// A part of any of the texts.
    pub search: String,
    /// How the action begins, such as `pads.`.
    pub action: String,
    pub after: Option<Mark>,
    pub limit: usize,
}

impl Store {
    pub async fn append_audit(&self, line: &AuditLine) -> Result<(), Error> {
        let line = line.clone();
        let write = move |tx: &mut dyn Tx| {
            let binds = [
                line.time.millis().into(),
                line.principal.as_str().into(),
                line.action.as_str().into(),
                line.target.as_str().into(),
                line.detail.as_str().into(),
                line.done.into(),
            ];
            // Another node may take the same number; the next attempt sees its line.
            for _ in 0..ATTEMPTS {
                let sql =
                    "INSERT INTO audit (number, time, principal, action, target, detail, done)
                     SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4, $5, $6 FROM audit
                     WHERE true ON CONFLICT (number) DO NOTHING";
                if tx.execute(sql, &binds)? > 0 {
                    return Ok(());
                }
            }
            Err(Failure::Contended("the audit log is busy".to_owned()))
        };
        self.engine.write(Turn::named("audit"), write).await
    }

    /// Some of the lines that are asked for.
    pub async fn browse_audit(&self, asked: &AuditAsked) -> Result<Page<AuditLine>, Error> {
        let asked = asked.clone();
        self.engine.read(move |tx| browse(tx, &asked)).await
    }

    /// Removes lines from before a time, and the oldest of too many. Says how many.
    pub async fn trim_audit(&self, before: Timestamp) -> Result<u64, Error> {
        let write = move |tx: &mut dyn Tx| {
            let sql = "DELETE FROM audit WHERE time < $1
                 OR number <= (SELECT MAX(number) FROM audit) - $2";
            tx.execute(sql, &[before.millis().into(), AUDIT_LINES.into()])
        };
        self.engine.write(Turn::named("audit"), write).await
    }
}

fn browse(tx: &mut dyn Tx, asked: &AuditAsked) -> Result<Page<AuditLine>, Failure> {
    let has_wish = !asked.search.is_empty() || !asked.action.is_empty();
    let stretch = stretch(asked.limit, has_wish);
    let after = match &asked.after {
        Some(Mark::Number(number, _)) => *number,
        _ => i64::MAX,
    };
    let rows = tx.rows(
        "SELECT number, time, principal, action, target, detail, done FROM audit
         WHERE number < $1 ORDER BY number DESC LIMIT $2",
        &[after.into(), (stretch as u64).into()],
    )?;
    let lines: Vec<(i64, AuditLine)> = rows.into_iter().map(line).collect::<Result<_, _>>()?;
    let mark = |(number, _): &(i64, AuditLine)| Mark::Number(*number, String::new());
    let is_wanted = |line: &AuditLine| {
        let texts = [&line.principal, &line.action, &line.target, &line.detail];
        line.action.starts_with(&asked.action) && texts.iter().any(|it| has(it, &asked.search))
    };
    Ok(page(lines, asked.limit, stretch, mark, |(_, line)| {
        is_wanted(&line).then_some(line)
    }))
}

fn line(mut row: Row) -> Result<(i64, AuditLine), Failure> {
    let line = AuditLine {
        time: Timestamp(row.int(1)?),
        principal: row.text(2)?,
        action: row.text(3)?,
        target: row.text(4)?,
        detail: row.text(5)?,
        done: row.flag(6)?,
    };
    Ok((row.int(0)?, line))
}
