//! Draining: people are informed that the service restarts, and nobody new comes in meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use service::Service;
use tokio::time::{Instant, sleep_until};
use update::drain::announcements;

/// Whether newcomers are refused.
#[derive(Clone, Default)]
pub struct Intake(Arc<AtomicBool>);

impl Intake {
    pub fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn close(&self) -> Closed {
        self.0.store(true, Ordering::Relaxed);
        Closed(self.clone())
    }
}

/// Lets people in again when it is dropped: at the end, and when the drain is broken off.
struct Closed(Intake);

impl Drop for Closed {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Relaxed);
    }
}

pub async fn run(service: Arc<Service>, intake: Intake, seconds: u64) {
    let _closed = intake.close();
    let end = Instant::now() + Duration::from_secs(seconds);
    for announcement in announcements(seconds) {
        let left = announcement.seconds_left;
        sleep_until(end - Duration::from_secs(left)).await;
        service.announce(announcement.key, left).await;
    }
    sleep_until(end).await;
}
