//! Two services on one database, as two processes that share it.

use std::sync::Arc;

use changeset::{Text, splice};
use hints::{HintChannel, HintFaults, HintHub};
use pad::{PadId, Rev, Submission};
use service::{Config, Error, JoinRequest, Joined, Service, SubmitError};
use store::{Location, NodeId, NodeReport, Store};

use crate::cluster::Cluster;
use crate::world::TestWorld;

#[tokio::test]
async fn two_services_share_a_postgres_database() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let mut services = Vec::new();
    for _ in 0..2 {
        let store = Store::open_shared(location.clone()).await.unwrap();
        let world = Arc::new(TestWorld::new());
        services.push(Service::new(store, world, Config::default()));
    }
    let [a, b] = <[Service; 2]>::try_from(services).ok().unwrap();
    let id = |name: &str| PadId::parse(name).unwrap();
    let notes = id("notes");
    let created = a.create_pad(&notes, Some(Text::from("zero")), None).await;
    created.unwrap();
    for number in 1..=20 {
        let service = if number % 2 == 0 { &a } else { &b };
        let text = Text::from(format!(" {number}").as_str());
        service.append_text(&notes, text, None).await.unwrap();
    }
    let expected: String = (1..=20).map(|number| format!(" {number}")).collect();
    let expected = format!("zero{expected}\n");
    for service in [&a, &b] {
        let text = service.get_text(&notes, None).await.unwrap();
        assert_eq!(text.to_string(), expected);
    }
    // A list that one has read is not kept while the other writes.
    assert_eq!(a.list_all_pads().await.unwrap(), [id("notes")]);
    b.create_pad(&id("more"), None, None).await.unwrap();
    assert_eq!(
        a.list_all_pads().await.unwrap(),
        [id("more"), notes.clone()]
    );
    a.move_pad(&notes, &id("moved"), false).await.unwrap();
    let gone = b.get_text(&notes, None).await;
    assert_eq!(gone.unwrap_err(), Error::PadMissing);
    let moved = b.get_text(&id("moved"), None).await.unwrap();
    assert_eq!(moved.to_string(), expected);
    a.stop().await;
    b.stop().await;
}

/// Two services on each engine that can be shared.
async fn pairs() -> Vec<[Arc<Service>; 2]> {
    let memory = Store::open(Location::Memory).await.unwrap();
    let mut stores = vec![[1, 2].map(|node| memory.as_node(NodeId::new(node)))];
    if let Some(cluster) = Cluster::shared() {
        let location = cluster.database();
        let one = Store::open_shared(location.clone()).await.unwrap();
        stores.push([one, Store::open_shared(location).await.unwrap()]);
    }
    let service = |store| {
        let world = Arc::new(TestWorld::new());
        let config = Config {
            erasure: true,
            ..Config::default()
        };
        Arc::new(Service::new(store, world, config))
    };
    stores.into_iter().map(|pair| pair.map(service)).collect()
}

async fn join(service: &Service, person: usize, known: Option<Rev>) -> Joined {
    let request = JoinRequest {
        pad: "notes".to_owned(),
        token: Some(format!("t.{person:020}")),
        known,
        ..JoinRequest::default()
    };
    service.join(&request).await.unwrap()
}

/// A change that puts a text at the beginning, made on what the member got when it came.
fn typed(joined: &Joined, text: &str) -> Submission {
    let head = &joined.head;
    let mut pool = changeset::Pool::new();
    let author = changeset::Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    Submission {
        base: head.rev,
        change: splice(&head.document, 0, 0, &Text::from(text), &attribs),
        pool,
        author: joined.author.id.clone(),
    }
}

async fn stop(services: [Arc<Service>; 2]) {
    for service in services {
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overtaken_batches_are_planned_again() {
    const EDITS: usize = 25;
    let notes = PadId::parse("notes").unwrap();
    for services in pairs().await {
        let [a, b] = &services;
        a.create_pad(&notes, Some(Text::from("")), None)
            .await
            .unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for (name, service) in [("a", a), ("b", b)] {
            let (service, notes) = (Arc::clone(service), notes.clone());
            tasks.spawn(async move {
                for number in 0..EDITS {
                    let text = Text::from(format!("{name}{number} ").as_str());
                    service.append_text(&notes, text, None).await.unwrap();
                }
            });
        }
        tasks.join_all().await;
        // Neither knows what the other has written last, and nobody asks before writing.
        let first = join(a, 1, None).await;
        b.append_text(&notes, Text::from("late "), None)
            .await
            .unwrap();
        let accepted = first.member.submit(typed(&first, "early ")).await.unwrap();
        let counts = a.write_counts();
        assert!(counts.replans > 0);
        assert!(counts.replans <= counts.commits);
        let text = b.get_text(&notes, None).await.unwrap().to_string();
        assert!(text.starts_with("early "));
        let mut words: Vec<&str> = text.split_whitespace().collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 2 * EDITS + 2);
        let head = b.get_revisions_count(&notes).await.unwrap();
        assert_eq!(accepted.rev, head);
        drop(first);
        stop(services).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_taken_on_another_node_store_nothing() {
    let notes = PadId::parse("notes").unwrap();
    for services in pairs().await {
        let [a, b] = &services;
        a.create_pad(&notes, Some(Text::from("text")), None)
            .await
            .unwrap();
        let old = join(a, 1, None).await;
        let other = join(a, 2, None).await;
        // The same person comes back over another node; what the old connection sends is too late.
        let new = join(b, 1, old.head.rev).await;
        assert_eq!(new.author.id, old.author.id);
        let late = old.member.submit(typed(&old, "late ")).await;
        assert_eq!(late, Err(SubmitError::Unavailable));
        new.member.submit(typed(&old, "new ")).await.unwrap();
        other.member.submit(typed(&other, "other ")).await.unwrap();
        let late = old.member.submit(typed(&old, "late ")).await;
        assert_eq!(late, Err(SubmitError::Unavailable));
        for service in [a, b] {
            let text = service.get_text(&notes, None).await.unwrap().to_string();
            assert!(!text.contains("late"), "{text}");
            assert!(text.contains("new ") && text.contains("other "), "{text}");
        }
        drop((old, other, new));
        stop(services).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn author_erased_on_another_node_stores_nothing() {
    let notes = PadId::parse("notes").unwrap();
    for services in pairs().await {
        let [a, b] = &services;
        a.create_pad(&notes, Some(Text::from("text")), None)
            .await
            .unwrap();
        let person = join(a, 1, None).await;
        let other = join(a, 2, None).await;
        b.anonymize_author(&person.author.id).await.unwrap();
        let late = person.member.submit(typed(&person, "late ")).await;
        assert_eq!(late, Err(SubmitError::Unavailable));
        other.member.submit(typed(&other, "other ")).await.unwrap();
        let text = b.get_text(&notes, None).await.unwrap().to_string();
        assert_eq!(text, "other text\n");
        drop((person, other));
        stop(services).await;
    }
}

#[tokio::test]
async fn a_node_that_is_alone_sends_no_hints() {
    let store = Store::open(Location::Memory).await.unwrap();
    let hub = HintHub::new(1, HintFaults::default());
    let start = |number| {
        let id = NodeId::new(number);
        let world = Arc::new(TestWorld::new());
        let service = Service::new(store.as_node(id), world, Config::default());
        let (service, hints) = (Arc::new(service), Arc::new(hub.join(id)));
        let node = service.node(hints.clone()).unwrap();
        (service, node, hints)
    };
    let (service, node, hints) = start(1);
    let notes = PadId::parse("notes").unwrap();
    // Something may have been missed: that is no sign of another node.
    node.beat(NodeReport::default()).await.unwrap();
    node.receive(hints.next().await).await.unwrap();
    service.create_pad(&notes, None, None).await.unwrap();
    let append = || service.append_text(&notes, Text::from("y"), None);
    append().await.unwrap();
    node.send_revisions();
    node.send_look();
    assert_eq!(hints.counts().sent, 0);
    // Another one says that it is here, and is among the living with its first sign of life.
    let (_, other, _) = start(2);
    other.send_look();
    node.receive(hints.next().await).await.unwrap();
    append().await.unwrap();
    node.send_revisions();
    let sent = hints.counts().sent;
    assert!(sent > 0);
    other.beat(NodeReport::default()).await.unwrap();
    node.beat(NodeReport::default()).await.unwrap();
    append().await.unwrap();
    node.send_revisions();
    assert!(hints.counts().sent > sent);
}
