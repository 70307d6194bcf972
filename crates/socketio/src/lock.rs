//! Locks that are held for a few lines and never across an await.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing that holds one of our locks can panic half way through a change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
