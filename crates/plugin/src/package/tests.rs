//! Packages: good ones there and back, and hostile archives.

use std::io::{Cursor, Write};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

fn manifest(hooks: &Value) -> Vec<u8> {
    let value = json!({
        "name": "pad-feed", "version": "1.2.3", "interface": "1", "title": "Feed",
        "description": "A feed.", "permissions": ["routes"], "hooks": hooks,
    });
    value.to_string().into_bytes()
}

fn good() -> BTreeMap<String, Vec<u8>> {
    let files: [(&str, &[u8]); 7] = [
        ("plugin.json", &manifest(&json!(["request", "message"]))),
        ("server.js", b"padsvc.on('request', () => {})"),
        ("client.js", b"export {}"),
        ("client.css", b"p {}"),
        ("locales/en.json", br#"{"title": "Feed"}"#),
        (
            "locales/pt-BR.json",
            br#"{"title": "Alimenta\u00e7\u00e3o"}"#,
        ),
        ("assets/icons/feed.svg", b"<svg/>"),
    ];
    files
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .collect()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        if name.ends_with('/') {
            zip.add_directory(*name, SimpleFileOptions::default())
                .unwrap();
        } else {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

fn refusal(archive: &[u8]) -> String {
    Package::unpack(archive).unwrap_err().to_string()
}

#[test]
fn a_package_is_the_same_after_the_archive() {
    let package = Package::from_files(good()).unwrap();
    let archive = package.pack().unwrap();
    let again = Package::unpack(&archive).unwrap();
    assert_eq!(again, package);
    assert_eq!(again.pack().unwrap(), archive);
    assert_eq!(again.file_name(), "pad-feed-1.2.3.padplugin");
    assert_eq!(again.texts()["pt-BR"]["title"], "Alimentação");
    assert_eq!(again.server(), Some("padsvc.on('request', () => {})"));
    assert_eq!(again.style(), Some("p {}"));
    assert!(again.runs_in_browsers());
    assert_eq!(sha256(&archive).len(), 64);
}

#[test]
fn folders_of_an_archive_are_no_files() {
    let manifest = manifest(&json!([]));
    let archive = zip(&[("assets/", b""), ("plugin.json", &manifest), ("x/", b"")]);
    let package = Package::unpack(&archive).unwrap();
    assert_eq!(package.files().count(), 1);
    assert!(!package.runs_in_browsers());
}

#[test]
fn no_name_leads_out_of_a_package() {
    for name in [
        "../plugin.json",
        "/plugin.json",
        "./plugin.json",
        "a/../plugin.json",
        "assets/../x.txt",
        "assets//x.txt",
        "assets/.x.txt",
        "assets/..",
        "assets/x",
        "assets/x.html",
        "assets/x.js",
        "assets\\x.txt",
        "locales\\en.json",
        "C:\\x.txt",
        "assets/x.txt\0.svg",
        "assets/a b.txt",
        "locales/../en.json",
        "locales/EN.json",
        "locales/en.json/",
        "locales/x.json",
        "Plugin.json",
        "server.mjs",
        "node_modules/x.txt",
        "assets/a/b/c/d/e.txt",
        "",
        " ",
        "assets/ä.txt",
        ".git",
        "LICENSE/x.txt",
        "server.js ",
        "assets/x.txt/",
    ] {
        assert_eq!(FileKind::of(name), None, "{name:?}");
        let mut files = good();
        files.insert(name.to_owned(), Vec::new());
        let error = Package::from_files(files).unwrap_err();
        assert!(matches!(error, PackageError::UnknownFile(_)), "{name:?}");
        if name.ends_with('/') || name.is_empty() {
            continue;
        }
        // The writer refuses or cleans some names; what it writes is refused by the reader.
        let archive = zip(&[("plugin.json", &manifest(&json!([])))]);
        assert!(Package::unpack(&archive).is_ok());
        let raw = renamed(&archive, "plugin.json", name);
        assert!(Package::unpack(&raw).is_err(), "{name:?}");
    }
}

/// The archive with the name of its one file replaced, padded or cut to the same length.
fn renamed(archive: &[u8], old: &str, new: &str) -> Vec<u8> {
    let mut name = new.as_bytes().to_vec();
    while name.len() < old.len() {
        name.push(b'x');
    }
    name.truncate(old.len());
    let mut bytes = archive.to_vec();
    for at in 0..bytes.len() - old.len() {
        if &bytes[at..at + old.len()] == old.as_bytes() {
            bytes[at..at + old.len()].copy_from_slice(&name);
        }
    }
    bytes
}

#[test]
fn bombs_are_stopped_while_unpacking() {
    let manifest = manifest(&json!([]));
    // Eight megabytes and one in files that are short enough by themselves.
    let zeros = vec![0; 2 * 1024 * 1024];
    let names: Vec<String> = (0..5)
        .map(|number| format!("assets/{number}.txt"))
        .collect();
    let mut files: Vec<(&str, &[u8])> = vec![("plugin.json", &manifest)];
    files.extend(names.iter().map(|name| (name.as_str(), zeros.as_slice())));
    let archive = zip(&files);
    assert!(archive.len() < 20_000, "it is a bomb: {}", archive.len());
    assert_eq!(
        refusal(&archive),
        "the files have more than 8388608 bytes together"
    );

    let long = vec![0; 30 * 1024 * 1024];
    let archive = zip(&[("plugin.json", &manifest), ("server.js", &long)]);
    assert_eq!(
        refusal(&archive),
        "server.js: it has more than 524288 bytes"
    );
    // Nobody reads to the end, where the sum is wrong.
    let sum = crc_of(&archive, "server.js");
    let endless = lie_about_length(&archive, sum, !sum);
    assert_eq!(
        refusal(&endless),
        "server.js: it has more than 524288 bytes"
    );
    // An archive that lies about the length is no shorter for it.
    let lying = lie_about_length(&archive, long.len() as u32, 10);
    assert!(Package::unpack(&lying).is_err());
}

/// The sum that an archive gives for a file.
fn crc_of(archive: &[u8], name: &str) -> u32 {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    zip.by_name(name).unwrap().crc32()
}

/// Replaces a length, or another number, wherever the archive says it.
fn lie_about_length(archive: &[u8], length: u32, lie: u32) -> Vec<u8> {
    let mut bytes = archive.to_vec();
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == length.to_le_bytes() {
            bytes[at..at + 4].copy_from_slice(&lie.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn counts_and_lengths_are_bounded() {
    let manifest = manifest(&json!([]));
    let names: Vec<String> = (0..FILES)
        .map(|number| format!("assets/{number}.txt"))
        .collect();
    let mut files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    files.push(("plugin.json", &manifest));
    assert_eq!(refusal(&zip(&files)), "there are more than 200 files");
    assert_eq!(
        refusal(&vec![0; ARCHIVE + 1]),
        "the archive has more than 2097152 bytes"
    );
    let many = names.iter().map(|name| (name.clone(), Vec::new()));
    let many = many.chain(good()).collect();
    let error = Package::from_files(many).unwrap_err().to_string();
    assert_eq!(error, "there are more than 200 files");
    let mut files = good();
    files.insert("server.js".into(), vec![b' '; SCRIPT + 1]);
    let error = Package::from_files(files).unwrap_err().to_string();
    assert_eq!(error, "server.js: it has more than 524288 bytes");
}

#[test]
fn links_and_repeated_names_are_refused() {
    let manifest = manifest(&json!([]));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .start_file("plugin.json", SimpleFileOptions::default())
        .unwrap();
    writer.write_all(&manifest).unwrap();
    writer
        .add_symlink("assets/x.txt", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let archive = writer.finish().unwrap().into_inner();
    assert_eq!(refusal(&archive), "assets/x.txt: a link is no file");

    const REPEATED: &str = "two files have the same name, or the same but for capital letters";
    let archive = zip(&[("plugin.json", &manifest), ("aaaaaa.json", b"{}")]);
    let archive = renamed(&archive, "aaaaaa.json", "plugin.json");
    assert_eq!(refusal(&archive), REPEATED);
    for (one, other) in [
        ("assets/a.png", "assets/A.png"),
        ("assets/x/a.txt", "assets/X/a.txt"),
        ("locales/pt-BR.json", "locales/pt-br.json"),
    ] {
        let english: (&str, &[u8]) = ("locales/en.json", b"{}");
        let files = [
            ("plugin.json", &manifest[..]),
            english,
            (one, b"{}"),
            (other, b"{}"),
        ];
        assert_eq!(refusal(&zip(&files)), REPEATED, "{one}");
    }
}

/// Programs that unpack archives do not agree which of two names of an entry counts. What is
/// installed is under the names that were checked.
#[test]
fn one_of_two_names_of_an_entry_counts() {
    let manifest = manifest(&json!([]));
    let archive = zip(&[("plugin.json", &manifest), ("assets/a.txt", b"a")]);
    let first = archive.windows(12).position(|it| it == b"assets/a.txt");
    let last = archive.windows(12).rposition(|it| it == b"assets/a.txt");
    assert_ne!(first, last);
    for at in [first.unwrap(), last.unwrap()] {
        let mut archive = archive.clone();
        archive[at..at + 12].copy_from_slice(b"../../b/a.tx");
        if let Ok(package) = Package::unpack(&archive) {
            let names: Vec<&str> = package.files().map(|(name, _)| name).collect();
            assert_eq!(names, ["assets/a.txt", "plugin.json"]);
        }
    }
}

#[test]
fn damaged_archives_are_errors() {
    let archive = Package::from_files(good()).unwrap().pack().unwrap();
    for length in 0..archive.len() {
        assert!(Package::unpack(&archive[..length]).is_err());
    }
    for at in (0..archive.len()).step_by(3) {
        let mut bytes = archive.clone();
        bytes[at] ^= 0x5a;
        // An error or a package, but no panic.
        let _ = Package::unpack(&bytes);
    }
    assert_eq!(refusal(b"PK"), "it is not a zip archive, or a damaged one");
}

#[test]
fn a_style_comes_with_a_script() {
    let mut files = good();
    files.insert("plugin.json".into(), manifest(&json!(["request"])));
    files.remove("client.js");
    let error = Package::from_files(files).unwrap_err().to_string();
    assert_eq!(
        error,
        "client.css comes into pages with client.js, which is missing"
    );
}

#[test]
fn files_must_fit_together() {
    let with = |name: &str, bytes: Option<&[u8]>| {
        let mut files = good();
        match bytes {
            Some(bytes) => files.insert(name.to_owned(), bytes.to_vec()),
            None => files.remove(name),
        };
        Package::from_files(files).unwrap_err().to_string()
    };
    for (name, bytes, part) in [
        (
            "plugin.json",
            None,
            "plugin.json is missing at the top of the archive",
        ),
        (
            "plugin.json",
            Some(&b"{}"[..]),
            "plugin.json: missing field `name`",
        ),
        (
            "server.js",
            None,
            "hooks: message is answered by server.js, which is missing",
        ),
        (
            "client.js",
            None,
            "hooks: message is for client.js, which is missing",
        ),
        (
            "plugin.json",
            Some(&manifest(&json!([]))),
            "server.js would never run",
        ),
        (
            "server.js",
            Some(&[0xff]),
            "server.js: it is not text in UTF-8",
        ),
        ("locales/en.json", None, "locales/en.json is missing"),
        (
            "locales/de.json",
            Some(b"{\"a\": 1}"),
            "locales/de.json: invalid type",
        ),
        (
            "locales/de.json",
            Some(b"{\"a b\": \"\"}"),
            "locales/de.json: a b: a key has",
        ),
    ] {
        let error = with(name, bytes);
        assert!(error.contains(part), "{error}\nnot: {part}");
    }
}
