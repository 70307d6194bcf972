//! Plain text.

use changeset::Text;

use crate::data::{Run, styled};

fn check(runs: &[Run<'_>], expected: &str) {
    let (document, pool) = styled(runs);
    assert_eq!(convert::text::write(&document, &pool), Text::from(expected));
}

#[test]
fn lists_are_written_with_tabs_bullets_and_numbers() {
    check(
        &[
            ("title\n", "bold=true"),
            ("*", "list=bullet1 lmkr=1"),
            ("a\n", ""),
            ("*", "list=bullet2 lmkr=1"),
            ("b\n", ""),
            ("*", "list=indent1 lmkr=1"),
            ("c\n", ""),
        ],
        "title\n\t* a\n\t\t* b\n\tc\n",
    );
    check(
        &[
            ("*", "list=number1 start=7"),
            ("a\n", ""),
            ("*", "list=number2"),
            ("b\n", ""),
            ("*", "list=number2"),
            ("c\n", ""),
            ("*", "list=number1"),
            ("d\n", ""),
            ("*", "list=number2"),
            ("e\n\n", ""),
            ("*", "list=number1"),
            ("f\n", ""),
        ],
        "\t1. a\n\t\t1.1. b\n\t\t1.2. c\n\t2. d\n\t\t2.1. e\n\n\t1. f\n",
    );
}

#[test]
fn a_level_beyond_all_measure_is_the_deepest() {
    check(
        &[("*", "list=bullet99999999999999999999999"), ("a\n", "")],
        &format!("{}* a\n", "\t".repeat(16)),
    );
}

#[test]
fn half_a_surrogate_pair_stays() {
    let (document, pool) = styled(&[("ab\n", "")]);
    let half = Text::from([0x61, 0xd83d, 0x62, 0x0a].as_slice());
    let document_with_half = changeset::Document::plain(&half);
    assert_eq!(convert::text::write(&document_with_half, &pool), half);
    assert_ne!(document, document_with_half);
}
