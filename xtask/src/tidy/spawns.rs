//! Tasks are started where someone waits for them to end, and nowhere else.

use super::Tree;

const ALLOWED: [&str; 3] = [
    "crates/padsvc/",
    "crates/service/src/tasks.rs",
    "crates/socketio/src/tasks.rs",
];
const CALLS: [&str; 2] = ["tokio::spawn", "tokio::task::spawn"];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let watched = tree.with_ending(".rs").filter(|file| {
        file.path.starts_with("crates/") && !ALLOWED.iter().any(|path| file.path.starts_with(path))
    });
    for file in watched {
        for (index, line) in file.text.lines().enumerate() {
            if CALLS.iter().any(|call| line.contains(call)) {
                let place = format!("{}:{}", file.path, index + 1);
                findings.push(format!(
                    "{place}: tasks are spawned in the tasks.rs of service and socketio only"
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_spawn_is_found() {
        let check = |path: &str| check(&Tree::of(&[(path, "fn f() { tokio::spawn(g()); }")])).len();
        assert_eq!(check("crates/service/src/live/task.rs"), 1);
        assert_eq!(check("crates/service/src/tasks.rs"), 0);
        assert_eq!(check("crates/padsvc/src/serve.rs"), 0);
    }
}
