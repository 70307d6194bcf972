//! Files in the tree that are made from tables: compared with what the tables make of them today.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

use std::path::Path;

/// With `UPDATE_EXPECT=1` the file is written instead.
pub(crate) fn check(path: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, made).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed
        .lines()
        .zip(made.lines())
        .position(|(committed, made)| committed != made);
    assert!(
        committed == made,
        "{path} is out of date from line {}; UPDATE_EXPECT=1 rewrites it",
        differs.unwrap_or_else(|| committed.lines().count().min(made.lines().count())) + 1
    );
}
