//! The list of all pads, read again only when names have changed.

use std::sync::Arc;

use contract::Error;

use crate::Service;
use crate::api::Data;
use crate::api::pads::pad_ids;

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
