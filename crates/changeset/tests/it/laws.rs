//! The laws of the algebra, each tried on ten thousand random documents and changes.

use changeset::{
    Assembler, Attribs, Changeset, Document, InsertionAt, Op, OpKind, Pool, Text, Tie,
    attribution_lines, compose, follow, follow_range, inverse, join_attribution_lines,
    ops_without_final_newline, splice, sub_attribution, text_lines,
};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof};
use proptest::sample::subsequence;
use proptest::test_runner::{TestCaseError, TestCaseResult};

use crate::generate::{attributes, change, check, document, pool, steps, units};

/// The change after it was written down and read again, which it must survive.
fn reread(change: &Changeset) -> Result<Changeset, TestCaseError> {
    let notation = change.print();
    Changeset::parse_units(&notation)
        .map_err(|error| TestCaseError::fail(format!("{error}: {notation}")))
}

#[test]
fn composing_is_applying_twice() {
    check((document(), steps(), steps()), |(before, first, second)| {
        let pool = pool();
        let first = change(&before, &first);
        let between = before.apply(&first, &pool)?;
        let second = change(&between, &second);
        let both = compose(&first, &second, &pool)?;
        prop_assert_eq!(before.apply(&both, &pool)?, between.apply(&second, &pool)?);
        Ok(())
    });
}

#[test]
fn composing_is_associative() {
    check(
        (document(), [steps(), steps(), steps()]),
        |(before, [a, b, c])| {
            let pool = pool();
            let a = change(&before, &a);
            let after_a = before.apply(&a, &pool)?;
            let b = change(&after_a, &b);
            let after_b = after_a.apply(&b, &pool)?;
            let c = change(&after_b, &c);
            let left = compose(&compose(&a, &b, &pool)?, &c, &pool)?;
            let right = compose(&a, &compose(&b, &c, &pool)?, &pool)?;
            let expected = after_b.apply(&c, &pool)?;
            prop_assert_eq!(&before.apply(&left, &pool)?, &expected);
            prop_assert_eq!(&before.apply(&right, &pool)?, &expected);
            Ok(())
        },
    );
}

#[test]
fn both_sides_of_follow_meet() {
    check((document(), steps(), steps()), |(before, first, second)| {
        let pool = pool();
        let (first, second) = (change(&before, &first), change(&before, &second));
        let second_after = follow(&first, &second, Tie::First, &pool)?;
        let first_after = follow(&second, &first, Tie::Second, &pool)?;
        prop_assert_eq!(
            before.apply(&first, &pool)?.apply(&second_after, &pool)?,
            before.apply(&second, &pool)?.apply(&first_after, &pool)?
        );
        Ok(())
    });
}

#[test]
fn the_inverse_undoes_text_and_attributes() {
    check((document(), steps()), |(before, steps)| {
        let mut pool = pool();
        let change = change(&before, &steps);
        let back = inverse(&change, &before, &mut pool)?;
        prop_assert_eq!(before.apply(&change, &pool)?.apply(&back, &pool)?, before);
        Ok(())
    });
}

#[test]
fn printing_and_parsing_round_trip() {
    check((document(), steps()), |(before, steps)| {
        let change = change(&before, &steps);
        prop_assert_eq!(&reread(&change)?, &change);
        prop_assert_eq!(&Changeset::unpack_units(&change.print())?, &change);
        if let Some(notation) = change.print().to_utf8() {
            prop_assert_eq!(Changeset::parse(&notation)?, change);
        }
        Ok(())
    });
}

#[test]
fn moving_pools_there_and_back_changes_nothing() {
    let there = subsequence(attributes(), 0..8).prop_shuffle();
    check((document(), steps(), there), |(before, steps, there)| {
        let here = pool();
        let mut there = Pool::from_entries((3..).zip(there), 0);
        let change = change(&before, &steps);
        let moved = here.move_changeset(&change, &mut there);
        let back = there.move_changeset(&moved, &mut here.clone());
        prop_assert_eq!(&back, &change);
        // Numbers mean the same there, so the moved change does the same to the moved document.
        let attribution = here.move_ops(&before.attribution(), &mut there);
        let before_there = Document::from_atext(&before.text(), &attribution)?;
        let after_there = before_there.apply(&moved, &there)?;
        let attribution = there.move_ops(&after_there.attribution(), &mut here.clone());
        prop_assert_eq!(
            Document::from_atext(&after_there.text(), &attribution)?,
            before.apply(&change, &here)?
        );
        Ok(())
    });
}

#[test]
fn whatever_is_computed_is_canonical() {
    check(
        (document(), [steps(), steps(), steps()]),
        |(before, [a, b, c])| {
            let mut pool = pool();
            let a = change(&before, &a);
            let b = change(&before, &b);
            let c = change(&before.apply(&a, &pool)?, &c);
            let computed = [
                compose(&a, &c, &pool)?,
                follow(&a, &b, Tie::First, &pool)?,
                follow(&a, &b, Tie::Second, &pool)?,
                inverse(&a, &before, &mut pool)?,
                pool.move_changeset(&a, &mut Pool::new()),
            ];
            for change in &computed {
                prop_assert_eq!(&reread(change)?, change);
            }
            Ok(())
        },
    );
}

#[test]
fn a_splice_does_what_it_says() {
    let place = (0..60_usize, 0..60_usize);
    check(
        (document(), place, units(6)),
        |(before, (start, deleted), inserted)| {
            let change = splice(&before, start, deleted, &inserted, &Attribs::none());
            let mut expected = before.text().into_units();
            let start = start.min(expected.len());
            let end = (start + deleted).min(expected.len());
            expected.splice(start..end, inserted);
            prop_assert_eq!(before.apply(&change, &pool())?.text(), Text::from(expected));
            prop_assert_eq!(&reread(&change)?, &change);
            Ok(())
        },
    );
}

/// Operations in any order and number, with as many newlines at the end of each as it states.
fn loose_ops() -> impl Strategy<Value = Vec<Op>> {
    let kind = prop_oneof![
        Just(OpKind::Keep),
        Just(OpKind::Insert),
        Just(OpKind::Delete)
    ]
    .boxed();
    let op =
        (kind, 0..4_usize, 0..2_usize, any::<bool>()).prop_map(|(kind, chars, lines, bold)| {
            let attribs = Attribs::from_iter(bold.then_some(1));
            Op::new(kind, chars, lines.min(chars), attribs)
        });
    vec(op, 0..5)
}

#[test]
fn what_an_assembler_leaves_alone_is_what_parsing_accepts() {
    check(loose_ops(), |ops| {
        let total = |kinds: [OpKind; 2]| {
            let counted = ops.iter().filter(|op| kinds.contains(&op.kind));
            counted.map(|op| op.chars).sum::<usize>()
        };
        let mut bank = Text::new();
        for op in ops.iter().filter(|op| op.kind == OpKind::Insert) {
            bank.extend((0..op.chars).map(|at| {
                u16::from(if at + op.lines < op.chars {
                    b'a'
                } else {
                    b'\n'
                })
            }));
        }
        let mut assembler = Assembler::new();
        ops.iter().for_each(|op| assembler.push(op.clone()));
        let change = Changeset {
            old_len: total([OpKind::Keep, OpKind::Delete]) + 1,
            new_len: total([OpKind::Keep, OpKind::Insert]) + 1,
            ops: ops.clone(),
            bank,
        };
        prop_assert_eq!(reread(&change).is_ok(), assembler.finish() == ops);
        Ok(())
    });
}

#[test]
fn a_document_is_its_text_and_its_attribution() {
    check((document(), any::<[u8; 2]>()), |(document, cut)| {
        let attribution = document.attribution();
        prop_assert_eq!(
            &Document::from_atext(&document.text(), &attribution)?,
            &document
        );
        let lines = attribution_lines(&document);
        prop_assert_eq!(
            &join_attribution_lines(lines.iter().map(Vec::as_slice)),
            &attribution
        );
        let text = document.text();
        let text_lines: Vec<&[u16]> = text_lines(&text).collect();
        prop_assert_eq!(text_lines.len(), lines.len());
        prop_assert_eq!(text_lines.concat(), text.to_vec());
        for (line, units) in lines.iter().zip(&text_lines) {
            parts_of_a_line_join(line, units.len(), cut)?;
        }
        if text.last() == Some(&u16::from(b'\n')) {
            let shorter = ops_without_final_newline(&document);
            let expected = Document::from_atext(&text[..text.len() - 1], &shorter)?;
            let change = splice(&document, text.len() - 1, 1, &[], &Attribs::none());
            prop_assert_eq!(document.apply(&change, &pool())?, expected);
        }
        Ok(())
    });
}

/// Cut at two places, the attribution of a line is that of its three parts.
fn parts_of_a_line_join(line: &[Op], len: usize, cut: [u8; 2]) -> TestCaseResult {
    let mut cut = cut.map(|at| usize::from(at) % (len + 1));
    cut.sort_unstable();
    let parts = [
        sub_attribution(line, 0, Some(cut[0])),
        sub_attribution(line, cut[0], Some(cut[1])),
        sub_attribution(line, cut[1], None),
    ];
    prop_assert_eq!(
        parts[1].iter().map(|op| op.chars).sum::<usize>(),
        cut[1] - cut[0]
    );
    prop_assert_eq!(
        join_attribution_lines(parts.iter().map(Vec::as_slice)),
        line.to_vec()
    );
    Ok(())
}

#[test]
fn a_followed_range_holds_what_is_left_of_it_and_nothing_else() {
    check(
        (document(), steps(), any::<[u8; 2]>()),
        |(before, steps, ends)| {
            let change = change(&before, &steps);
            let mut ends = ends.map(|at| usize::from(at) % (before.len() + 1));
            ends.sort_unstable();
            let range = ends[0]..ends[1];
            for insertion in [InsertionAt::After, InsertionAt::Before] {
                let followed = follow_range(&change, range.clone(), insertion);
                prop_assert!(followed.start <= followed.end && followed.end <= change.new_len);
                for (old, new) in kept_units(&change) {
                    prop_assert_eq!(range.contains(&old), followed.contains(&new));
                }
            }
            Ok(())
        },
    );
}

/// Where each unit of the old text that stays is in the old text and in the new one.
fn kept_units(change: &Changeset) -> Vec<(usize, usize)> {
    let (mut old, mut new) = (0, 0);
    let mut kept = Vec::new();
    for op in &change.ops {
        match op.kind {
            OpKind::Keep => {
                kept.extend((old..old + op.chars).zip(new..));
                old += op.chars;
                new += op.chars;
            }
            OpKind::Insert => new += op.chars,
            OpKind::Delete => old += op.chars,
        }
    }
    kept.extend((old..change.old_len).zip(new..));
    kept
}

/// Long stretches of one kind, so that blocks begin and end everywhere in them.
#[test]
fn a_text_becomes_the_string_that_the_standard_library_makes_of_it() {
    let stretch = (
        any::<u16>(),
        prop_oneof![0..0x80_u16, 0xd800..0xe000_u16, any::<u16>()],
        0..90,
    );
    check((vec(stretch, 0..6),), |(stretches,)| {
        let mut units = Vec::new();
        for (first, second, length) in stretches {
            units.extend([first, second].into_iter().cycle().take(length as usize));
            units.extend(std::iter::repeat_n(u16::from(b'a'), length as usize));
        }
        let text = Text::from(units.as_slice()).to_string_lossy();
        prop_assert_eq!(text, String::from_utf16_lossy(&units));
        Ok(())
    });
}
