//! Admission control for conversions of files, in and out: one semaphore with a bounded queue.
//!
//! A conversion takes tens of megabytes while it runs, and LibreOffice some hundred. So few run at
//! a time, some wait, and the next one is refused.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Conversions that run at the same time.
const RUNNING: usize = 3;
/// Of these, runs of LibreOffice: fewer, so that slow ones never keep our own formats waiting.
pub(crate) const OFFICES: usize = 2;
/// Conversions that run or wait. One more is refused.
const ADMITTED: usize = 32;

/// Uploads of more than this are large ones, of which few are received at a time.
pub(crate) const LARGE_UPLOAD: usize = 1 << 20;
const LARGE_UPLOADS: usize = 4;

pub struct Conversions {
    admitted: Arc<Semaphore>,
    offices: Arc<Semaphore>,
    running: Arc<Semaphore>,
    large_uploads: Arc<Semaphore>,
}

/// What a conversion is done by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Converter {
    Own,
    Office,
}

/// The right to convert one file, until it is dropped.
pub struct Slot {
    _permits: [Option<OwnedSemaphorePermit>; 3],
}

/// Too many conversions wait already.
#[derive(Debug, PartialEq, Eq)]
pub struct Busy;

impl Default for Conversions {
    fn default() -> Conversions {
        Conversions::with_room_for(ADMITTED)
    }
}

impl Conversions {
    pub fn with_room_for(admitted: usize) -> Conversions {
        Conversions {
            admitted: Arc::new(Semaphore::new(admitted)),
            offices: Arc::new(Semaphore::new(OFFICES)),
            running: Arc::new(Semaphore::new(RUNNING)),
            large_uploads: Arc::new(Semaphore::new(LARGE_UPLOADS)),
        }
    }

    /// How many more may come.
    #[cfg(test)]
    pub fn room(&self) -> usize {
        self.admitted.available_permits()
    }

    /// Waits for the turn of a conversion, unless too many wait.
    pub async fn enter(&self, converter: Converter) -> Result<Slot, Busy> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted = admitted.map_err(|_| Busy)?;
        // The scarcer one first: a task that waits for it must not hold the other.
        let office = match converter {
            Converter::Own => None,
            Converter::Office => Some(acquire(&self.offices).await?),
        };
        let running = acquire(&self.running).await?;
        Ok(Slot {
            _permits: [Some(admitted), office, Some(running)],
        })
    }

    /// Waits for the turn of a further part of a file whose first part was admitted.
    pub async fn go_on(&self) -> Result<Slot, Busy> {
        let running = acquire(&self.running).await?;
        Ok(Slot {
            _permits: [None, None, Some(running)],
        })
    }

    /// Waits until one more large upload may be held in memory.
    pub async fn large_upload(&self) -> Result<OwnedSemaphorePermit, Busy> {
        acquire(&self.large_uploads).await
    }
}

async fn acquire(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Busy> {
    // They are never closed.
    Arc::clone(semaphore)
        .acquire_owned()
        .await
        .map_err(|_| Busy)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn few_run_some_wait_and_more_are_refused() {
        let conversions = Conversions::default();
        let mut running = Vec::new();
        for _ in 0..RUNNING {
            running.push(conversions.enter(Converter::Own).await.ok());
        }
        let mut waiting = Vec::new();
        for _ in RUNNING..ADMITTED {
            let mut turn = Box::pin(conversions.enter(Converter::Own));
            assert!((&mut turn).now_or_never().is_none());
            waiting.push(turn);
        }
        let refused = conversions.enter(Converter::Own).await;
        assert!(matches!(refused, Err(Busy)));
        running.pop();
        let next = waiting.remove(0).await;
        assert!(next.is_ok());
    }

    #[tokio::test]
    async fn offices_leave_room_for_our_own_formats() {
        let conversions = Conversions::default();
        let mut offices = Vec::new();
        for _ in 0..OFFICES {
            offices.push(conversions.enter(Converter::Office).await.ok());
        }
        let mut third = Box::pin(conversions.enter(Converter::Office));
        assert!((&mut third).now_or_never().is_none());
        assert!(conversions.enter(Converter::Own).await.is_ok());
        offices.pop();
        assert!(third.await.is_ok());
    }
}
