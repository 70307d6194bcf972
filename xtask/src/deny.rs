//! Dependency check: licences, banned crates, duplicate versions and sources of all that is locked.
//!
//! The policy is `deny/table.rs`. Why this is not cargo-deny: `docs/notes/deny.md`.

mod licence;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell;

/// One platform, so that every machine gives the same answer: the one that images and packages are
/// made for.
const METADATA: &str = "cargo metadata --format-version 1 --locked \
                        --filter-platform x86_64-unknown-linux-gnu";

/// What a rule needs to know of a locked crate.
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    licence: &'a str,
    /// Empty: a folder of this machine.
    source: &'a str,
    is_ours: bool,
    users: Vec<&'a str>,
}

/// One line for each dependency against the policy.
pub fn findings(project: &Project) -> Result<Vec<String>> {
    let metadata = shell::capture(project.command(METADATA))
        .ok_or("cargo metadata failed; `cargo metadata --locked` says why")?;
    let lock = project.web().join("package-lock.json");
    let lock = std::fs::read_to_string(&lock).map_err(Failure::at(&lock))?;
    let parse = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    let metadata = parse(&metadata)?;
    let mut findings = check(&packages(&metadata), table::BANNED, table::DUPLICATES);
    findings.extend(check_npm(&parse(&lock)?));
    Ok(findings)
}

fn check(
    packages: &[Package<'_>],
    banned: &[(&str, &str)],
    duplicates: &[(&str, &str, &str)],
) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| !package.is_ours) {
        let name = format!("{} {}", package.name, package.version);
        let mut report = |text: &str| findings.push(format!("{name}: {text}"));
        if !licence::is_allowed(package.licence, table::LICENCES) {
            report(&format!("licence {:?} is not allowed", package.licence));
        }
        if package.source != table::SOURCE {
            report(&format!("source {:?} is not crates.io", package.source));
        }
        if let Some((_, reason)) = banned.iter().find(|(name, _)| *name == package.name) {
            let users = package.users.join(", ");
            report(&format!("banned: {reason}; used by {users}"));
        }
    }
    findings.extend(check_duplicates(packages, duplicates));
    findings
}

/// The list is exact: what is new on it is a decision, and what is gone from the lock file must not
/// come back unseen.
fn check_duplicates(packages: &[Package<'_>], listed: &[(&str, &str, &str)]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in packages {
        let of_name = versions.entry(package.name).or_default();
        of_name.insert(breaking_part(package.version));
    }
    let mut findings = Vec::new();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
        let versions = versions.join(" ");
        if !listed.iter().any(|(n, v, _)| n == name && *v == versions) {
            findings.push(format!(
                "{name}: is there in versions {versions}, which are not those in deny/table.rs"
            ));
        }
    }
    for (name, _, _) in listed {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            findings.push(format!(
                "{name}: has one version; remove it from deny/table.rs"
            ));
        }
    }
    findings
}

/// The part of a version that differs between incompatible ones: `1` of 1.2.3, `0.4` of 0.4.5.
fn breaking_part(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (major, _) => major.unwrap_or_default().to_owned(),
    }
}

/// Licences of what the pages are made of. Packages for building and testing are not in them.
fn check_npm(lock: &Value) -> Vec<String> {
    let packages = lock["packages"].as_object();
    let shipped = packages
        .into_iter()
        .flatten()
        .filter(|(name, about)| !name.is_empty() && about["dev"] != true);
    let judged = shipped.map(|(name, about)| (name, text(&about["license"])));
    judged
        .filter(|(_, licence)| !licence::is_allowed(licence, table::LICENCES))
        .map(|(name, licence)| format!("web/{name}: licence {licence:?} is not allowed"))
        .collect()
}

fn packages(metadata: &Value) -> Vec<Package<'_>> {
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let names: BTreeMap<&str, &str> = list(&metadata["packages"])
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let resolved = &metadata["resolve"];
    for node in list(&resolved["nodes"]) {
        for dependency in list(&node["deps"]) {
            let users = users.entry(text(&dependency["pkg"])).or_default();
            users.extend(names.get(text(&node["id"])));
        }
    }
    list(&metadata["packages"])
        .map(|package| Package {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: text(&package["license"]),
            source: text(&package["source"]),
            is_ours: list(&metadata["workspace_members"]).any(|id| *id == package["id"]),
            users: users.remove(text(&package["id"])).unwrap_or_default(),
        })
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LISTED: &[(&str, &str, &str)] = &[("rand", "0.10 0.9", "because")];

    /// What is found when a crate is added to a workspace that keeps the policy.
    fn findings(package: &Value) -> String {
        let crate_of = |name: &str, version: &str| {
            json!({
                "id": format!("{name}@{version}"), "name": name, "version": version,
                "license": "MIT", "source": table::SOURCE,
            })
        };
        let metadata = json!({
            "packages": [
                { "id": "file:///ours", "name": "ours", "version": "0.1.0" },
                crate_of("rand", "0.9.5"),
                crate_of("rand", "0.10.3"),
                crate_of("rand_core", "0.6.4"),
                package,
            ],
            "workspace_members": ["file:///ours"],
            "resolve": { "nodes": [{ "id": "file:///ours", "deps": [{ "pkg": package["id"] }] }] },
        });
        check(
            &packages(&metadata),
            &[("openssl", "TLS is rustls")],
            LISTED,
        )
        .join("\n")
    }

    fn with(field: &str, value: &str) -> Value {
        let mut package = json!({
            "id": "new@1.0.0", "name": "new", "version": "1.0.0",
            "license": "MIT/GPL-3.0", "source": table::SOURCE,
        });
        package[field] = value.into();
        package
    }

    #[test]
    fn each_rule_is_kept_or_found_broken() {
        assert_eq!(findings(&with("version", "1.0.1")), "");
        for (field, value, expected) in [
            (
                "license",
                "GPL-3.0",
                "new 1.0.0: licence \"GPL-3.0\" is not allowed",
            ),
            ("license", "", "new 1.0.0: licence \"\" is not allowed"),
            (
                "source",
                "git+https://localhost/new",
                "source \"git+https://localhost/new\" is not",
            ),
            ("source", "", "new 1.0.0: source \"\" is not crates.io"),
            (
                "name",
                "openssl",
                "openssl 1.0.0: banned: TLS is rustls; used by ours",
            ),
            (
                "name",
                "rand_core",
                "rand_core: is there in versions 0.6 1, which are not those",
            ),
            (
                "name",
                "rand",
                "rand: is there in versions 0.10 0.9 1, which are not those",
            ),
        ] {
            let found = findings(&with(field, value));
            assert!(found.contains(expected), "{field} {value}: {found}");
            assert_eq!(found.lines().count(), 1, "{found}");
        }
    }

    #[test]
    fn a_listed_duplicate_that_is_gone_is_found() {
        let metadata = json!({ "packages": [with("name", "rand")] });
        let found = check_duplicates(&packages(&metadata), LISTED);
        assert_eq!(
            found,
            ["rand: has one version; remove it from deny/table.rs"]
        );
    }

    #[test]
    fn licences_of_packages_that_are_shipped_to_browsers_count() {
        let lock = json!({ "packages": {
            "": { "name": "web" },
            "node_modules/a": { "license": "MIT" },
            "node_modules/b": { "license": "GPL-3.0" },
            "node_modules/c": {},
            "node_modules/d": { "license": "GPL-3.0", "dev": true },
        }});
        let found = check_npm(&lock);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("web/node_modules/b: licence"),
            "{found:?}"
        );
        assert!(
            found[1].starts_with("web/node_modules/c: licence"),
            "{found:?}"
        );
    }
}
