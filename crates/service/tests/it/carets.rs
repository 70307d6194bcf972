//! Where others are: the newest place of each, to members that asked for it.

use changeset::Text;
use pad::Rev;
use service::{Config, Delivery, Feed, Joined, Service};

use crate::world;

async fn join(service: &Service, person: usize) -> Joined {
    let mut joined = world::join(service, person).await;
    joined.feed.follow_carets();
    joined
}

/// The carets that arrive next, as author, revision and position.
async fn carets(feed: &mut Feed) -> Vec<(String, u64, u64)> {
    loop {
        if let Delivery::Carets(carets) = feed.next().await {
            let caret = carets.iter();
            let shown = caret.map(|caret| (caret.author.to_string(), caret.rev.0, caret.position));
            let mut shown: Vec<_> = shown.collect();
            shown.sort();
            return shown;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_newest_place_is_sent() {
    let service = world::service(Config::default()).await;
    let mut ada = join(&service, 1).await;
    let mut bob = join(&service, 2).await;
    let name = |joined: &Joined| joined.author.id.to_string();
    for position in 0..10_000 {
        ada.member.set_caret(Rev(0), position, position).unwrap();
    }
    bob.member.set_caret(Rev(0), 7, 9).unwrap();
    assert_eq!(carets(&mut bob.feed).await, [(name(&ada), 0, 9999)]);
    assert_eq!(carets(&mut ada.feed).await, [(name(&bob), 0, 7)]);
    // What happens in the pause after that arrives at its end, the last of it.
    for position in [1, 2, 3] {
        ada.member.set_caret(Rev(0), position, position).unwrap();
    }
    assert_eq!(carets(&mut bob.feed).await, [(name(&ada), 0, 3)]);
    // A member that joins later learns where everybody is, but not where they were who left.
    let mut eve = join(&service, 3).await;
    let mut all = [(name(&ada), 0, 3), (name(&bob), 0, 7)];
    all.sort();
    assert_eq!(carets(&mut eve.feed).await, all);
    drop(ada);
    let mut dan = join(&service, 4).await;
    assert_eq!(carets(&mut dan.feed).await, [(name(&bob), 0, 7)]);
    service.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_place_is_sent_after_the_revision_it_is_at() {
    let service = world::service(Config::default()).await;
    let ada = join(&service, 1).await;
    let mut bob = join(&service, 2).await;
    assert!(ada.member.set_caret(Rev(1), 0, 0).is_err(), "not there yet");
    let pad = ada.member.pad().clone();
    let author = ada.author.id.clone();
    service
        .append_text(&pad, Text::from("more"), Some(&author))
        .await
        .unwrap();
    ada.member.set_caret(Rev(1), 4, 4).unwrap();
    let mut told = Vec::new();
    while told.last() != Some(&"caret") {
        match bob.feed.next().await {
            Delivery::Revisions(_) => told.push("revision"),
            Delivery::Carets(_) => told.push("caret"),
            _ => {}
        }
    }
    assert_eq!(told, ["revision", "caret"]);
    service.stop().await;
}

#[tokio::test(start_paused = true)]
async fn places_in_a_crowd_come_a_few_at_a_time_and_the_last_of_each_is_not_lost() {
    let service = world::service(Config::default()).await;
    let mut reader = join(&service, 0).await;
    reader.feed.take_batches();
    let mut people = Vec::new();
    for person in 1..=80 {
        people.push(join(&service, person).await);
    }
    for (position, joined) in (1..).zip(&people) {
        joined.member.set_caret(Rev(0), position, position).unwrap();
    }
    let positions = |carets: Vec<(String, u64, u64)>| {
        let mut positions: Vec<u64> = carets.iter().map(|it| it.2).collect();
        positions.sort_unstable();
        positions
    };
    let first = positions(carets(&mut reader.feed).await);
    assert_eq!(first, (1..=32).collect::<Vec<_>>());
    // One that moves again comes after those that have waited longer.
    people[39].member.set_caret(Rev(0), 100, 100).unwrap();
    let mut expected: Vec<u64> = (33..=65).collect();
    expected.retain(|position| *position != 40);
    assert_eq!(positions(carets(&mut reader.feed).await), expected);
    let last: Vec<u64> = (66..=80).chain([100]).collect();
    assert_eq!(positions(carets(&mut reader.feed).await), last);
    service.stop().await;
}
