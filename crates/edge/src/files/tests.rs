//! Files as a browser gets and sends them.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use store::{Location, Store};
use tower::ServiceExt;

use crate::tests::{Answer, get_from, site_with};
use settings::Settings;

pub(crate) mod declared;

const TOKEN: (&str, &str) = ("cookie", "token=t.abcdefghijklmnop");

/// A site on which files are not counted.
async fn site() -> Router {
    let mut settings = Settings::default();
    settings.files.requests_in_window = 1_000;
    let store = Store::open(Location::Memory).await.unwrap();
    site_with(store, settings)
}

/// The same with a program in place of LibreOffice, which gives back what it is given.
async fn site_with_office() -> Router {
    let mut settings = Settings::default();
    settings.files.requests_in_window = 1_000;
    let stand_in = concat!(env!("CARGO_MANIFEST_DIR"), "/src/office/stand_in.sh");
    settings.files.soffice = Some(stand_in.to_owned());
    let store = Store::open(Location::Memory).await.unwrap();
    site_with(store, settings)
}

async fn call(site: &Router, function: &str, query: &str) -> serde_json::Value {
    let path = format!("/api/1.3.1/{function}?apikey=secret&{query}");
    let answer = get_from(site.clone(), &path, &[]).await;
    let value: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(value["code"], 0, "{value}");
    value["data"].clone()
}

async fn send(
    site: &Router,
    pad: &str,
    name: &str,
    content: &[u8],
    extra: &[(&str, &str)],
) -> Answer {
    let mut body = format!(
        "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let mut request = Request::post(format!("/p/{pad}/import"))
        .header("content-type", "multipart/form-data; boundary=b")
        .header(TOKEN.0, TOKEN.1);
    for (name, value) in extra {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body)).unwrap();
    let (parts, body) = site.clone().oneshot(request).await.unwrap().into_parts();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body: body.collect().await.unwrap().to_bytes().to_vec(),
    }
}

#[tokio::test]
async fn every_format_is_a_download_with_the_name_of_the_pad() {
    let site = site().await;
    call(&site, "createPad", "padID=caf%C3%A9&text=Hello").await;
    for (format, kind, start) in [
        ("txt", "text/plain; charset=utf-8", "Hello\n"),
        ("html", "text/html; charset=utf-8", "<!doctype html>"),
        ("md", "text/markdown; charset=utf-8", "Hello"),
        ("native", "application/octet-stream", "{\"pad:café\""),
        ("etherpad", "application/octet-stream", "{\"pad:café\""),
        ("pdf", "application/pdf", "%PDF-"),
        (
            "docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "PK",
        ),
    ] {
        let path = format!("/p/caf%C3%A9/export/{format}");
        let file = get_from(site.clone(), &path, &[TOKEN]).await;
        assert_eq!(file.status, StatusCode::OK, "{format}");
        assert_eq!(file.header("content-type"), kind);
        let begins = String::from_utf8_lossy(&file.body).to_lowercase();
        assert!(
            begins.starts_with(&start.to_lowercase()),
            "{format}: {begins:.40}"
        );
        let disposition = file.header("content-disposition");
        assert!(
            disposition.starts_with("attachment; filename=\"caf_."),
            "{disposition}"
        );
        assert!(
            disposition.contains("filename*=UTF-8''caf%C3%A9."),
            "{disposition}"
        );
        assert!(file.header("content-security-policy").contains("sandbox"));
    }
}

#[test]
fn pages_have_words_for_every_format() {
    for format in convert::FileFormat::ALL {
        for text in [
            format!("files.{}", format.name),
            format!("files.{}Hint", format.name),
        ] {
            assert!(bundle::texts::text("en", &text).is_some(), "{text}");
        }
    }
}

#[tokio::test]
async fn a_past_revision_can_be_asked_for_in_two_ways() {
    let site = site().await;
    call(&site, "createPad", "padID=p&text=one").await;
    call(&site, "setText", "padID=p&text=two").await;
    for (path, text) in [
        ("/p/p/export/txt", "two\n"),
        ("/p/p/export/txt?revs=0", "one\n"),
        ("/p/p/0/export/txt", "one\n"),
        // Beyond the newest is the newest.
        ("/p/p/99/export/txt", "two\n"),
    ] {
        assert_eq!(
            get_from(site.clone(), path, &[]).await.text(),
            text,
            "{path}"
        );
    }
    for path in [
        "/p/p/x/export/txt",
        "/p/p/export/txt?revs=-1",
        "/p/p/1.5/export/txt",
    ] {
        let refused = get_from(site.clone(), path, &[]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test]
async fn only_those_who_may_open_a_pad_get_its_files() {
    let site = site().await;
    let group = call(&site, "createGroup", "").await;
    let group = group["groupID"].as_str().unwrap();
    let query = format!("groupID={group}&padName=p&text=secret");
    call(&site, "createGroupPad", &query).await;
    let path = format!("/p/{group}$p/export/txt");
    assert_eq!(
        get_from(site.clone(), &path, &[TOKEN]).await.status,
        StatusCode::FORBIDDEN
    );
    let refused = send(&site, &format!("{group}$p"), "a.txt", b"mine", &[]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);

    let author = call(&site, "createAuthor", "").await;
    let author = author["authorID"].as_str().unwrap();
    let query = format!("groupID={group}&authorID={author}&validUntil=4102444800");
    let session = call(&site, "createSession", &query).await;
    let cookie = format!("sessionID={}", session["sessionID"].as_str().unwrap());
    let file = get_from(site.clone(), &path, &[("cookie", &cookie)]).await;
    assert_eq!(file.text(), "secret\n");

    let id = call(&site, "getReadOnlyID", &format!("padID={group}$p")).await;
    let id = id["readOnlyID"].as_str().unwrap();
    let reading = format!("/p/{id}/export/native");
    let file = get_from(site.clone(), &reading, &[("cookie", &cookie)]).await;
    assert!(file.text().starts_with(&format!("{{\"pad:{id}\"")));
    let writing = send(&site, id, "a.txt", b"mine", &[("cookie", &cookie)]).await;
    assert_eq!(writing.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn what_is_not_there_is_said_so() {
    let site = site().await;
    call(&site, "createPad", "padID=p").await;
    for (path, text) in [
        ("/p/none/export/txt", "There is no such pad."),
        ("/p/p/export/exe", "There is no such format."),
        (
            "/p/p/export/odt",
            "This format needs `soffice` to be set up on the server.",
        ),
    ] {
        let answer = get_from(site.clone(), path, &[]).await;
        assert_eq!(
            (answer.status, answer.text()),
            (StatusCode::NOT_FOUND, text),
            "{path}"
        );
    }
    // Asking for a file creates nothing.
    assert_eq!(
        call(&site, "listAllPads", "").await["padIDs"],
        serde_json::json!(["p"])
    );
}

#[tokio::test]
async fn too_many_files_have_to_wait() {
    let store = Store::open(Location::Memory).await.unwrap();
    let site = site_with(store, Settings::default());
    call(&site, "createPad", "padID=p").await;
    for _ in 0..10 {
        let file = get_from(site.clone(), "/p/p/export/txt", &[]).await;
        assert_eq!(file.status, StatusCode::OK);
    }
    let refused = get_from(site.clone(), "/p/p/export/txt", &[]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=91).contains(&wait));
    let refused = send(&site, "p", "a.txt", b"x", &[]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_imported_file_becomes_the_text_and_the_old_one_stays_in_history() {
    let site = site().await;
    call(&site, "createPad", "padID=p&text=old").await;
    for (name, content, text) in [
        ("a.txt", &b"plain\r\nlines"[..], "plain\nlines\n"),
        ("a.txt", b"ends\n", "ends\n"),
        ("a.txt", b"a\tb\n\n", "a        b\n\n"),
        (
            "a.HTML",
            b"<ul><li>one</li></ul><script>alert(1)</script>",
            "\t* one\n\n",
        ),
        ("a.md", b"**bold** words", "bold words\n"),
        ("notes.log", b"a log", "a log\n"),
    ] {
        let sent = send(&site, "p", name, content, &[]).await;
        let expected = r#"{"code":0,"message":"ok","data":{"directDatabaseAccess":false}}"#;
        assert_eq!(
            (sent.status, sent.text()),
            (StatusCode::OK, expected),
            "{name}"
        );
        let file = get_from(site.clone(), "/p/p/export/txt", &[]).await;
        assert_eq!(file.text(), text, "{name}");
    }
    let first = get_from(site.clone(), "/p/p/0/export/txt", &[]).await;
    assert_eq!(first.text(), "old\n");
}

#[tokio::test]
async fn a_pad_moves_to_another_as_a_file() {
    let site = site().await;
    call(&site, "createPad", "padID=p&text=one").await;
    call(&site, "setText", "padID=p&text=two").await;
    let file = get_from(site.clone(), "/p/p/export/native", &[]).await;
    call(&site, "createPad", "padID=q").await;
    let sent = send(&site, "q", "p.etherpad", &file.body, &[]).await;
    assert!(
        sent.text().contains(r#""directDatabaseAccess":true"#),
        "{}",
        sent.text()
    );
    assert_eq!(
        get_from(site.clone(), "/p/q/0/export/txt", &[])
            .await
            .text(),
        "one\n"
    );
    assert_eq!(
        get_from(site.clone(), "/p/q/export/txt", &[]).await.text(),
        "two\n"
    );
    // A pad that is not there is made, and a short history replaced.
    for pad in ["new", "q"] {
        let sent = send(&site, pad, "p.etherpad", &file.body, &[]).await;
        assert_eq!(sent.status, StatusCode::OK, "{pad}: {}", sent.text());
        let count = call(&site, "getRevisionsCount", &format!("padID={pad}")).await;
        assert_eq!(count["revisions"], 1, "{pad}");
    }
    // Up to a revision.
    let file = get_from(site.clone(), "/p/p/export/native?revs=0", &[]).await;
    let sent = send(&site, "q", "p.etherpad", &file.body, &[]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.text());
    let count = call(&site, "getRevisionsCount", "padID=q").await;
    assert_eq!(count["revisions"], 0);
    let text = call(&site, "getText", "padID=q").await;
    assert_eq!(text["text"], "one\n");
    // A longer one is worth more.
    for number in 0..10 {
        call(&site, "setText", &format!("padID=q&text={number}")).await;
    }
    let again = send(&site, "q", "p.etherpad", &file.body, &[]).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    assert!(
        again.text().contains(r#""message":"padHasData""#),
        "{}",
        again.text()
    );
}

#[tokio::test]
async fn an_import_makes_a_pad_for_those_who_could_open_it() {
    let site = site().await;
    let sent = send(&site, "fresh", "a.txt", b"made by a file", &[]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.text());
    let text = call(&site, "getText", "padID=fresh").await;
    assert_eq!(text["text"], "made by a file\n");
    // What cannot be read makes nothing, and neither does who may not open it.
    let refused = send(&site, "broken", "a.docx", b"not a zip", &[]).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let group = call(&site, "createGroup", "").await;
    let inside = format!("{}$fresh", group["groupID"].as_str().unwrap());
    let refused = send(&site, &inside, "a.txt", b"mine", &[]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let pads = call(&site, "listAllPads", "").await;
    assert_eq!(pads["padIDs"], serde_json::json!(["fresh"]));
}

#[tokio::test]
async fn files_that_cannot_be_read_change_nothing() {
    let site = site().await;
    call(&site, "createPad", "padID=p&text=old").await;
    for (name, content, word) in [
        ("a.docx", &b"not a zip"[..], "convertFailed"),
        ("a.etherpad", b"{}", "convertFailed"),
        ("a.etherpad", b"\xff\xfe", "convertFailed"),
        ("a.txt", b"nul \0 byte", "convertFailed"),
        ("a.odt", b"PK", "convertFailed"),
    ] {
        let refused = send(&site, "p", name, content, &[]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name}");
        let word = format!("\"message\":\"{word}\"");
        assert!(refused.text().contains(&word), "{name}: {}", refused.text());
    }
    let no_form = Request::post("/p/p/import").body(Body::from("x")).unwrap();
    let refused = site.clone().oneshot(no_form).await.unwrap();
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    let refused = send(
        &site,
        "p",
        "a.txt",
        b"x",
        &[("sec-fetch-site", "cross-site")],
    )
    .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(get_from(site, "/p/p/export/txt", &[]).await.text(), "old\n");
}

#[tokio::test]
async fn a_file_may_be_as_large_as_the_settings_say() {
    let mut settings = Settings::default();
    settings.files.max_import_bytes = 100;
    let store = Store::open(Location::Memory).await.unwrap();
    let site = site_with(store, settings);
    call(&site, "createPad", "padID=p&text=old").await;
    let refused = send(&site, "p", "a.txt", &[b'x'; 101], &[]).await;
    assert!(refused.text().contains("maxFileSize"), "{}", refused.text());
    let taken = send(&site, "p", "a.txt", &[b'x'; 100], &[]).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.text());
}

#[tokio::test]
async fn a_converter_adds_formats() {
    let site = site_with_office().await;
    call(&site, "createPad", "padID=p&text=Hello").await;
    for (format, kind) in [
        ("odt", "application/vnd.oasis.opendocument.text"),
        ("doc", "application/msword"),
        ("rtf", "application/rtf"),
        ("pdf", "application/pdf"),
    ] {
        let path = format!("/p/p/export/{format}");
        let file = get_from(site.clone(), &path, &[]).await;
        assert_eq!(file.status, StatusCode::OK, "{format}");
        assert_eq!(file.header("content-type"), kind);
        let name = format!("attachment; filename=\"p.{format}\"");
        assert!(file.header("content-disposition").starts_with(&name));
        // What it was given is DOCX.
        assert!(file.body.starts_with(b"PK"), "{format}");
    }
    let docx = get_from(site.clone(), "/p/p/export/docx", &[]).await;
    for ending in ["odt", "doc", "rtf"] {
        call(&site, "setText", "padID=p&text=other").await;
        let sent = send(&site, "p", &format!("a.{ending}"), &docx.body, &[]).await;
        assert_eq!(sent.status, StatusCode::OK, "{ending}: {}", sent.text());
        let file = get_from(site.clone(), "/p/p/export/txt", &[]).await;
        assert_eq!(file.text(), "Hello\n\n", "{ending}");
    }
    let sent = send(&site, "p", "a.pdf", b"<p>Page</p>", &[]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.text());
    let file = get_from(site.clone(), "/p/p/export/txt", &[]).await;
    assert_eq!(file.text(), "Page\n\n");
    let page = get_from(site.clone(), "/p/p", &[]).await;
    let exports = r#""exports":["docx","pdf","odt","doc","rtf","html","md","txt","etherpad"]"#;
    assert!(page.text().contains(exports), "{}", page.text());
}

#[tokio::test]
async fn what_a_converter_cannot_do_changes_nothing() {
    let site = site_with_office().await;
    call(&site, "createPad", "padID=p&text=old").await;
    for (name, content) in [
        ("a.odt", &b"fail\n"[..]),
        ("a.doc", b"no document"),
        ("a.pdf", b""),
    ] {
        let refused = send(&site, "p", name, content, &[]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name}");
        assert!(
            refused.text().contains("convertFailed"),
            "{name}: {}",
            refused.text()
        );
    }
    assert_eq!(get_from(site, "/p/p/export/txt", &[]).await.text(), "old\n");
}

#[tokio::test]
async fn a_pad_can_be_read_as_a_page_without_scripts() {
    let site = site().await;
    let ada = call(&site, "createAuthor", "name=Ada%20%3Ci%3E").await;
    let ada = ada["authorID"].as_str().unwrap();
    call(
        &site,
        "createPad",
        &format!("padID=%C3%BCber&text=&authorId={ada}"),
    )
    .await;
    let html = "%3Cul%3E%3Cli%3Eone%20%26lt%3Bscript%26gt%3B%3C/li%3E%3C/ul%3E";
    call(
        &site,
        "setHTML",
        &format!("padID=%C3%BCber&html={html}&authorId={ada}"),
    )
    .await;
    let answer = get_from(site.clone(), "/p/%C3%BCber/read", &[]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers["cache-control"], "private, no-cache");
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("style-src 'self';"), "{policy}");
    assert!(
        policy.contains("style-src-attr 'unsafe-inline'"),
        "{policy}"
    );
    let page = String::from_utf8(answer.body).unwrap();
    for part in [
        "<h1 dir=\"auto\">über</h1>",
        "Written by Ada &#60;i&#62;",
        "Revision 1",
        "<li>one &lt;script&gt;",
        "href=\"../%C3%BCber\"",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("<script"), "{page}");

    let read_only = call(&site, "getReadOnlyID", "padID=%C3%BCber").await;
    let read_only = read_only["readOnlyID"].as_str().unwrap();
    let answer = get_from(site.clone(), &format!("/p/{read_only}/read"), &[]).await;
    let page = String::from_utf8(answer.body).unwrap();
    assert!(page.contains("<li>one") && !page.contains("über"), "{page}");
    let missing = get_from(site.clone(), "/p/nowhere/read", &[]).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    let page = get_from(site, "/p/%C3%BCber", &[]).await;
    let page = String::from_utf8(page.body).unwrap();
    assert!(page.contains("<a href=\"../p/%C3%BCber/read\">"), "{page}");
}
