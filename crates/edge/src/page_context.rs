//! Page context: the part of the state that every page and every answer's headers share.

use std::path::Path;
use std::sync::Arc;

use axum::http::HeaderValue;

use super::icon::Icon;
use settings::{Settings, Words};

pub struct PageContext {
    pub settings: Arc<Settings>,
    /// Texts in the operator's own words.
    pub words: Words,
    pub icon: Icon,
    /// The version that runs. Pages show it only where the settings allow.
    pub version: String,
}

impl PageContext {
    /// `root` is where relative paths of the settings start.
    pub fn new(settings: &Arc<Settings>, root: &Path, version: String) -> PageContext {
        PageContext {
            settings: Arc::clone(settings),
            words: settings.pages.messages.words(),
            icon: Icon::new(settings.pages.favicon.as_deref(), root),
            version,
        }
    }

    /// What `/health` calls the release that runs.
    pub fn release_id(&self) -> &str {
        updater::release_id(&self.settings.listen, &self.version)
    }

    /// Content security policy of a page: it starts from nothing and names what our pages use. No
    /// `unsafe-inline`: a script or style that found its way into a page stays text.
    pub fn policy(&self, styles: &str, more: &str) -> HeaderValue {
        self.policy_with("", styles, more)
    }

    /// The same, with scripts beside those of our files: sources, each with a space before it.
    pub fn policy_with(&self, scripts: &str, styles: &str, more: &str) -> HeaderValue {
        let images = self.icon.sources();
        let ancestors = &self.settings.listen.frame_ancestors;
        let ancestors: Vec<&str> = ancestors.iter().map(|source| source.0.as_str()).collect();
        let frames = if ancestors.is_empty() || more.contains("frame-ancestors") {
            String::new()
        } else {
            format!("; frame-ancestors {}", ancestors.join(" "))
        };
        let policy = format!(
            "default-src 'none'; script-src 'self'{scripts}; style-src {styles}; img-src {images}; \
             connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
             form-action 'self'{frames}{more}"
        );
        // An address that breaks the header is none of the web, so it was not taken.
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
    }
}
