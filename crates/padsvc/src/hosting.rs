//! The service with the host of plugins around it.

use std::path::PathBuf;
use std::sync::Arc;

use plugins::{Manager, Plugins};
use service::{Config, Hooks, Service};
use store::Store;
use system::System;

/// This very program, also after an update has put another one in its place.
const RUNNING: &str = "/proc/self/exe";

/// Plugins run from now on; [`Plugins::run`] keeps up with what is installed.
pub(crate) fn open(
    store: Store,
    manager: &Manager,
    config: Config,
) -> (Arc<Service>, Arc<Plugins>) {
    let host = Plugins::new(Arc::clone(manager.registry()), program());
    let hooks = Arc::clone(&host) as Arc<dyn Hooks>;
    let service = Service::with_hooks(store, Arc::new(System), config, Some(hooks));
    let service = Arc::new(service);
    host.attach(&service);
    (service, host)
}

fn program() -> PathBuf {
    let running = PathBuf::from(RUNNING);
    match std::env::current_exe() {
        Ok(known) if !running.exists() => known,
        _ => running,
    }
}
