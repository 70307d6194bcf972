//! Authors.

use changeset::Text;
use pad::{Author, AuthorToken, ChatMessage, Colour, Erasure, Rev, Timestamp};

use super::sample::*;
use crate::{PadKey, Said, Store};

pub(super) async fn all(store: &Store) {
    authors(store).await;
    mappers_and_tokens(store).await;
    pads_of_author(store).await;
    erasure(store).await;
}

async fn authors(store: &Store) {
    let [one, two] = [author(1_001), author(1_002)];
    assert_eq!(store.author(&one.id).await.unwrap(), None);
    store.create_author(&one).await.unwrap();
    let two = Author {
        name: None,
        colour: Colour::Hex("#c0ffee".to_owned()),
        erased: Some(Timestamp(4)),
        ..two
    };
    store.create_author(&two).await.unwrap();
    // An author that is there is not overwritten.
    let other = Author {
        name: Some("other".to_owned()),
        ..one.clone()
    };
    store.create_author(&other).await.unwrap();
    assert_eq!(store.author(&one.id).await.unwrap(), Some(one.clone()));
    let ids = [two.id.clone(), author_id(1_003), one.id.clone()];
    assert_eq!(store.authors(&ids).await.unwrap(), [two, one.clone()]);
    assert_eq!(store.authors(&[]).await.unwrap(), []);

    let now = Timestamp(77);
    assert!(
        store
            .set_author_name(&one.id, Some("Zoë \0"), now)
            .await
            .unwrap()
    );
    let green = Colour::Hex("#0f0".to_owned());
    assert!(store.set_author_colour(&one.id, &green, now).await.unwrap());
    let expected = Author {
        name: Some("Zoë \0".to_owned()),
        colour: green.clone(),
        last_seen: now,
        ..one.clone()
    };
    assert_eq!(store.author(&one.id).await.unwrap(), Some(expected));
    assert!(store.set_author_name(&one.id, None, now).await.unwrap());
    assert_eq!(store.author(&one.id).await.unwrap().unwrap().name, None);
    let nobody = author_id(1_003);
    assert!(
        !store
            .set_author_name(&nobody, Some("x"), now)
            .await
            .unwrap()
    );
    assert!(!store.set_author_colour(&nobody, &green, now).await.unwrap());
}

async fn mappers_and_tokens(store: &Store) {
    let long = "mapper ".repeat(10_000);
    for (mapper, number) in [("4711", 1_010), ("", 1_011), (long.as_str(), 1_012)] {
        let new = author(number);
        let id = store.author_of_mapper(mapper, &new).await.unwrap();
        assert_eq!(id, new.id);
        assert_eq!(store.author(&id).await.unwrap(), Some(new.clone()));
        let again = store
            .author_of_mapper(mapper, &author(number + 100))
            .await
            .unwrap();
        assert_eq!(again, new.id);
        assert_eq!(store.author(&author_id(number + 100)).await.unwrap(), None);
    }
    let token = AuthorToken::random([5, 6]);
    assert_eq!(store.find_author_of_token(&token).await.unwrap(), None);
    let new = author(1_020);
    assert_eq!(store.author_of_token(&token, &new).await.unwrap(), new.id);
    assert_eq!(
        store.author_of_token(&token, &author(1_021)).await.unwrap(),
        new.id
    );
    assert_eq!(
        store.find_author_of_token(&token).await.unwrap(),
        Some(new.id.clone())
    );
    assert_eq!(store.author(&new.id).await.unwrap(), Some(new));
    assert_eq!(store.author(&author_id(1_021)).await.unwrap(), None);
}

async fn pads_of_author(store: &Store) {
    let id = author_id(1_030);
    assert_eq!(store.pads_of_author(&id).await.unwrap(), []);
    for name in ["of author b", "of author a", "of author c"] {
        let (key, head) = create_text(store, name, "").await;
        append_all(store, key, head.clone(), &[typed(&head, "x", &id)]).await;
    }
    create_text(store, "of author d", "").await;
    let names = |letters: &[&str]| -> Vec<_> {
        let ids = letters
            .iter()
            .map(|letter| pad_id(&format!("of author {letter}")));
        ids.collect()
    };
    assert_eq!(
        store.pads_of_author(&id).await.unwrap(),
        names(&["a", "b", "c"])
    );
    let key = store
        .pad(&pad_id("of author b"))
        .await
        .unwrap()
        .unwrap()
        .key;
    store
        .move_pad(key, &pad_id("of author e"), false)
        .await
        .unwrap();
    assert_eq!(
        store.pads_of_author(&id).await.unwrap(),
        names(&["a", "c", "e"])
    );
    store.delete_pad(key).await.unwrap();
    assert_eq!(store.pads_of_author(&id).await.unwrap(), names(&["a", "c"]));
}

async fn erasure(store: &Store) {
    let person = author(1_040);
    let other = author(1_041);
    let tokens = [[7, 8], [9, 10]].map(AuthorToken::random);
    for token in &tokens {
        store.author_of_token(token, &person).await.unwrap();
    }
    let mapper = "mapper of 1040";
    store.author_of_mapper(mapper, &person).await.unwrap();
    store.create_author(&other).await.unwrap();
    let key = chat_of_two(store, &person, &other).await;
    let history = store.revisions(key, Rev(0)..Rev(9)).await.unwrap();

    let expected = Erasure {
        affected_pads: 1,
        removed_token_mappings: 2,
        removed_external_mappings: 1,
        cleared_chat_messages: 3,
    };
    let now = Timestamp(99_000);
    let erase = async |now, dry_run| store.erase_author(&person.id, now, dry_run).await.unwrap();
    assert_eq!(erase(now, true).await, expected);
    assert_eq!(
        store.author(&person.id).await.unwrap(),
        Some(person.clone())
    );
    assert_eq!(erase(now, false).await, expected);
    let stub = Author {
        name: None,
        colour: Colour::Palette(0),
        erased: Some(now),
        ..person.clone()
    };
    assert_eq!(store.author(&person.id).await.unwrap(), Some(stub.clone()));
    for token in &tokens {
        assert_eq!(store.find_author_of_token(token).await.unwrap(), None);
    }
    let fresh = author(1_042);
    assert_eq!(
        store.author_of_mapper(mapper, &fresh).await.unwrap(),
        fresh.id
    );
    let chat = store.chat(key, 0..9).await.unwrap();
    let authors: Vec<_> = chat
        .into_iter()
        .map(|(_, message)| message.author)
        .collect();
    let others = Some(other.id.clone());
    assert_eq!(authors, [None, others.clone(), None, others]);
    assert_eq!(store.revisions(key, Rev(0)..Rev(9)).await.unwrap(), history);
    assert_eq!(
        store.pads_of_author(&person.id).await.unwrap(),
        [pad_id("erased")]
    );
    // A second time there is nothing left, and nothing of someone unknown.
    assert_eq!(erase(Timestamp(1), false).await, Erasure::default());
    assert_eq!(store.author(&person.id).await.unwrap(), Some(stub));
    let unknown = store.erase_author(&author_id(1_049), now, false).await;
    assert_eq!(unknown.unwrap(), Erasure::default());
    erased_for_good(store, key, &stub_of(store, &person).await).await;
}

async fn stub_of(store: &Store, person: &Author) -> Author {
    store.author(&person.id).await.unwrap().unwrap()
}

/// An erased author gets no name and no colour and says nothing; what is put under its id all the
/// same, by a call or an import, a second erasure removes and counts.
async fn erased_for_good(store: &Store, key: PadKey, stub: &Author) {
    let now = Timestamp(99_500);
    let (id, green) = (&stub.id, Colour::Hex("#0f0".to_owned()));
    assert!(!store.set_author_name(id, Some("back"), now).await.unwrap());
    assert!(!store.set_author_colour(id, &green, now).await.unwrap());
    let message = ChatMessage {
        text: Text::from("still me"),
        author: Some(id.clone()),
        time: now,
    };
    let said = store.append_own_chat(key, &message).await.unwrap();
    assert_eq!(said, Said::AuthorErased);
    assert_eq!(store.chat(key, 0..99).await.unwrap().len(), 4);
    assert_eq!(stub_of(store, stub).await, *stub);

    store.append_chat(key, &message).await.unwrap();
    let token = AuthorToken::random([11, 12]);
    store.author_of_token(&token, stub).await.unwrap();
    let since = Erasure {
        affected_pads: 1,
        removed_token_mappings: 1,
        cleared_chat_messages: 1,
        ..Erasure::default()
    };
    assert_eq!(store.erase_author(id, now, true).await.unwrap(), since);
    assert_eq!(store.erase_author(id, now, false).await.unwrap(), since);
    assert_eq!(
        store.erase_author(id, now, false).await.unwrap(),
        Erasure::default()
    );
    assert_eq!(stub_of(store, stub).await, *stub);
    // Others say what they like, also one that was never created.
    let unknown = ChatMessage {
        author: Some(author_id(1_048)),
        ..message
    };
    let said = store.append_own_chat(key, &unknown).await.unwrap();
    assert_eq!(said, Said::Stored(5));
}

/// A pad that a person has written and chatted in, and one the person has only chatted in.
async fn chat_of_two(store: &Store, person: &Author, other: &Author) -> PadKey {
    let (key, head) = create_text(store, "erased", "").await;
    append_all(store, key, head.clone(), &[typed(&head, "x", &person.id)]).await;
    let (only_chat, _) = create_text(store, "erased chat", "").await;
    for key in [key, key, only_chat] {
        for author in [person, other] {
            let message = ChatMessage {
                text: Text::from("Hallo"),
                author: Some(author.id.clone()),
                time: Timestamp(3),
            };
            store.append_chat(key, &message).await.unwrap();
        }
    }
    key
}
