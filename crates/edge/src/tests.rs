//! What a browser sees: each check sends one request through the router and reads the answer.

mod denied;
mod titles;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use service::Service;
use store::{Location, Store};
use tower::ServiceExt;

use super::{Dependencies, Edge, Oidc};
use identity::accounts::Accounts;
use identity::api_key::ApiKey;
use identity::creation_limits::CreationLimits;
use settings::Settings;
use system::environment::System;

pub(super) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// The router on an empty store.
async fn site() -> Router {
    site_on(Store::open(Location::Memory).await.unwrap())
}

fn site_on(store: Store) -> Router {
    site_with(store, Settings::default())
}

pub(super) fn site_with(store: Store, settings: Settings) -> Router {
    let service = Service::new(store, Arc::new(System), service::Config::default());
    site_of(Arc::new(service), settings)
}

pub(super) fn site_of(service: Arc<Service>, settings: Settings) -> Router {
    let kept = service.store().clone();
    let (settings, root) = (Arc::new(settings), Path::new("."));
    let oidc = Arc::new(Oidc::new(&settings, root, &kept, None));
    let provider = Arc::clone(&oidc.provider);
    let accounts = Accounts::new(Arc::clone(&settings), provider, &root.join("var"), &kept);
    let edge = Edge::new(Dependencies {
        service,
        limits: Arc::new(CreationLimits::new(&settings.creation)),
        settings,
        accounts: Arc::new(accounts),
        oidc,
        key: ApiKey::new("secret"),
        plugins: None,
        updates: None,
        draining: Default::default(),
        root,
    });
    edge.router(Router::new(), Router::new())
}

pub(super) async fn get_with(path: &str, headers: &[(&str, &str)]) -> Answer {
    get_from(site().await, path, headers).await
}

pub(super) async fn get_from(site: Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = site
        .oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

async fn get(path: &str) -> Answer {
    get_with(path, &[]).await
}

fn script() -> String {
    format!("/{}", bundle::HOME.script)
}

#[tokio::test]
async fn start_page_links_the_bundle() {
    let page = get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-cache");
    assert!(
        page.text()
            .contains(&format!("src=\"{}\"", bundle::HOME.script))
    );
    for style in bundle::HOME.styles {
        assert!(
            page.text().contains(&format!("href=\"{style}\"")),
            "{style}"
        );
        assert_eq!(get(&format!("/{style}")).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn unknown_address_gets_a_page_that_leads_back() {
    for (path, home, script) in [
        ("/nowhere", "href=\"./\"", "src=\"assets/"),
        ("/a/b/c", "href=\"../.././\"", "src=\"../../assets/"),
        ("/assets/none.js", "href=\".././\"", "src=\"../assets/"),
    ] {
        let page = get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text().contains(home), "{path}");
        assert!(page.text().contains(script), "{path}");
    }
}

#[tokio::test]
async fn name_that_is_too_long_for_a_pad_is_called_so() {
    let reason = "Too long. At most 50 characters.";
    for (name, is_long) in [("n".repeat(51), true), ("a$b".to_owned(), false)] {
        for path in [format!("/p/{name}"), format!("/p?pad={name}")] {
            let page = get(&path).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(page.text().contains(reason), is_long, "{path}");
        }
    }
}

#[tokio::test]
async fn health_names_the_release() {
    let health = get("/health").await;
    assert_eq!(health.status, StatusCode::OK);
    assert_eq!(health.header("content-type"), "application/health+json");
    let body: serde_json::Value = serde_json::from_slice(&health.body).unwrap();
    assert_eq!(body["status"], "pass");
    let release = body["releaseId"].as_str().unwrap();
    assert!(!release.is_empty() && !release.contains(env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn the_version_is_hidden_from_all_but_administrators() {
    let version = env!("CARGO_PKG_VERSION");
    // root:pw, ada:pw
    let [root, ada] = ["Basic cm9vdDpwdw==", "Basic YWRhOnB3"];
    for (exposed, who, is_shown) in [
        (false, "", false),
        (false, ada, false),
        (false, root, true),
        (true, "", true),
    ] {
        let mut settings = Settings::default();
        settings.listen.expose_version = exposed;
        let user = |is_admin| settings::User {
            password: Some(settings::Secret("pw".to_owned())),
            is_admin,
            ..settings::User::default()
        };
        let users = [("root", true), ("ada", false)];
        settings.access.users = users.map(|(name, is)| (name.to_owned(), user(is))).into();
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, settings);
        for path in ["/health", "/health/ready"] {
            let health = get_from(site.clone(), path, &[("authorization", who)]).await;
            let body: serde_json::Value = serde_json::from_slice(&health.body).unwrap();
            assert!(body["releaseId"].is_string(), "{body}");
            assert_eq!(
                body["releaseId"] == version,
                is_shown,
                "{path} {exposed} {who}"
            );
        }
    }
}

#[tokio::test]
async fn the_settings_say_who_may_show_pads_in_a_frame() {
    for (ancestors, expected) in [
        ("[]", None),
        (
            r#"["self", "https://app.example.com/"]"#,
            Some("'self' https://app.example.com"),
        ),
        (r#"["'none'"]"#, Some("'none'")),
        (
            r#"["https://*.example.com:8443"]"#,
            Some("https://*.example.com:8443"),
        ),
    ] {
        let text = format!(r#"{{"frameAncestors": {ancestors}}}"#);
        let (settings, _) = settings::load(&text, &|_| None).unwrap();
        let site = site_with(Store::open(Location::Memory).await.unwrap(), settings);
        for path in ["/", "/p/a", "/p/a/timeslider", "/nowhere"] {
            let page = get_from(site.clone(), path, &[]).await;
            let policy = page.header("content-security-policy");
            let found = policy
                .split("; ")
                .find_map(|it| it.strip_prefix("frame-ancestors "));
            assert_eq!(found, expected, "{path}: {policy}");
        }
        let sign_in = get_from(site, "/sign-in", &[]).await;
        let policy = sign_in.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(policy.matches("frame-ancestors").count(), 1);
    }
    for wrong in [
        r#"["https://a.example; script-src *"]"#,
        r#"["javascript:alert(1)"]"#,
        r#"["ftp://a.example"]"#,
        r#"["'none'", "https://a.example"]"#,
        r#"["a b"]"#,
        r#"[""]"#,
    ] {
        let text = format!(r#"{{"frameAncestors": {wrong}}}"#);
        assert!(settings::load(&text, &|_| None).is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn server_whose_store_is_gone_says_so() {
    let store = Store::open(Location::Memory).await.unwrap();
    store.close().await;
    let health = get_from(site_on(store.clone()), "/health", &[]).await;
    assert_eq!(health.status, StatusCode::SERVICE_UNAVAILABLE);
    let body: serde_json::Value = serde_json::from_slice(&health.body).unwrap();
    assert_eq!(body["status"], "fail");
    let path = "/api/1/getText?padID=notes";
    let call = get_from(site_on(store), path, &[("apikey", "secret")]).await;
    assert_eq!(call.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        call.text(),
        r#"{"code":2,"message":"internal error","data":null}"#
    );
}

#[tokio::test]
async fn every_answer_is_guarded() {
    for path in ["/", "/health", "/nowhere", &script()] {
        let answer = get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn asset_comes_in_the_best_form_the_client_takes() {
    let plain = get(&script()).await;
    assert_eq!(
        plain.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(plain.header("content-encoding"), "");
    assert_eq!(plain.header("vary"), "accept-encoding");
    assert_eq!(
        plain.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    for (accept, encoding) in [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.1, gzip;q=1.0", "br"),
        ("br;q=0, gzip", "gzip"),
        ("GZIP", "gzip"),
        ("br; q=0.000 , gzip; q=0", ""),
        ("identity", ""),
        ("brotli", ""),
    ] {
        let answer = get_with(&script(), &[("accept-encoding", accept)]).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{accept}");
        assert_eq!(answer.body == plain.body, encoding.is_empty(), "{accept}");
    }
}

#[tokio::test]
async fn known_asset_is_not_sent_again() {
    let first = get_with(&script(), &[("accept-encoding", "br")]).await;
    let tag = first.header("etag");
    for known in [
        tag.to_owned(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let headers = [("accept-encoding", "br"), ("if-none-match", known.as_str())];
        let again = get_with(&script(), &headers).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(again.header("etag"), tag);
        assert!(again.body.is_empty());
    }
    // The plain form has other bytes, so the same tag does not stand for it.
    let plain = get_with(&script(), &[("if-none-match", tag)]).await;
    assert_eq!(plain.status, StatusCode::OK);
}

#[tokio::test]
async fn head_has_the_headers_and_no_body() {
    let request = Request::head("/health").body(Body::empty()).unwrap();
    let response = site().await.oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(
        response
            .into_body()
            .collect()
            .await
            .unwrap()
            .to_bytes()
            .is_empty()
    );
}
