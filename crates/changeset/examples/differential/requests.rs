//! Random requests: each operation on random documents and changes, every fifth of them broken.

use changeset::{Changeset, Document, Text};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

use crate::generate::{Step, attributes, change, document, pool, steps, units};
use crate::json::{atext, pool_to_json};

pub(crate) fn requests() -> impl Strategy<Value = Value> {
    prop_oneof![
        one_change(),
        one_change(),
        two_changes(),
        two_changes(),
        splices(),
        moves(),
        ranges(),
        document().prop_map(|d| json!({ "op": "lines", "atext": atext(&whole(&d)) })),
    ]
}

fn one_change() -> impl Strategy<Value = Value> {
    let op = select(vec!["check", "apply", "applyAText", "inverse"]);
    (op, document(), steps(), damage()).prop_map(|(op, document, steps, damage)| {
        let document = whole(&document);
        let cs = damaged(&change(&document, &whole_steps(steps)), &damage);
        let pool = pool_to_json(&pool());
        match op {
            "check" => json!({ "op": op, "cs": cs }),
            "apply" => json!({ "op": op, "text": document.text().to_string(), "cs": cs }),
            _ => json!({ "op": op, "atext": atext(&document), "cs": cs, "pool": pool }),
        }
    })
}

fn two_changes() -> impl Strategy<Value = Value> {
    let op = select(vec!["compose", "follow"]);
    let changes = (document(), steps(), steps());
    (op, changes, [damage(), damage()], any::<bool>()).prop_map(
        |(op, (before, first, second), damage, reverse)| {
            let before = whole(&before);
            let first = change(&before, &whole_steps(first));
            let base = match op {
                "compose" => before.apply(&first, &pool()).unwrap(),
                _ => before,
            };
            let second = change(&base, &whole_steps(second));
            let cs1 = damaged(&first, &damage[0]);
            let cs2 = damaged(&second, &damage[1]);
            let pool = pool_to_json(&pool());
            match op {
                "compose" => json!({ "op": op, "cs1": cs1, "cs2": cs2, "pool": pool }),
                _ => json!({ "op": op, "cs1": cs1, "cs2": cs2, "reverse": reverse, "pool": pool }),
            }
        },
    )
}

fn splices() -> impl Strategy<Value = Value> {
    let place = (0..60_usize, 0..60_usize);
    let attributes = subsequence(attributes(), 0..6).prop_shuffle();
    (document(), place, units(6), attributes).prop_map(|(document, place, ins, attributes)| {
        let pairs = attributes.iter().map(|a| json!([a.key, a.value]));
        json!({
            "op": "splice",
            "text": document.text().to_string(),
            "start": place.0,
            "ndel": place.1,
            "ins": Text::from(ins).to_string(),
            "attribs": pairs.collect::<Value>(),
            "pool": { "numToAttrib": {}, "nextNum": 0 },
        })
    })
}

/// Some of the pools moved from have holes.
fn moves() -> impl Strategy<Value = Value> {
    let from = subsequence(
        (0..attributes().len()).collect::<Vec<_>>(),
        8..=attributes().len(),
    );
    let to = subsequence(attributes(), 0..8).prop_shuffle();
    let what = (document(), steps(), damage());
    (what, from, to, any::<bool>()).prop_map(|((before, steps, damage), from, to, whole_change)| {
        let before = whole(&before);
        let cs = if whole_change {
            damaged(&change(&before, &whole_steps(steps)), &damage)
        } else {
            before.attribs()
        };
        let mut holed = pool_to_json(&pool());
        let entries = holed["numToAttrib"].as_object_mut().unwrap();
        entries.retain(|number, _| from.contains(&number.parse().unwrap()));
        let to = changeset::Pool::from_entries((0..).zip(to), 0);
        json!({ "op": "movePool", "cs": cs, "fromPool": holed, "toPool": pool_to_json(&to) })
    })
}

fn ranges() -> impl Strategy<Value = Value> {
    let ends = any::<[Index; 2]>();
    (document(), steps(), ends, any::<bool>()).prop_map(|(document, steps, ends, after)| {
        let document = whole(&document);
        let mut ends = ends.map(|end| end.index(document.len() + 1));
        ends.sort_unstable();
        let cs = change(&document, &whole_steps(steps)).to_string();
        json!({ "op": "range", "cs": cs, "start": ends[0], "end": ends[1], "insertsAfter": after })
    })
}

/// The document with every lone surrogate replaced: JSON as a Rust string cannot carry them.
fn whole(document: &Document) -> Document {
    let text = Text::from(document.text().to_string().as_str());
    Document::from_atext(&text, &document.attribution()).unwrap()
}

fn whole_steps(steps: Vec<Step>) -> Vec<Step> {
    let whole = |units: Vec<u16>| Text::from(Text::from(units).to_string().as_str()).into_units();
    let whole_step = |step| match step {
        Step::Insert(units, attribs) => Step::Insert(whole(units), attribs),
        other => other,
    };
    steps.into_iter().map(whole_step).collect()
}

/// What is wrong with a notation.
#[derive(Clone, Debug)]
enum Damage {
    /// One of its numbers is another.
    Digit(Index, char),
    /// A character is replaced, removed or added.
    Character {
        at: Index,
        removed: usize,
        added: Option<char>,
    },
}

fn damage() -> impl Strategy<Value = Option<Damage>> {
    let choose = |characters: &str| select(characters.chars().collect::<Vec<_>>());
    let digit = (any::<Index>(), choose("012345")).prop_map(|(at, to)| Damage::Digit(at, to));
    let added = prop_oneof![
        1 => Just(None),
        3 => choose("Z:<>|=+-*$0123789abz\n\u{2028}").prop_map(Some),
    ];
    let character = (any::<Index>(), 0..2_usize, added);
    let character =
        character.prop_map(|(at, removed, added)| Damage::Character { at, removed, added });
    prop_oneof![
        8 => Just(None),
        1 => digit.prop_map(Some),
        1 => character.prop_map(Some),
    ]
}

fn damaged(change: &Changeset, damage: &Option<Damage>) -> String {
    let mut characters: Vec<char> = change.to_string().chars().collect();
    match damage {
        None => {}
        Some(Damage::Digit(at, to)) => {
            let end = characters.iter().position(|&character| character == '$');
            let digits = (0..end.unwrap_or(0)).filter(|&at| characters[at].is_ascii_digit());
            let digits: Vec<usize> = digits.collect();
            if !digits.is_empty() {
                characters[*at.get(&digits)] = *to;
            }
        }
        Some(Damage::Character { at, removed, added }) => {
            let at = at.index(characters.len());
            characters.splice(at..at + removed, *added);
        }
    }
    characters.into_iter().collect()
}
