//! Periods of writing: revisions that followed one another without a long pause, as a list of a
//! pad's history shows them.

use crate::ids::AuthorId;
use crate::revision::{Rev, Revision, Timestamp};

/// A pause after which writing is another period.
const PAUSE_MILLIS: i64 = 10 * 60 * 1_000;

/// How many periods an answer has at most.
const MOST: usize = 100;

/// How many authors of a period are named.
const NAMED: usize = 12;

/// Who made a revision, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    pub author: Option<AuthorId>,
    pub time: Timestamp,
}

impl From<Revision> for Credit {
    fn from(Revision { author, time, .. }: Revision) -> Credit {
        Credit { author, time }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    pub first: Rev,
    pub last: Rev,
    pub began: Timestamp,
    pub ended: Timestamp,
    /// Those who made most of it come first.
    pub authors: Vec<AuthorId>,
    /// How many more there are.
    pub others: usize,
}

/// The periods of a stretch of the history, newest first, and the revision before which the next
/// stretch ends, if there is more. A period that goes on before the stretch is left for the next,
/// unless there is no other.
pub fn periods(first: Rev, credits: &[Credit]) -> (Vec<Period>, Option<Rev>) {
    let mut found = Vec::new();
    let mut rest = credits;
    while !rest.is_empty() && found.len() < MOST {
        let (before, written) = rest.split_at(start_of_last(rest));
        if before.is_empty() && first > Rev::FIRST && !found.is_empty() {
            break;
        }
        found.extend(period(first.plus(before.len() as u64), written));
        rest = before;
    }
    let next = first.plus(rest.len() as u64);
    (found, (next > Rev::FIRST).then_some(next))
}

/// Where the last period begins. Clocks go backwards too, and that is no pause.
fn start_of_last(credits: &[Credit]) -> usize {
    let pause = |pair: &[Credit]| match pair {
        [a, b] => b.time.millis().saturating_sub(a.time.millis()) > PAUSE_MILLIS,
        _ => false,
    };
    let last = credits.windows(2).rposition(pause);
    last.map_or(0, |before| before + 1)
}

fn period(first: Rev, credits: &[Credit]) -> Option<Period> {
    let (oldest, newest) = (credits.first()?, credits.last()?);
    let mut counts: Vec<(&AuthorId, usize)> = Vec::new();
    let mut at = std::collections::HashMap::new();
    for author in credits.iter().filter_map(|credit| credit.author.as_ref()) {
        let index = *at.entry(author).or_insert(counts.len());
        match counts.get_mut(index) {
            Some((_, count)) => *count += 1,
            None => counts.push((author, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Some(Period {
        first,
        last: first.plus(credits.len() as u64 - 1),
        began: oldest.time,
        ended: newest.time,
        others: counts.len().saturating_sub(NAMED),
        authors: counts
            .into_iter()
            .take(NAMED)
            .map(|(author, _)| author.clone())
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn credits(made: &[(u128, i64)]) -> Vec<Credit> {
        let credit = |&(author, minute): &(u128, i64)| Credit {
            author: (author > 0).then(|| AuthorId::random(author)),
            time: Timestamp(minute * MINUTE),
        };
        made.iter().map(credit).collect()
    }

    fn spans(found: &[Period]) -> Vec<(u64, u64)> {
        found.iter().map(|it| (it.first.0, it.last.0)).collect()
    }

    #[test]
    fn pauses_part_periods() {
        type Case<'a> = (&'a [i64], &'a [(u64, u64)]);
        let cases: &[Case<'_>] = &[
            (&[], &[]),
            (&[5], &[(0, 0)]),
            (&[0, 10, 20], &[(0, 2)]),
            (&[0, 11, 12, 40], &[(3, 3), (1, 2), (0, 0)]),
            // A clock that was set back.
            (&[100, 3, 4], &[(0, 2)]),
        ];
        for (minutes, expected) in cases {
            let made: Vec<_> = minutes.iter().map(|minute| (1, *minute)).collect();
            let (found, next) = periods(Rev::FIRST, &credits(&made));
            assert_eq!(spans(&found), *expected, "{minutes:?}");
            assert_eq!(next, None);
        }
    }

    #[test]
    fn what_goes_on_before_the_stretch_is_left_for_the_next() {
        let made = credits(&[(1, 0), (1, 1), (1, 60), (1, 61)]);
        let (found, next) = periods(Rev(50), &made);
        assert_eq!(spans(&found), [(52, 53)]);
        assert_eq!(next, Some(Rev(52)));
        // Unless that is all there is.
        let (found, next) = periods(Rev(50), &made[..2]);
        assert_eq!(spans(&found), [(50, 51)]);
        assert_eq!(next, Some(Rev(50)));
    }

    #[test]
    fn authors_come_by_what_they_made_and_are_counted() {
        let made = credits(&[(1, 0), (2, 1), (0, 2), (2, 3)]);
        let (found, _) = periods(Rev::FIRST, &made);
        let by_share = [AuthorId::random(2), AuthorId::random(1)];
        assert_eq!(found[0].authors, by_share);
        assert_eq!(
            (found[0].began.millis(), found[0].ended.millis()),
            (0, 3 * MINUTE)
        );
        let many: Vec<_> = (1..=20).map(|author| (author, 0)).collect();
        let (found, _) = periods(Rev::FIRST, &credits(&many));
        assert_eq!((found[0].authors.len(), found[0].others), (NAMED, 8));
    }

    #[test]
    fn an_answer_is_bounded() {
        let made: Vec<_> = (0..150).map(|minute| (1, minute * 20)).collect();
        let (found, next) = periods(Rev::FIRST, &credits(&made));
        assert_eq!(found.len(), MOST);
        assert_eq!(next, Some(Rev(50)));
    }
}
