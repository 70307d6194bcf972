//! Hooks: the program around the service learns what happens, and may decide some of it.

use std::sync::{Arc, Mutex};

use changeset::Text;
use pad::{AuthorId, Colour, PadId, Rev, WindowId};
use serde_json::{Value, json};
use service::api::Caller;
use service::{
    Config, Decision, Error, Hooks, JoinError, JoinRequest, Joined, Narrowing, Notice, Refusal,
    Review, Service,
};
use store::{Location, Store};

use crate::world::TestWorld;

/// Keeps notices as lines, and decides by what it reads: `bad` is refused, `rude` replaced.
#[derive(Default)]
struct Program {
    lines: Mutex<Vec<String>>,
    narrowing: Mutex<Narrowing>,
    seen: Mutex<Vec<Option<AuthorId>>>,
}

impl Program {
    fn lines(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }

    fn narrow(&self, narrowing: Narrowing) {
        *self.narrowing.lock().unwrap() = narrowing;
    }
}

fn review(text: &str) -> Review<String> {
    match text {
        "bad" => Err(Refusal::Reason("not here".to_owned())),
        "unchecked" => Err(Refusal::Unchecked),
        "rude" => Ok(Some("polite".to_owned())),
        _ => Ok(None),
    }
}

impl Hooks for Program {
    fn notify(&self, notice: Notice<'_>) {
        let by = |author: Option<&AuthorId>| {
            if author.is_some() {
                "somebody"
            } else {
                "nobody"
            }
        };
        let line = match notice {
            Notice::PadCreated { pad, author } => format!("created {pad} {}", by(author)),
            Notice::PadOpened { pad } => format!("opened {pad}"),
            Notice::PadChanged {
                pad,
                from,
                revisions,
            } => format!("changed {pad} {from} {}", revisions.len()),
            Notice::RevisionSaved {
                pad,
                author,
                rev,
                label,
            } => format!("saved {pad} {rev} {label} {}", by(author)),
            Notice::PadDeleted { pad } => format!("deleted {pad}"),
            Notice::PadCopied { pad, copy, moved } => format!("copied {pad} {copy} {moved}"),
            Notice::MemberJoined {
                pad,
                name,
                read_only,
                ..
            } => format!("joined {pad} {} {read_only}", name.unwrap_or("-")),
            Notice::MemberLeft { pad, .. } => format!("left {pad}"),
        };
        self.lines.lock().unwrap().push(line);
    }

    fn new_pad_text<'a>(
        &'a self,
        pad: &'a PadId,
        _: Option<&'a AuthorId>,
        text: &'a Text,
    ) -> Decision<'a, Option<Text>> {
        let other = match pad.as_str() {
            "agenda" => Some(Text::from(format!("Agenda\r\n{text}").as_str())),
            "endless" => Some(Text::from("x".repeat(200).as_str())),
            _ => None,
        };
        Box::pin(async { other })
    }

    fn chat_message<'a>(
        &'a self,
        _: &'a PadId,
        _: &'a AuthorId,
        _: Option<&'a str>,
        text: &'a Text,
    ) -> Decision<'a, Review<Text>> {
        Box::pin(async {
            let reviewed = review(&text.to_string())?;
            Ok(reviewed.map(|text| Text::from(text.as_str())))
        })
    }

    fn member_name<'a>(
        &'a self,
        _: &'a PadId,
        _: &'a AuthorId,
        name: &'a str,
    ) -> Decision<'a, Review<String>> {
        Box::pin(async move { review(name) })
    }

    fn reviews_messages(&self) -> bool {
        true
    }

    fn member_message<'a>(
        &'a self,
        pad: &'a PadId,
        _: &'a AuthorId,
        kind: &'a str,
        text: Option<&'a str>,
    ) -> Decision<'a, Result<(), Refusal>> {
        Box::pin(async move {
            let line = format!("message {pad} {kind} {}", text.unwrap_or("-"));
            self.lines.lock().unwrap().push(line);
            review(text.unwrap_or_default()).map(drop)
        })
    }

    fn narrows_access(&self) -> bool {
        true
    }

    fn access<'a>(
        &'a self,
        _: &'a PadId,
        author: Option<&'a AuthorId>,
        _: bool,
    ) -> Decision<'a, Narrowing> {
        self.seen.lock().unwrap().push(author.cloned());
        let narrowing = *self.narrowing.lock().unwrap();
        Box::pin(async move { narrowing })
    }

    fn page_parts<'a>(
        &'a self,
        pad: &'a PadId,
        _: &'a AuthorId,
        read_only: bool,
    ) -> Decision<'a, Value> {
        Box::pin(async move { json!([pad.as_str(), read_only]) })
    }
}

async fn service() -> (Service, Arc<Program>) {
    let program = Arc::new(Program::default());
    let store = Store::open(Location::Memory).await.unwrap();
    let config = Config {
        default_text: "Welcome".to_owned(),
        max_text: 100,
        erasure: true,
        ..Config::default()
    };
    let hooks = Arc::clone(&program) as Arc<dyn Hooks>;
    let world = Arc::new(TestWorld::new());
    (
        Service::with_hooks(store, world, config, Some(hooks)),
        program,
    )
}

fn request(pad: &str, name: Option<&str>) -> JoinRequest {
    JoinRequest {
        pad: pad.to_owned(),
        token: Some(format!("t.{:020}", 1)),
        name: name.map(str::to_owned),
        ..JoinRequest::default()
    }
}

async fn join(service: &Service, pad: &str, name: Option<&str>) -> Joined {
    let joined = service.join(&request(pad, name)).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}

fn id(name: &str) -> PadId {
    PadId::parse(name).unwrap()
}

#[tokio::test]
async fn everything_that_happens_is_noticed_once() {
    let (service, program) = service().await;
    let ada = join(&service, "notes", Some("Ada")).await;
    assert_eq!(
        program.lines(),
        [
            "created notes somebody",
            "joined notes Ada false",
            "opened notes"
        ]
    );
    // The same person in another window: the first one leaves, and nobody has come or gone.
    let again = join(&service, "notes", None).await;
    drop(ada);
    assert_eq!(program.lines(), [] as [&str; 0]);
    service
        .append_text(&id("notes"), "!".into(), None)
        .await
        .unwrap();
    again.member.save_revision().await.unwrap();
    again.member.save_revision().await.unwrap();
    service
        .save_revision(&id("notes"), Some(Rev(0)))
        .await
        .unwrap();
    // After the answer: the next thing the writer does comes after the notice.
    service
        .copy_pad(&id("notes"), &id("copy"), false)
        .await
        .unwrap();
    service
        .copy_pad_without_history(&id("notes"), &id("plain"), false, None)
        .await
        .unwrap();
    drop(again);
    service
        .move_pad(&id("notes"), &id("moved"), false)
        .await
        .unwrap();
    service
        .delete_pad(&id("moved"), None, Caller::Trusted)
        .await
        .unwrap();
    let mut lines = program.lines();
    let changed = lines
        .iter()
        .position(|line| line == "changed notes 1 1")
        .unwrap();
    lines.remove(changed);
    assert_eq!(
        lines,
        [
            "saved notes 1 Revision 1 somebody",
            "saved notes 0 Saved through API call nobody",
            "copied notes copy false",
            "copied notes plain false",
            "left notes",
            "copied notes moved true",
            "deleted moved",
        ]
    );
    // What fails is not noticed.
    let twice = service.create_pad(&id("copy"), None, None).await;
    assert_eq!(twice.err(), Some(Error::PadExists));
    let missing = service
        .delete_pad(&id("moved"), None, Caller::Trusted)
        .await;
    assert_eq!(missing, Err(Error::PadMissing));
    assert_eq!(program.lines(), [] as [&str; 0]);
    service.stop().await;
}

#[tokio::test]
async fn a_person_with_two_windows_comes_and_leaves_once() {
    let (service, program) = service().await;
    let open = |window: &str| JoinRequest {
        window: WindowId::parse(window),
        ..request("notes", None)
    };
    let mut windows = Vec::new();
    for window in ["first", "second"] {
        let joined = service.join(&open(window)).await;
        windows.push(joined.unwrap_or_else(|error| panic!("{error:?}")));
    }
    let lines = program.lines();
    let joined = lines.iter().filter(|line| line.starts_with("joined"));
    assert_eq!(joined.count(), 1, "{lines:?}");
    windows.pop();
    assert_eq!(program.lines(), [] as [&str; 0]);
    windows.pop();
    assert_eq!(program.lines(), ["left notes"]);
    service.stop().await;
}

#[tokio::test]
async fn an_erased_author_has_left() {
    let (service, program) = service().await;
    let ada = join(&service, "notes", None).await;
    program.lines();
    service.anonymize_author(&ada.author.id).await.unwrap();
    drop(ada);
    assert_eq!(program.lines(), ["left notes"]);
    service.stop().await;
}

#[tokio::test]
async fn a_new_pad_may_begin_with_another_text() {
    let (service, _) = service().await;
    for (pad, given, text) in [
        ("plain", None, "Welcome\n"),
        ("agenda", None, "Agenda\nWelcome\n"),
        // More than a pad may have.
        ("endless", None, "Welcome\n"),
    ] {
        service.create_pad(&id(pad), given, None).await.unwrap();
        let got = service.get_text(&id(pad), Some(Rev(0))).await.unwrap();
        assert_eq!(got.to_string(), text, "{pad}");
    }
    let other = id("agenda");
    service
        .delete_pad(&other, None, Caller::Trusted)
        .await
        .unwrap();
    // A text of its own is nobody else's matter.
    service
        .create_pad(&other, Some("mine".into()), None)
        .await
        .unwrap();
    let got = service.get_text(&other, Some(Rev(0))).await.unwrap();
    assert_eq!(got.to_string(), "mine\n");
    service.stop().await;
}

#[tokio::test]
async fn messages_and_names_may_be_changed_and_refused() {
    let (service, program) = service().await;
    let mut ada = join(&service, "notes", Some("rude")).await;
    assert_eq!(ada.author.name.as_deref(), Some("polite"));
    let refused = Err(Error::Refused("not here".to_owned()));
    let unchecked = Err(Error::Unchecked);
    for (text, outcome) in [
        ("hi", Ok(())),
        ("rude", Ok(())),
        ("bad", refused.clone()),
        ("unchecked", unchecked.clone()),
    ] {
        assert_eq!(ada.member.chat(text.into()).await, outcome, "{text}");
    }
    let chat = service.get_chat_history(&id("notes"), None, None).await;
    let chat = chat.unwrap();
    let texts: Vec<String> = chat.iter().map(|it| it.message.text.to_string()).collect();
    assert_eq!(texts, ["hi", "polite"]);
    let colour = Colour::Palette(1);
    assert_eq!(ada.member.rename(Some("bad"), &colour).await, refused);
    let renamed = ada.member.rename(Some("unchecked"), &colour).await;
    assert_eq!(renamed, unchecked);
    let author = ada.author.id.clone();
    let name = async || service.get_author_name(&author).await.unwrap();
    assert_eq!(name().await.as_deref(), Some("polite"));
    ada.member.rename(Some("Ada"), &colour).await.unwrap();
    ada.member.rename(Some("rude"), &colour).await.unwrap();
    assert_eq!(name().await.as_deref(), Some("polite"));
    for (text, outcome) in [
        (None, Ok(())),
        (Some("bad"), refused.clone()),
        (Some("unchecked"), unchecked.clone()),
    ] {
        assert_eq!(ada.member.review_message("title", text).await, outcome);
    }
    // A refused name does not keep its visitor out, who is called as before.
    drop(ada);
    let ada = join(&service, "notes", Some("bad")).await;
    assert_eq!(ada.author.name.as_deref(), Some("polite"));
    assert_eq!(ada.member.page_parts().await, Some(json!(["notes", false])));
    program.lines();
    service.stop().await;
}

#[tokio::test]
async fn access_only_becomes_less() {
    let (service, program) = service().await;
    let ada = join(&service, "notes", None).await;
    // Nobody knows at the first visit who it is, and afterwards everybody.
    program.seen.lock().unwrap().clear();
    program.narrow(Narrowing::ReadOnly);
    let reader = join(&service, "notes", None).await;
    assert!(reader.member.is_read_only());
    let known = Some(ada.author.id.clone());
    assert_eq!(*program.seen.lock().unwrap(), [known]);
    assert_eq!(reader.member.chat("hi".into()).await, Err(Error::ReadOnly));
    let visit = service.visit(&request("notes", None)).await.unwrap();
    assert!(visit.unwrap().read_only);
    let writer = service.visit_to_write(&request("notes", None)).await;
    assert_eq!(writer.err(), Some(JoinError::Denied));
    // A reader creates no pad.
    let new = service.join(&request("new", None)).await;
    assert_eq!(new.err(), Some(JoinError::Denied));
    for (narrowing, error) in [
        (Narrowing::Denied, JoinError::Denied),
        (Narrowing::Unchecked, JoinError::Unchecked),
    ] {
        program.narrow(narrowing);
        for pad in ["notes", "new"] {
            let denied = service.join(&request(pad, None)).await;
            assert_eq!(denied.err(), Some(error));
            let denied = service.visit(&request(pad, None)).await;
            assert_eq!(denied.err(), Some(error));
        }
    }
    // It gives nothing to those who have nothing.
    program.narrow(Narrowing::Nothing);
    let reader = service.get_read_only_id(&id("notes")).await.unwrap();
    let joined = join(&service, reader.as_str(), None).await;
    assert!(joined.member.is_read_only());
    service.stop().await;
}
