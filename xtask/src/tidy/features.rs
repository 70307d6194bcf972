//! The table of features names tests: each of them exists.

use super::Tree;

const TABLE: &str = "docs/features.md";

/// A name in the table is a file, or a file, `:` and the name of a test in it.
pub fn check(tree: &Tree) -> Vec<String> {
    let Some(table) = tree.file(TABLE) else {
        return Vec::new();
    };
    let lines = table.text.lines().enumerate();
    let named = lines.flat_map(|(at, line)| tests_in(line).map(move |test| (at + 1, test)));
    let missing = named.filter(|(_, test)| !exists(tree, test));
    missing
        .map(|(line, test)| format!("{TABLE}:{line}: there is no test `{test}`"))
        .collect()
}

/// What a line has in backticks that begins with a folder of tests.
fn tests_in(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        let folders = ["crates/", "web/e2e/", "web/test/", "tests/"];
        folders.iter().any(|folder| word.starts_with(folder))
    })
}

fn exists(tree: &Tree, test: &str) -> bool {
    let (path, name) = test.split_once(':').unwrap_or((test, ""));
    let file = tree.file(path);
    file.is_some_and(|file| file.text.contains(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_do_not_exist_are_found() {
        let check = |table: &str| {
            let test = ("crates/a/tests/it.rs", "fn bold_is_kept() {}");
            check(&Tree::of(&[("docs/features.md", table), test])).len()
        };
        assert_eq!(check("| bold | `crates/a/tests/it.rs: bold_is_kept` |"), 0);
        assert_eq!(check("| bold | `crates/a/tests/it.rs` and `bold` |"), 0);
        assert_eq!(check("| bold | `crates/a/tests/it.rs: italic` |"), 1);
        assert_eq!(check("| bold | `crates/a/tests/gone.rs` |"), 1);
    }
}
