//! The manager of plugins for a store, with the catalogue and the keys of the settings.

use std::sync::Arc;

use plugin::catalogue::PublicKey;
use plugins::{CatalogueSource, Manager, Registry};
use settings::Settings;
use store::Store;

use crate::open_store::OpenError;

/// Reads what is installed. A key that is none is an error: without it, what is not signed would
/// be taken.
pub async fn open(store: &Store, settings: &Settings) -> Result<Arc<Manager>, OpenError> {
    let keys = settings.plugins.keys.iter();
    let keys: Result<Vec<PublicKey>, _> = keys.map(|key| PublicKey::parse(&key.0)).collect();
    let catalogue = settings.plugins.catalogue.as_ref();
    let source = CatalogueSource {
        is_allowed: settings.privacy.plugin_catalog,
        address: catalogue.map(|address| address.0.clone()),
        keys: keys?,
    };
    let registry = Registry::open(store.clone()).await?;
    Ok(Arc::new(Manager::new(registry, source)))
}
