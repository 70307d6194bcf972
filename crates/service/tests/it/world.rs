//! A service on a store in memory, with a clock and dice that tests control.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pad::Timestamp;
use service::{Config, Environment, Service};
use store::{Location, Store};

/// Time moves by a millisecond with every look; chance is a counter, stirred.
#[derive(Default)]
pub struct TestWorld(AtomicU64);

pub const START: i64 = 1_700_000_000_000;

impl Environment for TestWorld {
    fn now(&self) -> Timestamp {
        Timestamp(START + self.0.fetch_add(1, Ordering::Relaxed) as i64)
    }

    fn entropy(&self) -> u128 {
        let count = u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1;
        count.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15)
    }
}

pub async fn service(config: Config) -> Service {
    let store = Store::open(Location::Memory).await.unwrap();
    Service::new(store, Arc::new(TestWorld::default()), config)
}
