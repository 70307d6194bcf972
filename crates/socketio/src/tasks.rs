//! The only place that starts tasks, so that closing can wait for all of them.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::task::TaskTracker;

#[derive(Default)]
pub(crate) struct Tasks(TaskTracker);

impl Tasks {
    pub fn start(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(task);
    }

    /// Waits until every task has ended.
    pub async fn wait(&self) {
        self.0.close();
        self.0.wait().await;
    }
}

/// Nothing that holds one of our locks can panic half way through a change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
