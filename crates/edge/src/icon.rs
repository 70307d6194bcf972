//! `GET /favicon.ico` and `GET /manifest.json`: how browsers show the service among others.
//!
//! The icon is the built-in one, a file that is read when the service starts, or an address, which
//! is the only thing of another site that a page of ours may load.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use thiserror::Error;
use tracing::warn;

use super::page_context::PageContext;

/// Far more than an icon needs.
const MAX_BYTES: u64 = 1024 * 1024;
const BUILT_IN: &str = include_str!("icon.svg");
const SVG: &str = "image/svg+xml";
const KINDS: [(&str, &str); 8] = [
    ("svg", SVG),
    ("ico", "image/x-icon"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
];
const A_DAY: (header::HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=86400");

pub enum Icon {
    Image {
        content_type: &'static str,
        body: Bytes,
    },
    Remote {
        address: String,
        /// What a content policy names of it.
        origin: String,
    },
}

impl Icon {
    /// By the setting: a path, which starts at `root` if relative, or an address. One that cannot
    /// be had goes to the log, and is no reason not to start.
    pub fn new(setting: Option<&str>, root: &Path) -> Icon {
        let Some(setting) = setting else {
            return Icon::built_in();
        };
        let found = if setting.contains("://") {
            remote(setting).ok_or(IconError::NotAnAddress)
        } else {
            image(&root.join(setting))
        };
        found.unwrap_or_else(|why| {
            warn!("favicon, {setting}, {why}; the pages have the built-in one");
            Icon::built_in()
        })
    }

    fn built_in() -> Icon {
        Icon::Image {
            content_type: SVG,
            body: Bytes::from_static(BUILT_IN.as_bytes()),
        }
    }

    /// Where images of our pages may be from, as a content policy says it.
    pub fn sources(&self) -> String {
        match self {
            Icon::Image { .. } => "'self' data:".to_owned(),
            Icon::Remote { origin, .. } => format!("'self' data: {origin}"),
        }
    }

    /// Whether programs that show links can show it too: few of them can draw.
    pub fn is_photo(&self) -> bool {
        match self {
            Icon::Image { content_type, .. } => ![SVG, "image/x-icon"].contains(content_type),
            Icon::Remote { .. } => true,
        }
    }
}

fn remote(address: &str) -> Option<Icon> {
    let uri: Uri = address.parse().ok()?;
    let scheme = uri
        .scheme_str()
        .filter(|it| ["http", "https"].contains(it))?;
    let authority = uri.authority()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || ".:-[]".contains(c);
    let host = authority.as_str();
    host.chars().all(plain).then(|| Icon::Remote {
        origin: format!("{scheme}://{host}"),
        address: address.to_owned(),
    })
}

/// Why an icon cannot be used.
#[derive(Debug, Error)]
enum IconError {
    #[error("is no address of the web")]
    NotAnAddress,
    #[error("has none of the endings {}", KINDS.map(|(ending, _)| ending).join(", "))]
    Ending,
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is over a megabyte")]
    TooLarge,
}

fn image(path: &Path) -> Result<Icon, IconError> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let kind = KINDS.iter().find(|(known, _)| *known == ending);
    let (_, content_type) = kind.ok_or(IconError::Ending)?;
    let mut body = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut body)?;
    if body.len() as u64 > MAX_BYTES {
        return Err(IconError::TooLarge);
    }
    Ok(Icon::Image {
        content_type,
        body: body.into(),
    })
}

pub(crate) async fn icon(State(context): State<Arc<PageContext>>) -> Response {
    match &context.icon {
        Icon::Image { content_type, body } => {
            let kind = [(header::CONTENT_TYPE, *content_type)];
            ([A_DAY], kind, body.clone()).into_response()
        }
        Icon::Remote { address, .. } => {
            let to = [(header::LOCATION, address.as_str())];
            (StatusCode::FOUND, [A_DAY], to).into_response()
        }
    }
}

/// What a phone needs to put the service among its programs. Addresses are relative to this one.
pub(crate) async fn manifest(State(context): State<Arc<PageContext>>) -> Response {
    let service = &context.settings.pages.title;
    let icon = match &context.icon {
        Icon::Image { content_type, .. } => {
            json!({ "src": "favicon.ico", "sizes": "any", "type": content_type })
        }
        Icon::Remote { address, .. } => json!({ "src": address, "sizes": "any" }),
    };
    let manifest = json!({
        "name": service,
        "short_name": service,
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f6f7f9",
        "theme_color": "#1f5fbf",
        "icons": [icon],
    });
    let kind = [(header::CONTENT_TYPE, "application/manifest+json")];
    (
        kind,
        [(header::CACHE_CONTROL, "no-cache")],
        manifest.to_string(),
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use store::{Location, Store};

    use super::*;
    use crate::tests::{Answer, get_from, site_with};
    use settings::Settings;

    async fn answers(favicon: Option<&str>) -> [Answer; 2] {
        let mut settings = Settings::default();
        settings.pages.favicon = favicon.map(str::to_owned);
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, settings);
        [
            get_from(site.clone(), "/favicon.ico", &[]).await,
            get_from(site, "/p/a", &[]).await,
        ]
    }

    #[tokio::test]
    async fn the_icon_is_ours_a_file_or_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let [png, large, page] = [
            write("logo.PNG", b"png"),
            write("large.png", &vec![0; 1024 * 1024 + 1]),
            write("page.html", b"<p>"),
        ];
        let [icon, _] = answers(Some(&png)).await;
        assert_eq!(icon.header("content-type"), "image/png");
        assert_eq!(icon.text(), "png");
        let missing = folder.path().join("missing.ico");
        let missing = missing.to_str();
        // What cannot be goes to the log, and pages have the built-in one.
        for setting in [
            None,
            Some(large.as_str()),
            Some(&page),
            missing,
            Some("ftp://example.com/a.ico"),
            Some("https://a; script-src *"),
        ] {
            let [icon, page] = answers(setting).await;
            assert_eq!(icon.header("content-type"), SVG, "{setting:?}");
            assert!(icon.text().starts_with("<svg"), "{setting:?}");
            let policy = page.header("content-security-policy");
            assert!(policy.contains("img-src 'self' data:;"), "{policy}");
        }
        let [icon, page] = answers(Some("https://example.com/a/b.png?c")).await;
        assert_eq!(icon.status, StatusCode::FOUND);
        assert_eq!(icon.header("location"), "https://example.com/a/b.png?c");
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("img-src 'self' data: https://example.com;"),
            "{policy}"
        );
    }
}
