//! An editor that moves between nodes, and what it has learnt besides the text.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pad::{AuthorId, Rev, Submission};
use service::{Delivery, Event, Joined, Member};

use crate::simulation::editor::{Editor, Line, Told};

pub(super) struct Person {
    pub editor: Editor,
    /// The node of its connection.
    pub node: usize,
    pub others: BTreeSet<AuthorId>,
    /// Chat messages it got, and how often; from which number on it must have all.
    pub chat: BTreeMap<String, usize>,
    pub chat_since: u64,
    pub saved: BTreeSet<Rev>,
}

/// A connection whose client has given it up, with what is still on its way through it.
pub(super) struct Forgotten {
    pub member: Member,
    pub node: usize,
    pub on_its_way: VecDeque<Submission>,
}

/// What of a welcome concerns more than the text.
pub(super) struct Welcome {
    pub others: BTreeSet<AuthorId>,
    pub saved: BTreeSet<Rev>,
    pub chat_since: u64,
}

impl Welcome {
    pub(super) fn of(joined: &Joined) -> Welcome {
        let others = joined.others.iter().map(|other| other.author.clone());
        Welcome {
            others: others.collect(),
            saved: joined.saved.iter().map(|saved| saved.rev).collect(),
            chat_since: joined.record.chat_count,
        }
    }
}

impl Person {
    pub(super) fn new(joined: Joined, node: usize) -> Person {
        let welcome = Welcome::of(&joined);
        Person {
            editor: Editor::new(joined),
            node,
            others: welcome.others,
            chat: BTreeMap::new(),
            chat_since: welcome.chat_since,
            saved: welcome.saved,
        }
    }

    /// Learns again what is there.
    pub(super) fn is_welcomed(&mut self, welcome: Welcome, node: usize) {
        self.node = node;
        self.others = welcome.others;
        self.saved = welcome.saved;
        self.chat.clear();
        self.chat_since = welcome.chat_since;
    }

    /// Takes what the server delivers. False: the connection has ended.
    pub(super) fn receives(&mut self, delivery: Delivery) -> bool {
        let Some(Line { member, .. }) = &self.editor.line else {
            return false;
        };
        match delivery {
            Delivery::Revisions(revisions) => {
                for live in revisions {
                    let is_own = live.origin == Some(member.id());
                    self.editor.to_editor.push_back(match is_own {
                        true => Told::Accepted { rev: live.rev },
                        false => Told::Changed(live),
                    });
                }
            }
            Delivery::Event(event) => return self.learns(event),
            Delivery::Batch(_) | Delivery::Carets(_) => {}
            Delivery::Behind | Delivery::Ended(_) => return false,
        }
        true
    }

    /// False: it must go.
    pub(super) fn learns(&mut self, event: Event) -> bool {
        match event {
            Event::Expel { .. } => return false,
            Event::Info { presence } if presence.author != self.editor.author => {
                self.others.insert(presence.author);
            }
            Event::Left { presence } => {
                self.others.remove(&presence.author);
            }
            Event::Chat(entry) => {
                *self.chat.entry(entry.message.text.to_string()).or_default() += 1;
            }
            Event::Saved(saved) => {
                self.saved.insert(saved.rev);
            }
            _ => {}
        }
        true
    }
}
