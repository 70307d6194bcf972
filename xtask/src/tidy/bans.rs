//! Things that are true on one machine only do not belong in the tree.

use super::Tree;

const PATH: &str = "a path of one machine";
const REGISTRY: &str = "which registry is used is the reader's own setting";

/// Written in two halves, so that this file does not find itself.
const BANNED: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), PATH),
    (concat!("/ro", "ot/"), PATH),
    (concat!("/ho", "me/"), PATH),
    (concat!("registry.", "npmjs"), REGISTRY),
    (concat!("static.", "crates.io"), REGISTRY),
    (concat!("index.", "crates.io"), REGISTRY),
    (concat!("\"resolved\": ", "\"http"), REGISTRY),
];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for (index, line) in file.text.lines().enumerate() {
            for (_, reason) in BANNED.iter().filter(|(text, _)| stands_alone(line, text)) {
                findings.push(format!("{}:{}: {reason}", file.path, index + 1));
            }
        }
    }
    findings
}

/// Whether the text occurs other than in the middle of a longer name, such as a relative path.
fn stands_alone(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(at, _)| {
        let before = line.get(..at).and_then(|start| start.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric() && !"._-*}".contains(before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ban_is_found_in_any_file() {
        for (text, reason) in BANNED {
            let line = format!("first\nsee {text}pads\n");
            assert_eq!(
                check(&Tree::of(&[("a.md", &line)])),
                [format!("a.md:2: {reason}")]
            );
        }
        assert!(check(&Tree::of(&[("a.md", "/src/home/main.ts is fine")])).is_empty());
    }
}
