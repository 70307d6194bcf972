//! Plugins are installed, changed and removed as a user of the command line or the admin area does.

use std::collections::BTreeMap;

use plugin::skeleton;
use serde_json::json;
use service::{Config, Service};
use store::{Location, NodeId, Store};
use system::System;

use super::*;
use crate::host::Plugins;
use crate::running::Running;

const NOW: Timestamp = Timestamp(1_000);

/// An archive of the skeleton, with other fields in plugin.json and other files.
fn archive(fields: Value, files: &[(&str, &str)]) -> Vec<u8> {
    let name: Name = "my-own".parse().unwrap();
    let mut all: BTreeMap<String, Vec<u8>> = skeleton::files(&name);
    let mut manifest: Value = serde_json::from_slice(&all["plugin.json"]).unwrap();
    for (key, value) in fields.as_object().unwrap() {
        manifest[key] = value.clone();
    }
    all.insert("plugin.json".into(), manifest.to_string().into_bytes());
    for (path, text) in files {
        all.insert((*path).to_owned(), text.as_bytes().to_vec());
    }
    Package::from_files(all).unwrap().pack().unwrap()
}

/// To this package, after it was shown.
fn consent(archive: &[u8], permissions: &[&str], browsers: bool) -> Consent {
    Consent {
        sha256: sha256(archive),
        granted: set(permissions),
        browsers,
    }
}

fn set(permissions: &[&str]) -> BTreeSet<Permission> {
    permissions.iter().map(|it| it.parse().unwrap()).collect()
}

async fn manager() -> Manager {
    let store = Store::open(Location::Memory).await.unwrap();
    let registry = Registry::open(store).await.unwrap();
    Manager::new(registry, CatalogueSource::default())
}

#[tokio::test]
async fn a_plugin_is_installed_upgraded_and_removed() {
    let manager = manager().await;
    let first = archive(json!({ "version": "1.0.0", "permissions": ["chat"] }), &[]);
    let review = manager.review(&first).unwrap();
    assert_eq!(review.installed, None);
    assert_eq!(review.added, ["chat".parse().unwrap()]);
    assert!(!review.runs_in_browsers);
    let mut changes = manager.registry().subscribe();
    let chat = consent(&first, &["chat"], false);
    let installed = manager.install(&first, &chat, NOW).await.unwrap();
    assert!(installed.is_enabled());
    assert_eq!(installed.granted, chat.granted);
    assert!(installed.asset_folder().starts_with("1.0.0-"));
    assert!(changes.has_changed().unwrap());
    assert!(changes.borrow_and_update().get("my-own").is_some());
    // An upgrade that asks for more says what, and keeps state and storage.
    manager.set_enabled("my-own", false).await.unwrap();
    let store = manager.registry().store();
    store.put_plugin_value("my-own", "a", b"1").await.unwrap();
    let fields = json!({ "version": "1.1.0", "permissions": ["chat", "storage"] });
    let second = archive(fields, &[]);
    let review = manager.review(&second).unwrap();
    assert_eq!(review.installed, Some(Version::new(1, 0, 0)));
    assert_eq!(review.added, ["storage".parse().unwrap()]);
    let more = consent(&second, &["storage"], false);
    let installed = manager.install(&second, &more, NOW).await.unwrap();
    assert!(!installed.is_enabled());
    assert_eq!(installed.granted, set(&["chat", "storage"]));
    let kept = store.plugin_value("my-own", "a").await.unwrap();
    assert_eq!(kept.as_deref(), Some(&b"1"[..]));
    manager.remove("my-own").await.unwrap();
    assert!(manager.registry().current().plugins.is_empty());
    let error = manager.remove("my-own").await.unwrap_err().to_string();
    assert_eq!(error, "there is no plugin my-own installed");
    let error = manager.set_enabled("my-own", true).await.unwrap_err();
    assert!(matches!(error, ManageError::NotInstalled(_)), "{error}");
}

#[tokio::test]
async fn nothing_is_installed_that_nobody_agreed_to() {
    let manager = manager().await;
    let fields = json!({ "permissions": ["chat", "storage"] });
    let asked = archive(fields, &[("client.js", "export default 1;")]);
    let other = archive(json!({ "permissions": ["chat"] }), &[]);
    for (given, told) in [
        (
            consent(&asked, &[], false),
            "not agreed to: chat, storage, code in browsers",
        ),
        (consent(&asked, &["chat"], true), "not agreed to: storage"),
        (
            consent(&asked, &["chat", "storage"], false),
            "not agreed to: code in browsers",
        ),
        (
            consent(&asked, &["chat", "storage", "pads:write"], true),
            "the plugin does not ask for: pads:write",
        ),
        (
            consent(&other, &["chat", "storage"], true),
            "this is not the package that was shown; look at what it asks for again",
        ),
    ] {
        let error = manager.install(&asked, &given, NOW).await.unwrap_err();
        assert_eq!(error.to_string(), told);
        assert!(manager.registry().current().plugins.is_empty());
    }
    let all = consent(&asked, &["chat", "storage"], true);
    let installed = manager.install(&asked, &all, NOW).await.unwrap();
    assert_eq!(installed.granted, all.granted);
}

#[tokio::test]
async fn an_upgrade_asks_for_what_is_new_and_nothing_else() {
    let manager = manager().await;
    let client = [("client.js", "export default 1;")];
    let version = |number: &str, permissions: &[&str], files| {
        let fields = json!({ "version": number, "permissions": permissions });
        archive(fields, files)
    };
    let first = version("1.0.0", &["chat"], &[]);
    let given = consent(&first, &["chat"], false);
    manager.install(&first, &given, NOW).await.unwrap();
    let second = version("2.0.0", &["chat", "timers"], &client);
    let review = manager.review(&second).unwrap();
    assert_eq!(review.added, ["timers".parse().unwrap()]);
    assert!(review.browsers_added);
    for (permissions, browsers, told) in [
        (&[][..], true, "not agreed to: timers"),
        (&["timers"][..], false, "not agreed to: code in browsers"),
    ] {
        let given = consent(&second, permissions, browsers);
        let error = manager.install(&second, &given, NOW).await.unwrap_err();
        assert_eq!(error.to_string(), told);
        let snapshot = manager.registry().current();
        assert_eq!(snapshot.get("my-own").unwrap().record.version, "1.0.0");
    }
    let given = consent(&second, &["timers"], true);
    manager.install(&second, &given, NOW).await.unwrap();
    // The third asks for less, the fourth for what the second had.
    let third = version("3.0.0", &["chat"], &client);
    let review = manager.review(&third).unwrap();
    assert!(review.added.is_empty() && !review.browsers_added);
    let given = consent(&third, &[], false);
    let installed = manager.install(&third, &given, NOW).await.unwrap();
    assert_eq!(installed.granted, set(&["chat"]));
    let fourth = version("4.0.0", &["chat", "timers"], &client);
    let given = consent(&fourth, &[], false);
    let error = manager.install(&fourth, &given, NOW).await.unwrap_err();
    assert_eq!(error.to_string(), "not agreed to: timers");
}

#[tokio::test]
async fn a_failed_upgrade_leaves_the_old_version() {
    let manager = manager().await;
    let good = archive(json!({ "permissions": ["chat"] }), &[]);
    let chat = consent(&good, &["chat"], false);
    let before = manager.install(&good, &chat, NOW).await.unwrap();
    let more = archive(json!({ "permissions": ["chat", "timers"] }), &[]);
    let bad = [b"no zip".to_vec(), vec![0; ARCHIVE + 1], more];
    for bytes in bad {
        let given = consent(&bytes, &["chat"], false);
        assert!(manager.install(&bytes, &given, NOW).await.is_err());
        let now = manager.registry().current();
        assert!(Arc::ptr_eq(now.get("my-own").unwrap(), &before));
    }
}

#[tokio::test]
async fn settings_are_checked_and_carried_over() {
    let manager = manager().await;
    let key = json!({ "type": "string", "title": "Key", "default": "", "secret": true });
    let schema = |maximum: u32| {
        let days = json!({
            "type": "integer", "title": "Days", "default": 3, "maximum": maximum,
        });
        let settings = json!({ "days": days, "key": key });
        json!({ "permissions": [], "hooks": [], "settings": settings })
    };
    let with = |maximum| {
        let name: Name = "my-own".parse().unwrap();
        let mut files = skeleton::files(&name);
        files.retain(|path, _| path == "plugin.json" || path.starts_with("locales/"));
        let mut manifest: Value = serde_json::from_slice(&files["plugin.json"]).unwrap();
        for (field, value) in schema(maximum).as_object().unwrap() {
            manifest[field] = value.clone();
        }
        if let Some(fields) = manifest.as_object_mut() {
            fields.remove("budgets");
        }
        files.insert("plugin.json".into(), manifest.to_string().into_bytes());
        Package::from_files(files).unwrap().pack().unwrap()
    };
    let install = async |archive: Vec<u8>| {
        let nothing = consent(&archive, &[], false);
        manager.install(&archive, &nothing, NOW).await.unwrap();
    };
    install(with(30)).await;
    let settings = || {
        Value::from(
            manager
                .registry()
                .current()
                .get("my-own")
                .unwrap()
                .settings
                .clone(),
        )
    };
    assert_eq!(settings(), json!({ "days": 3, "key": "" }));
    let set = async |values: Value| manager.configure("my-own", &values, None).await;
    set(json!({ "days": 20, "key": "s3cret" })).await.unwrap();
    set(json!({ "days": 21 })).await.unwrap();
    assert_eq!(settings(), json!({ "days": 21, "key": "s3cret" }));
    for (values, told) in [
        (
            json!({ "days": 31 }),
            "days must be a whole number of at most 30",
        ),
        (json!({ "weeks": 1 }), "there is no setting called weeks"),
        (json!([1]), "the settings are not an object"),
    ] {
        assert_eq!(set(values).await.unwrap_err().to_string(), told);
    }
    assert_eq!(settings(), json!({ "days": 21, "key": "s3cret" }));
    // A version with narrower bounds gets its default for what no longer fits.
    install(with(10)).await;
    assert_eq!(settings(), json!({ "days": 3, "key": "s3cret" }));
}

/// A default that nobody has set is that of the version that runs.
#[tokio::test]
async fn an_upgrade_brings_its_defaults() {
    let manager = manager().await;
    let with = |greeting: &str, word: &str| {
        let text = |default| json!({ "type": "string", "title": "T", "default": default });
        let settings = json!({ "greeting": text(greeting), "word": text(word) });
        archive(
            json!({ "permissions": ["chat"], "settings": settings }),
            &[],
        )
    };
    let install = async |archive: Vec<u8>| {
        let chat = consent(&archive, &["chat"], false);
        let installed = manager.install(&archive, &chat, NOW).await.unwrap();
        Value::from(installed.settings.clone())
    };
    install(with("Hello", "one")).await;
    let set = json!({ "word": "mine" });
    manager.configure("my-own", &set, None).await.unwrap();
    let now = install(with("Welcome", "two")).await;
    assert_eq!(now, json!({ "greeting": "Welcome", "word": "mine" }));
    // What is set back to the default is as if nobody had set it.
    let back = json!({ "word": "two" });
    manager.configure("my-own", &back, None).await.unwrap();
    let now = install(with("Welcome", "three")).await;
    assert_eq!(now, json!({ "greeting": "Welcome", "word": "three" }));
}

#[tokio::test]
async fn a_plugin_is_switched_on_for_some_pads() {
    let manager = manager().await;
    let first = archive(json!({ "version": "1.0.0", "permissions": ["chat"] }), &[]);
    let chat = consent(&first, &["chat"], false);
    let installed = manager.install(&first, &chat, NOW).await.unwrap();
    assert!(installed.pads.are_all());
    let pads = PadPatterns::new(vec!["minutes-*".to_owned()]).unwrap();
    let nothing = json!({});
    let set = manager.configure("my-own", &nothing, Some(&pads));
    set.await.unwrap();
    // Settings and an upgrade leave it as it is, and a new installation is for all pads again.
    let word = json!({ "word": "x" });
    manager.configure("my-own", &word, None).await.unwrap();
    let second = archive(json!({ "version": "1.1.0", "permissions": ["chat"] }), &[]);
    let given = consent(&second, &[], false);
    let installed = manager.install(&second, &given, NOW).await.unwrap();
    assert_eq!(installed.pads, pads);
    assert_eq!(installed.settings["word"], "x");
    manager.remove("my-own").await.unwrap();
    let installed = manager.install(&first, &chat, NOW).await.unwrap();
    assert!(installed.pads.are_all());
}

#[tokio::test]
async fn a_plugin_that_cannot_be_used_takes_no_other_along() {
    let manager = manager().await;
    let good = archive(json!({ "permissions": ["chat"] }), &[]);
    let chat = consent(&good, &["chat"], false);
    let first = manager.install(&good, &chat, NOW).await.unwrap();
    let store = manager.registry().store();
    let broken = PluginRecord {
        name: "broken".to_owned(),
        change: 0,
        ..first.record.clone()
    };
    store.put_plugin(&broken, b"not a package").await.unwrap();
    manager.registry().reload().await.unwrap();
    let snapshot = manager.registry().current();
    assert!(Arc::ptr_eq(snapshot.get("my-own").unwrap(), &first));
    let reason = "its package is not the one that was installed";
    assert_eq!(snapshot.unusable["broken"], reason);
    assert_eq!(snapshot.enabled().count(), 1);
    manager.remove("broken").await.unwrap();
    assert!(manager.registry().current().unusable.is_empty());
}

/// Nothing happens between the answer to an operator and the next thing somebody says.
#[tokio::test]
async fn changes_are_in_effect_when_they_are_reported() {
    let manager = manager().await;
    let registry = manager.registry();
    let host = Plugins::new(Arc::clone(registry), "no-program".into());
    let config = Config::default();
    let service = Service::new(registry.store().clone(), Arc::new(System), config);
    host.attach(&Arc::new(service));
    let running = || -> Vec<String> {
        let running = host.running();
        let version = |it: &Arc<Running>| it.installed.record.version.clone();
        running.iter().map(version).collect()
    };
    for version in ["1.0.0", "1.1.0"] {
        let archive = archive(json!({ "version": version, "permissions": ["chat"] }), &[]);
        let consent = consent(&archive, &["chat"], false);
        manager.install(&archive, &consent, NOW).await.unwrap();
        assert_eq!(running(), [version]);
    }
    manager.set_enabled("my-own", false).await.unwrap();
    assert_eq!(running(), [""; 0]);
    manager.set_enabled("my-own", true).await.unwrap();
    assert_eq!(running(), ["1.1.0"]);
    manager.remove("my-own").await.unwrap();
    assert_eq!(running(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn other_nodes_follow() {
    let store = Store::open(Location::Memory).await.unwrap();
    let other = Registry::open(store.as_node(NodeId::new(2))).await.unwrap();
    let registry = Registry::open(store.as_node(NodeId::new(1))).await.unwrap();
    let manager = Manager::new(registry, CatalogueSource::default());
    let good = archive(json!({ "permissions": ["chat"] }), &[]);
    let mut changes = other.subscribe();
    let install = async {
        let chat = consent(&good, &["chat"], false);
        manager.install(&good, &chat, NOW).await.unwrap();
        changes.changed().await.unwrap();
    };
    tokio::select! {
        never = other.follow() => match never {},
        () = install => {}
    }
    assert!(other.current().get("my-own").is_some());
}
