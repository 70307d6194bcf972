//! Two services on one PostgreSQL database with a real channel for hints: members of one see what
//! happens on the other.

use std::sync::Arc;
use std::time::Duration;

use changeset::{Attribute, Pool, Text, splice};
use hints::{ClusterKey, HintOpening, PostgresHints};
use pad::{Colour, OptionsPatch, PadId, Patch, Rev, Submission};
use service::{Config, Delivery, Ending, Event, Expulsion, Feed, JoinRequest, Joined, Service};
use store::{Location, NodeReport, Store};

use crate::cluster::Cluster;
use crate::world::{TestWorld, join};

/// For a machine ten times slower.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

async fn start(location: &Location, number: u8) -> Arc<Service> {
    let store = Store::open_shared(location.clone()).await.unwrap();
    let opening = HintOpening {
        node: store.node().unwrap(),
        key: ClusterKey::new([7; 32]),
        salt: [number; 16],
    };
    let Location::Postgres(connection) = location else {
        panic!("{location:?}");
    };
    let hints = Arc::new(PostgresHints::start(connection, opening).unwrap());
    let config = Config {
        erasure: true,
        ..Config::default()
    };
    // Ids must differ between the services.
    let world = TestWorld::new();
    world.skip(u64::from(number) << 32);
    let service = Arc::new(Service::new(store, Arc::new(world), config));
    let node = service.node(hints).unwrap();
    tokio::spawn(async move { node.run(NodeReport::default).await });
    service
}

pub(crate) async fn two() -> Option<[Arc<Service>; 2]> {
    let location = Cluster::shared()?.database();
    Some([start(&location, 1).await, start(&location, 2).await])
}

fn id(name: &str) -> PadId {
    PadId::parse(name).unwrap()
}

/// Waits for something that a member gets.
async fn wait<T>(feed: &mut Feed, mut wanted: impl FnMut(Delivery) -> Option<T>) -> T {
    let found = async {
        loop {
            let delivery = feed.next().await;
            let is_end = matches!(delivery, Delivery::Ended(_));
            let shown = format!("{delivery:?}");
            if let Some(found) = wanted(delivery) {
                return found;
            }
            assert!(!is_end, "{shown}");
        }
    };
    tokio::time::timeout(LONGEST_WAIT, found).await.unwrap()
}

async fn event<T>(feed: &mut Feed, wanted: impl Fn(Event) -> Option<T>) -> T {
    let wanted = |delivery| match delivery {
        Delivery::Event(event) => wanted(event),
        _ => None,
    };
    wait(feed, wanted).await
}

fn typed(joined: &Joined, text: &str) -> Submission {
    let mut pool = Pool::new();
    let author = Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    let head = &joined.head;
    Submission {
        author: joined.author.id.clone(),
        base: head.rev,
        change: splice(&head.document, 0, 0, &Text::from(text), &attribs),
        pool,
    }
}

#[tokio::test]
async fn members_of_two_nodes_see_each_other() {
    let Some([a, b]) = two().await else { return };
    let mut ada = join(&a, 1).await;
    let mut bob = join(&b, 2).await;
    assert_eq!(bob.others.len(), 1);
    assert_eq!(bob.others[0].author, ada.author.id);
    let came = event(&mut ada.feed, |event| match event {
        Event::Info { presence } => Some(presence.author),
        _ => None,
    });
    assert_eq!(came.await, bob.author.id);
    assert_eq!(ada.member.member_count(), 2);
    for service in [&a, &b] {
        assert_eq!(service.pad_users(&id("notes")).await.unwrap().len(), 2);
        assert_eq!(service.get_stats().await.unwrap().members, 2);
    }

    let submission = typed(&ada, "Hello ");
    ada.member.submit(submission).await.unwrap();
    let revisions = wait(&mut bob.feed, |delivery| match delivery {
        Delivery::Revisions(revisions) => Some(revisions),
        _ => None,
    });
    assert_eq!(revisions.await.last().unwrap().rev, Rev(1));

    let left = ada.author.id.clone();
    drop(ada);
    let gone = event(&mut bob.feed, |event| match event {
        Event::Left { presence } => Some(presence.author),
        _ => None,
    });
    assert_eq!(gone.await, left);
    assert_eq!(bob.member.member_count(), 1);
    a.stop().await;
    b.stop().await;
}

#[tokio::test]
async fn what_members_do_is_seen_on_all_nodes() {
    let Some([a, b]) = two().await else { return };
    let mut ada = join(&a, 1).await;
    let mut bob = join(&b, 2).await;
    ada.member.chat(Text::from("hi")).await.unwrap();
    let said = event(&mut bob.feed, |event| match event {
        Event::Chat(entry) => Some(entry.message.text.to_string()),
        _ => None,
    });
    assert_eq!(said.await, "hi");

    ada.member
        .rename(Some("Ada"), &Colour::Palette(3))
        .await
        .unwrap();
    let name = event(&mut bob.feed, |event| match event {
        Event::Info { presence } => presence.name,
        _ => None,
    });
    assert_eq!(name.await, "Ada");

    ada.member.save_revision().await.unwrap();
    let saved = event(&mut bob.feed, |event| match event {
        Event::Saved(saved) => Some(saved.rev),
        _ => None,
    });
    assert_eq!(saved.await, Rev(0));

    let patch = OptionsPatch {
        show_chat: Patch::Set(false),
        ..OptionsPatch::default()
    };
    ada.member.set_options(patch).await.unwrap();
    let options = event(&mut bob.feed, |event| match event {
        Event::OptionsChanged { options, by } => Some((options.show_chat.clone(), by)),
        _ => None,
    });
    assert_eq!(options.await, (Patch::Set(false), Some("Ada".to_owned())));

    bob.feed.follow_carets();
    ada.member.set_caret(Rev(0), 3, 3).unwrap();
    let caret = wait(&mut bob.feed, |delivery| match delivery {
        Delivery::Carets(carets) => Some(carets[0].position),
        _ => None,
    });
    assert_eq!(caret.await, 3);

    ada.member
        .suggest_name(bob.author.id.clone(), "Bob")
        .unwrap();
    let suggested = event(&mut bob.feed, |event| match event {
        Event::NameSuggested { name, .. } => Some(name.to_string()),
        _ => None,
    });
    assert_eq!(suggested.await, "Bob");
    a.stop().await;
    b.stop().await;
}

#[tokio::test]
async fn messages_reach_members_of_all_nodes() {
    let Some([a, b]) = two().await else { return };
    let mut bob = join(&b, 2).await;
    a.send_clients_message(&id("notes"), "custom")
        .await
        .unwrap();
    a.say_to_all("soon", true).await;
    let kind = event(&mut bob.feed, |event| match event {
        Event::Custom { kind, .. } => Some(kind.to_string()),
        _ => None,
    });
    assert_eq!(kind.await, "custom");
    let text = event(&mut bob.feed, |event| match event {
        Event::Announcement { text, sticky, .. } => Some((text.to_string(), sticky)),
        _ => None,
    });
    assert_eq!(text.await, ("soon".to_owned(), true));

    a.stop().await;
    b.stop().await;
}

#[tokio::test]
async fn who_comes_to_another_node_leaves_the_first() {
    let Some([a, b]) = two().await else { return };
    let mut first = join(&a, 1).await;
    let stale = typed(&first, "old ");
    let second = join(&b, 1).await;
    assert_eq!(second.author.id, first.author.id);
    let reason = event(&mut first.feed, |event| match event {
        Event::Expel { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason.await, Expulsion::Duplicate);
    first.member.submit(stale).await.unwrap_err();
    assert_eq!(second.member.member_count(), 1);
    a.stop().await;
    b.stop().await;
}

#[tokio::test]
async fn what_ends_on_one_node_ends_on_all() {
    let Some([a, b]) = two().await else { return };
    let mut ada = join(&a, 1).await;
    b.delete_pad(&id("notes"), None, service::api::Caller::Trusted)
        .await
        .unwrap();
    let ending = wait(&mut ada.feed, |delivery| match delivery {
        Delivery::Ended(ending) => Some(ending),
        _ => None,
    });
    assert_eq!(ending.await, Ending::Gone);

    let mut eve = join(&a, 2).await;
    b.anonymize_author(&eve.author.id).await.unwrap();
    let reason = event(&mut eve.feed, |event| match event {
        Event::Expel { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason.await, Expulsion::Erased);

    let group = a.create_group().await.unwrap();
    let author = a.create_author(None).await.unwrap();
    let in_an_hour = a.now().millis() / 1000 + 3600;
    let session = a.create_session(&group, &author, in_an_hour).await.unwrap();
    let (pad, _) = a.create_group_pad(&group, "p", None, None).await.unwrap();
    let request = JoinRequest {
        pad: pad.as_str().to_owned(),
        sessions: vec![session.clone()],
        ..JoinRequest::default()
    };
    let mut guest = a
        .join(&request)
        .await
        .unwrap_or_else(|error| panic!("{error:?}"));
    b.delete_session(&session).await.unwrap();
    let reason = event(&mut guest.feed, |event| match event {
        Event::Expel { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason.await, Expulsion::Denied);
    a.stop().await;
    b.stop().await;
}
