//! Every change of tiny documents, where whatever can go wrong at a border does.
//!
//! The documents are all texts of up to three units over `a` and newline that end in a newline,
//! without attributes and with a bold first unit. The changes are all that keep, embolden, make
//! plain or delete each unit and insert up to two units, `x` or newline, as a line marker or not.
//! Every change is applied and taken back. Of the pairs of changes, which are far more, those of
//! the longer documents are sampled in fixed strides.

use std::collections::{BTreeSet, HashMap};

use changeset::{
    Attribs, Attribute, Changeset, Document, Op, OpKind, Pool, Text, Tie, compose, count_newlines,
    follow, inverse,
};

use crate::generate::{Step, change, soak_factor};
use crate::model::Model;

const BOLD: u32 = 0;
const NOT_BOLD: u32 = 1;
const INSERT_FIRST: u32 = 2;

/// By the length of the document, the distance between the pairs that are tried. They are primes,
/// so that sooner or later every change meets every kind of change.
const STRIDES: [usize; 4] = [1, 1, 31, 997];

fn pool() -> Pool {
    let attributes = [("bold", "true"), ("bold", ""), ("insertorder", "first")];
    let attributes = attributes.map(|(key, value)| Attribute::new(key, value));
    Pool::from_entries((0..).zip(attributes), 0)
}

/// All texts of a length over some letters.
fn texts(letters: &str, len: usize) -> Vec<String> {
    match len {
        0 => vec![String::new()],
        _ => texts(letters, len - 1)
            .iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect(),
    }
}

fn documents() -> Vec<Document> {
    let texts = (0..3)
        .flat_map(|len| texts("a\n", len))
        .map(|text| Text::from(&*(text + "\n")));
    let document = |text: Text| {
        let (first, rest) = text.split_at(1);
        let run = |units: &[u16], attribs| {
            Op::new(OpKind::Insert, units.len(), count_newlines(units), attribs)
        };
        let ops = [
            run(first, Attribs::from_iter([BOLD])),
            run(rest, Attribs::none()),
        ];
        [
            Document::plain(&text),
            Document::from_atext(&text, &ops).unwrap(),
        ]
    };
    texts.flat_map(document).collect()
}

/// What can happen to the units of a text: a step for each.
fn fates(len: usize) -> Vec<Vec<Step>> {
    if len == 0 {
        return vec![Vec::new()];
    }
    let mut longer = Vec::new();
    for fate in fates(len - 1) {
        for step in [
            Step::Keep(1, Attribs::none()),
            Step::Keep(1, Attribs::from_iter([BOLD])),
            Step::Keep(1, Attribs::from_iter([NOT_BOLD])),
            Step::Delete(1),
        ] {
            longer.push([&fate[..], &[step]].concat());
        }
    }
    longer
}

/// What can be inserted: up to two units, each with its place.
fn inserts(len: usize) -> Vec<Vec<(usize, Step)>> {
    let mut single = Vec::new();
    for place in 0..=len {
        for unit in [b'x', b'\n'] {
            for attribs in [Attribs::none(), Attribs::from_iter([INSERT_FIRST])] {
                single.push((place, Step::Insert(vec![u16::from(unit)], attribs)));
            }
        }
    }
    let mut inserts = vec![Vec::new()];
    for first in &single {
        inserts.push(vec![first.clone()]);
        let after = single.iter().filter(|second| second.0 >= first.0);
        inserts.extend(after.map(|second| vec![first.clone(), second.clone()]));
    }
    inserts
}

/// All changes of a text, each once.
fn changes(text: &Text) -> Vec<Changeset> {
    let document = Document::plain(text);
    let mut seen = BTreeSet::new();
    let mut changes = Vec::new();
    for fate in fates(text.len()) {
        for insert in inserts(text.len()) {
            let mut steps = fate.clone();
            for (place, step) in insert.into_iter().rev() {
                steps.insert(place, step);
            }
            let change = change(&document, &steps);
            if seen.insert(change.print()) {
                changes.push(change);
            }
        }
    }
    changes
}

/// Every `stride`th number below `total`, and more of them in a soak.
fn sample(start: usize, total: usize, stride: usize) -> impl Iterator<Item = usize> {
    let starts = (0..stride.min(soak_factor() as usize)).map(move |more| (start + more) % stride);
    starts.flat_map(move |start| (start..total).step_by(stride))
}

#[test]
fn every_change_is_canonical_does_what_it_says_and_can_be_undone() {
    for before in documents() {
        let mut pool = pool();
        for change in changes(&before.text()) {
            assert_eq!(Changeset::parse_units(&change.print()), Ok(change.clone()));
            let after = before.apply(&change, &pool).unwrap();
            let mut model = Model::of(&before, &pool);
            model.apply(&change, &pool);
            assert_eq!(Model::of(&after, &pool), model, "{change}");
            let back = inverse(&change, &before, &mut pool).unwrap();
            assert_eq!(
                after.apply(&back, &pool).unwrap(),
                before,
                "{change} then {back}"
            );
        }
    }
}

#[test]
fn any_two_changes_meet() {
    let pool = pool();
    for before in documents() {
        let changes: Vec<_> = changes(&before.text())
            .into_iter()
            .map(|change| (before.apply(&change, &pool).unwrap(), change))
            .collect();
        let stride = STRIDES[before.len()];
        for pair in sample(0, changes.len() * changes.len(), stride) {
            let (after_first, first) = &changes[pair / changes.len()];
            let (after_second, second) = &changes[pair % changes.len()];
            let second_late = follow(first, second, Tie::First, &pool).unwrap();
            let first_late = follow(second, first, Tie::Second, &pool).unwrap();
            assert_eq!(
                after_first.apply(&second_late, &pool).unwrap(),
                after_second.apply(&first_late, &pool).unwrap(),
                "{first} and {second}"
            );
        }
    }
}

#[test]
fn any_two_changes_in_a_row_are_one() {
    let pool = pool();
    let mut changes_of: HashMap<Text, Vec<Changeset>> = HashMap::new();
    for before in documents() {
        for (number, first) in changes(&before.text()).into_iter().enumerate() {
            let between = before.apply(&first, &pool).unwrap();
            if between.len() > 3 {
                continue;
            }
            let text = between.text();
            let seconds = changes_of
                .entry(text.clone())
                .or_insert_with(|| changes(&text));
            let stride = STRIDES[before.len().max(between.len())];
            for second in sample(number, seconds.len(), stride) {
                let second = &seconds[second];
                let both = compose(&first, second, &pool).unwrap();
                assert_eq!(
                    before.apply(&both, &pool).unwrap(),
                    between.apply(second, &pool).unwrap(),
                    "{first} then {second}"
                );
            }
        }
    }
}
