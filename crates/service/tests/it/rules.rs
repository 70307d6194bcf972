//! What members may do in a pad is decided by the library, not by its embedder.

use std::sync::Arc;

use changeset::{Attribute, Pool, Text, splice};
use pad::access::{Rights, Role};
use pad::{Colour, OptionsPatch, PadId, PadOptions, Patch, Rev, Submission, Title, ViewPatch};
use service::{Config, Delivery, Error, Event, JoinRequest, Joined, Service, SubmitError, options};
use store::{Location, Store};

use crate::cluster::Cluster;
use crate::world::{self, START, TestWorld};

fn request(pad: &str, person: usize) -> JoinRequest {
    JoinRequest {
        pad: pad.to_owned(),
        token: Some(format!("t.{person:020}")),
        ..JoinRequest::default()
    }
}

async fn join(service: &Service, request: &JoinRequest) -> Joined {
    let joined = service.join(request).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}

fn typed(joined: &Joined) -> Submission {
    let mut pool = Pool::new();
    let author = Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    Submission {
        author: joined.author.id.clone(),
        base: joined.head.rev,
        change: splice(&joined.head.document, 0, 0, &Text::from("x"), &attribs),
        pool,
    }
}

fn language(language: &str) -> OptionsPatch {
    OptionsPatch {
        language: Patch::Set(Some(language.to_owned())),
        ..OptionsPatch::default()
    }
}

/// What a member's attempts to change something are answered, and by which call.
async fn attempts(service: &Service, joined: &mut Joined) -> Vec<(&'static str, Option<Error>)> {
    let submitted = joined.member.submit(typed(joined)).await.map(drop);
    let submitted = submitted.map_err(|refusal| match refusal {
        SubmitError::Forbidden(error) => error,
        other => panic!("{other:?}"),
    });
    let member = &mut joined.member;
    let other = member.author().clone();
    let colour = Colour::Palette(7);
    let outcomes = [
        ("submit", submitted),
        ("chat", member.chat(Text::from("hello")).await),
        ("rename", member.rename(Some("Eve"), &colour).await),
        ("save_revision", member.save_revision().await),
        (
            "name_saved_revision",
            member.name_saved_revision(Rev(1), "draft").await,
        ),
        ("set_title", member.set_title(Title::cut("Plan")).await),
        ("set_caret", member.set_caret(Rev(0), 0, 0)),
        ("suggest_name", member.suggest_name(other, "Bob")),
        ("set_options", member.set_options(language("de")).await),
        ("delete_pad_by", service.delete_pad_by(member, None).await),
    ];
    outcomes.map(|(call, outcome)| (call, outcome.err())).into()
}

/// All that members of the pad `notes` share.
async fn shared(service: &Service) -> impl PartialEq + std::fmt::Debug + use<> {
    let id = PadId::parse("notes").unwrap();
    let record = service.store().pad(&id).await.unwrap().unwrap();
    let saved = service.list_saved_revisions(&id).await.unwrap();
    (record, saved, service.pad_users(&id).await.unwrap().len())
}

#[tokio::test]
async fn a_reader_changes_nothing_by_any_call() {
    // Where everybody may delete every pad, readers still may not.
    let config = Config {
        deletion_by_all: true,
        ..Config::default()
    };
    let service = world::service(config).await;
    let mut creator = join(&service, &request("notes", 1)).await;
    let through_id = creator.read_only_id.as_ref().unwrap().as_str().to_owned();
    let read_only_user = JoinRequest {
        rights: Some(Rights::ReadOnly),
        ..request("notes", 3)
    };
    // Also the pad's creator, in a window that only looks.
    let creator_again = JoinRequest {
        looks_only: true,
        ..request(&through_id, 1)
    };
    for asked in [request(&through_id, 2), read_only_user, creator_again] {
        let mut reader = join(&service, &asked).await;
        assert_eq!(reader.member.role(), Role::Reader);
        assert!(!reader.member.may_delete() && !reader.member.may_set_options());
        while !matches!(&creator.feed.next().await, Delivery::Event(Event::Info { presence })
            if presence.member == reader.member.id())
        {}
        let before = shared(&service).await;
        for (call, error) in attempts(&service, &mut reader).await {
            assert_eq!(error, Some(Error::ReadOnly), "{call}");
        }
        assert_eq!(shared(&service).await, before);
        let author = service.get_author_name(reader.member.author()).await;
        assert_eq!(author.unwrap(), None);
        // Reading goes on, and nobody got anything in between.
        let text = reader.member.past(Rev(0)).await.unwrap().document.text();
        assert_eq!(text.to_string(), "\n");
        let told = creator.member.chat(Text::from("first")).await;
        told.unwrap();
        let next = creator.feed.next().await;
        assert!(matches!(&next, Delivery::Event(Event::Chat(_))), "{next:?}");
    }
    for (call, error) in attempts(&service, &mut creator).await {
        assert_eq!(error, None, "{call}");
    }
    drop(creator);
    service.stop().await;
}

#[tokio::test]
async fn a_member_whose_session_has_ended_does_nothing_more() {
    // An hour for each look at the clock.
    let service = world::service_in(TestWorld::at_pace(3_600_000), Config::default()).await;
    let group = service.create_group().await.unwrap();
    let author = service.create_author(Some("Ada")).await.unwrap();
    let made = service
        .create_group_pad(&group, "plan", None, Some(&author))
        .await;
    let (pad, _) = made.unwrap();
    let in_two_days = START / 1000 + 48 * 3600;
    let session = service.create_session(&group, &author, in_two_days).await;
    let with_session = JoinRequest {
        sessions: vec![session.unwrap()],
        ..request(pad.as_str(), 1)
    };
    let mut joined = join(&service, &with_session).await;
    while joined.member.may_stay() {}
    for (call, error) in attempts(&service, &mut joined).await {
        assert_eq!(error, Some(Error::SessionEnded), "{call}");
    }
    let read = joined.member.past(Rev(0)).await;
    assert_eq!(read.err(), Some(Error::SessionEnded));
    drop(joined);
    service.stop().await;
}

#[tokio::test]
async fn options_are_the_creators_and_everybody_hears_what_holds() {
    let service = world::service(Config::default()).await;
    let asked = JoinRequest {
        options: Some(language("de")),
        name: Some("Ada".to_owned()),
        ..request("notes", 1)
    };
    let creator = join(&service, &asked).await;
    assert_eq!(creator.options.language.as_deref(), Some("de"));
    // Who does not create the pad brings no options.
    let asked = JoinRequest {
        options: Some(language("fr")),
        ..request("notes", 2)
    };
    let mut other = join(&service, &asked).await;
    assert_eq!(other.options, creator.options);
    let refused = other.member.set_options(language("fr")).await;
    assert_eq!(refused, Err(Error::NotCreator));

    let patch = OptionsPatch {
        view: Some(ViewPatch {
            font: Patch::Set("f".repeat(1_000)),
            ..ViewPatch::default()
        }),
        ..OptionsPatch::default()
    };
    creator.member.set_options(patch).await.unwrap();
    let Delivery::Event(Event::OptionsChanged { options, by }) = other.feed.next().await else {
        panic!("something else came first");
    };
    assert_eq!(by.as_deref(), Some("Ada"));
    let told = options::to_json(&options).to_string();
    let expected = format!(r#"{{"view":{{"padFontFamily":"{}"}}}}"#, "f".repeat(100));
    assert_eq!(told, expected);
    let later = join(&service, &request("notes", 3)).await.options;
    assert_eq!(
        (later.language.as_deref(), later.view.font.len()),
        (Some("de"), 100)
    );
    drop((creator, other));
    service.stop().await;
}

#[tokio::test]
async fn a_pad_is_deleted_by_its_creator_or_with_its_token() {
    let service = world::service(Config::default()).await;
    let creator = join(&service, &request("notes", 1)).await;
    let writer = join(&service, &request("notes", 2)).await;
    let token = creator.deletion_token.as_ref().unwrap().as_str();
    assert!(creator.member.may_delete() && !writer.member.may_delete());
    for (joined, token) in [
        (&writer, None),
        (&writer, Some("wrong")),
        (&creator, Some("wrong")),
    ] {
        let refused = service.delete_pad_by(&joined.member, token).await;
        assert_eq!(refused, Err(Error::DeletionToken), "{token:?}");
    }
    let deleted = service.delete_pad_by(&writer.member, Some(token)).await;
    deleted.unwrap();
    // Another pad of that name is not theirs.
    let pad = PadId::parse("notes").unwrap();
    service.create_pad(&pad, None, None).await.unwrap();
    let refused = service.delete_pad_by(&creator.member, None).await;
    assert_eq!(refused, Err(Error::PadMissing));
    let refused = creator.member.set_options(language("de")).await;
    assert_eq!(refused, Err(Error::PadMissing));
    drop((creator, writer));
    service.stop().await;
}

/// Every flag that is not as it is usually.
fn flags(at: usize) -> OptionsPatch {
    let mut patch = OptionsPatch::default();
    let mut view = ViewPatch::default();
    let flag = match at {
        0 => &mut patch.enforce_settings,
        1 => &mut patch.always_show_chat,
        2 => &mut patch.chat_and_users,
        _ => &mut view.right_to_left,
    };
    *flag = Patch::Set(true);
    patch.view = Some(view);
    patch
}

fn all_flags(options: &PadOptions) -> [bool; 4] {
    [
        options.enforce_settings,
        options.always_show_chat,
        options.chat_and_users,
        options.view.right_to_left,
    ]
}

/// Members set one option each at once, by all services in turn.
async fn set_at_once(services: &[Arc<Service>]) {
    for round in 0..10 {
        let pad = format!("notes{round}");
        let mut setting = tokio::task::JoinSet::new();
        let first = join(&services[0], &request(&pad, 1)).await;
        for at in 0..4 {
            let service = Arc::clone(&services[at % services.len()]);
            // Windows of the creator beside each other.
            let asked = JoinRequest {
                looks_only: true,
                ..request(&pad, 1)
            };
            let joined = join(&service, &asked).await;
            setting.spawn(async move { joined.member.set_options(flags(at)).await.unwrap() });
        }
        setting.join_all().await;
        drop(first);
        for service in services {
            let options = join(service, &request(&pad, 2)).await.options;
            assert_eq!(all_flags(&options), [true; 4], "round {round}");
        }
    }
    for service in services {
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_are_set_at_once_all_hold() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Embedded(folder.path().join("pads.db"));
    let store = Store::open(location).await.unwrap();
    let service = Service::new(store, Arc::new(TestWorld::new()), Config::default());
    set_at_once(&[Arc::new(service)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_two_processes_set_at_once_all_hold() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let mut services = Vec::new();
    for _ in 0..2 {
        let store = Store::open_shared(location.clone()).await.unwrap();
        let world = Arc::new(TestWorld::new());
        let service = Service::new(store, world, Config::default());
        services.push(Arc::new(service));
    }
    set_at_once(&services).await;
}
