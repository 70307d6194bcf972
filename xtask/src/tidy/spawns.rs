//! Tasks are started where someone waits for them to end, and nowhere else.

use super::Tree;

/// Each file waits for its tasks, or says why nobody has to.
const ALLOWED: [&str; 9] = [
    "crates/edge/src/office.rs",
    "crates/listener/src/accept.rs",
    "crates/padsvc/src/node.rs",
    "crates/relay/src/tasks.rs",
    "crates/service/src/tasks.rs",
    "crates/socketio/src/tasks.rs",
    "crates/sockets/src/lib.rs",
    "crates/updater/src/runner.rs",
    "crates/updater/src/start.rs",
];
const CALLS: [&str; 2] = ["tokio::spawn(", "tokio::task::spawn("];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let watched = tree.with_ending(".rs").filter(|file| {
        file.path.starts_with("crates/")
            && !file.path.contains("/tests")
            && !ALLOWED.contains(&file.path.as_str())
    });
    for file in watched {
        let code = file.text.split("\n#[cfg(test)]\nmod tests {").next();
        for (index, line) in code.into_iter().flat_map(str::lines).enumerate() {
            if CALLS.iter().any(|call| line.contains(call)) {
                let place = format!("{}:{}", file.path, index + 1);
                findings.push(format!(
                    "{place}: a task is spawned outside the files of tidy/spawns.rs"
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
        assert_eq!(check("crates/padsvc/src/serve.rs"), 1);
        assert_eq!(check("crates/padsvc/tests/it/server.rs"), 0);
    }
}
