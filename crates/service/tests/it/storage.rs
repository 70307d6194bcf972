//! A disk that is full for a while: people come in and read, and nothing is half done.

use std::sync::Arc;

use changeset::{Attribute, Pool, Text, splice};
use pad::{AuthorToken, PadId, Submission};
use service::{Config, Error, JoinError, JoinRequest, Joined, Service, SubmitError};
use store::{FaultPlan, Location, Store};

use crate::world::TestWorld;

fn token(person: u128) -> AuthorToken {
    AuthorToken::random([person, 1])
}

fn request(pad: &str, person: u128) -> JoinRequest {
    JoinRequest {
        pad: pad.to_owned(),
        token: Some(token(person).as_str().to_owned()),
        name: Some("Ada".to_owned()),
        ..JoinRequest::default()
    }
}

fn typed(joined: &Joined, text: &str) -> Submission {
    let mut pool = Pool::new();
    let author = Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    Submission {
        author: joined.author.id.clone(),
        base: joined.head.rev,
        change: splice(&joined.head.document, 0, 0, &Text::from(text), &attribs),
        pool,
    }
}

#[tokio::test]
async fn people_come_in_and_read_while_nothing_can_be_stored() {
    let plan = FaultPlan::refusing();
    let store = Store::open_failing(Location::Memory, Arc::clone(&plan)).await;
    let world = Arc::new(TestWorld::new());
    let service = Service::new(store.unwrap(), world, Config::default());
    let notes = PadId::parse("notes").unwrap();
    let text = Some(Text::from("base"));
    service.create_pad(&notes, text, None).await.unwrap();
    let ada = service.join(&request("notes", 1)).await.ok().unwrap();
    plan.fill(true);
    // Members stay, and newcomers come in under a name that lasts.
    let refused = ada.member.submit(typed(&ada, "x")).await;
    assert_eq!(refused.unwrap_err(), SubmitError::NotStored);
    assert!(service.storage().borrow().is_failing());
    let bob = service.join(&request("notes", 2)).await.ok().unwrap();
    assert_eq!(bob.head.document.text().to_string(), "base\n");
    assert_eq!(bob.author.name.as_deref(), Some("Ada"));
    let again = service.join(&request("notes", 2)).await.ok().unwrap();
    assert_eq!(again.author.id, bob.author.id);
    let no_pad = service.join(&request("new", 2)).await;
    assert_eq!(no_pad.err(), Some(JoinError::NotStored));
    let refused = service.append_text(&notes, Text::from("x"), None).await;
    assert_eq!(refused.unwrap_err(), Error::NotStored);
    let read = service.get_text(&notes, None).await.unwrap();
    assert_eq!(read.to_string(), "base\n");
    service.try_storage().await;
    assert!(service.storage().borrow().is_failing());

    plan.fill(false);
    service.try_storage().await;
    assert!(!service.storage().borrow().is_failing());
    let known = service.store().find_author_of_token(&token(2)).await;
    assert_eq!(known.unwrap(), Some(bob.author.id));
    for joined in [&ada, &again] {
        joined.member.submit(typed(joined, "x")).await.unwrap();
    }
    let read = service.get_text(&notes, None).await.unwrap();
    assert_eq!(read.to_string(), "xxbase\n");
    service.stop().await;
}
