//! SPDX licence expressions: `MIT OR (Apache-2.0 AND ISC)`, and `MIT/Apache-2.0` of older crates.

/// Whether the expression can be met with licences of the list. One that cannot be read, such as
/// an empty one, cannot.
pub fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    any(&mut words, allowed).is_some_and(|met| met && words.is_empty())
}

/// Alternatives, from the end of the list, which is the beginning of the expression. AND binds
/// tighter than OR.
fn any(words: &mut Vec<&str>, allowed: &[&str]) -> Option<bool> {
    let mut met = all(words, allowed)?;
    while words.pop_if(|word| *word == "OR").is_some() {
        met |= all(words, allowed)?;
    }
    Some(met)
}

fn all(words: &mut Vec<&str>, allowed: &[&str]) -> Option<bool> {
    let mut met = one(words, allowed)?;
    while words.pop_if(|word| *word == "AND").is_some() {
        met &= one(words, allowed)?;
    }
    Some(met)
}

/// A licence, with its exception if it has one, or an expression in parentheses.
fn one(words: &mut Vec<&str>, allowed: &[&str]) -> Option<bool> {
    match words.pop()? {
        "(" => {
            let met = any(words, allowed)?;
            words.pop_if(|word| *word == ")").map(|_| met)
        }
        "AND" | "OR" | "WITH" | ")" => None,
        // An exception permits more than the licence does.
        licence => {
            if words.pop_if(|word| *word == "WITH").is_some() {
                words.pop()?;
            }
            Some(allowed.contains(&licence))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_licences_of_the_list() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("GPL-3.0/MIT", true),
            ("MIT OR GPL-3.0 AND GPL-2.0", true),
            ("(MIT OR GPL-3.0) AND GPL-2.0", false),
            ("ISC AND (GPL-3.0 OR ISC) AND MIT", true),
            ("MIT WITH LLVM-exception OR GPL-3.0", true),
            ("", false),
            ("(MIT", false),
            ("MIT MIT", false),
            ("MIT AND", false),
            ("mit", false),
        ] {
            assert_eq!(
                is_allowed(expression, &["MIT", "ISC"]),
                expected,
                "{expression}"
            );
        }
    }
}
