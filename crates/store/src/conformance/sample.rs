//! Pads and people to store.

use std::sync::Arc;

use changeset::{Attribute, Builder, NEWLINE, Pool, Text, splice};
use pad::{
    Author, AuthorId, Colour, GroupId, Head, PadId, ReadOnlyId, SessionId, Step, Timestamp, edit,
};

use crate::{NewPad, PadKey, Store};

pub fn pad_id(name: &str) -> PadId {
    PadId::parse(name).unwrap()
}

/// Ids that are the same for the same number.
pub fn author_id(number: u128) -> AuthorId {
    AuthorId::random(number)
}

pub fn group_id(number: u128) -> GroupId {
    GroupId::random(number)
}

pub fn session_id(number: u128) -> SessionId {
    SessionId::random(number)
}

pub fn read_only_id(number: u128) -> ReadOnlyId {
    ReadOnlyId::random(number)
}

pub fn author(number: u128) -> Author {
    Author {
        id: author_id(number),
        name: Some(format!("Author {number}")),
        colour: Colour::Palette(7),
        created: Timestamp(1_000),
        last_seen: Timestamp(2_000),
        erased: None,
    }
}

/// Revision 0 with a text.
pub fn first(text: &str, author: &AuthorId) -> Step {
    let prepared = edit::first_text(&Text::from(text), author);
    let step = Head::empty().advance(
        prepared.change,
        prepared.pool,
        Some(author.clone()),
        Timestamp(1_000_000),
    );
    step.unwrap().unwrap()
}

/// Replaces some units by others, with attributes besides the author.
pub fn replace(
    head: &Head,
    range: std::ops::Range<usize>,
    text: &[u16],
    author: &AuthorId,
    attributes: &[(&str, &str)],
) -> Step {
    let mut pool = Arc::clone(&head.pool);
    let mut list = vec![Attribute::new("author", author.as_str())];
    list.extend(
        attributes
            .iter()
            .map(|(key, value)| Attribute::new(*key, *value)),
    );
    let attribs = Pool::attribs_of_insert_shared(&mut pool, &list);
    let change = splice(&head.document, range.start, range.len(), text, &attribs);
    let now = Timestamp(head.time.millis() + 137);
    head.advance(change, pool, Some(author.clone()), now)
        .unwrap()
        .unwrap()
}

/// Adds text before the last newline.
pub fn typed(head: &Head, text: &str, author: &AuthorId) -> Step {
    let end = head.document.len() - 1;
    replace(head, end..end, &Text::from(text), author, &[])
}

/// Restyles the beginning of the text. `None`: it is styled so already.
pub fn restyled(
    head: &Head,
    length: usize,
    key: &str,
    value: &str,
    author: &AuthorId,
) -> Option<Step> {
    let mut pool = Arc::clone(&head.pool);
    let number = Pool::intern_shared(&mut pool, &Attribute::new(key, value));
    let mut builder = Builder::new(head.document.len());
    let units = head.document.slice(0..length);
    builder.keep(&units, &std::iter::once(number).collect());
    let now = Timestamp(head.time.millis() + 137);
    head.advance(builder.finish(), pool, Some(author.clone()), now)
        .unwrap()
}

/// Steps one after another as one.
pub fn joined(steps: impl IntoIterator<Item = Step>) -> Step {
    let joined = steps.into_iter().reduce(|mut all, step| {
        all.revisions.extend(step.revisions);
        all.head = step.head;
        all
    });
    joined.unwrap()
}

/// A number of edits of every kind by a few authors, from a seed.
pub fn edits(mut head: Head, count: usize, mut seed: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    while steps.len() < count {
        let author = author_id(u128::from(random(&mut seed, 4)) + 100);
        let length = head.document.len() - 1;
        let at = random(&mut seed, length as u64 + 1) as usize;
        let step = match random(&mut seed, 20) {
            0 if length > 10 => {
                let end = (at + random(&mut seed, 5) as usize + 1).min(length);
                if at == end {
                    continue;
                }
                replace(&head, at..end, &[], &author, &[])
            }
            1 => replace(&head, at..at, &[0xD83D], &author, &[]),
            2 => replace(&head, at..at, &[NEWLINE], &author, &[]),
            3 => replace(
                &head,
                at..at,
                &Text::from("fett"),
                &author,
                &[("bold", "true")],
            ),
            4 => {
                let level = format!("bullet{}", random(&mut seed, 6) + 1);
                match restyled(&head, length.min(3) + 1, "list", &level, &author) {
                    Some(step) => step,
                    None => continue,
                }
            }
            5 => replace(
                &head,
                at..at,
                &Text::from("ein längerer Absatz 🦀\n"),
                &author,
                &[],
            ),
            _ => replace(&head, at..at, &Text::from("x"), &author, &[]),
        };
        head = step.head.clone();
        steps.push(step);
    }
    steps
}

/// Numbers below a bound that look random.
pub fn random(seed: &mut u64, bound: u64) -> u64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % bound
}

/// Creates a pad that must not exist yet.
pub async fn create(store: &Store, name: &str, step: &Step) -> PadKey {
    let id = pad_id(name);
    let new = NewPad {
        id: &id,
        step,
        deletion: None,
        public: false,
        settings: None,
    };
    store.create_pad(new).await.unwrap().unwrap()
}

/// Creates a pad with a text and gives its head.
pub async fn create_text(store: &Store, name: &str, text: &str) -> (PadKey, Head) {
    let step = first(text, &author_id(1));
    let key = create(store, name, &step).await;
    (key, step.head)
}

/// Appends steps that follow on a head, and gives the last head.
pub async fn append_all(store: &Store, key: PadKey, head: Head, steps: &[Step]) -> Head {
    let mut before = head;
    for step in steps {
        let appended = store.append(key, &before, step).await.unwrap();
        assert_eq!(appended, crate::Appended::Done);
        before = step.head.clone();
    }
    before
}
