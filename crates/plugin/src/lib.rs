//! What a plugin is, as pure functions: no file, no clock, no process.
//!
//! A plugin is data until a worker runs it, and all of that data comes from outside, so everything
//! here is bounded where it is read, and every way in which it can be wrong is a named error that
//! the author of a plugin understands.
//!
//! Read in this order: `manifest` (plugin.json), `package` (the files around it), `permission`,
//! `hooks` (what a plugin can answer), `functions` (what it can call), `wire` (the messages between
//! the service and a worker).

pub mod attributes;

pub mod catalogue;

#[cfg(test)]
mod docs;

pub mod functions;

pub mod hooks;

pub mod manifest;

pub mod name;

pub mod package;

pub mod pads;

pub mod parameter;

pub mod permission;

pub mod reason;

pub mod scenario;

pub mod schema;

pub mod settings;

pub mod skeleton;

pub mod wire;

pub use attributes::AttributeDeclaration;
pub use catalogue::{Catalogue, CatalogueError};
pub use functions::Function;
pub use hooks::Hook;
pub use manifest::{Manifest, ManifestError};
pub use name::Name;
pub use package::{Package, PackageError};
pub use pads::{PadPatterns, PatternsError};
pub use permission::{Permission, PermissionKind};
pub use reason::Reason;
pub use scenario::Scenario;
pub use settings::SettingsSchema;

/// The version of the interface between plugins and the program: hooks, functions and the manifest.
///
/// Additions raise the second number. What would break a plugin raises the first.
pub const INTERFACE: semver::Version = semver::Version::new(1, 1, 0);
