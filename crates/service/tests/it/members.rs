//! Members of a live pad: everybody sees the same, in order, and only what is stored.

use std::sync::Arc;

use changeset::{Attribute, Document, Pool, Text, splice};
use pad::{PadId, Replica, Rev, Update};
use service::api::Caller;
use service::{
    Acceptance, Config, Delivery, Ending, Event, Expulsion, JoinError, JoinRequest, Joined, Service,
};

use crate::world::{self, START, TestWorld};

fn token(number: usize) -> String {
    format!("t.{number:020}")
}

fn request(pad: &str, person: usize) -> JoinRequest {
    JoinRequest {
        pad: pad.to_owned(),
        token: Some(token(person)),
        ..JoinRequest::default()
    }
}

async fn join(service: &Service, pad: &str, person: usize) -> Joined {
    service
        .join(&request(pad, person))
        .await
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// Somebody who types, sends and listens, as a browser does.
struct Typist {
    joined: Joined,
    replica: Replica,
    screen: Document,
    dice: u64,
}

impl Typist {
    fn new(joined: Joined, seed: u64) -> Typist {
        let head = joined.head.clone();
        let author = joined.author.id.clone();
        let pool = Pool::clone(&head.pool);
        let replica = Replica::new(author, head.rev, head.document.clone(), pool);
        Typist {
            joined,
            replica,
            screen: head.document,
            dice: seed * 2 + 1,
        }
    }

    fn roll(&mut self, below: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice % below.max(1) as u64) as usize
    }

    fn types(&mut self) {
        let end = self.screen.len() - 1;
        let start = self.roll(end + 1);
        let deleted = if self.roll(3) == 0 {
            self.roll((end - start).min(3) + 1)
        } else {
            0
        };
        let text = Text::from(["a", "b\nc", "😀", "word "][self.roll(4)]);
        let author = Attribute::new("author", self.joined.author.id.as_str());
        let attribs = self.replica.pool_mut().attribs_of_insert(&[author]);
        let change = splice(&self.screen, start, deleted, &text, &attribs);
        self.screen = self.screen.apply(&change, self.replica.pool_mut()).unwrap();
        self.replica.edit(&change).unwrap();
    }

    async fn sends(&mut self) {
        let Some(submission) = self.replica.next_submission() else {
            return;
        };
        let Acceptance { rev, had_effect } = self.joined.member.submit(submission).await.unwrap();
        while self.replica.rev().unwrap() < rev {
            self.hears().await;
        }
        if !had_effect {
            self.receive(&Update::Accepted { rev });
        }
    }

    async fn hears(&mut self) {
        let revisions = match self.joined.feed.next().await {
            Delivery::Revisions(revisions) => revisions,
            Delivery::Batch(batch) => {
                let revisions = batch.revisions.iter();
                revisions.map(|it| Arc::clone(&it.live)).collect()
            }
            Delivery::Event(_) => return,
            ended => panic!("{ended:?}"),
        };
        for live in revisions {
            let own = live.origin == Some(self.joined.member.id());
            let update = if own {
                Update::Accepted { rev: live.rev }
            } else {
                Update::Changed {
                    rev: live.rev,
                    change: live.revision.change.clone(),
                    pool: Pool::clone(&live.pool),
                }
            };
            self.receive(&update);
        }
    }

    fn receive(&mut self, update: &Update) {
        let shown = self.replica.receive(update).unwrap();
        self.screen = self.screen.apply(&shown, self.replica.pool_mut()).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_ends_with_the_same_text() {
    let service = Arc::new(world::service(Config::default()).await);
    let mut typists = tokio::task::JoinSet::new();
    for person in 0..6 {
        let mut joined = join(&service, "notes", person).await;
        if person % 2 == 1 {
            joined.feed.take_batches();
        }
        typists.spawn(async move {
            let mut typist = Typist::new(joined, person as u64 + 1);
            for _ in 0..60 {
                typist.types();
                typist.sends().await;
            }
            typist
        });
    }
    let mut typists = typists.join_all().await;
    let pad = PadId::for_new("notes").unwrap();
    let newest = service.get_revisions_count(&pad).await.unwrap();
    let text = service.get_text(&pad, None).await.unwrap();
    for typist in &mut typists {
        while typist.replica.rev().unwrap() < newest {
            typist.hears().await;
        }
        assert_eq!(typist.screen.text(), text);
    }
    assert_eq!(service.store().check_pad(&pad).await.unwrap(), []);
    drop(typists);
    service.stop().await;
}

#[tokio::test]
async fn a_member_far_behind_reads_back_from_the_store() {
    let service = world::service(Config::default()).await;
    let joined = join(&service, "notes", 1).await;
    let pad = joined.member.pad().clone();
    for number in 0..1_200 {
        let word = Text::from(format!("{number} ").as_str());
        service.append_text(&pad, word, None).await.unwrap();
    }
    let mut typist = Typist::new(joined, 1);
    while typist.replica.rev() < Some(Rev(1_200)) {
        typist.hears().await;
    }
    assert_eq!(
        typist.screen.text(),
        service.get_text(&pad, None).await.unwrap()
    );
    drop(typist);
    service.stop().await;
}

#[tokio::test]
async fn a_change_made_far_behind_is_known_as_ones_own() {
    // A minute for each look, so that no more is remembered than always is.
    let service = world::service_in(TestWorld::at_pace(60_000), Config::default()).await;
    let mut typist = Typist::new(join(&service, "notes", 1).await, 1);
    let pad = typist.joined.member.pad().clone();
    for missed in [10, 100, 200, 300, 1_000] {
        for number in 0..missed {
            let word = Text::from(format!("{number} ").as_str());
            service.append_text(&pad, word, None).await.unwrap();
        }
        typist.types();
        typist.sends().await;
        let text = service.get_text(&pad, None).await.unwrap();
        assert_eq!(typist.screen.text(), text, "after {missed}");
    }
    drop(typist);
    service.stop().await;
}

#[tokio::test]
async fn the_first_visitor_creates_the_pad_and_gets_its_token() {
    let service = world::service(Config::default()).await;
    let first = join(&service, "new pad", 1).await;
    assert_eq!(first.member.pad().as_str(), "new_pad");
    let token = first.deletion_token.as_ref().unwrap().as_str().to_owned();
    assert_eq!(first.record.creator, Some(first.author.id.clone()));
    let second = join(&service, "new_pad", 2).await;
    assert!(second.deletion_token.is_none());
    assert_eq!(second.others.len(), 1);
    let pad = first.member.pad().clone();
    service
        .delete_pad(&pad, Some(&token), Caller::Anonymous)
        .await
        .unwrap();
    let mut feed = second.feed;
    while !matches!(feed.next().await, Delivery::Ended(Ending::Gone)) {}
    service.stop().await;
}

/// A pad whose history was replaced is not gone, and one that was copied is not disturbed.
#[tokio::test]
async fn members_learn_what_happened_to_their_pad() {
    let config = Config {
        compaction: true,
        ..Config::default()
    };
    let service = world::service(config).await;
    let joined = join(&service, "pad", 1).await;
    let pad = joined.member.pad().clone();
    let copy = PadId::parse("copy").unwrap();
    service.copy_pad(&pad, &copy, false).await.unwrap();
    let line = Text::from("still here");
    service.append_text(&pad, line, None).await.unwrap();
    let mut feed = joined.feed;
    while !matches!(feed.next().await, Delivery::Revisions(_)) {}
    service.compact_pad(&pad, None).await.unwrap();
    let end = loop {
        if let Delivery::Ended(end) = feed.next().await {
            break end;
        }
    };
    assert_eq!(end, Ending::Replaced);
    service.stop().await;
}

#[tokio::test]
async fn the_same_author_twice_sends_the_first_away() {
    let service = world::service(Config::default()).await;
    let mut first = join(&service, "notes", 1).await;
    let second = join(&service, "notes", 1).await;
    assert_eq!(first.author.id, second.author.id);
    let Delivery::Event(Event::Expel { members, reason }) = first.feed.next().await else {
        panic!("something else came first");
    };
    assert_eq!(
        (&*members, reason),
        (&[first.member.id()][..], Expulsion::Duplicate)
    );
    drop((first, second));
    service.stop().await;
}

#[tokio::test]
async fn group_pads_open_with_a_session_and_close_with_it() {
    let service = world::service(Config::default()).await;
    let group = service.create_group().await.unwrap();
    let author = service.create_author(Some("Ada")).await.unwrap();
    let (pad, _) = service
        .create_group_pad(&group, "plan", None, None)
        .await
        .unwrap();
    let denied = service.join(&request(pad.as_str(), 1)).await;
    assert_eq!(denied.err(), Some(JoinError::Denied));

    let until = START / 1000 + 3600;
    let session = service
        .create_session(&group, &author, until)
        .await
        .unwrap();
    let with_session = JoinRequest {
        sessions: vec![session.clone()],
        ..request(pad.as_str(), 1)
    };
    let mut joined = service
        .join(&with_session)
        .await
        .unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(joined.author.id, author);
    assert_eq!(joined.author.name.as_deref(), Some("Ada"));
    service.delete_session(&session).await.unwrap();
    let told = joined.feed.next().await;
    let Delivery::Event(Event::Expel {
        reason: Expulsion::Denied,
        ..
    }) = told
    else {
        panic!("{told:?}");
    };
    assert_eq!(
        service.join(&with_session).await.err(),
        Some(JoinError::Denied)
    );

    service.set_public_status(&pad, true).await.unwrap();
    let mut guest = join(&service, pad.as_str(), 2).await;
    service.set_public_status(&pad, false).await.unwrap();
    let told = guest.feed.next().await;
    assert!(
        matches!(told, Delivery::Event(Event::Expel { .. })),
        "{told:?}"
    );
    drop((joined, guest));
    service.stop().await;
}

#[tokio::test]
async fn a_read_only_id_lets_one_read() {
    let service = world::service(Config::default()).await;
    let writer = join(&service, "notes", 1).await;
    let reader = join(&service, writer.read_only_id.as_ref().unwrap().as_str(), 2).await;
    assert!(reader.member.is_read_only() && !writer.member.is_read_only());
    assert_eq!(reader.member.pad(), writer.member.pad());
    let unknown = service.join(&request("r.doesnotexist0000", 3)).await;
    assert_eq!(unknown.err(), Some(JoinError::Denied));
    drop((reader, writer));
    service.stop().await;
}

#[tokio::test]
async fn people_come_go_chat_and_are_counted() {
    let service = world::service(Config::default()).await;
    let mut ada = join(&service, "notes", 1).await;
    let mut bob = join(&service, "notes", 2).await;
    let pad = ada.member.pad().clone();
    assert_eq!(service.pad_users(&pad).await.unwrap().len(), 2);
    assert_eq!(service.get_stats().await.unwrap().members, 2);
    let Delivery::Event(Event::Info { presence }) = ada.feed.next().await else {
        panic!()
    };
    assert_eq!(presence.author, bob.author.id);

    bob.member.chat(Text::from("hello")).await.unwrap();
    for feed in [&mut ada.feed, &mut bob.feed] {
        let Delivery::Event(Event::Chat(entry)) = feed.next().await else {
            panic!()
        };
        assert_eq!(entry.message.text.to_string(), "hello");
    }
    let author = bob.author.id.clone();
    service
        .append_chat_message(&pad, Text::from("by call"), &author, None)
        .await
        .unwrap();
    let Delivery::Event(Event::Chat(entry)) = ada.feed.next().await else {
        panic!()
    };
    assert_eq!(entry.message.text.to_string(), "by call");

    drop(bob);
    let Delivery::Event(Event::Left { presence }) = ada.feed.next().await else {
        panic!()
    };
    assert_eq!(presence.author, author);
    assert_eq!(service.pad_users(&pad).await.unwrap().len(), 1);
    drop(ada);
    assert_eq!(service.get_stats().await.unwrap().active_pads, 0);
    service.stop().await;
}

#[tokio::test]
async fn coming_back_starts_at_the_known_revision() {
    let service = world::service(Config::default()).await;
    let joined = join(&service, "notes", 1).await;
    let pad = joined.member.pad().clone();
    drop(joined);
    service
        .append_text(&pad, Text::from("one"), None)
        .await
        .unwrap();
    service
        .append_text(&pad, Text::from("two"), None)
        .await
        .unwrap();
    let again = JoinRequest {
        known: Some(Rev(0)),
        ..request("notes", 1)
    };
    let mut back = service
        .join(&again)
        .await
        .unwrap_or_else(|error| panic!("{error:?}"));
    let Delivery::Revisions(missed) = back.feed.next().await else {
        panic!()
    };
    assert_eq!(
        missed.iter().map(|live| live.rev).collect::<Vec<_>>(),
        [Rev(1), Rev(2)]
    );
    let beyond = JoinRequest {
        known: Some(Rev(99)),
        ..request("notes", 1)
    };
    assert_eq!(
        service.join(&beyond).await.err(),
        Some(JoinError::UnknownRevision)
    );
    drop(back);
    service.stop().await;
}

#[tokio::test]
async fn events_are_not_held_up_by_revisions() {
    let service = world::service(Config::default()).await;
    let mut ada = join(&service, "notes", 1).await;
    let bob = join(&service, "notes", 2).await;
    let pad = ada.member.pad().clone();
    let mut events = 0;
    for number in 0..1_000 {
        service
            .append_text(&pad, Text::from("x"), None)
            .await
            .unwrap();
        let text = Text::from(format!("{number}").as_str());
        bob.member.chat(text).await.unwrap();
        match ada.feed.next().await {
            Delivery::Event(_) => events += 1,
            Delivery::Revisions(_) => {}
            other => panic!("after {number}: {other:?}"),
        }
    }
    // Bob's coming was an event too.
    while events < 1_001 || ada.feed.place() < Rev(1_000) {
        match ada.feed.next().await {
            Delivery::Event(_) => events += 1,
            Delivery::Revisions(_) => {}
            other => panic!("{other:?}"),
        }
    }
    drop((ada, bob));
    service.stop().await;
}
