//! ARCHITECTURE.md describes every crate there is and none that is not.

use super::Tree;

const PATH: &str = "ARCHITECTURE.md";

pub fn check(tree: &Tree) -> Vec<String> {
    let text = tree.file(PATH).map_or("", |file| file.text.as_str());
    let described: Vec<&str> = text.lines().filter_map(heading).collect();
    let mut findings = Vec::new();
    for name in tree.crates().filter(|name| !described.contains(name)) {
        findings.push(format!(
            "{PATH}: the codemap has no heading ### `crates/{name}`"
        ));
    }
    for name in described
        .iter()
        .filter(|name| !tree.crates().any(|there| there == **name))
    {
        findings.push(format!(
            "{PATH}: the codemap describes crates/{name}, which is not there"
        ));
    }
    findings
}

/// The crate a heading of the codemap is about: ### `crates/name`.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("### `crates/")?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codemap_and_crates_are_the_same_set() {
        let check = |map: &str| check(&Tree::of(&[(PATH, map), ("crates/pad/Cargo.toml", "")]));
        assert!(check("### `crates/pad`\n").is_empty());
        assert_eq!(check("").len(), 1);
        assert_eq!(
            check("### `crates/pad`\n### `crates/ghost`: gone\n").len(),
            1
        );
    }
}
