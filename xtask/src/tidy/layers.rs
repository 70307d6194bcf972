//! Who may depend on whom. A new edge is a decision: it is made here, in a commit of its own.

use toml::{Table, Value};

use super::Tree;

/// A crate, those of ours it may use, and those of others.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    outside: Outside,
}

enum Outside {
    Any,
    /// Crates that must stay free of input, output and time list what they use.
    Only(&'static [&'static str]),
}

use Outside::{Any, Only};

/// Bottom to top. Rows for crates that are still to come are the plan they will be held to.
const LAYERS: &[Layer] = &[
    layer("changeset", &[], Only(&["smallvec"])),
    layer("pad", &["changeset"], Only(&["sha2", "subtle"])),
    layer("store", &["pad", "changeset"], Any),
    layer("convert", &["pad", "changeset"], Any),
    layer("service", &["pad", "changeset", "store", "convert"], Any),
    layer(
        "migrate",
        &["pad", "changeset", "store", "convert", "service"],
        Any,
    ),
    layer("socketio", &[], Any),
    layer("oidc", &[], Any),
    layer("update", &[], Any),
    layer("padsvc", EVERYTHING, Any),
    layer("xtask", &[], Any),
];

const EVERYTHING: &[&str] = &[
    "changeset",
    "pad",
    "store",
    "convert",
    "service",
    "migrate",
    "socketio",
    "oidc",
    "update",
];

const fn layer(name: &'static str, ours: &'static [&'static str], outside: Outside) -> Layer {
    Layer {
        name,
        ours,
        outside,
    }
}

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let folders = tree.crates().map(|name| format!("crates/{name}"));
    for folder in folders.chain(["xtask".to_owned()]) {
        let path = format!("{folder}/Cargo.toml");
        let Some(file) = tree.file(&path) else {
            continue;
        };
        match file.text.parse::<Table>() {
            Ok(manifest) => check_manifest(&path, &manifest, &mut findings),
            Err(error) => findings.push(format!("{path}: {}", error.message())),
        }
    }
    findings
}

fn check_manifest(path: &str, manifest: &Table, findings: &mut Vec<String>) {
    let package = manifest
        .get("package")
        .and_then(|package| package.get("name"));
    let name = package.and_then(Value::as_str).unwrap_or_default();
    if !path.contains(&format!("{name}/Cargo.toml")) {
        findings.push(format!(
            "{path}: the crate is named {name}, its folder is not"
        ));
    }
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
        findings.push(format!(
            "{path}: {name} has no row in xtask/src/tidy/layers.rs"
        ));
        return;
    };
    for (section, used) in dependencies(manifest) {
        let is_ours = LAYERS.iter().any(|layer| layer.name == used);
        let is_allowed = match (&layer.outside, is_ours) {
            (_, true) => layer.ours.contains(&used),
            (Any, false) => true,
            // What tests use is not part of the crate.
            (Only(list), false) => section == "dev-dependencies" || list.contains(&used),
        };
        if !is_allowed {
            findings.push(format!(
                "{path}: {name} must not use {used} (tidy/layers.rs)"
            ));
        }
    }
}

/// The crates named in all dependency sections, also those for one platform only.
fn dependencies(manifest: &Table) -> Vec<(&str, &str)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table);
    let mut found = Vec::new();
    for table in [manifest].into_iter().chain(targets) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = table.get(section).and_then(Value::as_table);
            for (key, value) in names.into_iter().flatten() {
                let renamed = value.get("package").and_then(Value::as_str);
                found.push((section, renamed.unwrap_or(key)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, sections: &str) -> String {
        let manifest = format!("[package]\nname = \"{name}\"\n{sections}");
        check(&Tree::of(&[(
            &format!("crates/{name}/Cargo.toml"),
            &manifest,
        )]))
        .join("\n")
    }

    #[test]
    fn edges_of_the_table_are_allowed() {
        assert_eq!(
            findings(
                "padsvc",
                "[dependencies]\nservice.workspace = true\naxum = \"1\""
            ),
            ""
        );
        assert_eq!(
            findings("changeset", "[dev-dependencies]\nproptest = \"1\""),
            ""
        );
    }

    #[test]
    fn other_edges_are_refused() {
        for (name, sections) in [
            ("changeset", "[dependencies]\npad.workspace = true"),
            ("changeset", "[dependencies]\nserde = \"1\""),
            ("pad", "[dev-dependencies]\nstore.workspace = true"),
            ("store", "[target.'cfg(unix)'.dependencies]\nservice = {}"),
            (
                "oidc",
                "[build-dependencies]\nhidden = { package = \"pad\" }",
            ),
            ("utils", ""),
        ] {
            assert_eq!(
                findings(name, sections).lines().count(),
                1,
                "{name}: {sections}"
            );
        }
    }
}
