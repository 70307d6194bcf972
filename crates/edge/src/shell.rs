//! What every page begins with.

use axum::http::{HeaderMap, Uri};

use super::language::Language;
use super::page_context::PageContext;
use super::pages;
use identity::query::parameter;

pub struct Shell<'a> {
    /// The way back to the service's root.
    pub base: String,
    pub language: Language<'a>,
    /// The name of the service.
    pub service: &'a str,
    /// Whether the page follows a browser that prefers dark colours.
    pub dark: bool,
    /// Which version runs, where everybody may know.
    pub version: Option<&'a str>,
}

impl<'a> Shell<'a> {
    pub fn of(context: &'a PageContext, uri: &Uri, headers: &HeaderMap) -> Shell<'a> {
        Shell::asked_in(context, uri, headers, parameter(uri, "lang").as_deref())
    }

    /// For an address that asks for a language in another way.
    pub fn asked_in(
        context: &'a PageContext,
        uri: &Uri,
        headers: &HeaderMap,
        language: Option<&str>,
    ) -> Shell<'a> {
        let settings = &context.settings;
        let exposed = settings.listen.expose_version;
        Shell {
            base: pages::base(uri),
            language: Language::choose(
                language,
                headers,
                &format!("{}language", settings.access.cookies.prefix),
                settings.pages.options.language.as_deref(),
                &context.words,
            ),
            service: &settings.pages.title,
            dark: settings.pages.dark_mode,
            version: exposed.then_some(context.version.as_str()),
        }
    }

    /// A font that is not there at once would be used on the next page only. Nobody waits for it,
    /// so it is asked for behind the script.
    pub fn font(&self) -> Option<&'static str> {
        bundle::font(self.language.code())
    }
}

#[cfg(test)]
mod tests {
    use store::{Location, Store};

    use crate::tests::{get_from, site_with};
    use settings::Settings;

    const PAGES: [&str; 5] = ["/", "/p/a", "/sign-in", "/api-docs", "/nowhere"];

    #[tokio::test]
    async fn a_page_asks_at_once_for_the_font_of_its_language() {
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, Settings::default());
        let cases = [
            ("en", Some("inter-latin-wght-")),
            ("ar", Some("vazirmatn-arabic-")),
            ("uk", Some("inter-cyrillic-wght-")),
            ("ja", None),
        ];
        for (language, font) in cases {
            let page = get_from(site.clone(), &format!("/p/a?lang={language}"), &[]).await;
            let text = page.text();
            let (_, link) = text.split_once("rel=\"preload\"").unzip();
            assert_eq!(link.is_some(), font.is_some(), "{language}");
            let (Some(link), Some(font)) = (link, font) else {
                continue;
            };
            let path = link.split('"').find(|part| part.contains(font)).unwrap();
            let file = get_from(site.clone(), path.trim_start_matches(".."), &[]).await;
            assert_eq!(file.header("content-type"), "font/woff2", "{language}");
        }
    }

    #[tokio::test]
    async fn all_pages_have_the_name_and_the_icon_of_the_service() {
        let mut settings = Settings::default();
        settings.pages.title = "Our <Pads>".to_owned();
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, settings);
        for path in PAGES {
            let page = get_from(site.clone(), path, &[]).await;
            let icon = "favicon.ico\">";
            assert!(page.text().contains(icon), "{path}: {}", page.text());
            let named = page.text().contains("Our &#60;Pads&#62;");
            assert_eq!(named, path != "/nowhere", "{path}: {}", page.text());
        }
        let manifest = get_from(site, "/manifest.json", &[]).await;
        assert_eq!(manifest.header("content-type"), "application/manifest+json");
        assert!(manifest.text().contains(r#""name":"Our <Pads>""#));
    }

    #[tokio::test]
    async fn pages_stay_light_where_the_operator_wants_that() {
        for dark in [true, false] {
            let mut settings = Settings::default();
            settings.pages.dark_mode = dark;
            let store = Store::open(Location::Memory).await.unwrap();
            let site = site_with(store, settings);
            for path in PAGES {
                let page = get_from(site.clone(), path, &[]).await;
                let light = page.text().contains(" data-theme=\"light\">\n<head>");
                assert_eq!(light, !dark, "{path}: {}", page.text());
            }
        }
    }

    #[tokio::test]
    async fn the_version_is_shown_to_everybody_only_if_the_operator_says_so() {
        let version = env!("CARGO_PKG_VERSION");
        for exposed in [false, true] {
            let mut settings = Settings::default();
            settings.listen.expose_version = exposed;
            let store = Store::open(Location::Memory).await.unwrap();
            let site = site_with(store, settings);
            let home = get_from(site.clone(), "/", &[]).await;
            let footer = format!("padsvc {version} ·");
            assert_eq!(home.text().contains(&footer), exposed, "{}", home.text());
            let pad = get_from(site.clone(), "/p/a", &[]).await;
            let boot = format!(r#""version":"{version}""#);
            assert_eq!(pad.text().contains(&boot), exposed, "{}", pad.text());
            let nowhere = get_from(site, "/nowhere", &[]).await;
            let server = if exposed {
                format!("padsvc/{version}")
            } else {
                String::new()
            };
            for answer in [home, pad, nowhere] {
                assert_eq!(answer.header("server"), server);
            }
        }
    }
}
