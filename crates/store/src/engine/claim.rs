//! Nodes, or one other process, on a PostgreSQL database.
//!
//! Nodes tell each other what they write. Commands that work on the data by themselves do not, so
//! neither may be there while the other is. Each connection that writes claims the database: it
//! holds an advisory lock (shared) whose key names the process, and does not get one while a
//! connection of another process does. Nodes count as one process. The claim lasts as long as any
//! of these connections does, and the server ends it when the process is gone, whatever ended it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use postgres::Client;

use crate::error::Error;
use crate::sql::Failure;

/// How long a starting process waits for one that is just ending. A server sees the end of a
/// client on the same machine at once, but finishes the statement it is at.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(100);

/// A process on another machine that lost its power holds the claim until the server notices.
const KEEP_ALIVE: &str = "SET tcp_keepalives_idle = 20;
    SET tcp_keepalives_interval = 10;
    SET tcp_keepalives_count = 3";

/// The first half of a key: the tables that are claimed. The second half names the process.
const CLAIM: &str = "WITH claim AS (SELECT hashtext('padsvc ' || current_schema()) AS tables)
    SELECT CASE WHEN EXISTS (
        SELECT 1 FROM pg_locks, claim
        WHERE locktype = 'advisory' AND objsubid = 2 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND classid = (tables::bigint & 4294967295)::oid AND objid <> $1::int4::oid
    ) THEN false
    ELSE pg_try_advisory_lock_shared((SELECT tables FROM claim), $1::int4) END";

/// Whether nodes hold the claim.
const NODES: &str = "SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = (hashtext('padsvc ' || current_schema())::bigint & 4294967295)::oid
        AND objid = 0)";

/// Of two processes that start at once one looks first.
const GUARD: &str =
    "SELECT pg_advisory_xact_lock(hashtext('padsvc claim ' || current_schema())::bigint)";

/// The claim of this process on a database.
#[derive(Default)]
pub(super) struct Claim {
    /// Drawn by the server, since this crate has no source of random numbers.
    process: OnceLock<i32>,
}

impl Claim {
    /// The claim that all nodes share.
    pub(super) fn of_nodes() -> Claim {
        Claim {
            process: OnceLock::from(0),
        }
    }

    /// Makes a connection hold the claim. Waits a moment for a process that is just ending.
    pub(super) fn hold(&self, client: &mut Client) -> Result<(), Failure> {
        client.batch_execute(KEEP_ALIVE)?;
        let process = self.process(client)?;
        let give_up = Instant::now() + PATIENCE;
        while !take(client, process)? {
            if Instant::now() >= give_up {
                if client.query_one(NODES, &[])?.get(0) {
                    return Err(Error::NodesRun.into());
                }
                let database = "on the PostgreSQL server".to_owned();
                return Err(Error::InUse(database).into());
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn process(&self, client: &mut Client) -> Result<i32, Failure> {
        if let Some(process) = self.process.get() {
            return Ok(*process);
        }
        let drawn = client.query_one("SELECT 1 + floor(random() * 2147483646)::int4", &[])?;
        Ok(*self.process.get_or_init(|| drawn.get(0)))
    }
}

fn take(client: &mut Client, process: i32) -> Result<bool, Failure> {
    let mut guarded = client.transaction()?;
    guarded.execute(GUARD, &[])?;
    let taken = guarded.query_one(CLAIM, &[&process])?.get(0);
    // The lock is the session's; it outlasts the transaction.
    guarded.commit()?;
    Ok(taken)
}
