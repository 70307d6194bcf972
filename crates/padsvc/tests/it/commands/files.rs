//! `export` and `import`.

use serde_json::json;

use super::{answer, ask, both_ways, refused, said};
use crate::server::{Server, TempRoot, run, stderr, stdout};

fn pads(server: &Server) {
    for pad in ["notes", "50%", "日本 1"] {
        server.data("createPad", &json!({"padID": pad, "text": "first"}));
        server.data(
            "setText",
            &json!({"padID": pad, "text": format!("this is {pad}")}),
        );
    }
}

#[test]
fn all_pads_go_to_files_and_come_back_elsewhere() {
    both_ways("export_all", "{}", pads, |root| {
        let (data, code) = answer(root, "export --all --to out");
        assert_eq!((&data["exported"], code), (&json!(3), 0), "{data}");
        let elsewhere = TempRoot::new(&format!("{}_again", root.name()));
        Server::start(&elsewhere).stop();
        let folder = root.path("out");
        let folder = folder.to_str().unwrap();
        let dry = said(&elsewhere, &format!("import {folder} --dry-run"));
        assert!(dry.ends_with("would import 3 of 3 files\n"), "{dry}");
        assert_eq!(said(&elsewhere, "check"), "checked 0 pads: no problems\n");
        let (data, code) = answer(&elsewhere, &format!("import {folder}"));
        assert_eq!((&data["imported"], code), (&json!(3), 0), "{data}");
        assert_eq!(said(&elsewhere, "check"), "checked 3 pads: no problems\n");
        for pad in ["notes", "50%", "日本_1"] {
            let text = ask(&elsewhere, "getText", &json!({"padID": pad, "rev": 1}));
            let before = ask(&elsewhere, "getText", &json!({"padID": pad, "rev": 0}));
            assert_eq!(text["text"], format!("this is {pad}\n").replace('_', " "));
            assert_eq!(before["text"], "first\n");
        }
    });
}

#[test]
fn a_pad_that_cannot_be_exported_does_not_hold_up_the_others() {
    both_ways("export_some", "{}", pads, |root| {
        let line = "export notes four 50% --to out";
        let rows = "notes: out/notes.etherpad\nfour: there is no pad four\n\
                    50%: out/50%25.etherpad\n";
        let said = |line: &str| {
            let output = run(root, &line.split(' ').collect::<Vec<_>>());
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stdout).unwrap()
        };
        let dry = said(&format!("{line} --dry-run"));
        assert_eq!(dry, format!("{rows}would export 2 of 3 pads\n"));
        assert!(!root.path("out").exists());
        assert_eq!(said(line), format!("{rows}exported 2 of 3 pads\n"));
        assert!(root.path("out/notes.etherpad").exists());
        let (data, code) = answer(root, line);
        assert_eq!(
            (&data["exported"], &data["failed"], code),
            (&json!(0), &json!(3), 1)
        );
    });
}

#[test]
fn one_pad_goes_to_a_file_or_to_standard_output() {
    both_ways("export_one", "{}", pads, |root| {
        let line = "export notes --to - --format txt";
        assert_eq!(said(root, line), "this is notes\n");
        assert_eq!(said(root, &format!("{line} --rev 0")), "first\n");
        assert_eq!(
            said(root, "export notes --to notes.etherpad"),
            "exported 1 pad\n"
        );
        assert!(root.read("notes.etherpad").contains("pad:notes:revs:1"));
        let there = "notes.etherpad is there already; --force replaces it";
        assert_eq!(refused(root, "export notes --to notes.etherpad"), there);
        said(root, "export notes --to notes.etherpad --force");
        said(root, "export notes --to notes.docx --format docx");
        for (line, problem) in [
            ("export four --to -", "there is no pad four"),
            (
                "export notes --to - --format txt --rev 2",
                "there is no revision 2; the newest is 1",
            ),
            (
                "export notes --to nowhere/notes.txt",
                "nowhere/notes.txt.partial: No such file or directory (os error 2)",
            ),
        ] {
            assert_eq!(refused(root, line), problem);
        }
        let mut left = std::fs::read_dir(&root.0).unwrap();
        let is_partial = |name: String| name.ends_with(".partial");
        assert!(!left.any(|entry| is_partial(entry.unwrap().path().display().to_string())));
    });
}

#[test]
fn files_of_any_kind_become_pads_and_replace_none_unasked() {
    both_ways("import", "{}", pads, |root| {
        root.write("new.txt", "from a file");
        root.write("page.html", "<h1>Head</h1><p>text</p>");
        root.write("bad.etherpad", "{\"pad:x\": 1}");
        root.write("what.xyz", "?");
        assert!(said(root, "import new.txt page.html").ends_with("imported 2 of 2 files\n"));
        assert_eq!(
            said(root, "export new --to - --format txt"),
            "from a file\n"
        );
        let page = said(root, "export page --to - --format txt");
        assert!(page.contains("Head") && page.contains("text"), "{page}");

        let output = run(root, &["import", "new.txt", "bad.etherpad", "what.xyz"]);
        assert_eq!(
            (output.status.code(), stderr(&output)),
            (Some(1), String::new())
        );
        let told = stdout(&output);
        assert!(
            told.contains("new.txt: there is a pad new already; --force"),
            "{told}"
        );
        assert!(told.contains("bad.etherpad: "), "{told}");
        assert!(told.contains("what.xyz: the file must end in"), "{told}");
        assert!(told.ends_with("imported 0 of 3 files\n"), "{told}");

        let dry = said(root, "import new.txt --as notes --force --dry-run");
        assert!(dry.contains("would import notes"), "{dry}");
        let text = "export notes --to - --format txt";
        assert_eq!(said(root, text), "this is notes\n");
        said(root, "import new.txt --as notes --force");
        assert_eq!(said(root, text), "from a file\n");
        assert_eq!(said(root, &format!("{text} --rev 1")), "this is notes\n");

        let missing = "import new.txt --as g.0123456789abcdef$x";
        let output = run(root, &missing.split(' ').collect::<Vec<_>>());
        assert!(stdout(&output).contains("there is no group g.0123456789abcdef"));
        assert_eq!(output.status.code(), Some(1));
        assert!(refused(root, "import nothing.txt").contains("nothing.txt: No such file"));
    });
}
