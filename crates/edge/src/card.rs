//! How other programs show a link to a page of ours.

use axum::http::{HeaderMap, Uri};

use super::page_context::PageContext;
use super::prefix::Prefix;
use super::shell::Shell;
use super::{origin, pad_page};
use settings::Settings;

pub(crate) struct Card<'a> {
    pub title: &'a str,
    pub description: &'a str,
    /// The page as people reach it.
    pub address: String,
    pub image: Option<String>,
}

impl<'a> Card<'a> {
    /// `pad` is the name of a pad and its title; without one it is the first page.
    pub(crate) fn new(
        context: &'a PageContext,
        uri: &Uri,
        headers: &HeaderMap,
        shell: &Shell<'a>,
        pad: Option<(&'a str, &'a str)>,
    ) -> Card<'a> {
        let settings = &context.settings;
        let root = root(settings, uri, headers);
        let page = pad.map(|(name, _)| format!("p/{}", pad_page::encoded(name)));
        let own = settings.pages.description.as_deref();
        let image = context.icon.is_photo();
        Card {
            title: pad.map_or(shell.service, |(_, title)| title),
            description: own.unwrap_or_else(|| shell.language.text("shell.card")),
            image: image.then(|| format!("{root}/favicon.ico")),
            address: format!("{root}/{}", page.unwrap_or_default()),
        }
    }
}

/// The address of the service as others know it, without a slash at its end.
pub(crate) fn root(settings: &Settings, uri: &Uri, headers: &HeaderMap) -> String {
    match &settings.listen.public_url {
        Some(address) => address.0.clone(),
        None => {
            let below = Prefix::forwarded(&settings.listen, headers).unwrap_or_default();
            origin::asked(settings, uri, headers) + &below
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Location, Store};

    use crate::tests::{get_from, site_with};
    use settings::{Settings, TrustProxy, WebAddress};

    #[tokio::test]
    async fn behind_a_proxy_the_address_is_the_one_that_people_use() {
        let forwarded = |prefix| [("host", "example.com"), ("x-forwarded-prefix", prefix)];
        for (trust_proxy, prefix, address) in [
            (TrustProxy::Hops(1), "/pads/", "http://example.com/pads/p/a"),
            (TrustProxy::Hops(1), "/<pads>", "http://example.com/p/a"),
            (TrustProxy::Nobody, "/pads", "http://example.com/p/a"),
        ] {
            let mut settings = Settings::default();
            settings.listen.trust_proxy = trust_proxy;
            let store = Store::open(Location::Memory).await.unwrap();
            let page = get_from(site_with(store, settings), "/p/a", &forwarded(prefix)).await;
            let meta = format!("<meta property=\"og:url\" content=\"{address}\">");
            assert!(page.text().contains(&meta), "{meta}: {}", page.text());
        }
    }

    #[tokio::test]
    async fn a_link_to_a_pad_is_shown_with_the_words_of_the_operator() {
        let head = [("host", "pads.example:9001"), ("accept-language", "de")];
        let mut settings = Settings::default();
        let mut pages = Vec::new();
        for own in [false, true] {
            if own {
                settings.pages.title = "Ours".to_owned();
                settings.pages.description = Some("For \"us\"".to_owned());
                settings.pages.favicon = Some("https://example.com/a.png".to_owned());
                settings.listen.public_url =
                    Some(WebAddress("https://example.com/pads".to_owned()));
            }
            let store = Store::open(Location::Memory).await.unwrap();
            let site = site_with(store, settings.clone());
            pages.push(get_from(site.clone(), "/p/caf%C3%A9", &head).await);
            pages.push(get_from(site, "/", &head).await);
        }
        for (at, name, value) in [
            (0, "og:title", "café"),
            (0, "og:site_name", "padsvc"),
            (0, "og:url", "http://pads.example:9001/p/caf%C3%A9"),
            (
                0,
                "og:description",
                "Gemeinsam schreiben: alle im selben Text, zur selben Zeit.",
            ),
            (1, "og:title", "padsvc"),
            (1, "og:url", "http://pads.example:9001/"),
            (2, "og:site_name", "Ours"),
            (2, "og:url", "https://example.com/pads/p/caf%C3%A9"),
            (2, "og:description", "For &#34;us&#34;"),
            (2, "og:image", "https://example.com/pads/favicon.ico"),
            (3, "og:url", "https://example.com/pads/"),
        ] {
            let meta = format!("<meta property=\"{name}\" content=\"{value}\">");
            let page = pages[at].text();
            assert!(page.contains(&meta), "{meta}: {page}");
        }
    }
}
