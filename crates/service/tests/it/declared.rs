//! Attributes that the program around the service declares, and replaces while it runs.

use std::sync::Arc;

use changeset::Text;
use pad::PadId;
use service::declared::{Declaration, Declared, Kind};
use service::{Config, Service};

use crate::world;

fn declared(key: &str, kind: Kind, element: &str) -> Declaration {
    Declaration {
        key: key.to_owned(),
        kind,
        values: vec!["info".to_owned()],
        element: element.to_owned(),
        like: Vec::new(),
    }
}

const HTML: &str = "<aside class=\"callout:info\">one <kbd class=\"key:info\">two</kbd></aside>";

async fn html(service: &Service, pad: &PadId) -> String {
    let html = service.get_html(pad, None).await.unwrap();
    let body = html.split_once("<body>").unwrap().1;
    body.trim_end_matches("</body></html>").to_owned()
}

#[tokio::test]
async fn declared_attributes_go_in_and_out_while_they_are_declared() {
    let service = world::service(Config::default()).await;
    let pad = PadId::parse("p").unwrap();
    service.create_pad(&pad, None, None).await.unwrap();
    service.set_html(&pad, HTML, None).await.unwrap();
    assert_eq!(html(&service, &pad).await, "one two<br><br>");

    let mut table = Declared::default();
    table.add(declared("callout", Kind::Line, "aside")).unwrap();
    table.add(declared("key", Kind::Inline, "kbd")).unwrap();
    service.set_declared_attributes(Arc::new(table));
    service.set_html(&pad, HTML, None).await.unwrap();
    assert_eq!(html(&service, &pad).await, format!("{HTML}<br><br>"));
    let text = service.get_text(&pad, None).await.unwrap();
    assert_eq!(text, Text::from("one two\n\n"));
    let revision = service.get_revisions_count(&pad).await.unwrap();
    let (diff, _) = service
        .create_diff_html(&pad, revision, revision)
        .await
        .unwrap();
    assert!(diff.contains("class=\"callout:info\""), "{diff}");

    // A pad copied from it has them as well; without a table they only rest in the pad.
    service.set_declared_attributes(Arc::default());
    assert_eq!(html(&service, &pad).await, "*one two<br><br>");
    let copy = PadId::parse("q").unwrap();
    service.copy_pad(&pad, &copy, false).await.unwrap();
    let mut table = Declared::default();
    table.add(declared("callout", Kind::Line, "aside")).unwrap();
    service.set_declared_attributes(Arc::new(table));
    let expected = "<aside class=\"callout:info\">one two</aside><br><br>";
    assert_eq!(html(&service, &copy).await, expected);
    service.stop().await;
}
