//! `padsvc loadtest` against the program itself.

use serde_json::json;

use crate::server::{Server, TempRoot, run, stderr, stdout};

#[test]
fn people_type_and_are_measured() {
    let root = TempRoot::new("people_type_and_are_measured");
    let server = Server::start(&root);
    let url = format!("http://{}", server.address);
    let line = "--authors 3 --readers 1 --pads 2 --interval 100 --text 5000 --seconds 5";
    let mut arguments = vec!["loadtest", &url];
    arguments.extend(line.split(' '));
    let output = run(&root, &arguments);
    let report = stdout(&output);
    assert!(output.status.success(), "{report}{}", stderr(&output));
    assert!(
        report.contains("3 authors and 1 readers in each of 2 pads"),
        "{report}"
    );
    assert!(report.contains(" 0 errors"), "{report}");
    let count = |name: &str| -> u64 {
        let line = report.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().last().unwrap().parse().unwrap()
    };
    // Everybody but the author sees a change; those on their way at the end may be missing.
    let (acknowledged, seen) = (count("acknowledged"), count("seen by others"));
    assert!(acknowledged > 0 && seen > acknowledged, "{report}");

    let pads = server.data("listAllPads", &json!({}));
    let pads = pads["padIDs"].as_array().unwrap().clone();
    assert_eq!(pads.len(), 2);
    for pad in pads {
        let text = server.data("getText", &json!({ "padID": pad }))["text"].take();
        let text = text.as_str().unwrap();
        let typed: Vec<&str> = text.lines().filter(|line| line.starts_with('~')).collect();
        assert_eq!(typed.len(), 3, "every author has a line of its own: {text}");
    }
    server.stop();
}

#[test]
fn people_that_take_batches_type_and_are_measured() {
    let root = TempRoot::new("people_that_take_batches_type_and_are_measured");
    let server = Server::start(&root);
    let url = format!("http://{}", server.address);
    // So many that what one store takes is several revisions.
    let line = "--authors 12 --readers 2 --batches --interval 0 --seconds 2";
    let mut arguments = vec!["loadtest", &url];
    arguments.extend(line.split(' '));
    let output = run(&root, &arguments);
    let report = stdout(&output);
    assert!(output.status.success(), "{report}{}", stderr(&output));
    assert!(report.contains(" 0 errors"), "{report}");
    let pads = server.data("listAllPads", &json!({}));
    let pad = pads["padIDs"][0].clone();
    let text = server.data("getText", &json!({ "padID": pad }))["text"].take();
    let typed = text.as_str().unwrap().lines();
    let typed = typed.filter(|line| line.starts_with('~')).count();
    assert_eq!(typed, 12, "every author has a line of its own: {text}");
    server.stop();
}

#[test]
fn a_ramp_ends_at_the_limit() {
    let root = TempRoot::new("a_ramp_ends_at_the_limit");
    let server = Server::start(&root);
    let url = format!("http://{}", server.address);
    let line = "--authors 2 --interval 100 --seconds 1 --ramp --limit 0";
    let mut arguments = vec!["loadtest", &url];
    arguments.extend(line.split(' '));
    let output = run(&root, &arguments);
    let report = stdout(&output);
    assert!(output.status.success(), "{report}{}", stderr(&output));
    assert!(report.contains("the first step is beyond 0 ms"), "{report}");
    server.stop();
}

#[test]
fn what_cannot_be_measured_is_said() {
    let root = TempRoot::new("what_cannot_be_measured_is_said");
    for (line, problem) in [
        // Port 1 is nobody's.
        (
            "loadtest http://127.0.0.1:1",
            "cannot connect to 127.0.0.1:1",
        ),
        ("loadtest 127.0.0.1:1", "an address begins with http://"),
        ("loadtest http://127.0.0.1:1 --authors 0", "nobody to type"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = run(&root, &arguments);
        assert!(!output.status.success());
        assert!(stderr(&output).contains(problem), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}
