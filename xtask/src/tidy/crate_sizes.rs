//! No crate too large to hold in one's head: what grows beyond the bound is two things.

use std::collections::BTreeMap;

use super::{SourceFile, Tree};

const LINES: usize = 8_000;

/// `convert` is five file formats in both directions, which know nothing of each other.
const LARGER: [(&str, usize); 1] = [("convert", 11_000)];

/// Suites that other crates' tests run too are no part of the product.
const TESTS: [&str; 4] = ["/tests/", "/tests.rs", "/conformance/", "/conformance.rs"];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut sizes = BTreeMap::<&str, usize>::new();
    for file in tree.with_ending(".rs") {
        if let Some(name) = crate_of(&file.path) {
            *sizes.entry(name).or_default() += production_lines(file);
        }
    }
    let bound = |name: &str| {
        let larger = LARGER.iter().find(|(larger, _)| *larger == name);
        larger.map_or(LINES, |(_, lines)| *lines)
    };
    let too_large = sizes
        .into_iter()
        .filter(|(name, lines)| *lines > bound(name));
    too_large
        .map(|(name, lines)| {
            let bound = bound(name);
            format!("crates/{name}: {lines} lines outside of tests, more than {bound}")
        })
        .collect()
}

fn crate_of(path: &str) -> Option<&str> {
    let (name, file) = path.strip_prefix("crates/")?.split_once('/')?;
    (file.starts_with("src/") && !TESTS.iter().any(|part| path.contains(part))).then_some(name)
}

/// Lines with code. A file's own tests stand at its end.
fn production_lines(file: &SourceFile) -> usize {
    let code = file.text.split("#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_outgrow_their_bound_are_found() {
        let lines = |count: usize| "x();\n".repeat(count);
        let check = |path: &str, text: String| check(&Tree::of(&[(path, &text)]));
        assert_eq!(check("crates/pad/src/lib.rs", lines(LINES)), [""; 0]);
        assert_eq!(
            check("crates/pad/src/lib.rs", lines(LINES + 1)),
            ["crates/pad: 8001 lines outside of tests, more than 8000"]
        );
        assert_eq!(
            check("crates/convert/src/lib.rs", lines(LINES + 1)),
            [""; 0]
        );
        assert_eq!(check("crates/pad/tests/laws.rs", lines(LINES + 1)), [""; 0]);
    }

    #[test]
    fn comments_and_tests_do_not_count() {
        let file = |text: &str| SourceFile {
            path: String::new(),
            text: text.to_owned(),
        };
        let text =
            "//! Why.\n\nfn a() {\n    // b\n    b();\n}\n#[cfg(test)]\nmod tests {\n    c();\n}\n";
        assert_eq!(production_lines(&file(text)), 3);
    }
}
