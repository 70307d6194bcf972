//! Tests of titles: where they are shown, and to whom.

use axum::Router;
use store::{Location, Store};

use super::{get_from, site_with};
use settings::Settings;

async fn call(site: &Router, function: &str, query: &str) -> serde_json::Value {
    let path = format!("/api/2.0.0/{function}?apikey=secret&{query}");
    let answer = get_from(site.clone(), &path, &[]).await;
    let value: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(value["code"], 0, "{value}");
    value["data"].clone()
}

async fn text(site: &Router, path: &str, headers: &[(&str, &str)]) -> String {
    get_from(site.clone(), path, headers)
        .await
        .text()
        .to_owned()
}

#[tokio::test]
async fn a_title_is_shown_instead_of_the_address() {
    let store = Store::open(Location::Memory).await.unwrap();
    let site = site_with(store, Settings::default());
    call(&site, "createPad", "padID=team_notes&text=Hello").await;
    for (title, shown) in [
        ("", "team notes"),
        ("%3C/script%3E%20%26%20%22x%22", "</script> & \"x\""),
    ] {
        call(
            &site,
            "setTitle",
            &format!("padID=team_notes&title={title}"),
        )
        .await;
        let escaped = shown
            .replace('&', "&#38;")
            .replace('<', "&#60;")
            .replace('>', "&#62;")
            .replace('"', "&#34;");
        let page = text(&site, "/p/team_notes", &[]).await;
        assert!(
            page.contains(&format!("<title>{escaped} – padsvc</title>")),
            "{page}"
        );
        let card = format!("<meta property=\"og:title\" content=\"{escaped}\">");
        assert!(page.contains(&card), "{page}");
        let boot = serde_json::json!(shown).to_string().replace('<', "\\u003c");
        assert!(page.contains(&format!("\"title\":{boot}")), "{page}");
        let history = text(&site, "/p/team_notes/timeslider", &[]).await;
        assert!(
            history.contains(&format!("<title>{escaped} –")),
            "{history}"
        );
        let reading = text(&site, "/p/team_notes/read", &[]).await;
        assert!(
            reading.contains(&format!("<h1 dir=\"auto\">{escaped}</h1>")),
            "{reading}"
        );
        let export = get_from(site.clone(), "/p/team_notes/export/html", &[]).await;
        let name = export.header("content-disposition").to_owned();
        assert!(name.contains("team_notes.html"), "{name}");
        let html = export.text();
        let (_, rest) = html.split_once("<title>").unwrap();
        let (found, _) = rest.split_once("</title>").unwrap();
        let plain = shown
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let found = found.replace("&quot;", "\"").replace("&#x2F;", "/");
        assert_eq!(found, plain);
    }
}

#[tokio::test]
async fn only_those_who_may_read_a_pad_learn_its_title() {
    let store = Store::open(Location::Memory).await.unwrap();
    let site = site_with(store, Settings::default());
    let group = call(&site, "createGroup", "").await;
    let group = group["groupID"].as_str().unwrap();
    let pad = format!("{group}$plan");
    call(
        &site,
        "createGroupPad",
        &format!("groupID={group}&padName=plan"),
    )
    .await;
    call(&site, "setTitle", &format!("padID={pad}&title=Secret")).await;
    let stranger = text(&site, &format!("/p/{pad}"), &[]).await;
    assert!(!stranger.contains("Secret"), "{stranger}");
    assert!(
        stranger.contains("<title>You may not open this pad</title>"),
        "{stranger}"
    );

    let author = call(&site, "createAuthor", "").await;
    let author = author["authorID"].as_str().unwrap();
    let query = format!("groupID={group}&authorID={author}&validUntil=4102444800");
    let session = call(&site, "createSession", &query).await;
    let cookie = format!("sessionID={}", session["sessionID"].as_str().unwrap());
    let member = text(&site, &format!("/p/{pad}"), &[("cookie", &cookie)]).await;
    assert!(
        member.contains("<title>Secret – padsvc</title>"),
        "{member}"
    );

    // By a read-only id the address stays unknown, also where it would be the title.
    call(&site, "createPad", "padID=hidden_name").await;
    let id = call(&site, "getReadOnlyID", "padID=hidden_name").await;
    let id = id["readOnlyID"].as_str().unwrap();
    for path in [
        format!("/p/{id}"),
        format!("/p/{id}/read"),
        format!("/p/{id}/export/html"),
    ] {
        let page = text(&site, &path, &[]).await;
        assert!(!page.contains("hidden"), "{page}");
        assert!(page.contains(&format!("<title>{id}")), "{page}");
    }
}
