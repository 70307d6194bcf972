//! Unsafe code has one place, and a lint that is lifted nowhere else.

use super::Tree;

const PLACE: &str = "crates/system/src/heap.rs";
const LINT: &str = concat!("(unsafe", "_code");

pub fn check(tree: &Tree) -> Vec<String> {
    let others = tree.with_ending(".rs").filter(|file| file.path != PLACE);
    let lifted = others.filter(|file| file.text.contains(LINT));
    lifted
        .map(|file| format!("{}: only {PLACE} has unsafe code", file.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_code_in_another_place_is_found() {
        let text = format!("#[allow{LINT})]\nfn f() {{}}");
        let check = |path: &str| check(&Tree::of(&[(path, &text)])).len();
        assert_eq!(check("crates/pad/src/lib.rs"), 1);
        assert_eq!(check(PLACE), 0);
    }
}
