//! Operations of the service, for counting their instructions on small and on large data.
//!
//! `growth_bench FOLDER prepare UNITS REVISIONS PADS` makes a store of that many pads, one of which
//! has a text of that length and that many revisions. `growth_bench FOLDER OPERATION COUNT PEOPLE`
//! opens it, lets that many people into the pad and carries out the operation that often. The
//! difference between a run and one of twice as many is what they cost.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod operations;
mod prepare;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pad::Timestamp;
use service::{Config, Environment, Service};
use store::{Location, Store};

const USAGE: &str =
    "usage: growth_bench FOLDER prepare UNITS REVISIONS PADS|OPERATION COUNT PEOPLE";
const PAD: &str = "notes";

/// Nothing here depends on the time of day.
#[derive(Default)]
struct Counter(AtomicU64);

impl Environment for Counter {
    fn now(&self) -> Timestamp {
        Timestamp(1_700_000_000_000 + self.0.fetch_add(1, Ordering::Relaxed) as i64)
    }

    fn entropy(&self) -> u128 {
        let count = u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1;
        count.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [folder, "prepare", numbers @ ..] => {
            let [units, revisions, pads] = parse(numbers);
            let service = open(Path::new(folder)).await;
            prepare::prepare(&service, units, revisions, pads).await;
            service.stop().await;
        }
        [folder, operation, numbers @ ..] => {
            let [count, people] = parse(numbers);
            let service = open(Path::new(folder)).await;
            operations::run(&service, operation, count, people).await;
            service.stop().await;
        }
        _ => panic!("{USAGE}"),
    }
}

fn parse<const N: usize>(numbers: &[&str]) -> [u64; N] {
    let numbers: Option<Vec<u64>> = numbers.iter().map(|number| number.parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.unwrap_or_else(|| panic!("{USAGE}"))
}

async fn open(folder: &Path) -> Service {
    let store = Store::open(Location::Embedded(folder.join("pads.db")))
        .await
        .unwrap();
    Service::new(store, Arc::new(Counter::default()), Config::default())
}

/// A plain congruential generator: the same numbers on every machine and with every version.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
