//! Changes that the server makes: exactly the texts that Etherpad makes.

use std::sync::Arc;

use changeset::{Attribute, Document, Text};
use pad::edit::{self, PreparedEdit, Run};
use pad::{AuthorId, Head, Rev, Timestamp};

fn author() -> AuthorId {
    AuthorId::parse("a.writer0000000000").unwrap()
}

fn advance(head: &Head, prepared: PreparedEdit) -> Head {
    let PreparedEdit { change, pool, .. } = prepared;
    assert_eq!(
        changeset::Changeset::parse(&change.to_string()).as_ref(),
        Ok(&change)
    );
    head.advance(change, pool, Some(author()), Timestamp(5))
        .unwrap()
        .map_or(head.clone(), |step| step.head)
}

fn pad_with(text: &str) -> Head {
    advance(
        &Head::empty(),
        edit::first_text(&Text::from(text), &author()),
    )
}

fn text(head: &Head) -> String {
    head.document.text().to_string()
}

#[test]
fn first_texts_get_one_newline_more() {
    for (given, stored) in [
        ("", "\n"),
        ("one", "one\n"),
        ("one\n", "one\n\n"),
        ("one\n\n", "one\n\n\n"),
        ("a\r\nb", "a\r\nb\n"),
    ] {
        assert_eq!(text(&pad_with(given)), stored, "{given:?}");
    }
}

#[test]
fn setting_a_text_replaces_everything() {
    for (given, stored) in [
        ("a\nb", "a\nb\n"),
        ("a\nb\n", "a\nb\n"),
        ("", "\n"),
        ("\n", "\n"),
    ] {
        let head = pad_with("one");
        let prepared = edit::set_text(&head.document, &head.pool, &Text::from(given), &author());
        assert_eq!(text(&advance(&head, prepared)), stored, "{given:?}");
    }
}

#[test]
fn setting_the_same_text_again_makes_no_revision() {
    let head = pad_with("one");
    let set = |head: &Head| {
        advance(
            head,
            edit::set_text(&head.document, &head.pool, &Text::from("two"), &author()),
        )
    };
    let once = set(&head);
    assert_eq!(once.rev, Some(Rev(1)));
    assert_eq!(set(&once).rev, Some(Rev(1)));
}

#[test]
fn appended_text_goes_before_the_final_newline() {
    let head = pad_with("one");
    let append = |head: &Head, given: &str| {
        advance(
            head,
            edit::append_text(&head.document, &head.pool, &Text::from(given), &author()),
        )
    };
    let head = append(&append(&head, " two"), " three");
    assert_eq!(text(&head), "one two three\n");
    assert_eq!(text(&append(&head, "\nfour\n")), "one two three\nfour\n\n");
    assert_eq!(append(&head, "").rev, head.rev);
}

#[test]
fn restoring_puts_the_old_document_in_front_of_the_final_newline() {
    let first = pad_with("one\ntwo");
    let runs = [
        Run {
            text: "*".into(),
            attributes: vec![Attribute::new("list", "bullet1")],
        },
        Run {
            text: "x\n".into(),
            attributes: vec![Attribute::new("bold", "true")],
        },
    ];
    let second = advance(
        &first,
        edit::set_runs(&first.document, &first.pool, &runs, &author()),
    );
    assert_eq!(text(&second), "*x\n\n");
    let back = edit::restore(&second.document, &second.pool, &first.document, &author());
    let third = advance(&second, back);
    assert_eq!(text(&third), "one\ntwo\n\n");
    let forth = edit::restore(&third.document, &third.pool, &second.document, &author());
    let fourth = advance(&third, forth);
    assert_eq!(text(&fourth), "*x\n\n\n");
    for at in 0..3 {
        let (old, new) = (&second.document, &fourth.document);
        assert_eq!(new.attribs_at(at), old.attribs_at(at), "at {at}");
    }
}

#[test]
fn times_never_go_back() {
    let head = pad_with("one");
    let prepared = edit::append_text(&head.document, &head.pool, &Text::from("x"), &author());
    let step = head
        .advance(prepared.change, prepared.pool, None, Timestamp(3))
        .unwrap()
        .unwrap();
    assert_eq!(step.head.time, Timestamp(5));
}

#[test]
fn copying_into_another_pool_keeps_attributes() {
    let source = pad_with("one");
    let runs = edit::runs_of(&source.document, &source.pool);
    let target = Head {
        pool: Arc::default(),
        ..Head::empty()
    };
    let other = AuthorId::parse("a.somebodyelse0000").unwrap();
    let copied = advance(
        &target,
        edit::set_runs(&Document::plain(&[10]), &target.pool, &runs, &other),
    );
    assert_eq!(text(&copied), "one\n\n");
    let attribs = copied.document.attribs_at(0).unwrap();
    assert_eq!(
        copied.pool.value_of(attribs, "author"),
        Some(author().as_str())
    );
}
