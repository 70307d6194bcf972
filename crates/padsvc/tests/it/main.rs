//! The program as a whole, over real connections to 127.0.0.1.
//!
//! Every test has a folder and a port of its own and waits for the ready line, never for a time.

// Clippy's leave for tests covers `#[test]` functions but not the helpers beside them.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod client;
mod server;
mod socket_client;

mod access;
mod alerts;
mod api;
mod backups;
mod bad_requests;
mod commands;
mod connections;
mod creation;
mod custom;
mod erasure;
mod external_provider;
mod hostile;
mod imports;
mod kept_logins;
mod limits;
mod loadtest;
mod lockout;
mod logins;
mod logs;
mod migration;
mod monitoring;
mod nodes;
mod nodes_basic;
mod oidc;
mod plugin_host;
mod plugins;
mod postgresql;
mod privacy;
mod program;
mod recorded_api;
mod relay;
mod restart;
mod routes;
mod scripts;
mod settings;
mod socket;
mod storage;
mod tls;
mod update;

/// The same scripts that the library is tested with.
#[path = "../../../service/tests/it/script.rs"]
mod script;

/// How recorded rows are read, as everywhere.
#[allow(dead_code)]
#[path = "../../../changeset/tests/it/json.rs"]
mod json;

/// The same private database server that the store is tested with.
#[allow(dead_code)]
#[path = "../../../store/src/tests/cluster.rs"]
mod cluster;
use store::Location;
