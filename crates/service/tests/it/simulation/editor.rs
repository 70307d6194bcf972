//! One person with a browser, and the queues between it and the server.

use std::collections::VecDeque;
use std::sync::Arc;

use changeset::{Attribute, Document, OpKind, Pool, Text, splice};
use pad::{AuthorId, Replica, Rev, Submission, Update};
use service::{Feed, Joined, LiveRevision, Member};

use super::dice::Dice;

/// The server's half of a connection.
pub(super) struct Line {
    pub member: Member,
    pub feed: Feed,
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
    /// A revision that was made while the editor was away.
    Missed(Arc<LiveRevision>),
    /// Everything that was missed has been told.
    Caught,
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
}

impl Editor {
    pub(super) fn new(joined: Joined) -> Editor {
        let head = joined.head;
        let author = joined.author.id;
        let pool = Pool::clone(&head.pool);
        let replica = Replica::new(author.clone(), head.rev, head.document.clone(), pool);
        let line = Line {
            member: joined.member,
            feed: joined.feed,
        };
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
        let end = self.screen.len() - 1;
        let start = dice.roll(end + 1);
        let deleted = match dice.roll(3) {
            0 => dice.roll((end - start).min(6) + 1),
            _ => 0,
        };
        let words = ["a", "bc", "\n", "😀", "x\ny", "*", "", "word "];
        let inserted = Text::from(words[dice.roll(words.len())]);
        let mut attributes = vec![Attribute::new("author", self.author.as_str())];
        if dice.is_one_in(4) {
            attributes.push(Attribute::new("bold", "true"));
        }
        if *inserted == [b'*' as u16] {
            attributes.push(Attribute::new("insertorder", "first"));
            attributes.push(Attribute::new("list", "bullet1"));
            attributes.push(Attribute::new("lmkr", "1"));
        }
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
            Told::Missed(live) => {
                let revision = &live.revision;
                let is_own = revision.author.as_ref() == Some(&self.author)
                    && self.replica.is_in_flight(&revision.change, &live.pool);
                if is_own {
                    Update::Accepted { rev: live.rev }
                } else {
                    changed(&live)
                }
            }
            Told::Caught => {
                self.is_catching_up = false;
                self.to_server.extend(self.replica.resubmission());
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
