//! Allowed dependencies of each crate, ours and others'. A new one is a decision, made here.

use toml::{Table, Value};

use super::Tree;

/// A crate, the workspace crates it may use, and the outside crates it may use: names with
/// a space between.
struct Layer {
    name: &'static str,
    ours: &'static str,
    outside: &'static str,
}

/// Bottom to top.
const LAYERS: &[Layer] = &[
    layer("changeset", "", "smallvec thiserror"),
    layer("pad", "changeset", "percent-encoding sha2 subtle thiserror"),
    layer("codec", "changeset pad", "zstd"),
    layer(
        "store",
        "changeset pad codec",
        "aws-lc-rs base64 postgres rusqlite sha2 thiserror tokio tokio-postgres \
         tokio-postgres-rustls",
    ),
    layer(
        "hints",
        "changeset pad codec store",
        "aws-lc-rs base64 tokio tokio-postgres",
    ),
    layer("wtf_json", "changeset", "serde_json thiserror"),
    layer(
        "convert",
        "changeset pad wtf_json",
        "flate2 fontdb harfrust html5ever pdf-writer pulldown-cmark quick-xml \
         read-fonts serde_json subsetter thiserror unicode-bidi unicode-linebreak \
         unicode-normalization unicode-script zip",
    ),
    layer(
        "contract",
        "changeset pad store wtf_json",
        "serde_json thiserror tracing",
    ),
    layer(
        "service",
        "changeset pad store hints wtf_json convert contract",
        "imbl lru serde_json thiserror tokio tokio-util tracing",
    ),
    layer(
        "migrate",
        "changeset pad store wtf_json convert service",
        "futures-util mysql_async postgres rusqlite serde_json sha2 thiserror tokio",
    ),
    layer(
        "socketio",
        "",
        "axum base64 bytes getrandom http hyper hyper-util serde_json sha1 tokio \
         tokio-util",
    ),
    layer(
        "oidc",
        "",
        "argon2 aws-lc-rs base64 bcrypt form_urlencoded jsonwebtoken percent-encoding \
         serde serde_json sha2 subtle thiserror",
    ),
    layer("series", "", "serde_json"),
    layer("alerts", "series", "serde serde_json"),
    layer("update", "", "jiff serde serde_json thiserror toml"),
    layer(
        "plugin",
        "",
        "aws-lc-rs base64 flate2 semver serde serde_json sha2 thiserror zip",
    ),
    layer(
        "plugin_worker",
        "plugin",
        "landlock libc rquickjs rustix seccompiler serde_json thiserror",
    ),
    layer(
        "plugins",
        "pad store service plugin system",
        "futures-util reqwest semver serde serde_json thiserror tokio tokio-util tracing",
    ),
    layer(
        "system",
        "pad service",
        "getrandom libc rustix tokio tracing",
    ),
    layer("bundle", "", "serde_json"),
    layer(
        "settings",
        "pad store service bundle",
        "clap jsonc-parser serde_json thiserror tracing",
    ),
    layer(
        "telemetry",
        "pad settings",
        "axum prometheus-client tokio tracing tracing-appender tracing-subscriber",
    ),
    layer(
        "notify",
        "settings",
        "aws-lc-rs lettre reqwest thiserror tokio",
    ),
    layer(
        "updater",
        "service update system bundle settings telemetry notify listener",
        "jiff reqwest rustix serde_json thiserror tokio tokio-util tracing",
    ),
    layer(
        "identity",
        "pad store service oidc system settings",
        "axum form_urlencoded percent-encoding serde serde_json subtle thiserror tokio \
         tracing",
    ),
    layer(
        "listener",
        "settings telemetry identity",
        "axum http-body hyper hyper-util memchr sha2 thiserror tokio tokio-rustls tower \
         tracing",
    ),
    layer(
        "relay",
        "store system telemetry identity",
        "aws-lc-rs axum http-body hyper hyper-util tokio tokio-rustls tokio-util tower \
         tracing",
    ),
    layer(
        "sockets",
        "changeset pad store wtf_json convert service socketio bundle settings telemetry \
         updater identity",
        "axum futures-util serde_json tokio tokio-util tracing",
    ),
    layer(
        "edge",
        "changeset pad store wtf_json convert service plugins oidc update system bundle \
         settings telemetry updater identity listener",
        "askama axum base64 form_urlencoded futures-util http-body http-body-util multer \
         percent-encoding reqwest rustix serde serde_json sha2 tempfile thiserror tokio \
         tokio-util tower tower-http tracing",
    ),
    layer(
        "admin",
        "pad store service plugin plugins series alerts update system bundle settings telemetry \
         notify updater identity edge",
        "askama axum futures-util http-body-util multer reqwest semver serde serde_json tempfile \
         thiserror tokio tokio-util tower tracing",
    ),
    layer(
        "operator",
        "pad store convert service migrate oidc plugin plugin_worker plugins system settings \
         telemetry updater identity listener",
        "clap clap_complete clap_mangen indicatif percent-encoding rustix semver serde \
         serde_json thiserror tokio tracing",
    ),
    layer(
        "loadtest",
        "changeset pad store hints service system",
        "axum clap futures-util hdrhistogram indicatif memchr serde_json thiserror tokio \
         tokio-tungstenite",
    ),
    layer(
        "padsvc",
        "changeset pad store hints wtf_json convert service plugin plugin_worker plugins \
         system settings telemetry updater identity listener relay sockets edge admin \
         operator loadtest",
        "axum clap futures-util thiserror tokio tokio-util tracing",
    ),
    layer("xtask", "", "serde_json syn toml"),
];

const fn layer(name: &'static str, ours: &'static str, outside: &'static str) -> Layer {
    Layer {
        name,
        ours,
        outside,
    }
}

fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|listed| listed == name)
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
        // What tests use of others is not part of the crate.
        let is_allowed = if is_ours {
            lists(layer.ours, used)
        } else {
            section == "dev-dependencies" || lists(layer.outside, used)
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
                "[dependencies]\nservice.workspace = true\ntokio = \"1\""
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
