//! No file too long to read in one sitting, and no line wider than two columns on a screen.

use super::{SourceFile, Tree};

const LINES: usize = 500;
const COLUMNS: usize = 100;

/// Tests and data may be as long as there are cases.
const UNBOUNDED: [&str; 6] = [
    "/test/",
    "/tests/",
    "/tests.rs",
    "/e2e/",
    "fixtures/",
    "/locales/",
];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in [".rs", ".ts", ".tsx", ".css"]
        .iter()
        .flat_map(|ending| tree.with_ending(ending))
    {
        let count = file.text.lines().count();
        if count > LINES && !UNBOUNDED.iter().any(|part| file.path.contains(part)) {
            findings.push(format!("{}: {count} lines, more than {LINES}", file.path));
        }
    }
    findings.extend(tree.with_ending(".rs").flat_map(wide_lines));
    findings
}

/// rustfmt leaves long strings and comments as they are.
fn wide_lines(file: &SourceFile) -> impl Iterator<Item = String> {
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| line.chars().count() > COLUMNS)
        .map(|(index, _)| {
            format!(
                "{}:{}: wider than {COLUMNS} characters",
                file.path,
                index + 1
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found_unless_they_are_tests() {
        let long = "x\n".repeat(LINES + 1);
        let check = |path: &str, text: &str| check(&Tree::of(&[(path, text)])).len();
        assert_eq!(check("crates/pad/src/lib.rs", &long), 1);
        assert_eq!(check("web/src/pad/page.css", &long), 1);
        assert_eq!(check("web/src/pad/page.tsx", &long), 1);
        assert_eq!(check("crates/pad/src/lib.rs", &"x\n".repeat(LINES)), 0);
        assert_eq!(check("crates/pad/src/ids/tests.rs", &long), 0);
        assert_eq!(check("web/test/ids.ts", &long), 0);
    }

    #[test]
    fn wide_lines_are_found() {
        let check = |text: &str| check(&Tree::of(&[("a.rs", text)]));
        assert_eq!(check(&"é".repeat(COLUMNS)), [""; 0]);
        assert_eq!(
            check(&"é".repeat(COLUMNS + 1)),
            ["a.rs:1: wider than 100 characters"]
        );
    }
}
