//! Plugins over HTTP: reviewed, installed, set up, switched and removed.

use plugin::{Name, Package, skeleton};

use super::*;
use ::plugins::Consent;

/// The skeleton, with another version, a setting that is secret, and code for browsers if wanted.
fn archive(version: &str, browsers: bool) -> Vec<u8> {
    let name: Name = "my-own".parse().unwrap();
    let mut files = skeleton::files(&name);
    let mut manifest: Value = serde_json::from_slice(&files["plugin.json"]).unwrap();
    manifest["version"] = version.into();
    manifest["settings"]["key"] =
        json!({ "type": "string", "title": "Key", "default": "", "secret": true });
    files.insert("plugin.json".into(), manifest.to_string().into_bytes());
    if browsers {
        files.insert("client.js".into(), b"export default 1;".to_vec());
    }
    Package::from_files(files).unwrap().pack().unwrap()
}

async fn post(site: &Router, path: &str, body: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post(format!("/admin/api/plugins/{path}"));
    let request = request.header("authorization", ROOT).body(Body::from(body));
    let answer = site.clone().oneshot(request.unwrap()).await.unwrap();
    let status = answer.status();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

async fn change(site: &Router, path: &str, body: Value) -> (StatusCode, Value) {
    send(site, "POST", &format!("/admin/api/plugins/{path}"), body).await
}

async fn listed(site: &Router) -> Value {
    get(site, "/admin/api/plugins/installed?language=de").await
}

/// What the page sends after this archive was shown and agreed to.
fn agreed(archive: &[u8]) -> String {
    let sha256 = plugin::package::sha256(archive);
    format!("install?granted=chat%20storage&browsers=true&sha256={sha256}")
}

async fn install(site: &Router, archive: Vec<u8>) -> (StatusCode, Value) {
    post(site, &agreed(&archive), archive).await
}

#[tokio::test]
async fn a_plugin_is_installed_as_agreed() {
    let site = site().await;
    let (status, review) = post(&site, "review", archive("1.0.0", true)).await;
    assert_eq!(status, StatusCode::OK, "{review}");
    assert_eq!(
        (&review["installed"], &review["browsers"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(review["permissions"][0]["permission"], "chat");
    assert_eq!(review["permissions"][0]["added"], true);
    assert_eq!(listed(&site).await["plugins"], json!([]));
    let shown = &review["sha256"].as_str().unwrap();
    let other = "0".repeat(64);
    for (query, sha256, refusal, told) in [
        ("", shown, 400, "not agreed to: chat, storage, code in"),
        (
            "granted=chat%20storage",
            shown,
            400,
            "not agreed to: code in browsers",
        ),
        (
            "granted=all&browsers=true",
            shown,
            400,
            "there is no permission called all",
        ),
        (
            "granted=chat%20storage%20timers&browsers=true",
            shown,
            400,
            "the plugin does not ask for: timers",
        ),
        (
            "granted=chat%20storage&browsers=true",
            &other.as_str(),
            409,
            "this is not the package that was shown",
        ),
    ] {
        let query = format!("install?{query}&sha256={sha256}");
        let (status, answer) = post(&site, &query, archive("1.0.0", true)).await;
        assert_eq!(status.as_u16(), refusal, "{query}");
        assert!(
            answer["error"].as_str().unwrap().starts_with(told),
            "{answer}"
        );
    }
    let without = "install?granted=chat%20storage&browsers=true";
    let (status, _) = post(&site, without, archive("1.0.0", true)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(listed(&site).await["plugins"], json!([]));
    let (status, answer) = install(&site, archive("1.0.0", true)).await;
    assert_eq!(
        (status, &answer["version"]),
        (StatusCode::OK, &json!("1.0.0")),
        "{answer}"
    );
    let plugin = &listed(&site).await["plugins"][0];
    assert_eq!(
        (&plugin["enabled"], &plugin["browsers"]),
        (&json!(true), &json!(true))
    );
    let (_, review) = post(&site, "review", archive("1.1.0", false)).await;
    assert_eq!(review["installed"], "1.0.0");
    assert_eq!(review["permissions"][0]["added"], false);
    for broken in [b"no zip".to_vec(), vec![0; 3 * 1024 * 1024]] {
        let (status, _) = install(&site, broken).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(listed(&site).await["plugins"][0]["version"], "1.0.0");
}

/// A plugin that asks for a host, and what is agreed to.
fn fetcher(version: &str, host: &str) -> (Vec<u8>, Consent) {
    let permission = format!("http:fetch({host})");
    let manifest = json!({
        "name": "my-own", "version": version, "interface": "1", "title": "Own",
        "description": "Own.", "permissions": [permission],
    });
    let files = [("plugin.json".to_owned(), manifest.to_string().into_bytes())];
    let archive = Package::from_files(files.into()).unwrap().pack().unwrap();
    let consent = Consent {
        sha256: plugin::package::sha256(&archive),
        granted: [permission.parse().unwrap()].into(),
        browsers: false,
    };
    (archive, consent)
}

/// What only the service's machine can reach is not for administrators to give away.
#[tokio::test]
async fn no_host_of_the_own_network_is_granted_here() {
    let store = Store::open(Location::Memory).await.unwrap();
    let site = site_and_parts(store, settings(), Location::Memory, Path::new(".")).await;
    let install = async |version: &str, host: &str| {
        let (archive, Consent { sha256, .. }) = fetcher(version, host);
        let host = host.replace('[', "%5B").replace(']', "%5D");
        let query = format!("install?granted=http:fetch({host})&sha256={sha256}");
        post(&site.router, &query, archive).await
    };
    let refused = async |version: &str, host: &str| {
        let (status, answer) = install(version, host).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{answer}");
        let told = answer["error"].as_str().unwrap();
        assert!(told.ends_with("padsvc plugins install"), "{told}");
    };
    for host in [
        "127.0.0.1:9001",
        "169.254.169.254:80",
        "localhost",
        "[::1]:80",
    ] {
        refused("1.0.0", host).await;
    }
    assert_eq!(listed(&site.router).await["plugins"], json!([]));
    assert_eq!(install("1.0.0", "api.example.org").await.0, StatusCode::OK);

    // What an operator has granted to one package is nothing for another that takes its name.
    let (archive, consent) = fetcher("1.1.0", "localhost");
    let manager = &site.state.plugins;
    let installed = manager.install(&archive, &consent, site.service.now());
    installed.await.unwrap();
    refused("1.2.0", "localhost").await;
    assert_eq!(listed(&site.router).await["plugins"][0]["version"], "1.1.0");
    assert_eq!(install("1.2.0", "api.example.org").await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_plugin_is_set_up_switched_and_removed() {
    let site = site().await;
    install(&site, archive("1.0.0", true)).await;
    let values = json!({ "word": "foo", "key": "s3cret" });
    let body = json!({ "name": "my-own", "values": values });
    let (status, answer) = change(&site, "configure", body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let all = listed(&site).await;
    assert!(!all.to_string().contains("s3cret"), "{all}");
    let settings = all["plugins"][0]["settings"].as_array().unwrap();
    let found = |key: &str| settings.iter().find(|it| it["key"] == key).unwrap();
    assert_eq!(found("word")["value"], "foo");
    assert_eq!(
        (&found("key")["value"], &found("key")["isSet"]),
        (&Value::Null, &json!(true))
    );
    let body = json!({ "name": "my-own", "values": { "word": 1 } });
    let (status, answer) = change(&site, "configure", body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(
        answer["error"],
        "word must be a text of at most 50 characters"
    );
    assert_eq!(all["plugins"][0]["pads"], json!(["*"]));
    let body = json!({ "name": "my-own", "pads": ["minutes-*", "g.*$*"] });
    assert_eq!(change(&site, "configure", body).await.0, StatusCode::OK);
    let all = listed(&site).await;
    assert_eq!(all["plugins"][0]["pads"], json!(["minutes-*", "g.*$*"]));
    for wrong in [json!([]), json!(["a b"]), json!("*"), json!([1])] {
        let body = json!({ "name": "my-own", "pads": wrong });
        let (status, answer) = change(&site, "configure", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong} {answer}");
    }
    let body = json!({ "name": "my-own", "enabled": false });
    assert_eq!(change(&site, "enable", body).await.0, StatusCode::OK);
    assert_eq!(listed(&site).await["plugins"][0]["enabled"], false);
    for (path, body, status) in [
        ("enable", json!({ "name": "other", "enabled": true }), 404),
        ("enable", json!({ "name": "my-own" }), 400),
        ("remove", json!({ "name": "../x" }), 400),
        ("remove", json!({ "name": "my-own" }), 200),
        ("remove", json!({ "name": "my-own" }), 404),
        ("configure", json!({ "name": "my-own", "values": {} }), 404),
    ] {
        let (answered, told) = change(&site, path, body).await;
        assert_eq!(answered.as_u16(), status, "{path} {told}");
    }
    assert_eq!(listed(&site).await["plugins"], json!([]));
}

#[tokio::test]
async fn plugins_are_for_administrators_and_for_pages_of_this_site() {
    let site = site().await;
    for path in ["review", "install", "enable", "configure", "remove"] {
        let path = format!("/admin/api/plugins/{path}");
        for headers in [
            &[][..],
            &[("authorization", ROOT), ("sec-fetch-site", "cross-site")],
        ] {
            let mut request = Request::post(&path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(Body::from("{}")).unwrap();
            let answer = site.clone().oneshot(request).await.unwrap();
            assert!(
                matches!(answer.status().as_u16(), 401 | 403),
                "{path} {headers:?}"
            );
        }
    }
    let offers = get(&site, "/admin/api/plugins/offers").await;
    assert_eq!(offers, json!({ "off": "privacy.pluginCatalog" }));
}

async fn post_form(site: &Router, path: &str, body: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post(format!("/admin/api/plugins/{path}"))
        .header("authorization", ROOT)
        .header("content-type", "multipart/form-data; boundary=cut");
    let answer = site
        .clone()
        .oneshot(request.body(Body::from(body)).unwrap());
    let (parts, body) = answer.await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    (parts.status, serde_json::from_slice(&body).unwrap())
}

/// As a browser sends the files of a folder.
fn form<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut body = Vec::new();
    for (path, bytes) in files {
        let head = format!(
            "--cut\r\ncontent-disposition: form-data; name=\"{path}\"; filename=\"x\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    body
}

/// The package is the one that `padsvc plugins pack` makes of the folder.
#[tokio::test]
async fn a_plugin_is_installed_from_a_folder() {
    let site = site().await;
    let packed = archive("1.0.0", true);
    let package = Package::unpack(&packed).unwrap();
    let hidden = [(".git/config", &b"x"[..]), ("assets/.DS_Store", b"x")];
    let folder = form(package.files().chain(hidden));
    let (status, review) = post_form(&site, "review", folder.clone()).await;
    assert_eq!(status, StatusCode::OK, "{review}");
    assert_eq!(review["sha256"], plugin::package::sha256(&packed));
    let (status, answer) = post_form(&site, &agreed(&packed), folder).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(listed(&site).await["plugins"][0]["version"], "1.0.0");
    let long = vec![b'x'; 9 * 1024 * 1024];
    let names: Vec<String> = (0..201)
        .map(|number| format!("assets/{number}.txt"))
        .collect();
    for (files, told) in [
        (
            vec![("notes.doc", &b"x"[..])],
            "notes.doc: a plugin has no such file",
        ),
        (vec![("../server.js", b"x")], "plugin.json is missing"),
        (vec![("assets/../../a.txt", b"x")], "plugin.json is missing"),
        (
            vec![("a", b"x"), ("a", b"y")],
            "two files have the same name",
        ),
        (
            vec![("assets/a.txt", &long)],
            "the files have more than 8388608 bytes",
        ),
        (
            names
                .iter()
                .map(|name| (name.as_str(), &b"x"[..]))
                .collect(),
            "there are more than 200 files",
        ),
    ] {
        let (status, answer) = post_form(&site, "review", form(files)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
        let error = answer["error"].as_str().unwrap();
        assert!(error.starts_with(told), "{error}");
    }
    let (status, answer) = post_form(&site, "review", b"--cut\r\nbroken".to_vec()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
}

/// The command line and the admin area explain a permission in the same words.
#[test]
fn permissions_have_the_words_of_the_command_line() {
    let texts = include_str!("../../../../web/src/admin/texts/en.json");
    let texts: Value = serde_json::from_str(texts).unwrap();
    for (_, name, meaning) in plugin::permission::KINDS {
        let (name, _) = name.split_once('(').unwrap_or((name, ""));
        let (first, rest) = name.split_once(':').unwrap_or((name, ""));
        let (initial, rest) = rest.split_at(rest.len().min(1));
        let key = format!("plugins.may.{first}{}{rest}", initial.to_uppercase());
        assert_eq!(texts[&key], meaning.replace("HOST", "{host}"), "{key}");
    }
}
