//! The host of plugins: which are installed, and what is done with them.
//!
//! Read `registry` first: what is installed, the same on all nodes. `manage` is what operators do
//! to it, `catalogue` where they find plugins. `host` runs them: each has a supervisor
//! (`supervise`) with a worker process (`worker`), which answers hooks and calls functions
//! (`calls`).

#![expect(
    clippy::disallowed_types,
    reason = "time-outs of workers, timers of plugins"
)]

mod admin_page;

mod answers;

mod backoff;

mod calls;

pub mod catalogue;

mod confinement;

mod declared;

mod dispatch;

mod fetch;

mod health;

mod hooks;

mod host;

pub mod manage;

mod pace;

pub mod registry;

mod running;

mod supervise;

mod timers;

mod worker;

pub use admin_page::Part;
pub use answers::RouteResponse;
pub use catalogue::{CatalogueSource, FetchError};
pub use health::{Health, HookHealth, LogLine, State};
pub use host::{Plugins, RouteRequest};
pub use manage::{Consent, ManageError, Manager, Review};
pub use registry::{Installed, Registry, Snapshot};
pub use running::{Answer, Failure};
