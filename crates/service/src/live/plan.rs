//! One batch of changes, planned on a head before anything is stored.

use contract::Error;
use pad::limits::check_growth;
use pad::{Head, Rejection, Rev, Revision, Step, Submission, Timestamp, accept, accept_once};
use store::Missed;
use tokio::sync::oneshot;

use crate::live::command::{Acceptance, Reply, Request, SubmitError};
use crate::live::published::Published;
use crate::live::seats::KnownSeats;
use crate::live::{MemberId, Seat};

/// The revisions that a batch makes, and what each change will be answered.
pub(super) struct Plan {
    /// Everything the batch adds, and the head after it.
    pub step: Step,
    origins: Vec<Option<MemberId>>,
    makers: Vec<(Seat, Rev)>,
    outcomes: Vec<Outcome>,
}

enum Outcome {
    Edited(Result<(), Error>),
    Submitted(Result<Acceptance, SubmitError>),
}

impl AsRef<Step> for Plan {
    fn as_ref(&self) -> &Step {
        &self.step
    }
}

/// What planning needs to know.
struct Rules<'a> {
    /// The head to plan on.
    head: &'a Head,
    published: &'a Published,
    /// What another node has written since that was published, up to the head.
    missed: &'a [Revision],
    /// Revisions older than what is remembered, if a change in the batch was made on one.
    older: &'a [Revision],
    seats: &'a KnownSeats,
    max_text: usize,
    now: Timestamp,
}

impl Plan {
    fn of(requests: &[Request], rules: &Rules<'_>) -> Plan {
        let mut plan = Plan {
            step: Step {
                revisions: Vec::new(),
                head: rules.head.clone(),
            },
            origins: Vec::new(),
            makers: Vec::new(),
            outcomes: Vec::with_capacity(requests.len()),
        };
        for request in requests {
            let outcome = plan.add(request, rules);
            plan.outcomes.push(outcome);
        }
        plan
    }

    fn add(&mut self, request: &Request, rules: &Rules<'_>) -> Outcome {
        match request {
            Request::Edit { edit, author } => {
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
            Request::Submit { submission, from } => {
                Outcome::Submitted(self.submit(submission, from, rules))
            }
        }
    }

    fn submit(
        &mut self,
        submission: &Submission,
        from: &Seat,
        rules: &Rules<'_>,
    ) -> Result<Acceptance, SubmitError> {
        if rules.seats.is_taken(from) {
            return Err(SubmitError::Unavailable);
        }
        let since = self
            .since(first_unknown(submission), rules)
            .ok_or(Rejection::UnknownBase);
        let accept = match from.record() {
            Some(_) => accept_once,
            None => accept,
        };
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
            let rev = self.step.head.next_rev();
            self.makers.push((from.clone(), rev));
            rev
        } else {
            self.step.head.rev.unwrap_or_default()
        };
        self.extend(Some(step), Some(from.member));
        Ok(Acceptance { rev, had_effect })
    }

    /// The revisions from a number on: older ones, remembered ones, those that were missed, and
    /// those of this batch.
    fn since(&self, first: Rev, rules: &Rules<'_>) -> Option<Vec<Revision>> {
        let rest = |revisions: &[Revision], from: Rev| {
            let skipped = usize::try_from(first.since(from)?).ok()?;
            revisions.get(skipped..).map(<[Revision]>::to_vec)
        };
        let batch_starts = rules.head.next_rev();
        if first >= batch_starts {
            return rest(&self.step.revisions, batch_starts);
        }
        let published_ends = rules.published.head.next_rev();
        let mut since = if first >= published_ends {
            rest(rules.missed, published_ends)?
        } else {
            let mut since: Vec<Revision> = match rules.published.since(first) {
                Some(recent) => recent.map(|recent| recent.revision.clone()).collect(),
                None => {
                    let missing = usize::try_from(published_ends.since(first)?).ok()?;
                    let skipped = rules.older.len().checked_sub(missing)?;
                    rules.older.get(skipped..)?.to_vec()
                }
            };
            since.extend_from_slice(rules.missed);
            since
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
        // Here, because a member may have gone while its change was stored.
        for (seat, rev) in &self.makers {
            seat.has_made(*rev);
        }
        let revisions = self
            .step
            .revisions
            .iter()
            .cloned()
            .zip(self.origins.iter().copied());
        before.extended(revisions, self.step.head.clone())
    }

    /// Answers each change; gives what the batch has added.
    pub(super) fn answer(self, replies: Vec<Reply>) -> Step {
        for (reply, outcome) in replies.into_iter().zip(self.outcomes) {
            // Nobody may be waiting any more; what is stored is stored.
            match (reply, outcome) {
                (Reply::Edit(reply), Outcome::Edited(outcome)) => send(reply, outcome),
                (Reply::Submit(reply), Outcome::Submitted(outcome)) => send(reply, outcome),
                _ => {}
            }
        }
        self.step
    }
}

/// A batch with all that is needed to plan it, and to plan it again when another node was faster.
pub(super) struct Planning {
    pub requests: Vec<Request>,
    pub published: Published,
    pub older: Vec<Revision>,
    pub seats: KnownSeats,
    pub max_text: usize,
    pub now: Timestamp,
}

impl Planning {
    /// On what is published.
    pub(super) fn plan(&self) -> Plan {
        self.plan_on(&self.published.head, &[], &self.seats)
    }

    /// On the head after what was missed.
    pub(super) fn replan(&self, head: &Head, missed: &Missed) -> Plan {
        self.plan_on(head, &missed.revisions, &self.seats.after(missed))
    }

    fn plan_on(&self, head: &Head, missed: &[Revision], seats: &KnownSeats) -> Plan {
        let rules = Rules {
            head,
            published: &self.published,
            missed,
            older: &self.older,
            seats,
            max_text: self.max_text,
            now: self.now,
        };
        Plan::of(&self.requests, &rules)
    }
}

/// Whether a change was made on a revision that is not known here yet.
pub(super) fn is_behind(requests: &[Request], published: &Published) -> bool {
    requests.iter().any(|request| match request {
        Request::Submit { submission, .. } => submission.base > published.head.rev,
        Request::Edit { .. } => false,
    })
}

/// The first revision that a submission does not know.
pub(super) fn first_unknown(submission: &Submission) -> Rev {
    submission.base.map_or(Rev::FIRST, Rev::next)
}

/// The oldest revision that planning needs and that is not remembered.
pub(super) fn oldest_needed(requests: &[Request], published: &Published) -> Option<Rev> {
    let needed = requests.iter().filter_map(|request| match request {
        Request::Submit { submission, .. } => Some(first_unknown(submission)),
        Request::Edit { .. } => None,
    });
    needed
        .filter(|first| published.since(*first).is_none())
        .min()
}

/// Answers that nothing was stored.
pub(super) fn fail(replies: Vec<Reply>, error: &Error) {
    let refusal = match error {
        Error::NotStored => SubmitError::NotStored,
        _ => SubmitError::Unavailable,
    };
    for reply in replies {
        match reply {
            Reply::Edit(reply) => send(reply, Err(error.clone())),
            Reply::Submit(reply) => send(reply, Err(refusal.clone())),
        }
    }
}

fn send<T>(reply: oneshot::Sender<T>, outcome: T) {
    let _ = reply.send(outcome);
}
