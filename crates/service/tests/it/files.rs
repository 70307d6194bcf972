//! Pads as files: out, and in again.

use changeset::Text;
use convert::native;
use pad::access::Policy;
use pad::edit::Run;
use pad::{AuthorId, Colour, PadId, Rev, Title, spares_final_newline};
use service::{Config, Error, JoinError, JoinRequest, Service};
use store::Origin;

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
    exported_at(service, name, None).await
}

async fn exported_at(service: &Service, name: &str, rev: Option<Rev>) -> String {
    let visit = service.visit(&request(name)).await.unwrap().unwrap();
    let mut file = service.native_file(&visit, rev).await.unwrap();
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
    service.save_revision(&long, Some(Rev(17))).await.unwrap();
    let title = Title::cut("A long story");
    service.set_title(&long, title).await.unwrap();
}

#[tokio::test]
async fn a_pad_goes_out_and_in_with_its_whole_history() {
    let service = world::service(Config::default()).await;
    written(&service).await;
    let file = exported(&service, "long").await;
    let (read, warnings) = native::read(file.as_bytes()).unwrap();
    assert_eq!(warnings, []);
    assert_eq!((read.revisions.len(), read.chat.len()), (251, 150));

    assert!(import(&service, "new", read).await);
    assert_eq!(text(&service, "new").await, text(&service, "long").await);
    assert_eq!(
        service.get_revisions_count(&pad("new")).await.unwrap(),
        Rev(250)
    );
    assert_eq!(service.get_chat_head(&pad("new")).await.unwrap(), 149);
    let title = service.get_title(&pad("new")).await.unwrap();
    assert_eq!(title, Title::cut("A long story"));
    assert_eq!(service.store().check_pad(&pad("new")).await.unwrap(), []);
    // Another file of it differs in nothing but the name.
    let again = exported(&service, "new")
        .await
        .replace("pad:new", "pad:long");
    assert_eq!(again.replace("\"new\"", "\"long\""), file);
    service.stop().await;
}

async fn import(service: &Service, name: &str, file: native::Pad) -> bool {
    let request = request(name);
    let visit = service.visit_to_write(&request).await.unwrap();
    let imported = service.import_native(&request, &visit, file).await;
    imported.unwrap()
}

#[tokio::test]
async fn only_a_short_history_is_replaced_by_that_of_a_file() {
    let service = world::service(Config::default()).await;
    written(&service).await;
    let file = exported(&service, "long").await;
    let (read, _) = native::read(file.as_bytes()).unwrap();
    for (name, revisions, replaced) in [("short", 9, true), ("longer", 10, false)] {
        let id = pad(name);
        let first = Some(Text::from("mine"));
        service.create_pad(&id, first, None).await.unwrap();
        for number in 0..revisions {
            let word = Text::from(format!(" {number}").as_str());
            service.append_text(&id, word, None).await.unwrap();
        }
        let before = text(&service, name).await;
        assert_eq!(import(&service, name, read.clone()).await, replaced);
        let after = if replaced {
            text(&service, "long").await
        } else {
            before
        };
        assert_eq!(text(&service, name).await, after, "{name}");
        assert_eq!(service.store().check_pad(&id).await.unwrap(), []);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_file_ends_at_the_revision_that_was_asked_for() {
    let service = world::service(Config::default()).await;
    written(&service).await;
    for (rev, revisions, saved) in [(0, 1, 0), (16, 17, 0), (17, 18, 1), (9999, 251, 1)] {
        let file = exported_at(&service, "long", Some(Rev(rev))).await;
        let (read, warnings) = native::read(file.as_bytes()).unwrap();
        assert_eq!(warnings, []);
        assert_eq!(read.revisions.len(), revisions);
        assert_eq!(read.head.saved_revisions.len(), saved);
        assert_eq!(read.chat.len(), 150);
        let then = service
            .get_text(&pad("long"), Some(Rev(rev.min(250))))
            .await;
        assert_eq!(read.head.document.text(), then.unwrap());
    }
    service.stop().await;
}

/// Who may open a pad that is not there may import into it, and is its creator.
#[tokio::test]
async fn an_import_makes_the_pad_if_there_is_none() {
    let service = world::service(Config::default()).await;
    let request = request("fresh");
    let visit = service.visit_to_write(&request).await.unwrap();
    // Nothing is there before something is written.
    assert!(service.visit(&request).await.unwrap().is_none());
    let runs = vec![Run {
        text: Text::from("new"),
        attributes: Vec::new(),
    }];
    service.import(&request, &visit, runs).await.unwrap();
    assert_eq!(text(&service, "fresh").await, "new\n");
    let (_, is_creator) = service.known_visitor(&request).await.unwrap().unwrap();
    assert!(is_creator);
    let only_existing = JoinRequest {
        policy: Policy {
            require_session: false,
            edit_only: true,
        },
        ..self::request("another")
    };
    let denied = service.visit_to_write(&only_existing).await;
    assert_eq!(denied.unwrap_err(), JoinError::Denied);
    let read_only = service.get_read_only_id(&pad("fresh")).await.unwrap();
    let reading = self::request(read_only.as_str());
    let denied = service.visit_to_write(&reading).await;
    assert_eq!(denied.unwrap_err(), JoinError::Denied);
    service.stop().await;
}

/// Revisions as padsvc once made them, which Etherpad cannot apply, leave in another form.
#[tokio::test]
async fn old_revisions_that_replaced_the_final_newline_are_rewritten_in_a_file() {
    let service = world::service(Config::default()).await;
    let author = AuthorId::parse("a.writer0000000000").unwrap();
    let first = Some(Text::from("x\nxxxxx"));
    service
        .create_pad(&pad("old"), first, Some(&author))
        .await
        .unwrap();
    service
        .set_html(&pad("old"), "<p>a<b>b</b></p>", Some(&author))
        .await
        .unwrap();
    let file = exported(&service, "old").await;
    let bad = "Z:8>1|2-8*0|1+2*0*1+4*0|1+3$a\\nbold x\\n";
    let good = "Z:8<4|1-2-5*0+1*0*1+1*0|1+1$ab\\n";
    assert!(file.contains(good), "{file}");
    let (read, _) = native::read(file.replace(good, bad).as_bytes()).unwrap();
    assert!(import(&service, "stored", read.clone()).await);
    let stored = service
        .get_revision_changeset(&pad("stored"), Some(Rev(1)))
        .await;
    let stored = stored.unwrap();
    assert_eq!(stored, read.revisions[1].changeset);
    assert!(!spares_final_newline(&stored), "{stored}");
    let file = exported(&service, "stored").await;
    let (out, warnings) = native::read(file.as_bytes()).unwrap();
    assert_eq!(warnings, []);
    for revision in &out.revisions {
        assert!(
            spares_final_newline(&revision.changeset),
            "{}",
            revision.changeset
        );
    }
    assert_eq!(out.head.document.text(), read.head.document.text());
    service.stop().await;
}

#[tokio::test]
async fn an_imported_text_is_a_revision_of_the_visitor() {
    let service = world::service(Config::default()).await;
    let old = Some(Text::from("old"));
    service.create_pad(&pad("p"), old, None).await.unwrap();
    let visit = service.visit(&request("p")).await.unwrap().unwrap();
    let runs = vec![Run {
        text: Text::from("new"),
        attributes: Vec::new(),
    }];
    service.import(&request("p"), &visit, runs).await.unwrap();
    assert_eq!(text(&service, "p").await, "new\n");
    let earlier = service.get_text(&pad("p"), Some(Rev(0))).await.unwrap();
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

#[tokio::test]
async fn what_a_file_says_too_long_is_cut() {
    let service = world::service(Config::default()).await;
    let long = "n".repeat(3_000_000);
    let mut saved = Vec::new();
    for rev in 0..2_001 {
        saved.push(serde_json::json!({ "revNum": rev, "label": long.get(..300), "id": "s" }));
    }
    let mut file = serde_json::json!({
        "pad:new": {
            "atext": { "text": "\n", "attribs": "|1+1" },
            "pool": { "numToAttrib": {}, "nextNum": 0 },
            "head": 2_000,
            "chatHead": 0,
            "savedRevisions": saved,
        },
        "pad:new:chat:0": { "text": long, "userId": "a.ada", "time": 1 },
        "globalAuthor:a.ada": { "name": long, "colorId": 64, "timestamp": 1 },
        "globalAuthor:a.bob": { "name": "Bob", "colorId": "url(x)", "timestamp": 1 },
    });
    for rev in 0..2_001 {
        let record = serde_json::json!({ "changeset": "Z:1>0$", "meta": { "author": "a.ada" } });
        file[format!("pad:new:revs:{rev}")] = record;
    }
    let (read, _) = native::read(file.to_string().as_bytes()).unwrap();
    service.create_pad(&pad("new"), None, None).await.unwrap();
    let visit = service.visit(&request("new")).await.unwrap().unwrap();
    assert!(
        service
            .import_native(&request("new"), &visit, read)
            .await
            .unwrap()
    );
    let [ada, bob] = ["a.ada", "a.bob"].map(|id| AuthorId::parse(id).unwrap());
    let ada = service.store().author(&ada).await.unwrap().unwrap();
    assert_eq!(ada.name.as_deref(), long.get(..255));
    assert_eq!(ada.colour, Colour::Palette(0));
    // A colour that is none costs nobody the name.
    let bob = service.store().author(&bob).await.unwrap().unwrap();
    assert_eq!(
        (bob.name.as_deref(), bob.colour),
        (Some("Bob"), Colour::Palette(0))
    );
    let chat = service.get_chat_history(&pad("new"), None, None).await;
    assert_eq!(chat.unwrap()[0].message.text.len(), 10_000);
    let saved = service.list_saved_revisions(&pad("new")).await.unwrap();
    assert_eq!(saved.len(), 2_000);
    // One more is refused, one that is there is not.
    let refused = service
        .save_revision(&pad("new"), Some(Rev(2_000)))
        .await
        .err();
    assert_eq!(refused, Some(Error::TooManySavedRevisions));
    service
        .save_revision(&pad("new"), Some(Rev(17)))
        .await
        .unwrap();
    service.stop().await;
}

#[tokio::test]
async fn a_pad_with_an_odd_name_stays_reachable_and_gets_no_company() {
    let service = world::service(Config::default()).await;
    service.create_pad(&pad("long"), None, None).await.unwrap();
    let file = exported(&service, "long").await;
    let (read, _) = native::read(file.as_bytes()).unwrap();
    let odd = PadId::parse("invoice\u{202e}fdp").unwrap();
    let import = service::to_import(read);
    let imported = service.store().import_new(&odd, Origin::default(), import);
    assert!(imported.await.unwrap().is_some());
    let address = service.address(odd.as_str()).await.unwrap();
    assert_eq!(address.as_deref(), Some(odd.as_str()));
    assert!(
        service
            .visit(&request(odd.as_str()))
            .await
            .unwrap()
            .is_some()
    );
    assert!(service.join(&request(odd.as_str())).await.is_ok());
    assert_eq!(service.find_pad(&odd).await, Ok(odd));
    // Another one of that kind is not made.
    let refused = service.join(&request("invoice\u{202e}exe")).await.err();
    assert_eq!(refused, Some(JoinError::Name));
    service.stop().await;
}
