//! Titles of pads and names of saved revisions: the last one wins, and everybody sees it.

use std::sync::Arc;
use std::time::Duration;

use pad::{PadId, Rev, Title};
use service::{Config, Delivery, Error, Event, Feed, Service};

use crate::nodes;
use crate::world::{self, join};

const LONGEST_WAIT: Duration = Duration::from_secs(60);

fn id() -> PadId {
    PadId::parse("notes").unwrap()
}

fn title(text: &str) -> Option<Title> {
    Title::parse(text).unwrap()
}

/// Waits until the last of what a member gets is as it should be.
async fn until(feed: &mut Feed, is_wanted: impl Fn(&Event) -> bool) {
    let found = async {
        loop {
            match feed.next().await {
                Delivery::Event(event) if is_wanted(&event) => return,
                Delivery::Ended(ending) => panic!("{ending:?}"),
                _ => {}
            }
        }
    };
    tokio::time::timeout(LONGEST_WAIT, found).await.unwrap();
}

async fn until_titled(feed: &mut Feed, text: &str) {
    let wanted = title(text);
    until(
        feed,
        |event| matches!(event, Event::Titled(title) if *title == wanted),
    )
    .await;
}

async fn until_named(feed: &mut Feed, label: &str) {
    until(
        feed,
        |event| matches!(event, Event::SavedNamed(saved) if saved.label == label),
    )
    .await;
}

#[tokio::test]
async fn everybody_sees_a_title() {
    let service = world::service(Config::default()).await;
    let mut ada = join(&service, 1).await;
    let mut bob = join(&service, 2).await;
    assert_eq!((ada.feed.title(), ada.record.title.as_ref()), (None, None));
    bob.member.set_title(title("Minutes")).await.unwrap();
    until_titled(&mut ada.feed, "Minutes").await;
    until_titled(&mut bob.feed, "Minutes").await;
    assert_eq!(service.get_title(&id()).await.unwrap(), title("Minutes"));
    let late = join(&service, 3).await;
    assert_eq!(late.feed.title(), title("Minutes").as_ref());

    // By the API, and taken away again.
    service.set_title(&id(), title("Plan")).await.unwrap();
    until_titled(&mut ada.feed, "Plan").await;
    ada.member.set_title(None).await.unwrap();
    until_titled(&mut bob.feed, "").await;
    assert_eq!(service.get_title(&id()).await.unwrap(), None);
    // No revision is made of it.
    assert_eq!(service.get_revisions_count(&id()).await.unwrap(), Rev(0));
    service.stop().await;
}

#[tokio::test]
async fn a_title_outlasts_the_pad_in_memory() {
    let service = world::service(Config::default()).await;
    let ada = join(&service, 1).await;
    ada.member.set_title(title("Minutes")).await.unwrap();
    let member = ada.member;
    drop(ada.feed);
    let copy = PadId::parse("copy").unwrap();
    service.move_pad(&id(), &copy, false).await.unwrap();
    // The member's pad is another one now.
    let late = member.set_title(title("late")).await;
    assert_eq!(late, Err(Error::PadMissing));
    assert_eq!(service.get_title(&copy).await.unwrap(), title("Minutes"));
    service.stop().await;
}

#[tokio::test]
async fn saved_revisions_are_named() {
    let service = world::service(Config::default()).await;
    let ada = join(&service, 1).await;
    let mut bob = join(&service, 2).await;
    let name = async |rev, label: &str| ada.member.name_saved_revision(Rev(rev), label).await;
    assert_eq!(name(0, "draft").await, Err(Error::NotSaved));
    ada.member.save_revision().await.unwrap();
    name(0, " First\n draft ").await.unwrap();
    until_named(&mut bob.feed, "First draft").await;
    assert_eq!(
        name(0, &"x".repeat(256)).await,
        Err(Error::TooLong("label", 255))
    );
    let late = join(&service, 3).await;
    assert_eq!(late.saved[0].label, "First draft");
    name(0, "").await.unwrap();
    until_named(&mut bob.feed, "Revision 0").await;
    service.stop().await;
}

/// Two members on two nodes at once: one of the two comes last, for both and in the store.
#[tokio::test]
async fn nodes_agree_on_titles_and_names() {
    let Some([a, b]) = nodes::two().await else {
        return;
    };
    let mut ada = join(&a, 1).await;
    let mut bob = join(&b, 2).await;
    ada.member.save_revision().await.unwrap();
    for round in 0..5 {
        let [one, other] = [format!("Ada {round}"), format!("Bob {round}")];
        let (first, second) = tokio::join!(
            ada.member.set_title(title(&one)),
            bob.member.set_title(title(&other)),
        );
        first.and(second).unwrap();
        let (first, second) = tokio::join!(
            ada.member.name_saved_revision(Rev(0), &one),
            bob.member.name_saved_revision(Rev(0), &other),
        );
        first.and(second).unwrap();
    }
    // What comes after all of this is seen last.
    let stored = a.get_title(&id()).await.unwrap().unwrap();
    assert_eq!(b.get_title(&id()).await.unwrap().as_ref(), Some(&stored));
    let services: [&Arc<Service>; 2] = [&a, &b];
    for (service, feed) in services.iter().zip([&mut ada.feed, &mut bob.feed]) {
        let at_the_end = service.get_title(&id()).await.unwrap();
        assert_eq!(at_the_end.as_ref(), Some(&stored));
        if feed.title() != Some(&stored) {
            until_titled(feed, stored.as_str()).await;
        }
    }
    bob.member.set_title(title("Agreed")).await.unwrap();
    bob.member
        .name_saved_revision(Rev(0), "Agreed")
        .await
        .unwrap();
    for feed in [&mut ada.feed, &mut bob.feed] {
        until_named(feed, "Agreed").await;
        if feed.title() != title("Agreed").as_ref() {
            until_titled(feed, "Agreed").await;
        }
    }
    a.stop().await;
    b.stop().await;
}
