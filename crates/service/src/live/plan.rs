//! One batch of changes, planned on a head before anything is stored.

use pad::limits::check_growth;
use pad::{Rejection, Rev, Revision, Step, Submission, Timestamp, accept};
use tokio::sync::oneshot;

use crate::error::Error;
use crate::live::command::{Acceptance, Change, SubmitError};
use crate::live::published::Published;
use crate::live::{MemberId, Seat};

/// The revisions that a batch makes, and what each change will be answered.
pub(super) struct Plan {
    /// Everything the batch adds, and the head after it.
    pub step: Step,
    origins: Vec<Option<MemberId>>,
    outcomes: Vec<Outcome>,
}

enum Outcome {
    Edited(Result<(), Error>),
    Submitted(Result<Acceptance, SubmitError>),
}

/// What planning needs to know besides the head.
pub(super) struct Rules<'a> {
    pub published: &'a Published,
    /// Revisions older than what is remembered, if a change in the batch was made on one.
    pub older: &'a [Revision],
    pub max_text: usize,
    pub now: Timestamp,
}

impl Plan {
    pub(super) fn of(changes: &[Change], rules: &Rules<'_>) -> Plan {
        let head = rules.published.head.clone();
        let mut plan = Plan {
            step: Step {
                revisions: Vec::new(),
                head,
            },
            origins: Vec::new(),
            outcomes: Vec::with_capacity(changes.len()),
        };
        for change in changes {
            let outcome = plan.add(change, rules);
            plan.outcomes.push(outcome);
        }
        plan
    }

    fn add(&mut self, change: &Change, rules: &Rules<'_>) -> Outcome {
        match change {
            Change::Edit { edit, author, .. } => {
                let prepared = edit.prepare(&self.step.head, author);
                let grows = prepared.change.new_len > prepared.change.old_len;
                if grows && prepared.change.new_len > rules.max_text {
                    return Outcome::Edited(Err(Error::TextTooLong));
                }
                let head = &self.step.head;
                if let Err(exceeded) = check_growth(&head.pool, &prepared.pool) {
                    return Outcome::Edited(Err(exceeded.into()));
                }
                let author = Some(author.clone());
                match head.advance(prepared.change, prepared.pool, author, rules.now) {
                    Ok(step) => {
                        self.extend(step, None);
                        Outcome::Edited(Ok(()))
                    }
                    Err(error) => Outcome::Edited(Err(error.into())),
                }
            }
            Change::Submit {
                submission, from, ..
            } => Outcome::Submitted(self.submit(submission, from, rules)),
        }
    }

    fn submit(
        &mut self,
        submission: &Submission,
        from: &Seat,
        rules: &Rules<'_>,
    ) -> Result<Acceptance, SubmitError> {
        if from.is_taken() {
            return Err(SubmitError::Unavailable);
        }
        let since = self
            .since(first_unknown(submission), rules)
            .ok_or(Rejection::UnknownBase);
        let step = since.and_then(|since| {
            accept(
                &self.step.head,
                &since,
                submission,
                rules.max_text,
                rules.now,
            )
        });
        let step = step.map_err(SubmitError::Rejected)?;
        let had_effect = !step.revisions.is_empty();
        let rev = if had_effect {
            self.step.head.next_rev()
        } else {
            self.step.head.rev.unwrap_or_default()
        };
        self.extend(Some(step), Some(from.member));
        Ok(Acceptance { rev, had_effect })
    }

    /// The revisions from a number on: older ones, remembered ones, and those of this batch.
    fn since(&self, first: Rev, rules: &Rules<'_>) -> Option<Vec<Revision>> {
        let batch_starts = rules.published.head.next_rev();
        if first >= batch_starts {
            let skipped = usize::try_from(first.since(batch_starts)?).ok()?;
            return self.step.revisions.get(skipped..).map(<[Revision]>::to_vec);
        }
        let mut since = match rules.published.since(first) {
            Some(recent) => recent.map(|recent| recent.revision.clone()).collect(),
            None => {
                let missing = usize::try_from(batch_starts.since(first)?).ok()?;
                let skipped = rules.older.len().checked_sub(missing)?;
                rules.older.get(skipped..)?.to_vec()
            }
        };
        since.extend(self.step.revisions.iter().cloned());
        Some(since)
    }

    /// Only the first revision of a member's change is its own; a repair behind it is news to
    /// everybody.
    fn extend(&mut self, step: Option<Step>, origin: Option<MemberId>) {
        let Some(step) = step else { return };
        for number in 0..step.revisions.len() {
            self.origins.push(origin.filter(|_| number == 0));
        }
        self.step.revisions.extend(step.revisions);
        self.step.head = step.head;
    }

    /// What readers see once the plan is stored.
    pub(super) fn publish(&self, before: &Published) -> Published {
        let revisions = self
            .step
            .revisions
            .iter()
            .cloned()
            .zip(self.origins.iter().copied());
        before.extended(revisions, self.step.head.clone())
    }

    pub(super) fn answer(self, changes: Vec<Change>) {
        for (change, outcome) in changes.into_iter().zip(self.outcomes) {
            // Nobody may be waiting any more; what is stored is stored.
            match (change, outcome) {
                (Change::Edit { reply, .. }, Outcome::Edited(outcome)) => send(reply, outcome),
                (Change::Submit { reply, .. }, Outcome::Submitted(outcome)) => {
                    send(reply, outcome);
                }
                _ => {}
            }
        }
    }
}

/// The first revision that a submission does not know.
pub(super) fn first_unknown(submission: &Submission) -> Rev {
    submission.base.map_or(Rev::FIRST, Rev::next)
}

/// The oldest revision that planning needs and that is not remembered.
pub(super) fn oldest_needed(changes: &[Change], published: &Published) -> Option<Rev> {
    let needed = changes.iter().filter_map(|change| match change {
        Change::Submit { submission, .. } => Some(first_unknown(submission)),
        Change::Edit { .. } => None,
    });
    needed
        .filter(|first| published.since(*first).is_none())
        .min()
}

/// Answers that nothing was stored.
pub(super) fn fail(changes: Vec<Change>, error: &Error) {
    let refusal = match error {
        Error::NotStored => SubmitError::NotStored,
        _ => SubmitError::Unavailable,
    };
    for change in changes {
        match change {
            Change::Edit { reply, .. } => send(reply, Err(error.clone())),
            Change::Submit { reply, .. } => send(reply, Err(refusal.clone())),
        }
    }
}

fn send<T>(reply: oneshot::Sender<T>, outcome: T) {
    let _ = reply.send(outcome);
}
