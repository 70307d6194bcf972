//! Catalogues, hashes and signatures.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::*;

fn archive() -> Vec<u8> {
    let manifest = json!({
        "name": "pad-feed", "version": "1.2.3", "interface": "1", "title": "Feed",
        "description": "A feed.",
    });
    let files = [("plugin.json".to_owned(), manifest.to_string().into_bytes())];
    Package::from_files(files.into()).unwrap().pack().unwrap()
}

fn entry_json() -> Value {
    json!({
        "name": "pad-feed", "version": "1.2.3", "title": "Feed", "description": "A feed.",
        "url": "https://plugins.example.org/pad-feed-1.2.3.padplugin",
        "sha256": sha256(&archive()), "stars": 5,
    })
}

fn entry() -> Entry {
    serde_json::from_value(entry_json()).unwrap()
}

/// A key pair that is the same in every run.
fn pair(seed: u8) -> (Ed25519KeyPair, PublicKey) {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
    let key = PublicKey::parse(&STANDARD.encode(pair.public_key().as_ref())).unwrap();
    (pair, key)
}

fn signed(entry: Entry, pair: &Ed25519KeyPair) -> Entry {
    let text = signed_text(&entry.name, &entry.version, &entry.sha256);
    let signature = Some(STANDARD.encode(pair.sign(text.as_bytes()).as_ref()));
    Entry { signature, ..entry }
}

#[test]
fn entries_that_are_not_understood_are_skipped() {
    let with = |key: &str, value: Value| {
        let mut entry = entry_json();
        entry[key] = value;
        entry
    };
    let catalogue = json!({"plugins": [
        entry_json(),
        with("version", json!("1.10.0")),
        with("name", json!("Pad Feed")),
        with("version", json!("new")),
        with("sha256", json!("00")),
        with("sha256", json!("A".repeat(64))),
        with("url", json!("javascript:alert(1)")),
        with("url", json!("file:///etc/passwd")),
        with("url", json!("https://a b")),
        with("title", json!("x".repeat(61))),
        with("title", json!(null)),
        with("title", json!("Feed\u{202e}")),
        with("description", json!("A feed.\u{1b}[2J")),
        7,
    ], "more": {}});
    let catalogue = Catalogue::parse(catalogue.to_string().as_bytes()).unwrap();
    assert_eq!((catalogue.entries.len(), catalogue.skipped), (2, 12));
    let newest = catalogue.newest(&"pad-feed".parse().unwrap()).unwrap();
    assert_eq!(newest.version.to_string(), "1.10.0");
    assert!(catalogue.newest(&"other".parse().unwrap()).is_none());
}

#[test]
fn catalogues_are_bounded() {
    let refused = |bytes: &[u8]| Catalogue::parse(bytes).unwrap_err().to_string();
    assert!(refused(&vec![b' '; BYTES + 1]).contains("more than 1048576 bytes"));
    let many = format!("{{\"plugins\":[{}0]}}", "0,".repeat(ENTRIES));
    assert!(refused(many.as_bytes()).contains("more than 1000 entries"));
    assert!(refused(b"[]").contains("not understood"));
}

#[test]
fn an_archive_is_the_one_that_is_meant() {
    let archive = archive();
    assert_eq!(
        entry()
            .open(&archive, &[])
            .unwrap()
            .manifest()
            .name
            .as_str(),
        "pad-feed"
    );
    let mut other = archive.clone();
    other.push(0);
    let error = entry().open(&other, &[]).unwrap_err().to_string();
    assert!(error.contains("its SHA-256 is another"), "{error}");
    let newer = Entry {
        version: Version::new(2, 0, 0),
        ..entry()
    };
    assert_eq!(
        newer.open(&archive, &[]).unwrap_err().to_string(),
        "pad-feed 2.0.0 in the catalogue is pad-feed 1.2.3 in the file"
    );
}

#[test]
fn keys_of_the_operator_make_signatures_required() {
    let (pair_one, one) = pair(1);
    let (pair_two, two) = pair(2);
    let archive = archive();
    let refused = |entry: Entry, keys: &[PublicKey]| {
        let error = entry.open(&archive, keys).unwrap_err();
        error.to_string()
    };
    let keys = [one, two.clone()];
    assert!(refused(entry(), &keys).contains("is not signed, and"));
    assert!(signed(entry(), &pair_one).open(&archive, &keys).is_ok());
    assert!(signed(entry(), &pair_two).open(&archive, &keys).is_ok());
    assert!(refused(signed(entry(), &pair_one), &[two]).contains("is not signed with one of"));

    // A signature of another version, and one that is none.
    let older = Entry {
        version: Version::new(1, 0, 0),
        ..entry()
    };
    let moved = Entry {
        signature: signed(older, &pair_one).signature,
        ..entry()
    };
    assert!(refused(moved, &keys).contains("is not signed with one of"));
    for signature in ["", "AAAA", "not base64!", &"A".repeat(88)] {
        let forged = Entry {
            signature: Some(signature.to_owned()),
            ..entry()
        };
        assert!(refused(forged, &keys).contains("is not signed with one of"));
    }
}

#[test]
fn keys_are_thirty_two_bytes() {
    for text in ["", "AAAA", "x", &STANDARD.encode([0; 33])] {
        assert_eq!(PublicKey::parse(text), Err(KeyError));
    }
    assert!(PublicKey::parse(&STANDARD.encode([0; 32])).is_ok());
}
