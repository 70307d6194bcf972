//! What was once wrong, or what only the odd input shows: a case each.

use changeset::{
    Attribs, Attribute, Changeset, Document, Error, InsertionAt, Op, OpKind, Pool, Text, Tie,
    compose, count_newlines, follow, follow_range, inverse, parse_number,
};

fn pool() -> Pool {
    let attributes = [("author", "a.1"), ("author", "a.2"), ("author", "")];
    let attributes = attributes.map(|(key, value)| Attribute::new(key, value));
    Pool::from_entries((0..).zip(attributes), 0)
}

#[test]
fn more_newlines_than_16_bits_count() {
    let newlines = vec![u16::from(b'\n'); 200_000];
    assert_eq!(count_newlines(&newlines), 200_000);
    assert_eq!(Document::plain(&newlines).newlines(), 200_000);
}

/// Wherever it lies: long texts are converted in blocks.
#[test]
fn half_a_pair_before_a_whole_one_spoils_only_itself() {
    for at in 0..200 {
        let mut units = vec![u16::from(b'a'); 200];
        units.splice(at..at, [0xd83d, 0xd83d, 0xde00]);
        let expected = String::from_utf16_lossy(&units);
        assert_eq!(Text::from(units).to_string_lossy(), expected, "at {at}");
    }
}

#[test]
fn numbers_have_at_most_31_bits() {
    assert_eq!(parse_number("zik0zj"), Ok(0x7fff_ffff));
    assert_eq!(parse_number("zik0zk"), Err(Error::NumberTooLarge));
    assert_eq!(Changeset::parse("Z:zik0zk>0$"), Err(Error::NumberTooLarge));
}

#[test]
fn the_inverse_of_a_key_set_twice_restores_it_once() {
    let before = Document::plain(&Text::from("ab\n"));
    let change = Changeset::unpack("Z:3>0*0*1=2$").unwrap();
    let back = inverse(&change, &before, &mut pool()).unwrap();
    assert_eq!(back.to_string(), "Z:3>0*2=2$");
}

#[test]
fn an_empty_insert_leaves_no_trace() {
    let before = Document::plain(&Text::from("ab\n"));
    let change = Changeset::unpack("Z:3>0=1*0+0$").unwrap();
    let after = before.apply(&change, &pool()).unwrap();
    assert_eq!(after.pieces(0..3).count(), 1);
}

/// Changes read from damaged data may state any number.
#[test]
fn lengths_without_a_sum_are_refused_or_do_no_harm() {
    let op = |kind, lines| Op::new(kind, usize::MAX, lines, Attribs::none());
    for kind in [OpKind::Keep, OpKind::Delete, OpKind::Insert] {
        let change = Changeset {
            old_len: 3,
            new_len: 3,
            ops: vec![
                Op::keep(1, 0),
                op(kind, 0),
                op(kind, usize::MAX),
                op(kind, 1),
            ],
            bank: Text::new(),
        };
        let before = Document::plain(&Text::from("ab\n"));
        assert_eq!(before.apply(&change, &pool()), Err(Error::ReadPastEnd));
        assert_eq!(
            inverse(&change, &before, &mut pool()),
            Err(Error::ReadPastEnd)
        );
        let other = Changeset::unpack("Z:3>1+1=2*0|1=1$x").unwrap();
        for (first, second) in [(&change, &other), (&other, &change), (&change, &change)] {
            let second = Changeset {
                old_len: first.new_len,
                ..second.clone()
            };
            let _ = compose(first, &second, &pool());
            let second = Changeset {
                old_len: first.old_len,
                ..second
            };
            let _ = follow(first, &second, Tie::First, &pool());
        }
        for insertion in [InsertionAt::After, InsertionAt::Before] {
            let _ = follow_range(&change, 1..usize::MAX, insertion);
        }
    }
}

/// A pool from outside may give one number to two attributes; then numbers and attributes must
/// still lead to each other.
#[test]
fn a_number_stands_for_one_attribute() {
    let [bold, italic] = ["bold", "italic"].map(|key| Attribute::new(key, "true"));
    let pool = Pool::from_entries([(0, bold.clone()), (0, italic.clone())], 0);
    assert_eq!(pool.get(0), Some(&bold));
    assert_eq!(pool.number_of(&italic), None);
}
