//! Allowed imports between the folders of `web/src`, as the layers are for crates.
//!
//! A folder uses only folders of rows before its own, so that there are no cycles. The `main.ts`
//! of a folder is an entry point, which wires and may use any of them.

use super::Tree;

/// A folder, and the folders it may import: names with a space between. Bottom to top.
const FOLDERS: &[(&str, &str)] = &[
    ("changeset", ""),
    ("a11y", ""),
    ("load", ""),
    ("theme", ""),
    ("prefs", ""),
    ("i18n", ""),
    ("collab", "changeset"),
    ("document", "changeset"),
    ("draft", "changeset collab document"),
    ("net", "changeset collab"),
    ("offline", "net"),
    ("editor", "changeset document load"),
    ("ui", "a11y i18n load"),
    ("plugin", ""),
    (
        "pad",
        "changeset a11y load theme prefs i18n collab document draft net offline editor ui plugin",
    ),
    (
        "history",
        "changeset theme prefs i18n collab document net editor ui pad",
    ),
    ("early", "net pad"),
    ("admin", "a11y theme prefs i18n ui"),
    ("home", "prefs i18n"),
    ("api-docs", ""),
    ("sign-in", ""),
];
const ROOT: &str = "web/src/";

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in [".ts", ".tsx"]
        .iter()
        .flat_map(|ending| tree.with_ending(ending))
    {
        let Some((folder, rest)) = file
            .path
            .strip_prefix(ROOT)
            .and_then(|path| path.split_once('/'))
        else {
            continue;
        };
        let Some((_, allowed)) = FOLDERS.iter().find(|(name, _)| *name == folder) else {
            findings.push(format!("{}: {folder} has no row in {THIS}", file.path));
            continue;
        };
        for (index, line) in file.text.lines().enumerate() {
            let Some(used) = imported(line).and_then(|import| folder_of(&file.path, import)) else {
                continue;
            };
            let is_allowed =
                used == folder || rest == "main.ts" || allowed.split(' ').any(|name| name == used);
            if !is_allowed {
                let place = format!("{}:{}", file.path, index + 1);
                findings.push(format!("{place}: {folder} must not use {used} ({THIS})"));
            }
        }
    }
    findings
}

const THIS: &str = "tidy/web_folders.rs";

/// The relative path that a line imports, statically or not.
fn imported(line: &str) -> Option<&str> {
    let mut starts = ["from '", "import '", "import('"].iter();
    let rest = starts.find_map(|start| line.split_once(start).map(|(_, rest)| rest))?;
    let path = rest.split('\'').next()?;
    path.starts_with('.').then_some(path)
}

/// The folder of `web/src` that a relative import leads to.
fn folder_of(file: &str, import: &str) -> Option<String> {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    let (folder, _) = path.strip_prefix(ROOT)?.split_once('/')?;
    Some(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_against_the_table_are_found() {
        let check = |path: &str, line: &str| check(&Tree::of(&[(path, line)])).len();
        let pad = "} from '../../pad/view.ts';";
        assert_eq!(check("web/src/history/bar/a.tsx", pad), 0);
        assert_eq!(check("web/src/editor/bar/a.ts", pad), 1);
        let later = "const a = import('../history/start.tsx');";
        assert_eq!(check("web/src/pad/page.tsx", later), 1);
        assert_eq!(check("web/src/pad/main.ts", later), 0);
        assert_eq!(check("web/src/pad/page.tsx", "import './pad.css';"), 0);
        assert_eq!(check("web/src/utils/a.ts", ""), 1);
    }

    #[test]
    fn folders_use_only_folders_below_them() {
        for (index, (folder, allowed)) in FOLDERS.iter().enumerate() {
            for used in allowed.split_whitespace() {
                let below = FOLDERS.iter().take(index).any(|(name, _)| *name == used);
                assert!(below, "{folder} uses {used}");
            }
        }
    }
}
