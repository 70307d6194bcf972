//! The registry: the plugins that are installed, read from the store and kept up to date.
//!
//! What the store has is the truth. A snapshot is never changed; the next one takes its place, and
//! shares what is the same. A package that cannot be used is listed with the reason and does
//! nothing, so that one damaged plugin takes no other along.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use plugin::package::sha256;
use plugin::{Manifest, Name, Package, PadPatterns, Permission, Reason};
use serde_json::{Map, Value};
use service::pad::PadId;
use store::{PluginRecord, Store};
use tokio::sync::{Mutex, watch};
use tracing::{info, warn};

/// How often a node looks whether another one has changed what is installed.
const LOOK: Duration = Duration::from_secs(1);

/// How many digits of a package's hash are in addresses of its files.
const ADDRESS_DIGITS: usize = 12;

#[derive(Debug)]
pub struct Installed {
    pub record: PluginRecord,
    pub package: Arc<Package>,
    pub granted: BTreeSet<Permission>,
    /// A value for every setting.
    pub settings: Map<String, Value>,
    /// Where it is switched on.
    pub pads: PadPatterns,
}

impl Installed {
    pub fn name(&self) -> &Name {
        &self.manifest().name
    }

    pub fn manifest(&self) -> &Manifest {
        self.package.manifest()
    }

    pub fn is_enabled(&self) -> bool {
        self.record.enabled
    }

    /// Whether it is switched on for a pad. On others it does nothing, as if it were not there.
    pub fn is_on(&self, pad: &PadId) -> bool {
        self.pads.include(pad.as_str())
    }

    /// The folder below `/plugins/NAME/` that its files are in: another one for each package, so
    /// that browsers can keep them for ever.
    pub fn asset_folder(&self) -> String {
        let digits = self.record.sha256.get(..ADDRESS_DIGITS);
        format!("{}-{}", self.record.version, digits.unwrap_or_default())
    }
}

/// Why a plugin is not loaded.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    /// Its own fault; others are loaded.
    #[error(transparent)]
    Unusable(#[from] Reason),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// What is installed at one time.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Rises with every change.
    pub change: u64,
    /// Enabled or not.
    pub plugins: BTreeMap<Name, Arc<Installed>>,
    /// Names of those that are installed and cannot be used, with the reason.
    pub unusable: BTreeMap<String, String>,
}

impl Snapshot {
    pub fn get(&self, name: &str) -> Option<&Arc<Installed>> {
        let name: Name = name.parse().ok()?;
        self.plugins.get(&name)
    }

    pub fn enabled(&self) -> impl Iterator<Item = &Arc<Installed>> {
        self.plugins.values().filter(|plugin| plugin.is_enabled())
    }
}

/// Puts what is installed into effect.
type Apply = Box<dyn Fn(&Snapshot) + Send + Sync>;

pub struct Registry {
    store: Store,
    current: watch::Sender<Arc<Snapshot>>,
    apply: OnceLock<Apply>,
    /// Held while a snapshot is made, so that an older one never takes the place of a newer one.
    loading: Mutex<()>,
}

impl Registry {
    pub async fn open(store: Store) -> Result<Arc<Registry>, store::Error> {
        let registry = Registry {
            store,
            current: watch::Sender::new(Arc::default()),
            apply: OnceLock::new(),
            loading: Mutex::default(),
        };
        registry.reload().await?;
        Ok(Arc::new(registry))
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn current(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.borrow())
    }

    /// Changes whenever what is installed does. A plugin that is the same has the same [`Arc`].
    pub fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.current.subscribe()
    }

    /// Names what puts each snapshot into effect: once, before anything is installed or changed.
    pub(crate) fn apply_with(&self, apply: Apply) {
        let _ = self.apply.set(apply);
    }

    /// Reads what is installed, if it has changed. When it returns, that is in effect on this node,
    /// so nobody meets a version of a plugin whose upgrade is reported as done.
    pub async fn reload(&self) -> Result<(), store::Error> {
        let _loading = self.loading.lock().await;
        let list = self.store.plugins().await?;
        let before = self.current();
        if list.change == before.change {
            return Ok(());
        }
        let mut snapshot = Snapshot {
            change: list.change,
            ..Snapshot::default()
        };
        for record in list.plugins {
            let name = record.name.clone();
            match self.load(record, &before).await {
                Ok(installed) => {
                    let name = installed.name().clone();
                    snapshot.plugins.insert(name, installed);
                }
                Err(LoadError::Unusable(reason)) => {
                    if !before.unusable.contains_key(&name) {
                        warn!("the plugin {name} cannot be used: {reason}");
                    }
                    snapshot.unusable.insert(name, reason.to_string());
                }
                Err(LoadError::Store(error)) => return Err(error),
            }
        }
        if let Some(apply) = self.apply.get() {
            apply(&snapshot);
        }
        self.current.send_replace(Arc::new(snapshot));
        Ok(())
    }

    /// Keeps up with other nodes, for as long as the future lives. Without others there is nothing
    /// to keep up with: who changes what is installed reloads it.
    pub async fn follow(&self) -> Infallible {
        if !self.store.is_shared() {
            return std::future::pending().await;
        }
        let mut is_failing = false;
        loop {
            tokio::time::sleep(LOOK).await;
            let looked = match self.store.plugin_change().await {
                Ok(change) if change == self.current().change => Ok(()),
                Ok(_) => self.reload().await,
                Err(error) => Err(error),
            };
            match &looked {
                Ok(()) if is_failing => info!("the list of plugins can be read again"),
                Err(error) if !is_failing => warn!("the list of plugins cannot be read: {error}"),
                _ => {}
            }
            is_failing = looked.is_err();
        }
    }

    async fn load(
        &self,
        record: PluginRecord,
        before: &Snapshot,
    ) -> Result<Arc<Installed>, LoadError> {
        let known = before.get(&record.name);
        if let Some(known) = known.filter(|known| known.record == record) {
            return Ok(Arc::clone(known));
        }
        let same = known.filter(|known| known.record.sha256 == record.sha256);
        let package = match same {
            Some(known) => Arc::clone(&known.package),
            None => match self.store.plugin_package(&record.name).await? {
                Some(archive) => Arc::new(unpack(&record, &archive)?),
                // Removed since the list was read; the next one is without it.
                None => return Err(Reason::from("it was removed").into()),
            },
        };
        Ok(Arc::new(complete(record, package)?))
    }
}

/// The package of a record, if it is the one that was installed. An upgrade that came between the
/// list and the package is found with the next look.
fn unpack(record: &PluginRecord, archive: &[u8]) -> Result<Package, Reason> {
    if sha256(archive) != record.sha256 {
        return Err("its package is not the one that was installed".into());
    }
    let package = Package::unpack(archive).map_err(Reason::of)?;
    let manifest = package.manifest();
    if manifest.name.as_str() != record.name {
        return Err(format!("its package is one of {}", manifest.name).into());
    }
    Ok(package)
}

fn complete(record: PluginRecord, package: Arc<Package>) -> Result<Installed, Reason> {
    let granted: BTreeSet<Permission> = serde_json::from_str(&record.granted)
        .map_err(|error| format!("its permissions are not understood: {error}"))?;
    let values: Value = serde_json::from_str(&record.settings)
        .map_err(|error| format!("its settings are not understood: {error}"))?;
    let pads: PadPatterns = serde_json::from_str(&record.pads)
        .map_err(|error| format!("where it is switched on is not understood: {error}"))?;
    let manifest = package.manifest();
    Ok(Installed {
        // What is not asked for is not granted either.
        granted: granted
            .intersection(&manifest.permissions)
            .cloned()
            .collect(),
        settings: manifest.settings.carry_over(&values),
        pads,
        record,
        package,
    })
}
