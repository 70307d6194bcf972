//! What an administrator, and nobody else, can ask and do over HTTP.

mod alerts;
mod audit;
mod backups;
mod log;
mod overview;
mod pads;
mod plugins;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use store::{Location, Store};
use tower::ServiceExt;

use crate::{AdminState, Alerts, Background, Backups, Monitor};
use ::plugins::{CatalogueSource, Manager, Registry};
use edge::{Dependencies, Edge, Oidc};
use identity::accounts::Accounts;
use identity::api_key::ApiKey;
use identity::creation_limits::CreationLimits;
use service::Service;
use settings::{Secret, Settings, User, WebAddress};
use system::environment::System;

/// root:pw
const ROOT: &str = "Basic cm9vdDpwdw==";

fn settings() -> Settings {
    let mut settings = Settings::default();
    let root = User {
        password: Some(Secret("pw".to_owned())),
        is_admin: true,
        ..User::default()
    };
    settings.access.users = [("root".to_owned(), root)].into();
    settings
}

/// The router with the admin area, on an empty store.
async fn site_with(store: Store, settings: Settings) -> Router {
    site_at(store, settings, Location::Memory, Path::new("."))
        .await
        .0
}

/// The same in a folder, with the place of its database; and its backups.
async fn site_at(
    store: Store,
    settings: Settings,
    location: Location,
    root: &Path,
) -> (Router, Arc<Backups>) {
    let site = site_and_parts(store, settings, location, root).await;
    (site.router, site.backups)
}

struct Site {
    router: Router,
    state: AdminState,
    backups: Arc<Backups>,
    monitor: Arc<Monitor>,
    service: Arc<Service>,
}

async fn site_and_parts(store: Store, settings: Settings, location: Location, root: &Path) -> Site {
    let service = Service::new(store, Arc::new(System), service::Config::default());
    site_of(service, settings, location, root, None).await
}

/// In memory, with the clock and the certificate of a test.
async fn site_in(
    environment: Arc<dyn service::Environment>,
    store: Store,
    settings: Settings,
    certificate: Option<&[u8]>,
) -> Site {
    let service = Service::new(store, environment, service::Config::default());
    site_of(
        service,
        settings,
        Location::Memory,
        Path::new("."),
        certificate,
    )
    .await
}

async fn site_of(
    service: Service,
    settings: Settings,
    location: Location,
    root: &Path,
    certificate: Option<&[u8]>,
) -> Site {
    let kept = service.store().clone();
    let registry = Registry::open(kept.clone()).await.unwrap();
    let plugins = Arc::new(Manager::new(registry, CatalogueSource::default()));
    let settings = Arc::new(settings);
    let oidc = Arc::new(Oidc::new(&settings, root, &kept, None));
    let provider = Arc::clone(&oidc.provider);
    let accounts = Accounts::new(Arc::clone(&settings), provider, &root.join("var"), &kept);
    let edge = Edge::new(Dependencies {
        service: Arc::new(service),
        limits: Arc::new(CreationLimits::new(&settings.creation)),
        settings: Arc::clone(&settings),
        accounts: Arc::new(accounts),
        oidc,
        key: ApiKey::new("secret"),
        plugins: None,
        updates: None,
        draining: Default::default(),
        root,
    });
    let service = &edge.pages.service;
    let background = Background {
        monitor: Monitor::new(service, None),
        backups: Backups::new(service, location, root, &settings.backups),
        alerts: Alerts::with_pauses(service, &settings, certificate, &[Duration::ZERO; 3]),
    };
    let state = AdminState::new(&edge, &background, &plugins, None, None, None);
    let admin = crate::router(state.clone());
    Site {
        service: Arc::clone(service),
        router: edge.router(Router::new(), admin),
        state,
        backups: background.backups,
        monitor: background.monitor,
    }
}

async fn site() -> Router {
    site_with(Store::open(Location::Memory).await.unwrap(), settings()).await
}

async fn send(site: &Router, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path);
    let request = request.header("authorization", ROOT);
    let body = match body {
        Value::Null => Body::empty(),
        body => Body::from(body.to_string()),
    };
    let answer = site.clone().oneshot(request.body(body).unwrap()).await;
    let (parts, body) = answer.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    (parts.status, body)
}

async fn get(site: &Router, path: &str) -> Value {
    let (status, body) = send(site, "GET", path, Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{path} {body}");
    body
}

async fn create(site: &Router, names: &[&str]) {
    for name in names {
        let path = format!("/api/1/createPad?apikey=secret&padID={name}&text=Hello");
        assert_eq!(get(site, &path).await["code"], 0);
    }
}

fn names(list: &Value) -> Vec<&str> {
    let pads = list["pads"].as_array().unwrap();
    pads.iter().map(|pad| pad["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_list_of_pads_goes_on_where_it_ended() {
    let site = site().await;
    create(&site, &["a", "b", "c", "d", "e"]).await;
    let first = get(&site, "/admin/api/pads?sort=name&limit=2").await;
    assert_eq!(names(&first), ["a", "b"]);
    assert_eq!(first["pads"][0]["revisions"], 0);
    assert!(first["pads"][0]["bytes"].as_u64().unwrap() > 0);
    let next = first["next"].as_str().unwrap();
    let path = format!("/admin/api/pads?sort=name&limit=2&after={next}");
    assert_eq!(names(&get(&site, &path).await), ["c", "d"]);
    for sort in ["edited", "created", "revisions"] {
        let mut all = Vec::new();
        let mut path = format!("/admin/api/pads?sort={sort}&order=asc&limit=2");
        loop {
            let page = get(&site, &path).await;
            all.extend(names(&page).into_iter().map(str::to_owned));
            let Some(next) = page["next"].as_str() else {
                break;
            };
            path = format!("/admin/api/pads?sort={sort}&order=asc&limit=2&after={next}");
        }
        assert_eq!(all.len(), 5, "{sort}: {all:?}");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{sort}");
    }
    let found = get(&site, "/admin/api/pads?search=C").await;
    assert_eq!(names(&found), ["c"]);
    assert_eq!(found["next"], Value::Null);
    assert_eq!(found["pads"][0]["title"], Value::Null);
    let path = "/api/2.0.0/setTitle?apikey=secret&padID=d&title=What%20we%20decided";
    assert_eq!(get(&site, path).await["code"], 0);
    let found = get(&site, "/admin/api/pads?search=WE%20dec").await;
    assert_eq!(names(&found), ["d"]);
    assert_eq!(found["pads"][0]["title"], "What we decided");
    let occupied = get(&site, "/admin/api/pads?filter=occupied").await;
    assert_eq!(names(&occupied), [] as [&str; 0]);
}

#[tokio::test]
async fn wishes_that_make_no_sense_are_refused() {
    let site = site().await;
    for query in [
        "sort=x",
        "order=up",
        "filter=odd",
        "limit=0",
        "limit=many",
        "sort=edited&after=x",
        "sort=edited&after=x:a",
    ] {
        let path = format!("/admin/api/pads?{query}");
        let (status, body) = send(&site, "GET", &path, Value::Null).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
        assert!(body["error"].is_string());
    }
    let many: Vec<String> = (0..101).map(|number| format!("p{number}")).collect();
    for body in [
        json!({}),
        json!([]),
        json!({ "pads": "a" }),
        json!({ "pads": [1] }),
        json!({ "pads": many }),
    ] {
        let (status, _) = send(&site, "POST", "/admin/api/pads/delete", body.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    }
    let body = json!({ "pads": [], "keep": -1 });
    let (status, _) = send(&site, "POST", "/admin/api/pads/compact", body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn several_pads_are_deleted_and_each_is_answered_for() {
    let site = site().await;
    create(&site, &["a", "b", "c"]).await;
    let body = json!({ "pads": ["a", "nobody", "b"] });
    let (status, outcome) = send(&site, "POST", "/admin/api/pads/delete", body).await;
    assert_eq!(status, StatusCode::OK);
    let expected = json!({ "done": ["a", "b"], "failed": { "nobody": "padID does not exist" } });
    assert_eq!(outcome, expected);
    let left = get(&site, "/admin/api/pads").await;
    assert_eq!(names(&left), ["c"]);
    // Not allowed by the settings of this site, and said so.
    let body = json!({ "pads": ["c"], "keep": 0 });
    let (_, outcome) = send(&site, "POST", "/admin/api/pads/compact", body).await;
    let reason = outcome["failed"]["c"].as_str().unwrap();
    assert!(reason.contains("cleanup.enabled"), "{reason}");
}

#[tokio::test]
async fn pages_are_not_for_frames_and_say_who_is_there() {
    let site = site().await;
    let request = Request::get("/admin/pads").header("authorization", ROOT);
    let answer = site.clone().oneshot(request.body(Body::empty()).unwrap());
    let (parts, body) = answer.await.unwrap().into_parts();
    let policy = parts.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"));
    let html = body.collect().await.unwrap().to_bytes();
    let html = std::str::from_utf8(&html).unwrap();
    assert!(html.contains(r#""page":"pads""#), "{html}");
    assert!(html.contains(r#""user":"root""#));
    let (status, _) = send(
        &site,
        "GET",
        "/admin/api/pads/nobody/export/txt",
        Value::Null,
    )
    .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn authors_are_found_and_what_erasing_removes_is_counted() {
    let site = site().await;
    let path = "/api/1/createAuthorIfNotExistsFor?apikey=secret&authorMapper=7&name=Ada";
    let created = get(&site, path).await;
    let id = created["data"]["authorID"].as_str().unwrap();
    let found = get(&site, "/admin/api/authors?search=AD").await;
    assert_eq!(found["authors"][0]["id"], id);
    assert_eq!(found["authors"][0]["name"], "Ada");
    assert_eq!(found["next"], Value::Null);
    let body = json!({ "author": id });
    let (status, traces) = send(&site, "POST", "/admin/api/authors/preview", body.clone()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(traces["removedExternalMappings"], 1);
    // Not allowed by the settings of this site, and said so.
    let (status, refusal) = send(&site, "POST", "/admin/api/authors/erase", body).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let reason = refusal["error"].as_str().unwrap();
    assert!(reason.contains("gdprAuthorErasure.enabled"), "{reason}");
    let (status, _) = send(&site, "GET", "/admin/api/authors?after=x", Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let body = json!({ "author": "nobody" });
    let (status, _) = send(&site, "POST", "/admin/api/authors/preview", body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn messages_have_words_and_not_too_many() {
    let site = site().await;
    let path = "/admin/api/message";
    let sent = send(
        &site,
        "POST",
        path,
        json!({ "text": "Hello", "sticky": true }),
    )
    .await;
    assert_eq!(sent, (StatusCode::OK, json!({ "people": 0 })));
    for text in [json!(""), json!("  "), json!("x".repeat(1001)), json!(7)] {
        let (status, _) = send(&site, "POST", path, json!({ "text": text })).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    }
}

/// A settings file of a test's own, gone afterwards.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let name = format!("padsvc-admin-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("settings.json"), text).unwrap();
        File(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.join("settings.json")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn settings_are_saved_only_if_they_are_good_and_nobody_was_quicker() {
    let before = "{ /* ours */ \"port\": 9001 }";
    let file = File::new("save", before);
    let settings = Settings {
        file: Some(file.path()),
        ..settings()
    };
    let site = site_with(Store::open(Location::Memory).await.unwrap(), settings).await;
    let shown = get(&site, "/admin/api/settings").await;
    assert_eq!(shown["file"]["text"], before);
    assert!(
        !shown["sections"].to_string().contains("\"pw\""),
        "a secret"
    );
    let save = async |text: &str, before: &str| {
        let body = json!({ "text": text, "before": before });
        send(&site, "POST", "/admin/api/settings", body).await
    };
    let (status, verdict) = save("{ \"port\": -1 }", before).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(verdict["problems"][0]["line"], 1);
    let after = "{ /* ours */ \"port\": 9002 }";
    assert_eq!(save(after, "{}").await.0, StatusCode::CONFLICT);
    assert_eq!(file.read("settings.json"), before);
    assert_eq!(save(after, before).await.0, StatusCode::OK);
    assert_eq!(file.read("settings.json"), after);
    assert_eq!(file.read("settings.json.before"), before);
}

const WITH_SECRETS: &str = r#"{
  "title": "a",
  "users": { "root": { "password": "SECRET-root", "is_admin": true } },
  "mail": { "auth": { "pass": "SECRET-mail" } }, // "password": "SECRET-old"
  "updateServer": "https://me:SECRET-server@updates.example/",
  "dbSettings": { "password": "SECRET-db" }
}
"#;

#[tokio::test]
async fn a_secret_never_leaves_and_stays_when_it_is_not_changed() {
    let before = WITH_SECRETS;
    let file = File::new("secrets", before);
    let mut settings = Settings {
        file: Some(file.path()),
        ..settings()
    };
    let address = "https://me:SECRET-server@updates.example";
    settings.privacy.update_server = Some(WebAddress(address.to_owned()));
    let site = site_with(Store::open(Location::Memory).await.unwrap(), settings).await;
    let secrets = ["root", "mail", "db", "old", "server"].map(|name| format!("SECRET-{name}"));
    let hides = |answer: &Value| {
        let text = answer.to_string();
        assert!(
            !secrets.iter().any(|secret| text.contains(secret)),
            "{text}"
        );
    };
    let shown = get(&site, "/admin/api/settings").await;
    hides(&shown);
    hides(&get(&site, "/admin/api/plugins").await);
    let masked = shown["file"]["text"].as_str().unwrap().to_owned();
    let path = "/admin/api/settings/edit";
    let changes = json!({ "title": "b", "mail.auth.pass": "a new one" });
    let body = json!({ "text": masked, "changes": changes });
    let (status, edited) = send(&site, "POST", path, body).await;
    assert_eq!((status, &edited["problems"]), (StatusCode::OK, &json!([])));
    hides(&edited);
    let save = async |text: &str| {
        let body = json!({ "text": text, "before": masked });
        let (status, answer) = send(&site, "POST", "/admin/api/settings", body).await;
        hides(&answer);
        (status, answer)
    };
    // A mask is no password, and what is locked is not changed from here.
    let moved = masked.replace("\"root\":", "\"eve\":");
    let (status, refusal) = save(&moved).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refusal["problems"][0]["key"], "users.eve.password");
    for (from, to, key) in [
        (
            "\"title\":",
            "\"soffice\": \"/tmp/evil\", \"title\":",
            "soffice",
        ),
        (
            "\"dbSettings\": {",
            "\"dbSettings\": { \"host\": \"evil\",",
            "dbSettings.host",
        ),
        (
            "\"title\":",
            "\"admin\": { \"lockedSettings\": [] }, \"title\":",
            "admin.lockedSettings",
        ),
    ] {
        let (status, refusal) = save(&masked.replace(from, to)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{key}");
        assert_eq!(refusal["problems"][0]["key"], key);
    }
    assert_eq!(file.read("settings.json"), before);
    let (status, _) = save(edited["text"].as_str().unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    let after = before
        .replace("\"a\"", "\"b\"")
        .replace("SECRET-mail", "a new one");
    assert_eq!(file.read("settings.json"), after);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_not_shown() {
    let file = File::new(
        "broken",
        "{ \"mail\": { \"auth\": { \"pass\": \"SECRET-mail\" }",
    );
    let settings = Settings {
        file: Some(file.path()),
        ..settings()
    };
    let site = site_with(Store::open(Location::Memory).await.unwrap(), settings).await;
    let shown = get(&site, "/admin/api/settings").await;
    assert_eq!(shown["file"]["text"], Value::Null);
    assert_eq!(shown["file"]["problems"][0]["line"], 1);
    assert!(!shown.to_string().contains("SECRET-mail"), "{shown}");
}

#[tokio::test]
async fn a_hidden_settings_file_is_neither_shown_nor_written() {
    let file = File::new("hidden", "{}");
    let mut settings = Settings {
        file: Some(file.path()),
        ..settings()
    };
    settings.access.show_settings_to_admins = false;
    let site = site_with(Store::open(Location::Memory).await.unwrap(), settings).await;
    assert_eq!(get(&site, "/admin/api/settings").await["file"], Value::Null);
    let body = json!({ "text": "{ }", "before": "{}" });
    let (status, _) = send(&site, "POST", "/admin/api/settings", body).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(file.read("settings.json"), "{}");
}

#[tokio::test]
async fn a_change_comes_back_as_a_text_and_is_not_written() {
    let before = "{\n  // ours\n  \"port\": 9001\n}";
    let file = File::new("edit", before);
    let settings = Settings {
        file: Some(file.path()),
        ..settings()
    };
    let site = site_with(Store::open(Location::Memory).await.unwrap(), settings).await;
    let path = "/admin/api/settings/edit";
    let edit = async |changes: Value| {
        let body = json!({ "text": before, "changes": changes });
        let (status, answer) = send(&site, "POST", path, body).await;
        assert_eq!(status, StatusCode::OK);
        answer
    };
    let answer = edit(json!({ "port": null, "mail.port": 25 })).await;
    let after = "{\n  // ours\n  \"mail\": {\n    \"port\": 25\n  }\n}";
    let good = json!({ "text": after, "problems": [], "warnings": [] });
    assert_eq!(answer, good);
    let answer = edit(json!({ "port": "many" })).await;
    assert_eq!(answer["problems"][0]["key"], "port");
    assert_eq!(answer["problems"][0]["line"], 3);
    let answer = edit(json!({ "port": 1, "nonsense": 2 })).await;
    assert_eq!(answer["problems"][0]["key"], "nonsense");
    assert_eq!(answer["text"], before);
    for body in [
        json!({ "text": before }),
        json!({ "text": 1, "changes": {} }),
    ] {
        let (status, _) = send(&site, "POST", path, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(file.read("settings.json"), before);
}
