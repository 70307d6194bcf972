//! Colours of guests: no two people in one pad look alike before the thirteenth.

use std::collections::HashSet;

use changeset::{Attribute, Pool, Text, splice};
use pad::{Colour, Submission};
use service::{Config, JoinRequest, Joined, Service};

use crate::world;

fn request(pad: &str, person: usize) -> JoinRequest {
    JoinRequest {
        pad: pad.to_owned(),
        token: Some(format!("t.{person:020}")),
        ..JoinRequest::default()
    }
}

async fn join(service: &Service, pad: &str, person: usize) -> Joined {
    let joined = service.join(&request(pad, person)).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}

async fn write(joined: &Joined) {
    let mut pool = Pool::new();
    let author = Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    let submission = Submission {
        author: joined.author.id.clone(),
        base: joined.head.rev,
        change: splice(&joined.head.document, 0, 0, &Text::from("x"), &attribs),
        pool,
    };
    joined.member.submit(submission).await.unwrap();
}

fn css(joined: &Joined) -> String {
    joined.author.colour.to_css().to_owned()
}

/// The colour under which others find somebody.
async fn stored(service: &Service, joined: &Joined) -> Colour {
    let author = service.store().author(&joined.author.id).await;
    author.unwrap().unwrap().colour
}

#[tokio::test]
async fn twelve_people_have_twelve_colours() {
    let service = world::service(Config::default()).await;
    let mut colours = HashSet::new();
    let mut here = Vec::new();
    for person in 0..12 {
        let joined = join(&service, "notes", person).await;
        assert_eq!(joined.author.colour, stored(&service, &joined).await);
        assert!(colours.insert(css(&joined)), "{person}: {}", css(&joined));
        // Some write and go, and are still seen in the text.
        if person % 3 == 0 {
            write(&joined).await;
        } else {
            here.push(joined);
        }
    }
    join(&service, "notes", 12).await;
}

#[tokio::test]
async fn people_who_come_at_once_differ() {
    let service = world::service(Config::default()).await;
    let first = join(&service, "notes", 0).await;
    let (b, c, d, e) = tokio::join!(
        join(&service, "notes", 1),
        join(&service, "notes", 2),
        join(&service, "notes", 3),
        join(&service, "notes", 4),
    );
    let all: HashSet<String> = [&first, &b, &c, &d, &e].map(css).into();
    assert_eq!(all.len(), 5, "{all:?}");
}

#[tokio::test]
async fn people_who_got_their_colours_elsewhere_differ_too() {
    let service = world::service(Config::default()).await;
    for person in 0..12 {
        join(&service, &format!("own-{person}"), person).await;
    }
    let mut here: Vec<Joined> = Vec::new();
    for person in 0..12 {
        here.push(join(&service, "meeting", person).await);
    }
    let all: HashSet<String> = here.iter().map(css).collect();
    assert_eq!(all.len(), 12, "{all:?}");
    // And who comes back finds the colour of before.
    let before = here.iter().map(css).collect::<Vec<_>>();
    drop(here);
    for (person, colour) in before.into_iter().enumerate() {
        assert_eq!(css(&join(&service, "meeting", person).await), colour);
    }
}

#[tokio::test]
async fn a_chosen_colour_is_kept_and_a_repeated_one_is_no_choice() {
    let service = world::service(Config::default()).await;
    let mut ada = join(&service, "own", 1).await;
    let given = css(&ada);
    // Clients send the colour along when the name changes.
    let repeated = Colour::parse_hex(&given).unwrap();
    ada.member.rename(Some("Ada"), &repeated).await.unwrap();
    assert_eq!(stored(&service, &ada).await, ada.author.colour);

    let bob = JoinRequest {
        colour: Colour::parse_hex(&given),
        ..request("meeting", 2)
    };
    let bob = service
        .join(&bob)
        .await
        .unwrap_or_else(|it| panic!("{it:?}"));
    assert_eq!(css(&bob), given);
    let ada = join(&service, "meeting", 1).await;
    assert_ne!(css(&ada), given);
    // What Bob chose stays his.
    let mut cid = join(&service, "third", 3).await;
    cid.member.rename(Some("Cid"), &repeated).await.unwrap();
    write(&cid).await;
    assert_eq!(css(&join(&service, "third", 2).await), given);
}
