//! A short stretch of a document: units and the attribute runs over them.
//!
//! The runs cover the units exactly, none is empty, and no two neighbours are alike.

use std::mem;
use std::ops::Range;

use super::tree::{Edit, Summary};
use crate::error::Error;
use crate::op::Attribs;
use crate::text::count_newlines;

/// A leaf with more than this is split. Small enough that moving its units costs less than walking
/// to it, large enough that a text of 1 MB has a tree of three levels.
/// Tests make do with less, to see more of it.
pub(super) const MAX_UNITS: usize = if cfg!(test) { 8 } else { 1024 };
pub(super) const MAX_RUNS: usize = if cfg!(test) { 4 } else { 32 };
/// What a new leaf holds at most, so that some edits fit in before it is split.
const GOOD_UNITS: usize = MAX_UNITS * 3 / 4;
const GOOD_RUNS: usize = MAX_RUNS * 3 / 4;

#[derive(Clone, Debug)]
pub(super) struct Run {
    pub chars: usize,
    pub attribs: Attribs,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub units: Vec<u16>,
    pub runs: Vec<Run>,
}

impl Leaf {
    pub(super) fn summary(&self) -> Summary {
        Summary {
            units: self.units.len(),
            newlines: count_newlines(&self.units),
        }
    }

    pub(super) fn is_oversize(&self) -> bool {
        self.units.len() > MAX_UNITS || self.runs.len() > MAX_RUNS
    }

    /// Whether both together are still a good leaf, with room for some edits.
    pub(super) fn fits_with(&self, other: &Leaf) -> bool {
        self.units.len() + other.units.len() <= GOOD_UNITS
            && self.runs.len() + other.runs.len() <= GOOD_RUNS
    }

    /// Appends units with the same attributes.
    pub(super) fn push(&mut self, units: &[u16], attribs: &Attribs) {
        if units.is_empty() {
            return;
        }
        self.units.extend_from_slice(units);
        match self.runs.last_mut() {
            Some(last) if last.attribs == *attribs => last.chars += units.len(),
            _ => self.runs.push(Run {
                chars: units.len(),
                attribs: attribs.clone(),
            }),
        }
    }

    pub(super) fn append(&mut self, other: &Leaf) {
        let mut rest = other.units.as_slice();
        for run in &other.runs {
            let (units, after) = rest.split_at_checked(run.chars).unwrap_or((rest, &[]));
            self.push(units, &run.attribs);
            rest = after;
        }
    }

    pub(super) fn edit(&mut self, range: Range<usize>, edit: &Edit<'_>) -> Result<(), Error> {
        match edit {
            Edit::Insert { units, attribs } => self.insert(range.start, units, attribs),
            Edit::Delete => self.delete(range),
            Edit::Restyle(restyle) => self.restyle(range, restyle)?,
        }
        Ok(())
    }

    fn insert(&mut self, at: usize, units: &[u16], attribs: &Attribs) {
        self.units.splice(at..at, units.iter().copied());
        // Typing continues a run far more often than it starts one.
        let (index, offset) = self.run_ending_at_or_after(at);
        if let Some(run) = self.runs.get_mut(index)
            && run.attribs == *attribs
        {
            run.chars += units.len();
            return;
        }
        let at_border = self.runs.get(index).is_none_or(|run| offset == run.chars);
        if at_border
            && let Some(next) = self.runs.get_mut(index + 1)
            && next.attribs == *attribs
        {
            next.chars += units.len();
            return;
        }
        let index = self.split_run(at);
        self.runs.insert(
            index,
            Run {
                chars: units.len(),
                attribs: attribs.clone(),
            },
        );
    }

    fn delete(&mut self, range: Range<usize>) {
        let first = self.split_run(range.start);
        let last = self.split_run(range.end);
        self.runs.drain(first..last);
        self.units.drain(range);
        self.merge_runs(first, first);
    }

    fn restyle(
        &mut self,
        range: Range<usize>,
        restyle: &dyn Fn(&Attribs) -> Result<Attribs, Error>,
    ) -> Result<(), Error> {
        let first = self.split_run(range.start);
        let last = self.split_run(range.end);
        for run in self.runs.get_mut(first..last).unwrap_or_default() {
            run.attribs = restyle(&run.attribs)?;
        }
        self.merge_runs(first, last);
        Ok(())
    }

    /// The run that a position lies in or ends, and how far into it.
    fn run_ending_at_or_after(&self, at: usize) -> (usize, usize) {
        let mut start = 0;
        for (index, run) in self.runs.iter().enumerate() {
            if at <= start + run.chars {
                return (index, at - start);
            }
            start += run.chars;
        }
        (self.runs.len(), 0)
    }

    /// Makes a border between runs at a position and says which run starts there.
    fn split_run(&mut self, at: usize) -> usize {
        if at == 0 {
            return 0;
        }
        let (index, offset) = self.run_ending_at_or_after(at);
        let Some(run) = self.runs.get_mut(index) else {
            return self.runs.len();
        };
        if offset < run.chars {
            let rest = Run {
                chars: run.chars - offset,
                attribs: run.attribs.clone(),
            };
            run.chars = offset;
            self.runs.insert(index + 1, rest);
        }
        index + 1
    }

    /// Joins equal neighbours at the borders before the runs `first..=last`.
    fn merge_runs(&mut self, first: usize, last: usize) {
        for index in (first..=last).rev() {
            let Some(before) = index.checked_sub(1) else {
                continue;
            };
            if let (Some(left), Some(right)) = (self.runs.get(before), self.runs.get(index))
                && left.attribs == right.attribs
            {
                let chars = self.runs.remove(index).chars;
                if let Some(left) = self.runs.get_mut(before) {
                    left.chars += chars;
                }
            }
        }
    }

    /// Cuts an oversize leaf into good ones, of which no two neighbours fit together.
    pub(super) fn split(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut leaf = Leaf::default();
        let mut rest = self.units.as_slice();
        for run in &self.runs {
            let (mut units, after) = rest.split_at_checked(run.chars).unwrap_or((rest, &[]));
            rest = after;
            while !units.is_empty() {
                if leaf.units.len() == GOOD_UNITS || leaf.runs.len() == GOOD_RUNS {
                    leaves.push(mem::take(&mut leaf));
                }
                let room = GOOD_UNITS - leaf.units.len();
                let (head, tail) = units.split_at_checked(room).unwrap_or((units, &[]));
                leaf.push(head, &run.attribs);
                units = tail;
            }
        }
        leaves.push(leaf);
        leaves
    }
}
