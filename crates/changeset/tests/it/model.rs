//! Documents against the simplest model of one: a list of units, each with its attributes.
//!
//! The edits are large enough that leaves split, join and vanish on several levels.

use std::collections::BTreeMap;

use changeset::{Attribs, Changeset, Document, OpKind, Pool, Text};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseResult;

use crate::generate::{Step, attribs, change, check_some, document_of, pool, steps, units};

/// By the units of its key, the value of each attribute: the map is in canonical order.
type Styles = BTreeMap<Vec<u16>, String>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model(Vec<(u16, Styles)>);

impl Model {
    pub(crate) fn of(document: &Document, pool: &Pool) -> Model {
        let mut units = Vec::new();
        for piece in document.pieces(0..document.len()) {
            let styles = styles(piece.attribs, pool);
            units.extend(piece.units.iter().map(|&unit| (unit, styles.clone())));
        }
        Model(units)
    }

    pub(crate) fn apply(&mut self, change: &Changeset, pool: &Pool) {
        let mut bank = change.bank.iter();
        let mut at = 0;
        for op in &change.ops {
            let set = styles(&op.attribs, pool);
            match op.kind {
                OpKind::Keep => {
                    for (_, styles) in &mut self.0[at..at + op.chars] {
                        styles.extend(set.clone());
                        styles.retain(|_, value| !value.is_empty());
                    }
                    at += op.chars;
                }
                OpKind::Insert => {
                    let inserted = bank
                        .by_ref()
                        .take(op.chars)
                        .map(|&unit| (unit, set.clone()));
                    self.0.splice(at..at, inserted);
                    at += op.chars;
                }
                OpKind::Delete => {
                    self.0.drain(at..at + op.chars);
                }
            }
        }
    }

    fn text(&self) -> Text {
        self.0.iter().map(|(unit, _)| *unit).collect()
    }

    /// How many newlines lie before a position, and where its line starts.
    fn line_at(&self, at: usize) -> (usize, usize) {
        let newline = |(_, (unit, _)): &(usize, &(u16, Styles))| *unit == u16::from(b'\n');
        let newlines = self.0.iter().take(at).enumerate().filter(newline);
        let ends: Vec<usize> = newlines.map(|(at, _)| at + 1).collect();
        (ends.len(), ends.last().copied().unwrap_or(0))
    }
}

fn styles(attribs: &Attribs, pool: &Pool) -> Styles {
    let attributes = attribs.iter().map(|number| pool.get(number).unwrap());
    attributes
        .map(|attribute| {
            (
                attribute.key.encode_utf16().collect(),
                attribute.value.clone(),
            )
        })
        .collect()
}

/// Everything that can be read around two positions is what the model has there.
fn reads_agree(document: &Document, model: &Model, ends: [u16; 2], pool: &Pool) -> TestCaseResult {
    prop_assert_eq!(document.len(), model.0.len());
    let mut ends = ends.map(|at| usize::from(at) % (document.len() + 2));
    ends.sort_unstable();
    for at in ends {
        let expected = model.0.get(at);
        prop_assert_eq!(document.unit_at(at), expected.map(|(unit, _)| *unit));
        let attribs = document.attribs_at(at).map(|attribs| styles(attribs, pool));
        prop_assert_eq!(attribs.as_ref(), expected.map(|(_, styles)| styles));
        prop_assert_eq!(document.line_at(at), model.line_at(at));
        prop_assert_eq!(
            document.line_start(document.line_at(at).0),
            model.line_at(at).1
        );
    }
    let text = model.text();
    let range = ends[0].min(text.len())..ends[1].min(text.len());
    prop_assert_eq!(
        document.slice(ends[0]..ends[1]),
        Text::from(&text[range.clone()])
    );
    let pieces: Vec<_> = document.pieces(ends[0]..ends[1]).collect();
    prop_assert!(pieces.iter().all(|piece| !piece.units.is_empty()));
    prop_assert_eq!(
        pieces.iter().map(|piece| piece.units.len()).sum::<usize>(),
        range.len()
    );
    prop_assert_eq!(document.newlines(), model.line_at(text.len()).0);
    Ok(())
}

/// Steps of thousands of units, and a keep in front that brings them anywhere in the document.
fn large_steps() -> impl Strategy<Value = Vec<Step>> {
    let large = |step| match step {
        Step::Keep(chars, attribs) => Step::Keep(chars * 150, attribs),
        Step::Delete(chars) => Step::Delete(chars * 300),
        Step::Insert(units, attribs) => Step::Insert(units.repeat(500), attribs),
    };
    let steps = (any::<bool>(), steps()).prop_map(move |(enlarge, steps)| {
        if enlarge {
            steps.into_iter().map(large).collect()
        } else {
            steps
        }
    });
    (0..20_000_usize, steps).prop_map(|(start, mut steps)| {
        steps.insert(0, Step::Keep(start, Attribs::none()));
        steps
    })
}

#[test]
fn editing_a_document_is_editing_a_list_of_units() {
    let runs = vec((units(12), attribs(true)), 0..400);
    let edits = vec((large_steps(), any::<[u16; 2]>()), 1..20);
    check_some(200, (runs, edits), |(runs, edits)| {
        let pool = pool();
        let mut document = document_of(&runs);
        let mut model = Model::of(&document, &pool);
        for (steps, ends) in edits {
            let change = change(&document, &steps);
            let (old, old_model) = (document.clone(), model.clone());
            document = document.apply(&change, &pool)?;
            model.apply(&change, &pool);
            prop_assert!(
                Model::of(&document, &pool) == model,
                "differs after {change}"
            );
            prop_assert!(
                Model::of(&old, &pool) == old_model,
                "the old one changed by {change}"
            );
            reads_agree(&document, &model, ends, &pool)?;
        }
        Ok(())
    });
}
