//! Fills a database with pads, for tests of what has to work with many: `many_pads FILE NUMBER`.
//!
//! They are called `pad-000001` and so on, and were made one a minute, the last one just now.

use std::error::Error;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use changeset::Text;
use pad::{AuthorId, Head, PadId, Timestamp, edit};
use store::{Location, NewPad, Store};
use tokio::task::JoinSet;

/// As many share a transaction.
const AT_ONCE: u64 = 1000;
const MINUTE: i64 = 60_000;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Outcome {
    let mut words = std::env::args().skip(1);
    let (Some(file), Some(number)) = (words.next(), words.next()) else {
        return Err("usage: many_pads FILE NUMBER".into());
    };
    let number: u64 = number.parse()?;
    let store = Store::open(Location::Embedded(PathBuf::from(file))).await?;
    #[expect(clippy::disallowed_methods, reason = "a program of its own")]
    let now = i64::try_from(UNIX_EPOCH.elapsed()?.as_millis())?;
    let mut next = 1;
    while next <= number {
        let mut tasks = JoinSet::new();
        for pad in next..(next + AT_ONCE).min(number + 1) {
            let age = i64::try_from(number - pad)? * MINUTE;
            tasks.spawn(create(store.clone(), pad, Timestamp(now - age)));
        }
        while let Some(created) = tasks.join_next().await {
            created??;
        }
        next += AT_ONCE;
    }
    store.close().await;
    Ok(())
}

async fn create(store: Store, number: u64, time: Timestamp) -> Outcome {
    let id = PadId::parse(&format!("pad-{number:06}")).ok_or("no such name can be")?;
    let text = Text::from("Some words that somebody has written.\n");
    let first = edit::first_text(&text, &AuthorId::system());
    let step = Head::empty().advance(first.change, first.pool, None, time)?;
    let new = NewPad {
        id: &id,
        step: &step.ok_or("the first revision is one")?,
        deletion: None,
        public: false,
        settings: None,
    };
    store.create_pad(new).await?;
    Ok(())
}
