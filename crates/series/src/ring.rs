//! The last day in memory, at ten-second steps.
//!
//! Invariant: steps go up, and there are never more than [`RING_STEPS`].

use std::collections::VecDeque;

use crate::step::Step;
use crate::totals::Totals;
use crate::{RING_STEPS, STEP_MILLIS};

#[derive(Debug)]
pub struct Ring {
    steps: VecDeque<Step>,
}

impl Default for Ring {
    /// Takes all of its memory at once, so that it never has to grow.
    fn default() -> Ring {
        Ring {
            steps: VecDeque::with_capacity(RING_STEPS),
        }
    }
}

impl Ring {
    /// A step that is not later than the last one, because the clock was set back, begins again.
    pub fn push(&mut self, step: Step) {
        if self
            .steps
            .back()
            .is_some_and(|last| last.number > step.number)
        {
            self.steps.clear();
        }
        let oldest = step.number.saturating_sub(RING_STEPS as i64 - 1);
        while self.steps.len() >= RING_STEPS
            || self
                .steps
                .front()
                .is_some_and(|first| first.number < oldest)
        {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }

    /// Everything, with the time at which each begins, the oldest first.
    pub fn totals(&self) -> impl Iterator<Item = (i64, Totals)> {
        self.steps
            .iter()
            .map(|step| (step.number.saturating_mul(STEP_MILLIS), Totals::of(step)))
    }

    /// The last so many steps together.
    pub fn last(&self, steps: usize) -> Totals {
        let skipped = self.steps.len().saturating_sub(steps);
        let mut totals = Totals::default();
        for step in self.steps.iter().skip(skipped) {
            totals.join(&Totals::of(step));
        }
        totals
    }

    pub fn bytes(&self) -> usize {
        self.steps.capacity().saturating_mul(size_of::<Step>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::{Counters, Gauges, Sampler};

    fn step(number: i64) -> Step {
        let gauges = Gauges {
            people: number as u64,
            ..Gauges::default()
        };
        Sampler::default().step(number * STEP_MILLIS, gauges, Counters::default())
    }

    fn numbers(ring: &Ring) -> Vec<i64> {
        ring.totals().map(|(time, _)| time / STEP_MILLIS).collect()
    }

    #[test]
    fn a_day_is_kept_in_two_megabytes() {
        let mut ring = Ring::default();
        let before = ring.bytes();
        let day = RING_STEPS as i64;
        for number in 0..3 * day {
            ring.push(step(number));
        }
        assert_eq!(numbers(&ring), (2 * day..3 * day).collect::<Vec<_>>());
        assert_eq!(ring.bytes(), before, "it does not grow");
        assert!(ring.bytes() < 2_500_000, "{} bytes", ring.bytes());
    }

    #[test]
    fn what_is_older_than_a_day_goes_also_after_a_gap() {
        let mut ring = Ring::default();
        for number in [1, 2, 3, RING_STEPS as i64 + 1] {
            ring.push(step(number));
        }
        assert_eq!(numbers(&ring), [2, 3, RING_STEPS as i64 + 1]);
    }

    #[test]
    fn a_clock_that_is_set_back_begins_again() {
        let mut ring = Ring::default();
        for number in [100, 101, 5, 6] {
            ring.push(step(number));
        }
        assert_eq!(numbers(&ring), [5, 6]);
        assert_eq!(ring.last(1).people, 6);
        assert_eq!(ring.last(9).people, 11);
    }
}
