//! Errors have types: no `Result<_, String>`, and no `Result` in a `Result`.

use super::Tree;

const NAME: &str = "Result<";

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let watched = tree.with_ending(".rs").filter(|file| {
        file.path.starts_with("crates/")
            && file.path.contains("/src/")
            && !file.path.contains("/tests")
    });
    for file in watched {
        let code = file.text.split("\n#[cfg(test)]\nmod tests {").next();
        let code = code.unwrap_or_default();
        for (at, _) in code.match_indices(NAME) {
            let arguments = arguments(&code[at + NAME.len()..]);
            let complaint = match arguments.as_slice() {
                [value, ..] if value.starts_with(NAME) => "a result in a result",
                [_, "String"] => "an error that is a String",
                _ => continue,
            };
            let line = code[..at].lines().count().max(1);
            findings.push(format!(
                "{}:{line}: {complaint}; use an error type",
                file.path
            ));
        }
    }
    findings
}

/// The arguments of a type, given what is behind its opening bracket.
fn arguments(code: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    let mut before = ' ';
    for (at, letter) in code.char_indices() {
        let is_end = letter == '>' && before != '-' && depth == 0;
        if is_end || (letter == ',' && depth == 0) {
            found.push(code[start..at].trim());
            start = at + 1;
        }
        match letter {
            _ if is_end => break,
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = letter;
    }
    found.retain(|argument| !argument.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_without_a_type_are_found() {
        let check = |code: &str| check(&Tree::of(&[("crates/pad/src/lib.rs", code)])).len();
        assert_eq!(check("fn f() -> Result<(), String> {}"), 1);
        assert_eq!(
            check("fn f() -> Result<\n    Vec<(u8, u8)>,\n    String,\n> {}"),
            1
        );
        assert_eq!(check("fn f() -> Result<Result<(), Error>, Error> {}"), 1);
        assert_eq!(
            check("fn f() -> Result<HashMap<String, String>, Error> {}"),
            0
        );
        assert_eq!(
            check("fn f() -> Result<Box<dyn Fn(u8) -> u8>, Error> {}"),
            0
        );
        assert_eq!(check("fn f() -> io::Result<String> {}"), 0);
    }
}
