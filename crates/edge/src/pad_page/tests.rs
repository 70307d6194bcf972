//! What visitors and their scripts find in the pages of pads.

use store::{Location, Store};

use super::*;
use crate::tests::{get_from, get_with, site_with};
use settings::{PadTemplate, Settings, TrustProxy};

#[tokio::test]
async fn plugins_find_their_module_and_the_policy_allows_nothing_else() {
    let early = bundle::text(bundle::EARLY.script).unwrap();
    let cases = [
        ("/p/a?lang=de", "../", source_of(early)),
        ("/p/a/timeslider?lang=de", "../../", String::new()),
    ];
    for (path, base, own) in cases {
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
        let scripts = format!("; script-src 'self'{}{own}; style-src", source_of(map));
        assert!(policy.contains(&scripts), "{policy}");
    }
}

#[tokio::test]
async fn the_page_opens_its_connection_before_it_fetches_anything() {
    let page = get_with("/p/a?lang=de", &[]).await;
    let (before, rest) = page.text().split_once("<script>").unwrap();
    let (early, after) = rest.split_once("</script>").unwrap();
    assert!(early.contains("new WebSocket("), "{early}");
    let policy = page.header("content-security-policy");
    assert!(policy.contains(&source_of(early)), "{policy}");
    assert!(before.contains("id=\"boot\""), "{before}");
    // What stands behind a style sheet waits for it.
    for fetched in ["stylesheet", "modulepreload", "type=\"module\""] {
        assert!(!before.contains(fetched), "{before}");
        assert!(after.contains(fetched), "{after}");
    }
    // The past is another connection's.
    let history = get_with("/p/a/timeslider", &[]).await;
    assert!(!history.text().contains("<script>"));
}

#[tokio::test]
async fn the_texts_of_a_language_are_fetched_along_with_the_script() {
    for (language, word) in [
        ("en", None),
        ("de", Some("Verbindung")),
        ("pt-BR", Some("ção")),
    ] {
        let page = get_with(&format!("/p/a?lang={language}"), &[]).await;
        let (_, rest) = page
            .text()
            .split_once("rel=\"modulepreload\" href=\"..")
            .unzip();
        let file = rest.and_then(|rest| rest.split('"').next());
        assert_eq!(file.is_some(), word.is_some(), "{language}");
        let (Some(file), Some(word)) = (file, word) else {
            continue;
        };
        let texts = get_with(file, &[]).await;
        assert!(texts.text().contains(word), "{language}: {file}");
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
    let button = r#"form="new" name="template" value="a&#38;b""#;
    assert!(text.contains(button), "{text}");
    assert!(text.contains("&#60;b&#62;Minutes"), "{text}");
    let new = get_from(site.clone(), "/p?template=a%26b", &[]).await;
    let location = new.header("location");
    assert!(location.starts_with("p/"), "{location}");
    assert!(location.ends_with("?template=a%26b"), "{location}");
    let named = get_from(site, "/p?pad=two%20words&template=x&title=", &[]).await;
    assert_eq!(named.header("location"), "p/two_words?template=x");
    // Without templates nothing is offered.
    assert!(!get_with("/", &[]).await.text().contains("templates"));
}

#[tokio::test]
async fn the_title_of_the_form_goes_along_to_the_new_pad() {
    let long = "x".repeat(300);
    let cut = format!("title={}", "x".repeat(200));
    let cases = [
        ("title=", ""),
        ("title=%20%0A", ""),
        (
            "title=What+we+%3Cdecided%3E",
            "?title=What%20we%20%3Cdecided%3E",
        ),
        ("title=A&template=b", "?template=b&title=A"),
        (&*format!("title={long}"), &*format!("?{cut}")),
    ];
    for (query, expected) in cases {
        let new = get_with(&format!("/p?pad=&{query}"), &[]).await;
        let location = new.header("location").to_owned();
        let (_, given) = location.split_at(location.find('?').unwrap_or(location.len()));
        assert_eq!(given, expected, "{query}");
    }
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
