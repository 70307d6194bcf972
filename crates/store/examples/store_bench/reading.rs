//! What a history takes on disk, and what it takes to read it.

use std::time::{Duration, Instant};

use pad::{PadId, Rev};
use store::{Appended, NewPad, PadKey, Store};
use tokio::task::JoinSet;

use crate::trace::{Random, Typist};
use crate::{Outcome, Place, weight};

/// Revisions that are appended at once while a long history is made.
const STEP: usize = 100;

/// Bytes on disk for each revision of a typing trace.
pub(crate) async fn size(place: &Place, revisions: u64) -> Outcome {
    let store = place.open().await?;
    store.ping().await?;
    store.close().await;
    let empty = weight(&place.file(""))?;
    let store = place.open().await?;
    let mut typist = Typist::new(1, 200_000);
    make_pad(&store, "pad", &mut typist, 200, revisions).await?;
    // Closing brings everything from the log into the database.
    store.close().await;
    let bytes = weight(&place.file(""))?.saturating_sub(empty);
    println!(
        "revisions {revisions}, text {} units",
        typist.head().document.len()
    );
    println!(
        "{} bytes on disk, {:.1} for a revision",
        bytes,
        bytes as f64 / revisions as f64
    );
    describe(place)
}

/// Opening a pad with a long history, and its text at any time.
pub(crate) async fn open(place: &Place, revisions: u64) -> Outcome {
    let store = place.open().await?;
    let mut typist = Typist::new(1, 1_000_000);
    let key = make_pad(&store, "pad", &mut typist, 990_000, revisions).await?;
    store.close().await;
    println!(
        "revisions {revisions}, text {} units",
        typist.head().document.len()
    );
    describe(place)?;
    for attempt in ["first", "again"] {
        let store = place.open().await?;
        store.ping().await?;
        let (read, start) = (bytes_read()?, Instant::now());
        let head = store.load_head(key).await?.ok_or("the pad is gone")?;
        let (took, read) = (start.elapsed(), bytes_read()? - read);
        if head.document != typist.head().document {
            return Err("what was read is not what was written".into());
        }
        println!("opening ({attempt}): {took:.1?}, {read} bytes read");
        store.close().await;
    }
    let store = place.open().await?;
    let mut random = Random(7);
    let (mut times, processor) = (Vec::new(), processor_time()?);
    for _ in 0..100 {
        let rev = random.below(revisions as usize) as u64;
        let start = Instant::now();
        store
            .document_at(key, Rev(rev))
            .await?
            .ok_or("no such revision")?;
        times.push(start.elapsed());
    }
    let processor = (processor_time()? - processor) / times.len().max(1) as u32;
    println!("text at a random revision: {}", spread(times));
    println!("of which the processor was busy {processor:.1?} on average");
    store.close().await;
    Ok(())
}

/// Listing a hundred of many pads.
pub(crate) async fn list(place: &Place, pads: u64) -> Outcome {
    let store = place.open().await?;
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for lane in 0..512 {
        let store = store.clone();
        tasks.spawn(async move {
            let step = Typist::new(1, 100).start(20)?;
            for number in (lane..pads).step_by(512) {
                let id = PadId::parse(&format!("pad {:08x}", scattered(number)));
                let new = NewPad {
                    id: &id.ok_or("a name is wrong")?,
                    step: &step,
                    deletion: None,
                    public: false,
                    settings: None,
                };
                store.create_pad(new).await?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    println!("{pads} pads made in {:.1?}", start.elapsed());
    let mut random = Random(7);
    let mut times = Vec::new();
    for _ in 0..100 {
        let after = format!("pad {:08x}", random.below(1 << 31));
        let start = Instant::now();
        let names = store.list_pads(Some(&after), 100).await?;
        times.push(start.elapsed());
        if names.is_empty() && pads > 10_000 {
            return Err("the list is empty".into());
        }
    }
    println!("listing 100 of {pads} pads: {}", spread(times));
    let start = Instant::now();
    let count = store.count_pads().await?;
    println!("counting {count} pads: {:.1?}", start.elapsed());
    store.close().await;
    describe(place)
}

/// Names in no order.
fn scattered(number: u64) -> u32 {
    (number as u32).wrapping_mul(2_654_435_761)
}

async fn make_pad(
    store: &Store,
    name: &str,
    typist: &mut Typist,
    length: usize,
    revisions: u64,
) -> Outcome<PadKey> {
    let id = PadId::parse(name).ok_or("a name is wrong")?;
    let step = typist.start(length)?;
    let new = NewPad {
        id: &id,
        step: &step,
        deletion: None,
        public: false,
        settings: None,
    };
    let key = store.create_pad(new).await?.ok_or("the name is taken")?;
    let mut left = revisions as usize;
    while left > 0 {
        let before = typist.head().clone();
        let step = typist.steps(left.min(STEP))?;
        left = left.saturating_sub(step.revisions.len());
        if store.append(key, &before, &step).await? != Appended::Done {
            return Err("somebody else wrote".into());
        }
    }
    Ok(key)
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| {
        times
            .get(times.len() * part / 100)
            .copied()
            .unwrap_or_default()
    };
    let most = times.last().copied().unwrap_or_default();
    format!(
        "median {:.1?}, 95 % below {:.1?}, most {most:.1?}",
        at(50),
        at(95)
    )
}

/// What this process has read from files so far, whether they were in memory or not.
fn bytes_read() -> Outcome<u64> {
    let counters = std::fs::read_to_string("/proc/self/io")?;
    let line = counters
        .lines()
        .find_map(|line| line.strip_prefix("rchar: "));
    Ok(line.ok_or("the system does not count")?.parse()?)
}

/// How long the processor was busy for this process so far. On a machine that does other things as
/// well this says more than the time that passes.
fn processor_time() -> Outcome<Duration> {
    let state = std::fs::read_to_string("/proc/self/stat")?;
    // The name before it may hold anything, so it is counted from the end of that.
    let (_, fields) = state.rsplit_once(')').ok_or("the system does not count")?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next().unwrap_or_default().parse::<u64>();
    Ok(Duration::from_millis((ticks()? + ticks()?) * 10))
}

/// Where the bytes of a file are.
fn describe(place: &Place) -> Outcome {
    if place.connection().is_some() {
        return Ok(());
    }
    let database = rusqlite::Connection::open(place.file("pads.db"))?;
    let sql = "SELECT COUNT(*), COALESCE(SUM(LENGTH(data)), 0) FROM ";
    for table in ["packs", "snapshots"] {
        let (rows, bytes): (i64, i64) =
            database.query_row(&format!("{sql}{table}"), [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        println!("{table}: {rows} rows, {bytes} bytes");
    }
    Ok(())
}
