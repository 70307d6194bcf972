//! Every bound of this crate, and what happens when it is reached. Tests of this crate run with
//! tiny ones, so that everything happens to small pads.

use std::time::Duration;

/// How many jobs may wait for a worker. Who comes later waits at the door.
pub(crate) const QUEUE: usize = 4096;

/// How many jobs share a transaction. The others are in the next one.
pub(crate) const EMBEDDED_BATCH: usize = 1024;

/// What a connection to the embedded database keeps in memory. Less is slower, not wrong.
pub(crate) const WRITE_CACHE_KB: i64 = 16 * 1024;
pub(crate) const READ_CACHE_KB: i64 = 4 * 1024;

/// How long the one writer waits at most for those who are about to ask again.
pub(crate) const MAX_LINGER: Duration = Duration::from_millis(1);

pub(crate) const POSTGRES_BATCH: usize = 64;

/// Connections of this process to PostgreSQL. Jobs wait when all are busy.
pub(crate) const POSTGRES_WRITERS: usize = 4;
pub(crate) const POSTGRES_READERS: usize = 4;

/// Revisions are sealed when there are so many, or when their changes weigh so much. More of them
/// would compress a little better, but all of a pack is decoded to read one of it.
pub(crate) const PACK_REVISIONS: i64 = if cfg!(test) { 16 } else { 512 };
pub(crate) const PACK_BYTES: i64 = if cfg!(test) { 2048 } else { 32 * 1024 };
/// How far what lists of pads are ordered by may be behind while a pad is written in.
pub(crate) const LISTING_MILLIS: i64 = 60_000;

/// What a revision weighs besides its bytes in a pack when it is decided whether a snapshot is due:
/// applying one takes as long as reading so many bytes. Snapshots then lie closer together, and
/// cost about that much more on disk a revision.
pub(crate) const REVISION_WEIGHT: i64 = 28;

/// How many packs or messages a copy takes in one transaction.
pub(crate) const COPY_ROWS: i64 = if cfg!(test) { 4 } else { 100 };

/// How many of the revisions that are kept compacting copies in one transaction.
pub(crate) const COMPACT_REVISIONS: i64 = if cfg!(test) { 50 } else { 2048 };

/// How many rows of a deleted pad one transaction removes.
pub(crate) const REMOVE_ROWS: i64 = if cfg!(test) { 10 } else { 1000 };

/// How many revisions or messages are read at once to check them.
pub(crate) const CHECK_ROWS: i64 = if cfg!(test) { 40 } else { 2048 };

/// How many problems of a pad are reported. One whose every revision is wrong need not fill the
/// memory.
pub(crate) const CHECK_PROBLEMS: usize = 1000;

/// How often a transaction is tried that others are in the way of. Then it fails.
pub(crate) const ATTEMPTS: usize = 8;

/// How often a copy is started again that another process took for abandoned. That happens when one
/// starts while the copy is made.
pub(crate) const COPY_ATTEMPTS: usize = 3;

/// How many rows are looked at for one page of a list with a search. Then the asker goes on.
pub(crate) const BROWSED_ROWS: usize = if cfg!(test) { 20 } else { 2000 };

/// A node that gives no sign of life for so long is dead. It gives one every second.
pub(crate) const NODE_SILENCE_MILLIS: i64 = 4_000;

/// How long notes are kept, and how far back a node looks for those that were committed late.
pub(crate) const NOTES_MILLIS: i64 = 60_000;
pub(crate) const NOTES_OVERLAP_MILLIS: i64 = 15_000;

/// How many notes are read at once. The rest is read next.
pub(crate) const NOTES_READ: i64 = 10_000;

/// How many entries of a kind are kept. Housekeeping removes those that end first.
pub(crate) const ENTRIES_OF_KIND: u64 = if cfg!(test) { 50 } else { 100_000 };

/// How many lines the audit log has at most. The oldest go first.
pub(crate) const AUDIT_LINES: u64 = if cfg!(test) { 40 } else { 500_000 };

/// How many expired entries one transaction removes.
pub(crate) const ENTRIES_REMOVED: u64 = if cfg!(test) { 20 } else { 5_000 };
/// The heads of how many pads one query reads. Those of more take several.
pub(crate) const HEADS_READ: usize = if cfg!(test) { 3 } else { 10_000 };

/// How many authors one statement reads.
pub(crate) const AUTHORS_READ: usize = if cfg!(test) { 2 } else { 1_000 };

/// How many plugins can be installed. Another one is refused.
pub(crate) const PLUGINS: u64 = if cfg!(test) { 5 } else { 100 };

/// What a plugin may store: values, bytes of a key (and of a timer's name), of a value, and of all
/// keys and values together. More is refused.
pub(crate) const PLUGIN_KEYS: u64 = if cfg!(test) { 10 } else { 1_000 };
pub(crate) const PLUGIN_KEY_BYTES: usize = 600;
pub(crate) const PLUGIN_VALUE_BYTES: usize = if cfg!(test) { 1_000 } else { 64 * 1024 };
pub(crate) const PLUGIN_BYTES: u64 = if cfg!(test) { 3_000 } else { 1024 * 1024 };

/// How many timers a plugin may have. Another one is refused.
pub(crate) const PLUGIN_TIMERS: u64 = if cfg!(test) { 3 } else { 100 };
