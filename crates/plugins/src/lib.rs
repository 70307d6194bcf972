//! The host of plugins: which are installed, and what is done with them.
//!
//! Read `registry` first: what is installed, the same on all nodes. `manage` is what operators do
//! to it, `catalogue` where they find plugins.

pub mod catalogue;

pub mod manage;

pub mod registry;

pub use catalogue::{CatalogueSource, FetchError};
pub use manage::{Consent, ManageError, Manager, Review};
pub use registry::{Installed, Registry, Snapshot};
