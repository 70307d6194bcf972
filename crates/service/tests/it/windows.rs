//! Several windows of one author in a pad: all of them write, and others see one person.

use changeset::{Attribute, Pool, Text, splice};
use futures_util::FutureExt;
use pad::{Colour, Head, Rev, Submission, WindowId};
use service::{Config, Delivery, Event, Expulsion, Feed, JoinRequest, Joined, Member, Service};

use crate::world;

fn request(person: usize, window: &str) -> JoinRequest {
    JoinRequest {
        pad: "notes".to_owned(),
        token: Some(format!("t.{person:020}")),
        window: WindowId::parse(window),
        ..JoinRequest::default()
    }
}

async fn join(service: &Service, request: &JoinRequest) -> Joined {
    let joined = service.join(request).await;
    let mut joined = joined.unwrap_or_else(|error| panic!("{error:?}"));
    joined.feed.follow_carets();
    joined
}

async fn open(service: &Service, person: usize, window: &str) -> Joined {
    join(service, &request(person, window)).await
}

/// Types something at the beginning of a text.
fn typed(member: &Member, head: &Head, text: &str) -> Submission {
    let mut pool = Pool::new();
    let author = Attribute::new("author", member.author().as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    Submission {
        author: member.author().clone(),
        base: head.rev,
        change: splice(&head.document, 0, 0, &Text::from(text), &attribs),
        pool,
    }
}

/// What has happened besides revisions, in short words.
async fn news(feed: &mut Feed) -> Vec<String> {
    let mut news = Vec::new();
    while let Some(delivery) = tokio::task::unconstrained(feed.next()).now_or_never() {
        match delivery {
            Delivery::Revisions(_) => {}
            Delivery::Carets(carets) => {
                let places = carets.iter().map(|caret| format!("at {}", caret.position));
                news.extend(places);
            }
            Delivery::Event(Event::Info { presence }) => {
                news.push(format!("info {}", presence.name.unwrap_or_default()));
            }
            Delivery::Event(Event::Left { .. }) => news.push("left".to_owned()),
            Delivery::Event(Event::CaretGone { .. }) => news.push("window closed".to_owned()),
            Delivery::Event(Event::Expel { reason, .. }) => news.push(format!("{reason:?}")),
            other => panic!("{other:?}"),
        }
    }
    news
}

async fn text(service: &Service, joined: &Joined) -> String {
    let text = service.get_text(joined.member.pad(), None).await;
    text.unwrap().to_string()
}

#[tokio::test(start_paused = true)]
async fn both_windows_write_and_others_see_one_person() {
    let service = world::service(Config::default()).await;
    let mut bob = open(&service, 2, "bob").await;
    let mut first = open(&service, 1, "first").await;
    let mut second = open(&service, 1, "second").await;
    assert_eq!(first.author.id, second.author.id);
    assert_eq!(first.author.colour, second.author.colour);
    assert_eq!(first.others.len(), 1);
    assert_eq!(second.others.len(), 1, "not themselves");
    let users = service.pad_users(bob.member.pad()).await.unwrap();
    assert_eq!(users.len(), 2);
    let eve = open(&service, 3, "eve").await;
    assert_eq!(eve.others.len(), 2, "each person once");
    drop(eve);
    for joined in [&first, &second] {
        let change = typed(&joined.member, &joined.head, "x");
        joined.member.submit(change).await.unwrap();
    }
    assert!(
        text(&service, &bob).await.starts_with("xx"),
        "both are there"
    );

    news(&mut bob.feed).await;
    first.member.set_caret(Rev(2), 1, 1).unwrap();
    second.member.set_caret(Rev(2), 2, 2).unwrap();
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    assert_eq!(news(&mut bob.feed).await, ["at 1", "at 2"]);
    assert!(news(&mut first.feed).await.ends_with(&["at 2".to_owned()]));
    assert!(news(&mut second.feed).await.ends_with(&["at 1".to_owned()]));

    first
        .member
        .rename(Some("Ada"), &Colour::Palette(3))
        .await
        .unwrap();
    assert_eq!(news(&mut second.feed).await, ["info Ada"]);
    assert_eq!(news(&mut bob.feed).await, ["info Ada"]);
    drop(first);
    assert_eq!(news(&mut bob.feed).await, ["window closed"]);
    assert_eq!(news(&mut second.feed).await, ["window closed"]);
    drop(second);
    assert_eq!(news(&mut bob.feed).await, ["left"]);
    drop(bob);
    service.stop().await;
}

#[tokio::test]
async fn clients_without_a_window_send_each_other_away_as_ever() {
    let service = world::service(Config::default()).await;
    let mut window = open(&service, 1, "window").await;
    let mut first = open(&service, 1, "").await;
    let second = open(&service, 1, "").await;
    assert_eq!(news(&mut first.feed).await.first().unwrap(), "Duplicate");
    assert_eq!(news(&mut window.feed).await, ["info ", "info "]);
    // The same window comes again before the server has noticed that it was away.
    let again = open(&service, 1, "window").await;
    assert_eq!(news(&mut window.feed).await.first().unwrap(), "Duplicate");
    let late = typed(&window.member, &window.head, "late");
    assert!(window.member.submit(late).await.is_err());
    drop((window, first, second, again));
    service.stop().await;
}

#[tokio::test]
async fn a_window_that_comes_back_knows_its_change_from_an_equal_one() {
    let service = world::service(Config::default()).await;
    let first = open(&service, 1, "first").await;
    let second = open(&service, 1, "second").await;
    let record = first.member.record();
    assert!(record.is_some() && record != second.member.record());
    let change = typed(&second.member, &second.head, "x");
    second.member.submit(change).await.unwrap();
    // The first one is cut off while its change is stored.
    let change = typed(&first.member, &first.head, "x");
    let begun = tokio::task::unconstrained(first.member.submit(change)).now_or_never();
    assert!(begun.is_none());
    drop(first);
    let back = |window| JoinRequest {
        known: Some(Rev(0)),
        ..request(1, window)
    };
    let first = join(&service, &back("first")).await;
    assert_eq!(first.member.record(), record);
    let made = [1, 2, 3].map(|rev| first.member.made_last(Rev(rev)));
    assert_eq!(made, [false, true, false]);
    let second = join(&service, &back("second")).await;
    assert!(second.member.made_last(Rev(1)));
    // A page that was never here is not taken for another.
    let third = open(&service, 1, "third").await;
    assert!(
        ![1, 2]
            .into_iter()
            .any(|rev| third.member.made_last(Rev(rev)))
    );
    drop((first, second, third));
    service.stop().await;
}

#[tokio::test]
async fn what_a_closed_window_has_sent_is_stored_before_it_is_ended_or_never() {
    let service = world::service(Config::default()).await;
    let mut closed = open(&service, 1, "closed").await;
    let heir = open(&service, 1, "heir").await;
    let change = typed(&closed.member, &closed.head, "sent ");
    let begun = tokio::task::unconstrained(closed.member.submit(change)).now_or_never();
    assert!(begun.is_none(), "it is under way");
    let windows = ["closed", "heir", "unknown"].map(|name| WindowId::parse(name).unwrap());
    service.end_windows(&heir.member, &windows).await.unwrap();
    let at_end = text(&service, &heir).await;
    let late = typed(&closed.member, &closed.head, "late ");
    assert!(closed.member.submit(late).await.is_err());
    assert_eq!(text(&service, &heir).await, at_end);
    assert!(
        news(&mut closed.feed)
            .await
            .ends_with(&["Duplicate".to_owned()])
    );
    let change = typed(&heir.member, &heir.head, "own ");
    heir.member.submit(change).await.unwrap();
    // A page may also say so when it comes.
    let ends = JoinRequest {
        ends: vec![WindowId::parse("heir").unwrap()],
        ..request(1, "next")
    };
    let next = join(&service, &ends).await;
    let late = typed(&heir.member, &heir.head, "late ");
    assert!(heir.member.submit(late).await.is_err());
    assert!(!text(&service, &next).await.contains("late"));
    drop((closed, heir, next));
    service.stop().await;
}

#[tokio::test]
async fn with_too_many_windows_the_oldest_goes() {
    let service = world::service(Config::default()).await;
    let mut windows = Vec::new();
    for number in 0..17 {
        windows.push(open(&service, 1, &format!("window{number}")).await);
    }
    let mut expelled = Vec::new();
    for (number, joined) in windows.iter_mut().enumerate() {
        let news = news(&mut joined.feed).await;
        if news.contains(&format!("{:?}", Expulsion::Duplicate)) {
            expelled.push(number);
        }
    }
    assert_eq!(expelled, [0]);
    drop(windows);
    service.stop().await;
}
