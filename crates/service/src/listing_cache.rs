//! Cache of the list of all pads, as JSON.

use std::sync::{Arc, Mutex, PoisonError};

/// The list, and the number that the store gave to its names before they were read.
#[derive(Default)]
pub(crate) struct ListingCache(Mutex<Option<(u64, Arc<str>)>>);

impl ListingCache {
    pub(crate) fn get(&self, changes: u64) -> Option<Arc<str>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (as_of, json) = kept.as_ref()?;
        (*as_of == changes).then(|| Arc::clone(json))
    }

    pub(crate) fn keep(&self, changes: u64, json: Arc<str>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((changes, json));
    }
}
