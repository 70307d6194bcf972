//! Builds the web bundle when it is missing or stale, and embeds it.
//!
//! This is what makes `cargo run` a single command. Nothing happens when nothing changed: cargo
//! calls this program only when an input is newer, and the bundle is rebuilt only when the bytes
//! of the inputs differ from those it was built from.

// A build script talks to cargo through its environment and its standard output.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

mod bundle;
mod npm;
mod table;

use std::error::Error;
use std::path::Path;

/// An error told to cargo fails the build. Ending with a failure as well would only make cargo
/// bury the message under everything else printed here.
fn main() {
    if let Err(error) = run() {
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let crate_folder = variable("CARGO_MANIFEST_DIR")?;
    let web = Path::new(&crate_folder).join("../../web");
    let web = web
        .canonicalize()
        .map_err(|error| format!("{}: {error}", web.display()))?;
    let dist = bundle::ensure(&web)?;
    let table = table::write(&dist, &web.join("locales"))?;
    let target = Path::new(&variable("OUT_DIR")?).join("assets.rs");
    std::fs::write(&target, table).map_err(|error| format!("{}: {error}", target.display()))?;
    Ok(())
}

fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={name}");
    std::env::var(name).map_err(|_| format!("cargo did not set {name}").into())
}
