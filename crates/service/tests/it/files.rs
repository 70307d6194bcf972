//! Pads as files: out, and in again.

use changeset::Text;
use convert::native;
use pad::PadId;
use pad::access::Policy;
use pad::edit::Run;
use service::{Config, JoinError, JoinRequest, Service};

use crate::world;

fn pad(name: &str) -> PadId {
    PadId::for_new(name).unwrap()
}

fn request(name: &str) -> JoinRequest {
    JoinRequest {
        pad: name.to_owned(),
        token: Some("t.abcdefghijklmnop".to_owned()),
        ..JoinRequest::default()
    }
}

async fn exported(service: &Service, name: &str) -> String {
    let visit = service.visit(&request(name)).await.unwrap().unwrap();
    let mut file = service.native_file(&visit).await.unwrap();
    let mut text = String::new();
    while let Some(part) = file.next().await.unwrap() {
        text.push_str(&part);
    }
    text
}

async fn text(service: &Service, name: &str) -> String {
    let text = service.get_text(&pad(name), None).await.unwrap();
    text.to_string()
}

/// A pad with more revisions and messages than one part of a file holds.
async fn written(service: &Service) {
    let long = pad("long");
    let author = service.create_author(Some("Ada")).await.unwrap();
    let by = Some(&author);
    let first = Some(Text::from("first"));
    service.create_pad(&long, first, by).await.unwrap();
    for number in 0..250 {
        let line = Text::from(format!("\nline {number}").as_str());
        service.append_text(&long, line, by).await.unwrap();
    }
    for number in 0..150 {
        let line = Text::from(format!("said {number}").as_str());
        let said = service.append_chat_message(&long, line, &author, None);
        said.await.unwrap();
    }
    service.save_revision(&long, Some(17)).await.unwrap();
}

#[tokio::test]
async fn a_pad_goes_out_and_in_with_its_whole_history() {
    let service = world::service(Config::default()).await;
    written(&service).await;
    let file = exported(&service, "long").await;
    let (read, warnings) = native::read(file.as_bytes()).unwrap();
    assert_eq!(warnings, []);
    assert_eq!((read.revisions.len(), read.chat.len()), (251, 150));

    service.create_pad(&pad("new"), None, None).await.unwrap();
    let visit = service.visit(&request("new")).await.unwrap().unwrap();
    assert!(service.import_native(&visit, read).await.unwrap());
    assert_eq!(text(&service, "new").await, text(&service, "long").await);
    assert_eq!(service.get_revisions_count(&pad("new")).await.unwrap(), 250);
    assert_eq!(service.get_chat_head(&pad("new")).await.unwrap(), 149);
    assert_eq!(service.store().check_pad(&pad("new")).await.unwrap(), []);
    // Another file of it differs in nothing but the name.
    let again = exported(&service, "new")
        .await
        .replace("pad:new", "pad:long");
    assert_eq!(again.replace("\"new\"", "\"long\""), file);
    service.stop().await;
}

#[tokio::test]
async fn a_history_is_never_overwritten_by_a_file() {
    let service = world::service(Config::default()).await;
    written(&service).await;
    let file = exported(&service, "long").await;
    let (read, _) = native::read(file.as_bytes()).unwrap();
    let before = text(&service, "long").await;
    let visit = service.visit(&request("long")).await.unwrap().unwrap();
    assert!(!service.import_native(&visit, read).await.unwrap());
    assert_eq!(text(&service, "long").await, before);
    service.stop().await;
}

#[tokio::test]
async fn an_imported_text_is_a_revision_of_the_visitor() {
    let service = world::service(Config::default()).await;
    let old = Some(Text::from("old"));
    service.create_pad(&pad("p"), old, None).await.unwrap();
    let visit = service.visit(&request("p")).await.unwrap().unwrap();
    let runs = vec![Run {
        text: Text::from("new\n"),
        attributes: Vec::new(),
    }];
    service.import(&request("p"), &visit, runs).await.unwrap();
    assert_eq!(text(&service, "p").await, "new\n");
    let earlier = service.get_text(&pad("p"), Some(0)).await.unwrap();
    assert_eq!(earlier.to_string(), "old\n");
    assert_eq!(
        service.list_authors_of_pad(&pad("p")).await.unwrap().len(),
        1
    );
    service.stop().await;
}

#[tokio::test]
async fn visitors_see_what_members_would_see() {
    let service = world::service(Config::default()).await;
    assert!(service.visit(&request("none")).await.unwrap().is_none());
    let group = service.create_group().await.unwrap();
    let (id, _) = service
        .create_group_pad(&group, "inside", None, None)
        .await
        .unwrap();
    let denied = service.visit(&request(id.as_str())).await;
    assert_eq!(denied.unwrap_err(), JoinError::Denied);
    service.set_public_status(&id, true).await.unwrap();
    let visit = service.visit(&request(id.as_str())).await.unwrap().unwrap();
    assert!(!visit.read_only);
    let read_only = service.get_read_only_id(&id).await.unwrap();
    let visit = service.visit(&request(read_only.as_str())).await;
    let visit = visit.unwrap().unwrap();
    assert!(visit.read_only);
    assert!(
        !exported(&service, read_only.as_str())
            .await
            .contains(id.as_str())
    );
    let strict = JoinRequest {
        policy: Policy {
            require_session: true,
            edit_only: false,
        },
        ..request(id.as_str())
    };
    assert_eq!(service.visit(&strict).await.unwrap_err(), JoinError::Denied);
    service.stop().await;
}
