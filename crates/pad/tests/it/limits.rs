//! What a member's change may bring into the pool of a pad.

use std::sync::Arc;

use changeset::{Attribute, Changeset, Pool, Text, splice};
use pad::limits::{
    ATTRIBUTE_KEY, ATTRIBUTE_KEYS, ATTRIBUTE_VALUE, Exceeded, NEW_ATTRIBUTES, POOL_ENTRIES,
    POOL_UNITS, check_growth,
};
use pad::{AuthorId, Head, Rejection, Submission, Timestamp, accept, edit};

fn author() -> AuthorId {
    AuthorId::parse("a.writer0000000000").unwrap()
}

fn start() -> Head {
    let prepared = edit::first_text(&Text::from("text"), &author());
    let step = Head::empty().advance(prepared.change, prepared.pool, None, Timestamp(1));
    step.unwrap().unwrap().head
}

/// An insert of one letter that carries these attributes besides its author.
fn submit(head: &Head, attributes: &[Attribute]) -> Result<Head, Rejection> {
    let mut pool = Pool::new();
    let all = [&[Attribute::new("author", author().as_str())], attributes].concat();
    let attribs = pool.attribs_of_insert(&all);
    let change = splice(&head.document, 0, 0, &Text::from("x"), &attribs);
    let submission = Submission {
        author: author(),
        base: head.rev,
        change,
        pool,
    };
    accept(head, &[], &submission, 1_000, Timestamp(2)).map(|step| step.head)
}

fn numbered(count: usize) -> Vec<Attribute> {
    let attribute = |number| Attribute::new(format!("key{number}"), "true");
    (0..count).map(attribute).collect()
}

#[test]
fn attributes_are_as_long_as_they_may_be_and_no_longer() {
    let emoji = "😀".repeat(ATTRIBUTE_VALUE / 2);
    for (key, value, expected) in [
        ("k".repeat(ATTRIBUTE_KEY), "true".to_owned(), None),
        (
            "k".repeat(ATTRIBUTE_KEY + 1),
            "true".to_owned(),
            Some(Exceeded::Key),
        ),
        ("image".to_owned(), "v".repeat(ATTRIBUTE_VALUE), None),
        ("image".to_owned(), emoji.clone(), None),
        ("image".to_owned(), emoji + "v", Some(Exceeded::Value)),
    ] {
        let outcome = submit(&start(), &[Attribute::new(key.as_str(), value.as_str())]);
        assert_eq!(
            outcome.err(),
            expected.map(Rejection::Attributes),
            "{key}={value}"
        );
    }
}

#[test]
fn an_operation_names_a_bounded_number_of_attributes() {
    // The author is one of them.
    assert!(submit(&start(), &numbered(ATTRIBUTE_KEYS - 1)).is_ok());
    let refused = submit(&start(), &numbered(ATTRIBUTE_KEYS)).err();
    assert_eq!(refused, Some(Rejection::Attributes(Exceeded::Keys)));
    // The same attribute again and again is no way around it.
    let head = start();
    let many = format!("Z:5>1{}+1$x", "*0".repeat(ATTRIBUTE_KEYS + 1));
    let submission = Submission {
        author: author(),
        base: head.rev,
        change: Changeset::parse(&many).unwrap(),
        pool: Pool::from_entries([(0, Attribute::new("author", author().as_str()))], 1),
    };
    let refused = accept(&head, &[], &submission, 1_000, Timestamp(2)).err();
    assert_eq!(refused, Some(Rejection::Attributes(Exceeded::Keys)));
}

#[test]
fn keys_of_a_pad_are_bounded_over_all_its_changes() {
    let head = submit(&start(), &numbered(ATTRIBUTE_KEYS - 1)).unwrap();
    let refused = submit(&head, &[Attribute::new("one more", "true")]).err();
    assert_eq!(refused, Some(Rejection::Attributes(Exceeded::Keys)));
    // What the pad knows already can still be used, with other values too.
    assert!(submit(&head, &[Attribute::new("key0", "another")]).is_ok());
}

fn pool_of(attributes: impl Iterator<Item = Attribute>) -> Pool {
    let mut pool = Pool::new();
    attributes.for_each(|attribute| {
        pool.intern(attribute);
    });
    pool
}

#[test]
fn a_full_pool_takes_nothing_new_but_authors() {
    let starts = |count: usize| (0..count).map(|n| Attribute::new("start", n.to_string()));
    let long = "v".repeat(ATTRIBUTE_VALUE - 8);
    let images = |count: usize| {
        let long = &long;
        (0..count).map(move |n| Attribute::new("image", format!("{long}{n}")))
    };
    let full = [
        pool_of(starts(POOL_ENTRIES)),
        pool_of(images(POOL_UNITS / ATTRIBUTE_VALUE + 1)),
    ];
    for pool in full {
        let head = Head {
            pool: Arc::new(pool),
            ..start()
        };
        let bold = [Attribute::new("bold", "true")];
        let refused = submit(&head, &bold).err();
        assert_eq!(refused, Some(Rejection::Attributes(Exceeded::Pool)));
        assert!(
            submit(&head, &[]).is_ok(),
            "an author who is new here writes"
        );
        assert!(submit(&head, &[head.pool.get(0).unwrap().clone()]).is_ok());
    }
    let many = pool_of(starts(NEW_ATTRIBUTES + 1));
    assert_eq!(
        check_growth(&Pool::new(), &many),
        Err(Exceeded::NewAttributes)
    );
}

#[test]
fn a_pad_from_before_the_bounds_can_still_be_edited() {
    let old = Attribute::new("image", "v".repeat(900_000));
    let head = Head {
        pool: Arc::new(pool_of([old.clone()].into_iter())),
        ..start()
    };
    // Text that carries it is put back, as an undo does.
    assert!(submit(&head, &[old]).is_ok());
    assert!(submit(&head, &[Attribute::new("bold", "true")]).is_ok());
}
