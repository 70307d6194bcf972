//! What is decoded is what was encoded, and no bytes make a decoder panic.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

use changeset::{Attribs, Changeset, Document, Op, OpKind, Text, count_newlines};
use pad::{AuthorId, Revision, Timestamp};
use proptest::prelude::*;

use super::*;

fn cases() -> u32 {
    let factor = std::env::var("PADSVC_SOAK").ok();
    256 * factor.and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

fn units() -> impl Strategy<Value = Vec<u16>> {
    let unit = prop_oneof![
        6 => Just(u16::from(b'a')),
        2 => Just(changeset::NEWLINE),
        1 => 0xD800..0xE000u16,
        1 => any::<u16>(),
    ];
    proptest::collection::vec(unit, 0..20)
}

fn attribs() -> impl Strategy<Value = Attribs> {
    proptest::collection::vec(0..300u32, 0..3).prop_map(|list| list.into_iter().collect())
}

fn op() -> impl Strategy<Value = Op> {
    let kind = prop_oneof![
        Just(OpKind::Keep),
        Just(OpKind::Insert),
        Just(OpKind::Delete)
    ];
    (kind, 0..300usize, 0..5usize, attribs())
        .prop_map(|(kind, chars, lines, attribs)| Op::new(kind, chars, lines, attribs))
}

/// Any change at all, most of which fit no text: stored data holds such ones.
fn change() -> impl Strategy<Value = Changeset> {
    let ops = proptest::collection::vec(op(), 0..6);
    (0..500usize, 0..500usize, ops, units()).prop_map(|(old_len, new_len, ops, bank)| Changeset {
        old_len,
        new_len,
        ops,
        bank: Text::from(bank),
    })
}

fn revision() -> impl Strategy<Value = Revision> {
    let author = proptest::option::of(0..4u128);
    (change(), author, any::<i64>()).prop_map(|(change, author, time)| Revision {
        change,
        author: author.map(AuthorId::random),
        time: Timestamp(time),
    })
}

fn document() -> impl Strategy<Value = Document> {
    proptest::collection::vec((units(), attribs()), 0..20).prop_map(|runs| {
        let mut text = Text::new();
        let mut ops = Vec::new();
        for (units, attribs) in runs {
            let lines = count_newlines(&units);
            ops.push(Op::new(OpKind::Insert, units.len(), lines, attribs));
            text.push_units(&units);
        }
        Document::from_atext(&text, &ops).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn text_survives(units in proptest::collection::vec(0xD7F0..0xE010u16, 0..20)) {
        let bytes = encode_text(&units);
        prop_assert_eq!(decode_text(&bytes).unwrap().into_units(), units.clone());
        if let Ok(text) = String::from_utf16(&units) {
            prop_assert_eq!(bytes, text.into_bytes());
        }
    }

    #[test]
    fn change_survives(change in change()) {
        prop_assert_eq!(decode_change(&encode_change(&change)), Ok(change));
    }

    #[test]
    fn pack_survives(revisions in proptest::collection::vec(revision(), 0..40)) {
        prop_assert_eq!(decode_pack(&encode_pack(&revisions)), Ok(revisions));
    }

    #[test]
    fn snapshot_survives(document in document()) {
        prop_assert_eq!(decode_snapshot(&encode_snapshot(&document)), Ok(document));
    }

    #[test]
    fn no_bytes_are_too_bad(mut bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = (decode_text(&bytes), decode_change(&bytes));
        for format in [0, 1] {
            bytes.insert(0, format);
            let _ = (decode_pack(&bytes), decode_snapshot(&bytes));
        }
    }

    #[test]
    fn damage_is_an_error_or_another_value(
        revisions in proptest::collection::vec(revision(), 1..10),
        document in document(),
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let mut bytes = encode_pack(&revisions);
        let index = at.index(bytes.len());
        bytes[index] = value;
        let _ = decode_pack(&bytes);
        let mut bytes = encode_snapshot(&document);
        let index = at.index(bytes.len());
        bytes[index] = value;
        let _ = decode_snapshot(&bytes);
        let mut bytes = encode_change(&revisions[0].change);
        let index = at.index(bytes.len());
        bytes[index] = value;
        let _ = decode_change(&bytes);
    }
}

#[test]
fn lengths_that_follow_from_the_operations_take_no_space() {
    let change = Changeset::parse("Z:196>1=2p*0+1$x").unwrap();
    assert_eq!(encode_change(&change).len(), 10);
}

#[test]
fn wrong_lengths_of_imported_changes_survive() {
    let change = Changeset::unpack("Z:2>1*0+3$abc\n").unwrap();
    assert_eq!(decode_change(&encode_change(&change)), Ok(change));
}

#[test]
fn huge_counts_do_not_take_memory() {
    let mut bytes = vec![0];
    bytes::put_number(&mut bytes, u64::MAX);
    assert!(decode_pack(&bytes).is_err());
    let mut bytes = vec![1];
    bytes::put_number(&mut bytes, 1 << 40);
    assert!(decode_snapshot(&bytes).is_err());
}
