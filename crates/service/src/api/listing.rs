//! The list of all pads as it was last written, as long as it holds.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Service;
use crate::api::Data;
use crate::api::pads::pad_ids;
use crate::error::Error;

/// The list, and the number that the store gave to its names before they were read.
#[derive(Default)]
pub(crate) struct Listing(Mutex<Option<(u64, Arc<str>)>>);

impl Listing {
    fn get(&self, changes: u64) -> Option<Arc<str>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (as_of, json) = kept.as_ref()?;
        (*as_of == changes).then(|| Arc::clone(json))
    }

    fn keep(&self, changes: u64, json: Arc<str>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((changes, json));
    }
}

impl Service {
    /// All pads as the API lists them. Reading ten thousand names takes milliseconds; a list that
    /// has not changed is not read again.
    pub(super) async fn listing(&self) -> Result<Data, Error> {
        let changes = self.store.name_changes();
        if let Some(json) = changes.and_then(|changes| self.listing.get(changes)) {
            return Ok(Data::Written(json));
        }
        let pads = pad_ids(self.list_all_pads().await?);
        let json: Arc<str> = pads.to_string().into();
        if let Some(changes) = changes {
            self.listing.keep(changes, Arc::clone(&json));
        }
        Ok(Data::Written(json))
    }
}
