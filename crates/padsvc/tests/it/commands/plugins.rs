//! `plugins`: from a new one to its removal.

use serde_json::json;

use super::{answer, both_ways, refused, said};
use crate::cluster::Cluster;
use crate::postgresql::root as on_postgresql;
use crate::server::{Server, TempRoot, run, stderr, stdout};

#[test]
fn an_author_makes_tests_and_packs_a_plugin() {
    let root = TempRoot::new("plugins_new");
    let made = said(&root, "plugins new my-own");
    assert!(made.starts_with("made my-own;"), "{made}");
    assert_eq!(
        refused(&root, "plugins new my-own"),
        "my-own is there already"
    );
    let (tested, code) = answer(&root, "plugins test my-own");
    assert_eq!((code, &tested["failed"]), (0, &json!(0)), "{tested}");
    assert!(tested["tests"].as_u64().unwrap() >= 3);
    // A test that no longer holds is named.
    let script = root.path("my-own/server.js");
    let working = std::fs::read_to_string(&script).unwrap();
    std::fs::write(
        &script,
        "padsvc.on('chatMessage', () => ({ refuse: 'no' }));",
    )
    .unwrap();
    let output = run(&root, &["plugins", "test", "my-own"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stdout(&output).contains(": failed: it answers"),
        "{}",
        stdout(&output)
    );
    std::fs::write(&script, working).unwrap();
    said(&root, "plugins pack my-own");
    let packed = std::fs::read(root.path("my-own-0.1.0.padplugin")).unwrap();
    let again = refused(&root, "plugins pack my-own");
    assert!(again.contains("--force replaces it"), "{again}");
    said(&root, "plugins pack my-own --force");
    let same = std::fs::read(root.path("my-own-0.1.0.padplugin")).unwrap();
    assert_eq!(packed, same, "equal folders make equal files");
    let (tested, _) = answer(&root, "plugins test my-own-0.1.0.padplugin");
    assert_eq!(tested["ok"], true);
    // What is no part of a plugin is named.
    std::fs::write(root.path("my-own/notes.doc"), "x").unwrap();
    let told = refused(&root, "plugins pack my-own --force");
    assert!(
        told.starts_with("notes.doc: a plugin has no such file"),
        "{told}"
    );
    std::fs::remove_file(root.path("my-own/notes.doc")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.path("my-own/README.txt")).unwrap();
    let told = refused(&root, "plugins pack my-own --force");
    assert_eq!(told, "README.txt: a link is no file");
}

fn switches_on_for_some(root: &TempRoot) {
    let shown = said(root, "plugins pads my-own");
    assert_eq!(shown, "my-own is switched on for the pads *\n");
    let (set, code) = answer(root, "plugins pads my-own minutes-* g.*$*");
    assert_eq!((code, &set["pads"]), (0, &json!(["minutes-*", "g.*$*"])));
    let shown = said(root, "plugins list");
    assert!(shown.contains("storage, on minutes-*, g.*$*)"), "{shown}");
    let many = "a ".repeat(51);
    let told = refused(root, &format!("plugins pads my-own {many}"));
    assert_eq!(told, "there can be up to 50 patterns");
    let told = refused(root, "plugins pads other a");
    assert_eq!(told, "there is no plugin other installed");
}

/// What is missing is named, and what to add for it.
fn agrees(root: &TempRoot) {
    let told = refused(root, "plugins install my-own");
    assert_eq!(
        told,
        "not agreed to: chat, storage; to agree, add --grant chat --grant storage"
    );
    let told = refused(root, "plugins install my-own --grant chat");
    assert_eq!(
        told,
        "not agreed to: storage; to agree, add --grant storage"
    );
}

/// An upgrade that asks for more, and for browsers; it stays where it was switched on.
fn upgrades(root: &TempRoot) {
    let path = root.path("my-own/plugin.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let manifest = manifest
        .replace("0.1.0", "0.2.0")
        .replace("\"chat\",", "\"chat\", \"timers\",");
    std::fs::write(&path, manifest).unwrap();
    std::fs::write(root.path("my-own/client.js"), "export default 1;").unwrap();
    let told = refused(root, "plugins install my-own");
    assert_eq!(
        told,
        "not agreed to: timers, code in browsers; to agree, add --grant timers --browsers"
    );
    let told = refused(root, "plugins install my-own --grant-all");
    assert_eq!(
        told,
        "not agreed to: code in browsers; to agree, add --browsers"
    );
    // Of an upgrade only what is new is asked for.
    let told = said(root, "plugins install my-own --grant timers --browsers");
    assert!(
        told.contains("asks for timers (new in this version)"),
        "{told}"
    );
    assert!(told.contains("runs in the browsers of everybody"), "{told}");
    assert!(
        told.ends_with("installed my-own 0.2.0 in place of 0.1.0\n"),
        "{told}"
    );
    let (listed, _) = answer(root, "plugins list");
    assert_eq!(listed["rows"][0]["pads"], json!(["minutes-*", "g.*$*"]));
}

fn installs(root: &TempRoot) {
    said(root, "plugins new my-own");
    agrees(root);
    assert_eq!(said(root, "plugins list"), "0 plugins installed\n");
    let shown = said(root, "plugins install my-own --dry-run");
    assert!(
        shown.contains("asks for chat: Reads every chat message"),
        "{shown}"
    );
    assert!(shown.ends_with("would install my-own 0.1.0\n"), "{shown}");
    // What was shown is what is installed.
    let (_, rest) = shown.split_once("SHA-256 ").unwrap();
    let (sha256, _) = rest.split_once('\n').unwrap();
    let agreed = "plugins install my-own --grant chat --grant storage --sha256";
    let told = refused(root, &format!("{agreed} {}", "0".repeat(64)));
    assert!(told.starts_with("this is not the package that was shown"));
    let told = refused(root, "plugins install my-own --grant timers");
    assert_eq!(told, "the plugin does not ask for: timers");
    let (told, code) = answer(root, &format!("{agreed} {sha256}"));
    assert_eq!((code, &told["name"]), (0, &json!("my-own")), "{told}");
    assert_eq!(
        (&told["version"], &told["before"], &told["sha256"]),
        (&json!("0.1.0"), &json!(null), &json!(sha256))
    );
    assert_eq!(told["rows"][1]["permission"], "chat", "{told}");
    let (listed, code) = answer(root, "plugins list");
    assert_eq!((code, &listed["installed"]), (0, &json!(1)));
    let row = &listed["rows"][0];
    assert_eq!(row["granted"], json!(["chat", "storage"]));
    assert_eq!(
        (&row["enabled"], &row["browsers"]),
        (&json!(true), &json!(false))
    );
    let (told, code) = answer(root, "plugins disable my-own");
    assert_eq!((code, &told["disabled"]), (0, &json!(1)), "{told}");
    let shown = said(root, "plugins list");
    assert!(shown.contains("(chat, storage, disabled)"), "{shown}");
    let (told, code) = answer(root, "plugins enable my-own");
    assert_eq!((code, &told["enabled"]), (0, &json!(1)), "{told}");
    switches_on_for_some(root);
    upgrades(root);
    // What is no plugin leaves it as it is.
    std::fs::write(root.path("bad.padplugin"), "no zip").unwrap();
    let told = refused(root, "plugins install bad.padplugin --grant-all");
    assert_eq!(told, "it is not a zip archive, or a damaged one");
    assert_eq!(
        answer(root, "plugins list").0["rows"][0]["version"],
        "0.2.0"
    );
    let (told, code) = answer(root, "plugins remove my-own");
    assert_eq!((code, &told["removed"]), (0, &json!(1)), "{told}");
    let told = refused(root, "plugins remove my-own");
    assert_eq!(told, "there is no plugin my-own installed");
    assert_eq!(said(root, "plugins list"), "0 plugins installed\n");
}

#[test]
fn plugins_are_installed_upgraded_and_removed() {
    both_ways("plugins_installed", "{}", |_| {}, installs);
}

#[test]
fn plugins_are_installed_on_postgresql() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = on_postgresql("plugins_postgres", &cluster.database(), json!({}));
    let server = Server::start(&root);
    installs(&root);
    server.stop();
}

#[test]
fn the_catalogue_is_asked_only_where_it_is_allowed() {
    let settings = r#"{"plugins": {"catalogue": "http://127.0.0.1:9/x.json"}}"#;
    let off = r#"{"plugins": {"catalogue": "http://127.0.0.1:9/x.json"},
        "privacy": {"pluginCatalog": false}}"#;
    for (name, settings, told) in [
        (
            "none",
            "{}",
            "no catalogue is set; plugins.catalogue is its address",
        ),
        (
            "off",
            off,
            "the catalogue is switched off by privacy.pluginCatalog",
        ),
        (
            "gone",
            settings,
            "http://127.0.0.1:9/x.json cannot be fetched:",
        ),
    ] {
        let root = TempRoot::with_settings(&format!("plugins_catalogue_{name}"), settings);
        Server::start(&root).stop();
        let complaint = refused(&root, "plugins install feed@1.0.0 --grant-all");
        assert!(complaint.starts_with(told), "{complaint}");
    }
}
