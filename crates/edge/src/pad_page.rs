//! `GET /p/:pad`: the page people write in, and `GET /p/:pad/timeslider`: its past.
//!
//! Who may not open the pad gets a page that says so, whether the pad is there or not. Who may is
//! admitted again when the page's script joins. Here a visitor gets the token by which it is the
//! same author next time, and a name that cannot be is led to the one it becomes.

use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use pad::{AuthorToken, PadId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use service::{Environment, JoinError};
use sha2::{Digest, Sha256};
use tracing::error;

use super::card::Card;
use super::origin::is_secure;
use super::pages::PagesState;
use super::shell::Shell;
use super::{custom, files, pages};
use identity::cookies;
use identity::query::parameter;
use identity::visitor::Visitor;
use settings::{Setting as _, Tier};
use system::environment::{System, random_bytes};
use system::hex;

const TOKEN_SECONDS: u32 = 60 * 24 * 60 * 60;
/// What a name may hold in an address without being written as a number.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'$');

#[derive(Template)]
#[template(path = "pad.html")]
struct PadPage<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    card: Card<'a>,
    /// Where it can be read without a script.
    read: String,
    boot: String,
    /// Where plugins find what they import.
    import_map: String,
    custom: custom::Slots,
}

/// `GET /p?pad=NAME`, the form of the start page: leads to that pad, or to a new one.
pub(crate) async fn redirect_by_name(
    State(state): State<PagesState>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let name = parameter(&uri, "pad").unwrap_or_default();
    let name = name.trim();
    let template = parameter(&uri, "template").filter(|template| !template.is_empty());
    let query = template.map(|template| format!("?template={}", encoded(&template)));
    let query = query.unwrap_or_default();
    if name.is_empty() {
        return redirect(&format!("p/{}{query}", PadId::random(System.entropy())));
    }
    match state.service.address(name).await {
        Ok(Some(name)) => redirect(&format!("p/{}{query}", encoded(&name))),
        Ok(None) => pages::not_found_page(&state.page, &uri, &headers),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// What the script shows of a pad.
#[derive(Clone, Copy)]
enum View {
    Pad,
    History,
}

pub(crate) async fn get_pad(
    State(state): State<PagesState>,
    Path(name): Path<String>,
    parts: Parts,
) -> Response {
    respond(&state, &name, View::Pad, &parts).await
}

pub(crate) async fn get_history(
    State(state): State<PagesState>,
    Path(name): Path<String>,
    parts: Parts,
) -> Response {
    respond(&state, &name, View::History, &parts).await
}

async fn respond(state: &PagesState, name: &str, view: View, parts: &Parts) -> Response {
    let (headers, uri) = (&parts.headers, &parts.uri);
    let address = match state.service.address(name).await {
        Ok(address) => address,
        Err(_) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    };
    match address {
        None => pages::not_found_page(&state.page, uri, headers),
        Some(address) if address != name => {
            let query = uri.query().map(|query| format!("?{query}"));
            let name = match view {
                View::Pad => encoded(&address),
                View::History => format!("../{}/timeslider", encoded(&address)),
            };
            redirect(&(name + &query.unwrap_or_default()))
        }
        Some(_) => {
            let mut response = match admit(state, name, parts).await {
                Admitted::No => pages::denied_pad(&state.page, uri, headers),
                Admitted::After(wait) => {
                    return pages::too_many_pads(&state.page, uri, headers, wait);
                }
                Admitted::To(title) => render(state, (name, &title), view, headers, uri).await,
            };
            set_author_token(state, headers, &mut response);
            response
        }
    }
}

/// Whether a visitor gets the page of a pad.
enum Admitted {
    /// With what the page is called: the pad's title, or its address, made readable.
    To(String),
    /// The pad does not exist, and the visitor's address may not create it now.
    After(Duration),
    No,
}

async fn admit(state: &PagesState, name: &str, parts: &Parts) -> Admitted {
    let readable = || Admitted::To(pad::readable(name));
    let visitor = Visitor::of(parts, &state.settings);
    let Ok(mut request) = visitor.request(name, &state.accounts, &state.settings) else {
        return readable();
    };
    // One that nobody can have been given is about to be replaced.
    request
        .token
        .take_if(|token| AuthorToken::parse(token).is_none());
    match state.service.visit(&request).await {
        Ok(Some(visit)) => {
            let title = state.service.title_for(&visit).await;
            title.map_or_else(|_| readable(), Admitted::To)
        }
        Ok(None) => match state.limits.new_pad(visitor.client) {
            Ok(_) => readable(),
            Err(wait) => Admitted::After(wait),
        },
        Err(JoinError::Denied) => Admitted::No,
        // The script says what is wrong, and tries again.
        Err(_) => readable(),
    }
}

async fn render(
    state: &PagesState,
    (name, title): (&str, &str),
    view: View,
    headers: &HeaderMap,
    uri: &Uri,
) -> Response {
    let settings = &state.settings;
    let shell = Shell::of(&state.page, uri, headers);
    let nonce = hex(&random_bytes::<16>());
    let imports: Vec<_> = files::imports(&settings.files).collect();
    let boot = json!({
        "padId": name,
        "title": title,
        "base": shell.base,
        "language": shell.language.code(),
        "nonce": nonce,
        "service": settings.pages.title,
        "version": shell.version,
        "cookiePrefix": settings.access.cookies.prefix.0,
        "recentPads": settings.pages.recent_pads,
        "darkMode": settings.pages.dark_mode,
        "padOptions": settings.pages.options.to_json(),
        "versionStatus": !matches!(settings.updates.tier, Tier::Off),
        "importMaxBytes": settings.files.max_import_bytes,
        "imports": imports.iter().map(|format| format.name).collect::<Vec<_>>(),
        "importAliases": imports.iter().flat_map(|format| format.aliases).collect::<Vec<_>>(),
        "exports": files::exports(&settings.files),
        "toolbar": {
            "left": settings.pages.toolbar.left.to_json(),
            "right": settings.pages.toolbar.right.to_json(),
            "timeslider": settings.pages.toolbar.history.to_json(),
        },
        "reconnectSeconds": settings.pages.reconnect_seconds,
        "texts": state.page.words,
        "view": match view {
            View::Pad => "pad",
            View::History => "history",
        },
    });
    let import_map = import_map(&shell.base);
    let import_map_source = source_of(&import_map);
    let template = PadPage {
        entry: bundle::PAD,
        import_map,
        custom: state.custom.slots(custom::Page::Pad, &shell.base).await,
        card: Card::new(&state.page, uri, headers, &shell, Some((name, title))),
        read: format!("{}p/{}/read", shell.base, encoded(name)),
        shell,
        // Nothing in a script element may look like its end.
        boot: boot.to_string().replace('<', "\\u003c"),
    };
    let mut response = pages::page(StatusCode::OK, &template);
    // The editor writes its styles into an element of its own, which the nonce allows.
    let styles = format!("'self' 'nonce-{nonce}'");
    let policy = state.page.policy_with(&import_map_source, &styles, "");
    let values = response.headers_mut();
    values.insert(header::CONTENT_SECURITY_POLICY, policy);
    let private = HeaderValue::from_static("private, no-cache");
    values.insert(header::CACHE_CONTROL, private);
    response
}

/// What `padsvc` means to the scripts of plugins: one file of the bundle.
fn import_map(base: &str) -> String {
    let address = format!("{base}{}", bundle::PLUGIN.script);
    json!({"imports": {"padsvc": address}})
        .to_string()
        .replace('<', "\\u003c")
}

/// A script in the page as the policy names it: by its content, so that no other can be there.
fn source_of(script: &str) -> String {
    let digest = Sha256::digest(script.as_bytes());
    format!(" 'sha256-{}'", BASE64.encode(digest))
}

/// The token is what makes a browser the same author again. One that is there and sound stays.
fn set_author_token(state: &PagesState, headers: &HeaderMap, response: &mut Response) {
    let name = format!("{}token", state.settings.access.cookies.prefix);
    let known = cookies::of(headers).and_then(|cookies| cookies::value(cookies, &name));
    if known.is_some_and(|token| AuthorToken::parse(&token).is_some()) {
        return;
    }
    let token = AuthorToken::random([System.entropy(), System.entropy()]);
    let secure = is_secure(&state.settings, headers);
    let embedded = headers
        .get("sec-fetch-site")
        .is_some_and(|from| from == "cross-site");
    let mut cookie = format!("{name}={token}; Path=/; Max-Age={TOKEN_SECONDS}; HttpOnly");
    cookie.push_str(match (secure, embedded) {
        // Browsers that keep other sites' cookies apart take it as one of the page around us.
        (true, true) => "; Secure; SameSite=None; Partitioned",
        (true, false) => "; Secure; SameSite=Lax",
        (false, _) => "; SameSite=Lax",
    });
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Err(error) => error!("a cookie could not be written: {error}"),
    }
}

/// A redirect that is relative, since we may be below a path that we do not know.
fn redirect(address: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, address)]).into_response()
}

pub(crate) fn encoded(name: &str) -> String {
    utf8_percent_encode(name, PLAIN).to_string()
}

#[cfg(test)]
mod tests {
    use store::{Location, Store};

    use super::*;
    use crate::tests::{get_from, get_with, site_with};
    use settings::{PadTemplate, Settings, TrustProxy};

    #[tokio::test]
    async fn plugins_find_their_module_and_the_policy_allows_nothing_else() {
        for (path, base) in [("/p/a", "../"), ("/p/a/timeslider", "../../")] {
            let page = get_with(path, &[]).await;
            let text = page.text();
            let (_, rest) = text.split_once("<script type=\"importmap\">").unwrap();
            let (map, after) = rest.split_once("</script>").unwrap();
            let address = format!(r#"{{"imports":{{"padsvc":"{base}assets/plugin-"#);
            assert!(map.starts_with(&address), "{map}");
            let module = map.rsplit('"').nth(1).unwrap().trim_start_matches("../");
            let file = get_with(&format!("/{module}"), &[]).await;
            assert!(file.text().contains("definePlugin"), "{module}");
            // A map that comes after the first module is not looked at by all browsers.
            assert!(after.contains("type=\"module\"") && after.contains("modulepreload"));
            let policy = page.header("content-security-policy");
            let scripts = format!("; script-src 'self'{}; style-src", source_of(map));
            assert!(policy.contains(&scripts), "{policy}");
        }
    }

    #[tokio::test]
    async fn the_page_of_a_pad_carries_what_its_script_needs() {
        let page = get_with("/p/caf%C3%A9%3C", &[]).await;
        assert_eq!(page.status, StatusCode::OK);
        let text = page.text();
        assert!(text.contains("<title>café&#60; – padsvc</title>"), "{text}");
        assert!(text.contains(r#""padId":"café\u003c""#), "{text}");
        assert!(text.contains(r#""importMaxBytes":52428800"#), "{text}");
        assert!(text.contains(r#""exports":["docx","#), "{text}");
        assert!(text.contains(r#""importAliases":["htm","#), "{text}");
        assert!(text.contains(&format!("src=\"../{}\"", bundle::PAD.script)));
        assert!(!text.contains("style="), "{text}");
    }

    #[tokio::test]
    async fn the_page_starts_as_the_operator_has_set_it() {
        let mut settings = Settings::default();
        settings.pages.options.show_controls = false;
        settings.pages.options.user_name = Some("Guest </script>".to_owned());
        let store = Store::open(Location::Memory).await.unwrap();
        let page = get_from(site_with(store, settings), "/p/a", &[]).await;
        let text = page.text();
        assert!(text.contains(r#""showControls":false"#), "{text}");
        assert!(text.contains(r#""versionStatus":true"#), "{text}");
        assert!(
            text.contains(r#""userName":"Guest \u003c/script>""#),
            "{text}"
        );
    }

    #[tokio::test]
    async fn the_first_page_offers_templates_and_leads_to_a_pad_with_one() {
        let mut settings = Settings::default();
        settings.pads.templates = vec![PadTemplate {
            name: "a&b".to_owned(),
            pad: Some("r.0".to_owned()),
            title: Some("<b>Minutes</b>".to_owned()),
        }];
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, settings);
        let home = get_from(site.clone(), "/", &[]).await;
        let text = home.text();
        assert!(text.contains("p?template=a%26b"), "{text}");
        assert!(text.contains("&#60;b&#62;Minutes"), "{text}");
        let new = get_from(site.clone(), "/p?template=a%26b", &[]).await;
        let location = new.header("location");
        assert!(location.starts_with("p/"), "{location}");
        assert!(location.ends_with("?template=a%26b"), "{location}");
        let named = get_from(site, "/p?pad=two%20words&template=x", &[]).await;
        assert_eq!(named.header("location"), "p/two_words?template=x");
        // Without templates nothing is offered.
        assert!(!get_with("/", &[]).await.text().contains("templates"));
    }

    #[tokio::test]
    async fn the_past_of_a_pad_is_the_same_page_with_another_view() {
        let page = get_with("/p/caf%C3%A9/timeslider", &[]).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text().contains(r#""view":"history""#));
        assert!(page.text().contains(r#""base":"../../""#));
        assert!(
            get_with("/p/a", &[])
                .await
                .text()
                .contains(r#""view":"pad""#)
        );
        let other = get_with("/p/two%20words/timeslider?lang=de", &[]).await;
        assert_eq!(other.header("location"), "../two_words/timeslider?lang=de");
        let none = get_with("/p/r.unknown0000000000/timeslider", &[]).await;
        assert_eq!(none.status, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn styles_of_the_editor_need_the_nonce_of_this_answer() {
        let pages = [get_with("/p/a", &[]).await, get_with("/p/a", &[]).await];
        let nonce = |policy: &str| {
            policy
                .split('\'')
                .find_map(|part| part.strip_prefix("nonce-").map(str::to_owned))
                .unwrap()
        };
        let [first, second] = pages
            .each_ref()
            .map(|page| nonce(page.header("content-security-policy")));
        assert_ne!(first, second);
        assert!(pages[0].text().contains(&format!(r#""nonce":"{first}""#)));
        assert!(
            !pages[0]
                .header("content-security-policy")
                .contains("unsafe")
        );
    }

    #[tokio::test]
    async fn a_name_that_cannot_be_leads_to_the_one_it_becomes() {
        let check = async |path: &str, location: &str| {
            let answer = get_with(path, &[]).await;
            assert_eq!(answer.status, StatusCode::FOUND, "{path}");
            assert_eq!(answer.header("location"), location);
        };
        check("/p/two%20words", "two_words").await;
        check("/p/a::b?lang=de", "a_b?lang=de").await;
        check("/p/two%0Alines", "two_lines").await;
        check("/p?pad=my+pad", "p/my_pad").await;
        check("/p?pad=caf%C3%A9%3F", "p/caf%C3%A9%3F").await;
        let new = get_with("/p", &[]).await;
        let other = get_with("/p?pad=+", &[]).await;
        assert_ne!(new.header("location"), other.header("location"));
        for path in [
            "/p/",
            "/p/a/",
            "/p/a%24b",
            "/p/r.unknown0000000000",
            "/p/a%00b",
        ] {
            let status = get_with(path, &[]).await.status;
            assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[tokio::test]
    async fn a_browser_gets_a_token_once() {
        let first = get_with("/p/a", &[]).await;
        let cookie = first.header("set-cookie");
        let (token, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(
            attributes,
            "Path=/; Max-Age=5184000; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            get_with("/p/a", &[("cookie", token)])
                .await
                .header("set-cookie"),
            ""
        );
        let broken = get_with("/p/a", &[("cookie", "token=nonsense")]).await;
        assert_eq!(broken.status, StatusCode::OK);
        assert!(broken.header("set-cookie").starts_with("token=t."));
    }

    #[tokio::test]
    async fn behind_tls_the_token_also_works_inside_other_pages() {
        let mut settings = Settings::default();
        settings.listen.trust_proxy = TrustProxy::Hops(1);
        let store = Store::open(Location::Memory).await.unwrap();
        let site = site_with(store, settings);
        let proxied = [
            ("x-forwarded-proto", "https"),
            ("sec-fetch-site", "cross-site"),
        ];
        let cookie = async |headers: &[(&str, &str)]| {
            let answer = get_from(site.clone(), "/p/a", headers).await;
            answer.header("set-cookie").to_owned()
        };
        assert!(
            cookie(&proxied)
                .await
                .ends_with("; Secure; SameSite=None; Partitioned")
        );
        assert!(
            cookie(&proxied[..1])
                .await
                .ends_with("; Secure; SameSite=Lax")
        );
        assert!(
            cookie(&proxied[1..])
                .await
                .ends_with("HttpOnly; SameSite=Lax")
        );
    }

    #[tokio::test]
    async fn the_page_speaks_the_visitors_language() {
        let arabic = get_with("/p/a?lang=ar", &[("accept-language", "de")]).await;
        assert!(arabic.text().contains(r#"<html lang="ar" dir="rtl">"#));
        let german = get_with("/p/a", &[("accept-language", "de")]).await;
        assert!(german.text().contains(r#"<html lang="de" dir="ltr">"#));
    }
}
