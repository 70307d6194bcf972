//! Memory benchmark: what pads leave behind that were opened and are no longer used.
//!
//! `idle_pads [COUNT] [UNITS]` opens that many pads of that size one after another, in a store on
//! disk, and prints the memory of the process on the way. It must not grow with the count.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use changeset::Text;
use pad::{PadId, Timestamp};
use service::{Config, Environment, Service};
use store::{Location, Store};

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

/// Resident memory in kB, as the system counts it.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse().ok())
        .unwrap_or(0)
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|number| number.parse().expect("a number"));
    let count: u64 = arguments.next().unwrap_or(10_000);
    let units = arguments.next().unwrap_or(10_000) as usize;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(Location::Embedded(folder.path().join("pads.db")))
        .await
        .unwrap();
    let environment = Arc::new(Counter(AtomicU64::new(0)));
    let service = Service::new(store, environment, Config::default());
    let text = Text::from("words and more words\n".repeat(units / 21).as_str());
    println!("pads opened, live, resident kB");
    println!("0, 0, {}", resident_kb());
    for number in 1..=count {
        let pad = PadId::for_new(&format!("pad-{number}")).unwrap();
        service
            .create_pad(&pad, Some(text.clone()), None)
            .await
            .unwrap();
        service
            .append_text(&pad, Text::from("x"), None)
            .await
            .unwrap();
        if number % (count / 10).max(1) == 0 {
            println!("{number}, {}, {}", service.live_pads(), resident_kb());
        }
    }
    service.stop().await;
}
