//! Random documents and changes, made from data that shrinks well.
//!
//! A change is generated as a list of [`Step`]s that fit any document: a step that reaches beyond
//! the end is cut there. So the same steps can be tried on a smaller document, and a chain of
//! changes can be generated before the documents in between are known.

use changeset::{
    Attribs, Attribute, Builder, Changeset, Document, Op, OpKind, Pool, cmp_units, count_newlines,
};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestCaseResult, TestRunner};

const CASES: u32 = 10_000;

/// Tries a law on many random values, and shrinks the first one that breaks it.
pub(crate) fn check<S: Strategy>(values: S, law: impl Fn(S::Value) -> TestCaseResult) {
    check_some(CASES, values, law);
}

/// [`check`] for a law that is too slow for as many cases.
pub(crate) fn check_some<S: Strategy>(
    cases: u32,
    values: S,
    law: impl Fn(S::Value) -> TestCaseResult,
) {
    let config = Config {
        cases: cases * soak_factor(),
        // A failure is shown shrunk; worth keeping, it becomes a test of its own.
        failure_persistence: None,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(&values, law) {
        panic!("{failure}");
    }
}

/// How many times more than in an everyday run to try: `PADSVC_SOAK`, 1 if it is not set.
#[expect(clippy::disallowed_methods, reason = "variables say how to test")]
pub(crate) fn soak_factor() -> u32 {
    match std::env::var("PADSVC_SOAK") {
        Ok(factor) => factor.parse().expect("PADSVC_SOAK is a number"),
        Err(_) => 1,
    }
}

/// All attributes that are ever used. The order of numbers is not that of keys, and the last two
/// keys come in another order by UTF-16 units than by characters.
const ATTRIBUTES: [(&str, &str); 15] = [
    ("lmkr", "1"),
    ("bold", "true"),
    ("author", "a.2"),
    ("author", "a.1"),
    ("list", "bullet1"),
    ("insertorder", "first"),
    ("bold", ""),
    ("list", "number2"),
    ("author", ""),
    ("list", ""),
    ("lmkr", ""),
    ("italic", "true"),
    ("italic", ""),
    ("\u{ff5e}", "1"),
    ("\u{1f600}", "1"),
];

pub(crate) fn attributes() -> Vec<Attribute> {
    let attributes = ATTRIBUTES.iter();
    attributes
        .map(|(key, value)| Attribute::new(*key, *value))
        .collect()
}

pub(crate) fn pool() -> Pool {
    Pool::from_entries((0..).zip(attributes()), 0)
}

/// Numbers of some attributes, in canonical order and each key once; no removals on text.
pub(crate) fn attribs(for_text: bool) -> impl Strategy<Value = Attribs> + Clone {
    let allowed = (0..ATTRIBUTES.len()).filter(|&n| !for_text || !ATTRIBUTES[n].1.is_empty());
    let some = subsequence(allowed.collect::<Vec<_>>(), 1..5).prop_map(|mut numbers| {
        numbers.sort_by(|&a, &b| cmp_units(ATTRIBUTES[a].0, ATTRIBUTES[b].0));
        numbers.dedup_by_key(|number| ATTRIBUTES[*number].0);
        numbers.into_iter().map(|number| number as u32).collect()
    });
    prop_oneof![Just(Attribs::none()), some]
}

/// Text with many newlines, pairs and halves of surrogates, and the signs of the notation.
pub(crate) fn units(most: usize) -> impl Strategy<Value = Vec<u16>> + Clone {
    let letters = (b'a'..=b'd').prop_map(|letter| vec![u16::from(letter)]);
    let signs = select(b"$*|+-=Z:0".to_vec()).prop_map(|sign| vec![u16::from(sign)]);
    let character = prop_oneof![
        8 => letters,
        4 => Just(vec![u16::from(b'\n')]),
        1 => signs,
        1 => Just(vec![0xd83d, 0xde00]),
        1 => select(vec![vec![0xd83d], vec![0xde00]]),
    ];
    vec(character, 1..=most).prop_map(|characters| characters.concat())
}

/// A short document, mostly with a newline at the end as pads have it.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    let runs = vec((units(8), attribs(true)), 0..6);
    (runs, attribs(true), any::<[bool; 2]>()).prop_map(|(mut runs, attribs, ends_open)| {
        if ends_open != [true; 2] {
            runs.push((vec![u16::from(b'\n')], attribs));
        }
        document_of(&runs)
    })
}

pub(crate) fn document_of(runs: &[(Vec<u16>, Attribs)]) -> Document {
    let op = |(units, attribs): &(Vec<u16>, Attribs)| {
        Op::new(
            OpKind::Insert,
            units.len(),
            count_newlines(units),
            attribs.clone(),
        )
    };
    let text: Vec<u16> = runs.iter().flat_map(|(units, _)| units).copied().collect();
    let attribution: Vec<Op> = runs.iter().map(op).collect();
    Document::from_atext(&text, &attribution).unwrap()
}

/// A part of a change, for whatever text it meets.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Keep(usize, Attribs),
    Delete(usize),
    Insert(Vec<u16>, Attribs),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (1..12_usize).prop_map(|chars| Step::Keep(chars, Attribs::none())),
        2 => (1..12_usize, attribs(false)).prop_map(|(chars, attribs)| Step::Keep(chars, attribs)),
        2 => (1..8_usize).prop_map(Step::Delete),
        3 => (units(4), attribs(true)).prop_map(|(units, attribs)| Step::Insert(units, attribs)),
    ];
    vec(step, 0..8)
}

/// The canonical change of a document that some steps make.
pub(crate) fn change(document: &Document, steps: &[Step]) -> Changeset {
    let mut builder = Builder::new(document.len());
    let mut at = 0;
    for step in steps {
        match step {
            Step::Keep(chars, attribs) => {
                let units = document.slice(at..at + chars);
                builder.keep(&units, attribs);
                at += units.len();
            }
            Step::Delete(chars) => {
                let units = document.slice(at..at + chars);
                builder.delete(&units);
                at += units.len();
            }
            Step::Insert(units, attribs) => builder.insert(units, attribs),
        }
    }
    builder.finish()
}
