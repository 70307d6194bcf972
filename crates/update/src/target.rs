//! Manifest of a release: its `Cargo.toml`, read before anything changes.

use toml::{Table, Value};

use crate::version::Version;

pub use toml::de::Error as ManifestError;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    pub version: Option<String>,
    /// The oldest compiler that can build it.
    pub rust_version: Option<String>,
}

impl Target {
    /// Reads the manifest in the root of a commit, of a package or of a workspace.
    pub fn read(manifest: &str) -> Result<Target, ManifestError> {
        let manifest: Table = manifest.parse()?;
        let field = |name: &str| {
            let package = manifest.get("package");
            let workspace = manifest.get("workspace").and_then(|it| it.get("package"));
            let places = [package, workspace].into_iter().flatten();
            let values = places.filter_map(|place| place.get(name).and_then(Value::as_str));
            values.map(str::to_owned).next()
        };
        Ok(Target {
            version: field("version"),
            rust_version: field("rust-version"),
        })
    }

    /// What is wrong if the compiler is too old, from the answer to `rustc --version`.
    pub fn compiler_problem(&self, rustc: &str) -> Option<String> {
        let needed = self.rust_version.as_deref()?;
        let found = rustc.split_whitespace().nth(1).unwrap_or_default();
        // `1.95` stands for `1.95.0`.
        let whole = match needed.split('.').count() {
            1 => format!("{needed}.0.0"),
            2 => format!("{needed}.0"),
            _ => needed.to_owned(),
        };
        match (Version::parse(found), Version::parse(&whole)) {
            (Some(found), Some(needed)) if found >= needed => None,
            (_, None) => None,
            _ => Some(format!(
                "target requires Rust {needed}, installed is {found}"
            )),
        }
    }
}

/// The folder that the program of a release is kept in: a name of its own for each commit.
pub fn release_folder(tag: &str, commit: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let tag: String = tag.chars().map(plain).take(60).collect();
    let commit: String = commit.chars().take(12).collect();
    format!("{tag}-{commit}")
}
