//! Which pads a task is about.

use std::fmt;

use pad::{PadId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::PadRecord;

use super::progress::count;
use super::{Failure, Operations, ProgressSender, Summary};

/// How many names are read from the store at a time.
const PAGE: usize = 1_000;
const A_DAY: i64 = 24 * 60 * 60 * 1000;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pads {
    Named(Vec<String>),
    All,
    /// Those that nobody has changed for so many days.
    Unchanged {
        days: u64,
    },
}

/// For the audit log.
impl fmt::Display for Pads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pads::Named(names) => f.write_str(&names.join(", ")),
            Pads::All => f.write_str("all pads"),
            Pads::Unchanged { days } => write!(f, "pads unchanged for {days} days"),
        }
    }
}

/// Goes through pads one after another. Those that come or go meanwhile may be missed.
pub struct Walk<'a> {
    operations: &'a Operations,
    pads: &'a Pads,
    /// Names that are read already, the next one last.
    ahead: Vec<PadId>,
    last: Option<PadId>,
    done: u64,
    total: u64,
}

impl Operations {
    pub async fn list(&self, out: &ProgressSender) -> Result<Summary, Failure> {
        let mut walk = self.walk(&Pads::All).await?;
        let mut pads = 0;
        while let Some(record) = walk.next(out).await? {
            let name = record.id.as_str();
            out.row(name.to_owned(), json!(name)).await?;
            pads += 1;
        }
        Ok(Summary {
            text: count(pads, "pad"),
            data: json!({ "pads": pads }),
            ok: true,
        })
    }

    /// The pad of that name.
    pub async fn find(&self, name: &str) -> Result<PadRecord, Failure> {
        let missing = || Failure::NoPad(name.to_owned());
        let id = PadId::parse(name).ok_or_else(missing)?;
        self.service.store().pad(&id).await?.ok_or_else(missing)
    }

    /// All names are looked up first: if one is wrong, nothing is done to any.
    pub async fn walk<'a>(&'a self, pads: &'a Pads) -> Result<Walk<'a>, Failure> {
        let mut ahead = Vec::new();
        let total = match pads {
            Pads::Named(names) => {
                for name in names.iter().rev() {
                    ahead.push(self.find(name).await?.id);
                }
                names.len() as u64
            }
            Pads::All | Pads::Unchanged { .. } => self.service.store().count_pads().await?,
        };
        Ok(Walk {
            operations: self,
            pads,
            ahead,
            last: None,
            done: 0,
            total,
        })
    }
}

impl Walk<'_> {
    /// The next pad, as it is now.
    pub async fn next(&mut self, out: &ProgressSender) -> Result<Option<PadRecord>, Failure> {
        while let Some(id) = self.name().await? {
            out.progress(self.done.min(self.total), self.total).await?;
            self.done += 1;
            let record = self.operations.service.store().pad(&id).await?;
            if let Some(record) = record.filter(|record| self.wants(record)) {
                return Ok(Some(record));
            }
        }
        out.progress(self.total, self.total).await?;
        Ok(None)
    }

    fn wants(&self, record: &PadRecord) -> bool {
        let Pads::Unchanged { days } = self.pads else {
            return true;
        };
        let days = i64::try_from(*days).unwrap_or(i64::MAX);
        let Timestamp(now) = self.operations.service.now();
        record.head_time.millis() <= now.saturating_sub(days.saturating_mul(A_DAY))
    }

    async fn name(&mut self) -> Result<Option<PadId>, Failure> {
        if self.ahead.is_empty() && !matches!(self.pads, Pads::Named(_)) {
            let after = self.last.as_ref().map(PadId::as_str);
            let store = self.operations.service.store();
            self.ahead = store.list_pads(after, PAGE).await?;
            self.ahead.reverse();
        }
        let name = self.ahead.pop();
        self.last.clone_from(&name);
        Ok(name)
    }
}
