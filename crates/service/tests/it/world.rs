//! A service on a store in memory, with a clock and dice that tests control.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pad::Timestamp;
use service::{Config, Environment, JoinRequest, Joined, Service};
use store::{Location, Store};

/// Time moves with every look; chance is a counter, stirred.
pub(crate) struct TestWorld {
    looks: AtomicU64,
    pace_milliseconds: u64,
    passed_milliseconds: AtomicU64,
}

impl TestWorld {
    /// Each look takes a millisecond.
    pub(crate) fn new() -> TestWorld {
        TestWorld::at_pace(1)
    }

    pub(crate) fn at_pace(pace_milliseconds: u64) -> TestWorld {
        TestWorld {
            looks: AtomicU64::new(0),
            pace_milliseconds,
            passed_milliseconds: AtomicU64::new(0),
        }
    }

    /// Lets time pass without anybody looking.
    pub(crate) fn pass(&self, milliseconds: u64) {
        self.passed_milliseconds
            .fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Begins elsewhere, so that another world's chance is not the same.
    pub(crate) fn skip(&self, looks: u64) {
        self.looks.fetch_add(looks, Ordering::Relaxed);
    }

    fn look(&self) -> u64 {
        self.looks.fetch_add(1, Ordering::Relaxed)
    }
}

pub(crate) const START: i64 = 1_700_000_000_000;

impl Environment for TestWorld {
    fn now(&self) -> Timestamp {
        let passed = self.passed_milliseconds.load(Ordering::Relaxed);
        Timestamp(START + (self.look() * self.pace_milliseconds + passed) as i64)
    }

    fn entropy(&self) -> u128 {
        let count = u128::from(self.look()) + 1;
        count.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15)
    }
}

pub(crate) async fn service(config: Config) -> Service {
    service_in(TestWorld::new(), config).await
}

pub(crate) async fn service_in(world: TestWorld, config: Config) -> Service {
    let store = Store::open(Location::Memory).await.unwrap();
    Service::new(store, Arc::new(world), config)
}

/// A person opens the pad "notes"; with the same number it is the same person.
pub(crate) async fn join(service: &Service, person: usize) -> Joined {
    let request = JoinRequest {
        pad: "notes".to_owned(),
        token: Some(format!("t.{person:020}")),
        ..JoinRequest::default()
    };
    let joined = service.join(&request).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}
