//! One person with a browser, and the queues between it and the server.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use changeset::{Attribute, Document, OpKind, Pool, Text, splice};
use pad::{AuthorId, Replica, Rev, Submission, Update};
use service::{Batch, Feed, Joined, LiveRevision, Member};

use super::dice::Dice;

/// The server's half of a connection.
pub(super) struct Line {
    pub member: Member,
    pub feed: Feed,
    /// Attributes that batches have named to the client.
    named: BTreeSet<u32>,
}

impl Line {
    pub(super) fn new(member: Member, feed: Feed) -> Line {
        Line {
            member,
            feed,
            named: BTreeSet::new(),
        }
    }

    /// The revisions of a batch, of which the client must be able to make sense.
    pub(super) fn revisions(&mut self, batch: &Batch) -> Vec<Arc<LiveRevision>> {
        self.named.extend(&batch.announced);
        let mut rev = batch.from;
        for batched in &batch.revisions {
            rev = rev.next();
            assert_eq!(batched.live.rev, rev);
            let ops = batched.live.revision.change.ops.iter();
            let used = ops.flat_map(|op| op.attribs.iter()).chain(batched.author);
            for number in used {
                assert!(self.named.contains(&number), "{number} was not named");
            }
        }
        assert_eq!(batch.last(), rev);
        let own = batch.made_by(self.member.id()).count();
        let revisions = batch.revisions.iter().map(|it| Arc::clone(&it.live));
        let revisions: Vec<_> = revisions.collect();
        let is_own = |live: &&Arc<LiveRevision>| live.origin == Some(self.member.id());
        assert_eq!(revisions.iter().filter(is_own).count(), own);
        revisions
    }
}

/// What the server says, as the messages of the protocol do.
#[derive(Clone)]
pub(super) enum Told {
    Accepted {
        rev: Rev,
    },
    /// The change left every unit as it was, so there is no revision of it.
    HadNoEffect {
        rev: Rev,
    },
    Changed(Arc<LiveRevision>),
    /// A revision that was made while the editor was away. With a window the server says what it
    /// remembers of it, and whether that window has made the revision.
    Missed(Arc<LiveRevision>, Option<(u128, bool)>),
    /// Everything that was missed has been told.
    Caught,
}

/// What an editor writes, of whose author there are other windows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    Any,
    /// Often the same in the same place.
    SameAsOtherWindows,
    /// Nothing that another window writes.
    OwnWords,
}

pub(super) struct Editor {
    pub author: AuthorId,
    pub replica: Replica,
    /// What the user sees, changed only by its own edits and by what the replica says.
    pub screen: Document,
    /// `None`: offline.
    pub line: Option<Line>,
    pub to_server: VecDeque<Submission>,
    pub to_editor: VecDeque<Told>,
    /// Whether it came back and has not heard yet what it missed. Until then it sends nothing.
    pub is_catching_up: bool,
    /// How many units its changes insert, each change counted once however often it is sent.
    pub inserted: usize,
    /// How many of them are on their way.
    pub in_flight: usize,
    /// What the server's record of the window was called when the change on its way was sent.
    pub sent_on: Option<u128>,
    pub habit: Habit,
    /// Which page it is that its author has loaded.
    pub page: usize,
}

impl Editor {
    pub(super) fn new(joined: Joined) -> Editor {
        let head = joined.head;
        let author = joined.author.id;
        let pool = Pool::clone(&head.pool);
        let replica = Replica::new(author.clone(), head.rev, head.document.clone(), pool);
        let line = Line::new(joined.member, joined.feed);
        Editor {
            author,
            replica,
            screen: head.document,
            line: Some(line),
            to_server: VecDeque::new(),
            to_editor: VecDeque::new(),
            is_catching_up: false,
            inserted: 0,
            in_flight: 0,
            sent_on: None,
            habit: Habit::Any,
            page: 0,
        }
    }

    /// Whether nothing is left to say or to hear, as far as the editor knows.
    pub(super) fn is_settled(&self) -> bool {
        self.line.is_some()
            && self.replica.is_settled()
            && !self.is_catching_up
            && self.to_server.is_empty()
            && self.to_editor.is_empty()
    }

    /// Changes the text somewhere; gives the change for the script.
    pub(super) fn types(&mut self, dice: &mut Dice) -> String {
        if self.habit == Habit::SameAsOtherWindows && dice.is_one_in(2) {
            return self.edits(0, 0, "a", &[]);
        }
        let end = self.screen.len() - 1;
        let start = dice.roll(end + 1);
        let deleted = match dice.roll(3) {
            0 => dice.roll((end - start).min(6) + 1),
            _ => 0,
        };
        let words = ["a", "bc", "\n", "😀", "x\ny", "*", "", "word "];
        let word = words[dice.roll(words.len())];
        if self.habit == Habit::OwnWords {
            return self.edits(start, deleted, &format!("{word}{}", self.page), &[]);
        }
        let inserted = word;
        let mut attributes = Vec::new();
        if dice.is_one_in(4) {
            attributes.push(("bold", "true"));
        }
        if inserted == "*" {
            attributes.extend([("insertorder", "first"), ("list", "bullet1"), ("lmkr", "1")]);
        }
        self.edits(start, deleted, inserted, &attributes)
    }

    fn edits(
        &mut self,
        start: usize,
        deleted: usize,
        inserted: &str,
        attributes: &[(&str, &str)],
    ) -> String {
        let inserted = Text::from(inserted);
        let own = Attribute::new("author", self.author.as_str());
        let others = attributes
            .iter()
            .map(|(key, value)| Attribute::new(*key, *value));
        let attributes: Vec<Attribute> = std::iter::once(own).chain(others).collect();
        let attribs = self.replica.pool_mut().attribs_of_insert(&attributes);
        let change = splice(&self.screen, start, deleted, &inserted, &attribs);
        self.screen = self.screen.apply(&change, self.replica.pool_mut()).unwrap();
        self.replica.edit(&change).unwrap();
        change.to_string()
    }

    /// Puts the next change on its way.
    pub(super) fn sends(&mut self) -> Option<String> {
        if self.line.is_none() || self.is_catching_up {
            return None;
        }
        let submission = self.replica.next_submission()?;
        let inserts = submission.change.ops.iter();
        let inserts = inserts.filter(|op| op.kind == OpKind::Insert);
        self.in_flight = inserts.map(|op| op.chars).sum();
        self.inserted += self.in_flight;
        let text = format!("{} on {:?}", submission.change, submission.base);
        self.sent_on = self.line.as_ref().and_then(|line| line.member.record());
        self.to_server.push_back(submission);
        Some(text)
    }

    /// Takes the next message that has arrived.
    pub(super) fn hears(&mut self) -> Option<String> {
        let update = match self.to_editor.pop_front()? {
            Told::Accepted { rev } => Update::Accepted { rev },
            Told::HadNoEffect { rev } => {
                self.inserted -= self.in_flight;
                Update::Accepted { rev }
            }
            Told::Changed(live) => changed(&live),
            Told::Missed(live, window) => {
                let revision = &live.revision;
                let is_own = match window {
                    // The server has remembered all that the window has made since then.
                    Some((record, is_own)) if self.sent_on == Some(record) => is_own,
                    _ => {
                        revision.author.as_ref() == Some(&self.author)
                            && self.replica.is_in_flight(&revision.change, &live.pool)
                    }
                };
                if is_own {
                    Update::Accepted { rev: live.rev }
                } else {
                    changed(&live)
                }
            }
            Told::Caught => {
                self.is_catching_up = false;
                self.to_server.extend(self.replica.resubmission());
                self.sent_on = self.line.as_ref().and_then(|line| line.member.record());
                return Some("that this is all it missed".to_owned());
            }
        };
        let shown = self.replica.receive(&update).unwrap();
        self.screen = self.screen.apply(&shown, self.replica.pool_mut()).unwrap();
        Some(match update {
            Update::Accepted { rev } => format!("that it has made revision {rev}"),
            Update::Changed { rev, .. } => format!("revision {rev}, shows {shown}"),
        })
    }

    /// What is on the screen is what the replica says.
    pub(super) fn check(&self) {
        assert_eq!(
            self.screen,
            self.replica.visible().unwrap(),
            "screen of {:?}",
            self.author
        );
    }
}

fn changed(live: &LiveRevision) -> Update {
    Update::Changed {
        rev: live.rev,
        change: live.revision.change.clone(),
        pool: Pool::clone(&live.pool),
    }
}
