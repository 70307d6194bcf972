//! Every source file opens by saying what it is, and the name of a Rust file says where it is.

use super::Tree;

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in tree.with_ending(".rs") {
        if !file.text.starts_with("//!") {
            findings.push(format!("{}:1: does not open with `//!`", file.path));
        }
        if file.path.ends_with("/mod.rs") {
            findings.push(format!(
                "{}: write `name.rs` beside the folder `name`",
                file.path
            ));
        }
    }
    for file in [".ts", ".tsx"]
        .iter()
        .flat_map(|ending| tree.with_ending(ending))
    {
        if !file.text.starts_with("// ") {
            findings.push(format!("{}:1: does not open with a comment", file.path));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_an_opening_and_mod_files_are_found() {
        let check = |path: &str, text: &str| check(&Tree::of(&[(path, text)])).len();
        assert_eq!(check("a.rs", "//! What it is.\n"), 0);
        assert_eq!(check("a.rs", "// What it is.\n"), 1);
        assert_eq!(check("a/mod.rs", "//! What it is.\n"), 1);
        assert_eq!(check("web/a.tsx", "// What it is.\n"), 0);
        assert_eq!(check("web/a.tsx", "import './a.css';\n"), 1);
    }
}
