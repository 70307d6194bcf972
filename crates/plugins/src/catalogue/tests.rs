//! Fetching from a catalogue that a server on this machine has.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use plugin::catalogue::signed_text;
use plugin::package::sha256;
use plugin::{Package, skeleton};
use serde_json::{Value, json};

use super::*;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A server of files, and the paths that were asked for.
struct Host {
    address: String,
    files: Files,
    asked: Arc<Mutex<Vec<String>>>,
}

/// A file that begins so is a redirection.
const MOVED: &[u8] = b"moved to ";

impl Host {
    fn start() -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = Host {
            address: format!("http://{}", listener.local_addr().unwrap()),
            files: Files::default(),
            asked: Arc::default(),
        };
        let (files, asked) = (Arc::clone(&host.files), Arc::clone(&host.asked));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut request = [0; 4096];
                let count = stream.read(&mut request).unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..count]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let found = files.lock().unwrap().get(&path).cloned();
                asked.lock().unwrap().push(path);
                let body = found.clone().unwrap_or_default();
                let moved = body.strip_prefix(MOVED).map(String::from_utf8_lossy);
                let status = match (&moved, found) {
                    (Some(to), _) => format!("302 Found\r\nlocation: {to}"),
                    (None, Some(_)) => "200 OK".to_owned(),
                    (None, None) => "404 Not Found".to_owned(),
                };
                let length = body.len();
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n");
                let _ = stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes());
                let _ = stream.write_all(&body);
            }
        });
        host
    }

    fn put(&self, path: &str, body: Vec<u8>) {
        self.files.lock().unwrap().insert(path.to_owned(), body);
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    fn source(&self, keys: Vec<PublicKey>) -> CatalogueSource {
        CatalogueSource {
            is_allowed: true,
            address: Some(format!("{}/catalogue.json", self.address)),
            keys,
        }
    }

    /// Lists what it is given, and has the archive of each.
    fn offer(&self, versions: &[(&str, Option<&Ed25519KeyPair>)]) {
        let entries = versions.iter().map(|(version, pair)| {
            let archive = archive(version);
            let hash = sha256(&archive);
            self.put(&format!("/{version}"), archive);
            let text = signed_text(&name(), &version.parse().unwrap(), &hash);
            let sign = |pair: &&Ed25519KeyPair| STANDARD.encode(pair.sign(text.as_bytes()));
            json!({
                "name": name(), "version": version, "title": "Own", "description": "Own.",
                "url": format!("{}/{version}", self.address), "sha256": hash,
                "signature": pair.as_ref().map(sign),
            })
        });
        let entries: Vec<Value> = entries.collect();
        let catalogue = json!({ "plugins": entries }).to_string();
        self.put("/catalogue.json", catalogue.into_bytes());
    }
}

fn name() -> Name {
    "my-own".parse().unwrap()
}

fn archive(version: &str) -> Vec<u8> {
    let mut files = skeleton::files(&name());
    let manifest = String::from_utf8(files["plugin.json"].clone()).unwrap();
    let manifest = manifest.replace("0.1.0", version);
    files.insert("plugin.json".into(), manifest.into_bytes());
    Package::from_files(files).unwrap().pack().unwrap()
}

fn key_pair(seed: u8) -> (Ed25519KeyPair, PublicKey) {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
    let key = STANDARD.encode(pair.public_key().as_ref());
    (pair, PublicKey::parse(&key).unwrap())
}

async fn refusal(source: &CatalogueSource, version: &str) -> String {
    let version = version.parse().unwrap();
    let fetched = source.archive(&name(), Some(&version)).await;
    fetched.unwrap_err().to_string()
}

#[tokio::test]
async fn the_newest_or_the_named_version_is_fetched() {
    let host = Host::start();
    host.offer(&[("1.2.0", None), ("1.10.0", None), ("1.9.0", None)]);
    let source = host.source(Vec::new());
    assert_eq!(source.list().await.unwrap().entries.len(), 3);
    assert_eq!(
        host.asked(),
        ["/catalogue.json"],
        "a list fetches no archive"
    );
    let newest = source.archive(&name(), None).await.unwrap();
    assert_eq!(newest, archive("1.10.0"));
    let named = source.archive(&name(), Some(&Version::new(1, 2, 0))).await;
    assert_eq!(named.unwrap(), archive("1.2.0"));
    let told = "the catalogue has no plugin my-own in that version";
    assert_eq!(refusal(&source, "3.0.0").await, told);
}

#[tokio::test]
async fn an_archive_that_is_another_is_refused() {
    let host = Host::start();
    host.offer(&[("1.0.0", None), ("2.0.0", None)]);
    let source = host.source(Vec::new());
    host.put("/1.0.0", archive("2.0.0"));
    let told = refusal(&source, "1.0.0").await;
    assert!(told.contains("its SHA-256 is another"), "{told}");
    host.put("/1.0.0", vec![0; package::ARCHIVE + 1]);
    let told = refusal(&source, "1.0.0").await;
    assert!(told.ends_with("has more than 2097152 bytes"), "{told}");
    host.files.lock().unwrap().remove("/1.0.0");
    let told = refusal(&source, "1.0.0").await;
    assert!(told.contains("/1.0.0 cannot be fetched:"), "{told}");
}

#[tokio::test]
async fn with_keys_only_what_is_signed_is_fetched() {
    let (host, (pair, key), (stranger, _)) = (Host::start(), key_pair(1), key_pair(2));
    let offers = [
        ("1.0.0", Some(&pair)),
        ("2.0.0", None),
        ("3.0.0", Some(&stranger)),
    ];
    host.offer(&offers);
    let source = host.source(vec![key]);
    let listed = source.list().await.unwrap();
    assert_eq!((listed.entries.len(), listed.skipped), (1, 2));
    let signed = source.archive(&name(), Some(&Version::new(1, 0, 0))).await;
    assert_eq!(signed.unwrap(), archive("1.0.0"));
    host.asked();
    let told = refusal(&source, "2.0.0").await;
    assert!(told.starts_with("my-own is not signed, and"), "{told}");
    let told = refusal(&source, "3.0.0").await;
    assert!(told.contains("not signed with one of the keys"), "{told}");
    let asked = host.asked();
    assert!(
        asked.iter().all(|path| path == "/catalogue.json"),
        "{asked:?}"
    );
    // Without a version, the newest that is signed.
    let newest = source.archive(&name(), None).await.unwrap();
    assert_eq!(newest, archive("1.0.0"));
}

#[tokio::test]
async fn nothing_is_asked_where_the_settings_forbid_it() {
    let host = Host::start();
    host.offer(&[("1.0.0", None)]);
    let source = CatalogueSource {
        is_allowed: false,
        ..host.source(Vec::new())
    };
    let told = source.list().await.unwrap_err().to_string();
    assert!(told.contains("privacy.pluginCatalog"), "{told}");
    assert!(
        refusal(&source, "1.0.0")
            .await
            .contains("privacy.pluginCatalog")
    );
    assert_eq!(host.asked(), [] as [&str; 0]);
}

/// The catalogue by its other name: its address is then one of the own network that nobody named.
fn by_name(host: &Host) -> CatalogueSource {
    let address = host.address.replace("127.0.0.1", "localhost");
    CatalogueSource {
        address: Some(format!("{address}/catalogue.json")),
        ..host.source(Vec::new())
    }
}

#[tokio::test]
async fn no_catalogue_leads_into_the_own_network() {
    let (host, inside) = (Host::start(), Host::start());
    host.offer(&[("1.0.0", None)]);
    let source = by_name(&host);
    assert_eq!(source.list().await.unwrap().entries.len(), 1);
    let told = refusal(&source, "1.0.0").await;
    assert!(
        told.contains("127.0.0.1 is in a network of your own"),
        "{told}"
    );
    assert_eq!(host.asked(), ["/catalogue.json", "/catalogue.json"]);
    // Neither by a redirection, from an archive or from the catalogue itself.
    let away = |path: &str| [MOVED, inside.address.as_bytes(), path.as_bytes()].concat();
    host.put("/catalogue.json", away("/catalogue.json"));
    let told = source.list().await.unwrap_err().to_string();
    assert!(told.contains("is in a network of your own"), "{told}");
    // The addresses of a plugin host are numbers in many forms, and names that lead there.
    for other in [
        "http://[::1]:1/",
        "http://0x7f.1:1/",
        "http://[::ffff:10.0.0.1]/",
    ] {
        host.put("/catalogue.json", [MOVED, other.as_bytes()].concat());
        let told = source.list().await.unwrap_err().to_string();
        assert!(told.contains("is in a network of your own"), "{told}");
    }
    assert_eq!(inside.asked(), [] as [&str; 0]);
}

#[tokio::test]
async fn redirections_at_home_are_followed_and_end() {
    let host = Host::start();
    host.offer(&[("1.0.0", None)]);
    let source = host.source(Vec::new());
    host.put("/1.0.0", [MOVED, b"/moved"].concat());
    host.put("/moved", archive("1.0.0"));
    let fetched = source.archive(&name(), None).await.unwrap();
    assert_eq!(fetched, archive("1.0.0"));
    host.put("/moved", [MOVED, b"/1.0.0"].concat());
    let told = refusal(&source, "1.0.0").await;
    assert!(told.ends_with("more than 5 redirections"), "{told}");
    host.put("/moved", [MOVED, b"file:///etc/passwd"].concat());
    assert!(
        refusal(&source, "1.0.0")
            .await
            .contains("cannot be fetched")
    );
}

/// The clock stands still until nothing else is left to wait for.
#[tokio::test(start_paused = true)]
async fn a_catalogue_that_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let source = CatalogueSource {
        is_allowed: true,
        address: Some(format!("http://{}/", silent.local_addr().unwrap())),
        keys: Vec::new(),
    };
    let told = source.list().await.unwrap_err().to_string();
    assert!(told.ends_with("no answer in 30 seconds"), "{told}");
}
