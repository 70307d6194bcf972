//! The shape of the tree: after every edit, all that its modules promise is true.
//!
//! Under test a node holds only a few units, runs and children, so that short documents already
//! have trees of many levels.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof};
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};

use super::leaf::{Leaf, MAX_RUNS, MAX_UNITS};
use super::tree::{Child, Edit, GOOD_CHILDREN, MAX_CHILDREN, Node, Summary, Tree};
use crate::op::Attribs;
use crate::text::{NEWLINE, count_newlines};

/// An edit of any tree: the range is cut to its length.
#[derive(Clone, Debug)]
struct Change {
    at: usize,
    chars: usize,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Insert(Vec<u16>, u32),
    Delete,
    Restyle(u32),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let units = |most| vec(prop_oneof![Just(NEWLINE), 97..100_u16], 0..most);
    let insert =
        |most| (units(most), 0..3_u32).prop_map(|(units, style)| What::Insert(units, style));
    let what = prop_oneof![
        4 => insert(4),
        1 => insert(200),
        4 => Just(What::Delete),
        3 => (0..3_u32).prop_map(What::Restyle),
    ];
    let chars = prop_oneof![4 => 0..8_usize, 1 => 0..300_usize];
    let change = (0..500_usize, chars, what);
    vec(
        change.prop_map(|(at, chars, what)| Change { at, chars, what }),
        1..60,
    )
}

type Model = Vec<(u16, Attribs)>;

fn edit(tree: &mut Tree, model: &mut Model, change: &Change) -> TestCaseResult {
    let at = change.at.min(model.len());
    let range = at..(at + change.chars).min(model.len());
    match &change.what {
        What::Insert(units, style) => {
            let attribs = Attribs::from_iter([*style]);
            let edit = Edit::Insert {
                units,
                attribs: &attribs,
            };
            tree.edit(at..at, &edit)?;
            model.splice(at..at, units.iter().map(|&unit| (unit, attribs.clone())));
        }
        What::Delete => {
            tree.edit(range.clone(), &Edit::Delete)?;
            model.drain(range);
        }
        What::Restyle(style) => {
            let attribs = Attribs::from_iter([*style]);
            tree.edit(range.clone(), &Edit::Restyle(&|_| Ok(attribs.clone())))?;
            model[range]
                .iter_mut()
                .for_each(|unit| unit.1 = attribs.clone());
        }
    }
    Ok(())
}

fn contents(tree: &Tree) -> Model {
    let mut units = Vec::new();
    for piece in super::Pieces::new(tree, 0..tree.summary().units) {
        units.extend(
            piece
                .units
                .iter()
                .map(|&unit| (unit, piece.attribs.clone())),
        );
    }
    units
}

/// Checks a subtree below the root and returns its height.
fn check_node(child: &Child) -> Result<usize, TestCaseError> {
    match &*child.node {
        Node::Leaf(leaf) => {
            prop_assert!(!leaf.units.is_empty(), "an empty leaf");
            check_leaf(leaf, child.summary)?;
            Ok(0)
        }
        Node::Inner(children) => {
            prop_assert!((1..=MAX_CHILDREN).contains(&children.len()));
            let mut sum = Summary::default();
            let mut heights = Vec::new();
            for child in children {
                sum.units += child.summary.units;
                sum.newlines += child.summary.newlines;
                heights.push(check_node(child)?);
            }
            prop_assert_eq!(sum, child.summary);
            for pair in children.windows(2) {
                prop_assert!(
                    !fit_together(&pair[0], &pair[1]),
                    "two nodes that should be one"
                );
            }
            prop_assert!(
                heights.iter().all(|height| *height == heights[0]),
                "{:?}",
                heights
            );
            Ok(heights[0] + 1)
        }
    }
}

fn fit_together(left: &Child, right: &Child) -> bool {
    match (&*left.node, &*right.node) {
        (Node::Leaf(a), Node::Leaf(b)) => a.fits_with(b),
        (Node::Inner(a), Node::Inner(b)) => a.len() + b.len() <= GOOD_CHILDREN,
        _ => true,
    }
}

fn check_leaf(leaf: &Leaf, summary: Summary) -> TestCaseResult {
    prop_assert!(leaf.units.len() <= MAX_UNITS && leaf.runs.len() <= MAX_RUNS);
    prop_assert_eq!(summary.units, leaf.units.len());
    prop_assert_eq!(summary.newlines, count_newlines(&leaf.units));
    prop_assert_eq!(
        leaf.runs.iter().map(|run| run.chars).sum::<usize>(),
        leaf.units.len()
    );
    prop_assert!(leaf.runs.iter().all(|run| run.chars > 0), "an empty run");
    let merged = leaf
        .runs
        .windows(2)
        .all(|pair| pair[0].attribs != pair[1].attribs);
    prop_assert!(merged, "two runs that should be one");
    Ok(())
}

fn check_tree(tree: &Tree) -> TestCaseResult {
    match &*tree.root().node {
        Node::Leaf(leaf) => check_leaf(leaf, tree.summary()),
        Node::Inner(children) => {
            prop_assert!(children.len() > 1, "a root for a single node");
            check_node(tree.root())?;
            Ok(())
        }
    }
}

#[test]
fn every_edit_leaves_a_proper_tree_and_the_old_one_alone() {
    let soak = std::env::var("PADSVC_SOAK").map_or(1, |factor| factor.parse().unwrap());
    let config = Config {
        cases: 10_000 * soak,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&changes(), |changes| {
        let mut tree = Tree::from_leaf(Leaf::default());
        let mut model = Model::new();
        for change in &changes {
            let (old_tree, old_model) = (tree.clone(), model.clone());
            edit(&mut tree, &mut model, change)?;
            prop_assert!(contents(&tree) == model, "{change:?} made another text");
            prop_assert!(
                contents(&old_tree) == old_model,
                "{change:?} reached the old tree"
            );
            check_tree(&tree)?;
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
