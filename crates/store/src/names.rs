//! Noticing that the list of pads has changed, so that it need not be read again when it has not.
//!
//! Every call that may create, rename or delete a pad has its job pass through
//! [`Changes::noting`]. It is counted when the job is over, before it is answered and even if
//! nobody waits for the answer any more; so a caller that got its answer never sees the old count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Store;
use crate::sql::{Failure, Tx};

#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<AtomicU64>);

/// Counts when it is dropped.
struct Noted(Changes);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl Changes {
    /// The job, counted when it is over. The engine drops a job's work before it answers.
    pub(crate) fn noting<T, F>(
        &self,
        mut run: F,
    ) -> impl FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static
    where
        T: 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        let noted = Noted(self.clone());
        move |tx| {
            let _until_the_job_is_dropped = &noted;
            run(tx)
        }
    }
}

impl Store {
    /// A number that is another one after the list of pads has changed. Ask for it before reading
    /// the list: if it is still the same later, so is the list. `None`: other processes may change
    /// the list.
    pub fn name_changes(&self) -> Option<u64> {
        (!self.is_shared()).then(|| self.names.0.load(Ordering::Acquire))
    }
}
