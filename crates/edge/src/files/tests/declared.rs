//! Attributes that plugins declare, through the files that a browser gets and sends.

use std::sync::Arc;

use axum::http::StatusCode;
use service::Service;
use service::declared::{Declaration, Declared, Kind};
use settings::Settings;
use store::{Location, Store};
use system::System;

use super::{TOKEN, call, send};
use crate::tests::{get_from, site_of};

/// One of each kind.
pub(crate) fn table() -> Declared {
    let mut table = Declared::default();
    for (key, kind, element) in [
        ("callout", Kind::Line, "aside"),
        ("spoiler", Kind::Inline, "mark"),
    ] {
        let declaration = Declaration {
            key: key.to_owned(),
            kind,
            values: vec!["true".to_owned()],
            element: element.to_owned(),
            like: Vec::new(),
        };
        table.add(declaration).unwrap();
    }
    table
}

const BODY: &str =
    "<aside class=\"callout:true\">It is <mark class=\"spoiler:true\">him</mark></aside>";

#[tokio::test]
async fn declared_attributes_go_out_and_come_back() {
    let store = Store::open(Location::Memory).await.unwrap();
    let service = Service::new(store, Arc::new(System), service::Config::default());
    let service = Arc::new(service);
    let mut settings = Settings::default();
    settings.files.requests_in_window = 1_000;
    let site = site_of(Arc::clone(&service), settings);
    let page = format!("<html><body>{BODY}</body></html>");
    call(&site, "createPad", "padID=a").await;

    // Without a table there is only the text.
    let answer = send(&site, "a", "page.html", page.as_bytes(), &[]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let html = call(&site, "getHTML", "padID=a").await;
    assert!(!html.to_string().contains("spoiler"), "{html}");
    assert!(!html.to_string().contains("aside"), "{html}");

    service.set_declared_attributes(Arc::new(table()));
    send(&site, "a", "page.html", page.as_bytes(), &[]).await;
    for format in ["html", "md", "docx", "etherpad"] {
        let path = format!("/p/a/export/{format}");
        let file = get_from(site.clone(), &path, &[TOKEN]).await;
        let (pad, name) = (format!("from-{format}"), format!("file.{format}"));
        let answer = send(&site, &pad, &name, &file.body, &[]).await;
        assert_eq!(answer.status, StatusCode::OK, "{format}: {}", answer.text());
        let html = call(&site, "getHTML", &format!("padID={pad}")).await;
        let html = html["html"].as_str().unwrap();
        assert!(html.contains(BODY), "{format}: {html}");
    }
    let read = get_from(site.clone(), "/p/a/read", &[TOKEN]).await;
    assert!(read.text().contains(BODY), "{}", read.text());
    let text = get_from(site, "/p/a/export/txt", &[TOKEN]).await;
    assert_eq!(text.text().trim_end(), "It is him");
}
