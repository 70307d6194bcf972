//! Bounds of this crate, and what happens when one is reached.

use std::time::Duration;

/// Commands that wait for a pad's writer. Who sends one more waits.
pub(crate) const MAILBOX: usize = 256;

/// Commands that one write to the store takes together. The others wait for the next.
pub(crate) const BATCH: usize = 256;

/// How often a batch is planned again because another process wrote to the same pad. Then the
/// commands fail, and may be sent again.
pub(crate) const REPLANS: usize = 32;

/// Revisions a live pad remembers for members and changes that are behind: so many, and all of the
/// last seconds, up to a bound. Older ones are read back. Without the seconds, five hundred members
/// of a busy pad that fall behind for a moment would all read it back, and never catch up.
pub(crate) const RECENT: usize = 128;
pub(crate) const RECENT_MILLISECONDS: i64 = 5_000;
pub(crate) const MOST_RECENT: usize = 8_192;

/// Events that a member may fall behind before it must rejoin.
pub(crate) const EVENTS: usize = 512;

/// Revisions a member that is far behind reads at a time.
pub(crate) const FEED: u64 = 256;

/// It begins with so many, and reads twice as many each time.
pub(crate) const FEED_STEP: u64 = 16;

/// After so many bytes of revisions it gets them before it reads on.
pub(crate) const FEED_BYTES: usize = 1_000_000;

/// From this many UTF-16 units on, a text is large: newcomers share what they are sent of it.
pub(crate) const LARGE_TEXT: usize = 100_000;

/// Revisions of an exported history that are in memory at a time.
pub(crate) const EXPORTED_REVISIONS: u64 = 100;

/// Chat messages beyond the first that one question is answered with. The rest is left out.
pub(crate) const CHAT_PAGE: u64 = 100;

/// How long after hearing where others are a member hears of it again. What happens in between
/// is sent then, the last place of each.
pub(crate) const CARET_PAUSE: Duration = Duration::from_millis(200);

/// Carets that a member which takes batches hears of at a time. The others follow after the pause,
/// those that moved first before those that moved last.
pub(crate) const CARETS_AT_ONCE: usize = 32;

/// Revisions from which on a member that takes batches gets one. Fewer go one by one.
pub(crate) const SMALLEST_BATCH: usize = 4;

/// What goes into a batch: so many revisions, and so many units and operations of them. The rest
/// is another batch.
pub(crate) const BATCH_REVISIONS: usize = 1_024;
pub(crate) const BATCH_UNITS: usize = 256 * 1024;

/// Attributes after which batches say all of them again.
pub(crate) const ANNOUNCED: usize = 16_384;

/// Batches that are remembered until the next delivery, for members that do not keep up.
pub(crate) const CATCH_UP_BATCHES: usize = 4;

/// Revisions to all members in a second up to which a pad is calm, and each is delivered at once.
/// Twenty people who type as fast as they can do not come to that.
pub(crate) const CALM_DELIVERIES: u64 = 10_000;

/// Deliveries in a second from which on the pad's pace is the longest.
pub(crate) const CROWDED_DELIVERIES: u64 = 500_000;

/// From one delivery to the next, where members take batches: at most, and what is not worth it.
pub(crate) const LONGEST_PACE: Duration = Duration::from_millis(150);
pub(crate) const SHORTEST_PACE: Duration = Duration::from_millis(3);

/// From one change of a client to its next, in milliseconds: in a calm pad, and in a crowd.
pub(crate) const COMMIT_INTERVAL: u32 = 100;
pub(crate) const CROWDED_COMMIT_INTERVAL: u32 = 500;

/// How often a node gives a sign of life and compares itself with the store.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(1);

/// How long a node waits after it failed to do what hints ask for. The next comparison does it too.
pub(crate) const LOOK_PAUSE: Duration = Duration::from_millis(100);

/// How many milliseconds a node may go without notes. They are kept for a minute.
pub(crate) const LONGEST_SILENCE: i64 = 45_000;

/// How many comparisons pass before a node looks for its own members in the store that are gone.
pub(crate) const SWEEPS_BETWEEN_ROW_CHECKS: u64 = 16;

/// Members that have left, and notes, that wait for their node. Further departures are found by
/// comparing; further notes are lost.
pub(crate) const ERRANDS: usize = 1_024;

/// Pads and carets of which other nodes wait to learn. Further ones are found by comparing.
pub(crate) const OUTBOX: usize = 10_000;

/// How many revisions of a pad, new attributes and bytes of a change travel in hints. Larger ones
/// are read from the store.
pub(crate) const HINTED_REVISIONS: u64 = 32;
pub(crate) const HINTED_ATTRIBUTES: usize = 32;
pub(crate) const HINTED_BYTES: usize = 2_000;

/// How many visitors are remembered whom the store could not take. Further ones are let in too, but
/// are somebody else with the next visit.
pub(crate) const NEWCOMERS: usize = 10_000;

/// Bytes of one answer of the API, and of all of them, that are kept to be given again. A larger
/// one is written each time.
pub(crate) const CACHED_ANSWER: usize = 4 << 20;
pub(crate) const CACHED_ANSWERS: usize = 16 << 20;

/// Windows that an author may have in one pad, on each node. With one more the oldest is expelled.
pub(crate) const WINDOWS: usize = 16;

/// Windows of a pad whose last change is remembered, those that are gone included. The client of
/// another one compares changes, as after a restart.
pub(crate) const RECORDS: usize = 1_024;
