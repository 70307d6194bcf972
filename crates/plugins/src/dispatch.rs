//! Queue of hooks that are called after the fact, one for each plugin.
//!
//! It is bounded, and putting something into it never waits: changes of the same pad become one,
//! and what finds no room is dropped and counted. So a plugin falls behind without holding up
//! anybody.

use std::collections::{BTreeMap, VecDeque};

use pad::{AuthorId, PadId, Rev};
use plugin::Hook;
use serde_json::{Value, json};

/// Hooks that wait, changed pads among them. More are dropped.
pub(crate) const WAITING: usize = 1_000;
/// Authors that a call names.
const AUTHORS: usize = 100;

#[derive(Debug, Default)]
pub(crate) struct Queue {
    order: VecDeque<Waiting>,
    changed: BTreeMap<PadId, Changed>,
    dropped: u64,
}

#[derive(Debug)]
enum Waiting {
    /// The rest is in `changed`.
    Changed(PadId),
    Other(Hook, Value),
}

#[derive(Debug)]
struct Changed {
    from: Rev,
    revision: Rev,
    authors: Vec<AuthorId>,
}

impl Queue {
    /// Notes revisions of a pad. Those that wait already and these become one call.
    pub(crate) fn push_changed<'a>(
        &mut self,
        pad: &PadId,
        from: Rev,
        revision: Rev,
        authors: impl Iterator<Item = &'a AuthorId>,
    ) {
        // With every commit to a pad that is busy, so without anything that is not needed.
        if let Some(changed) = self.changed.get_mut(pad) {
            changed.merge(from, revision, authors);
            return;
        }
        if !self.has_room() {
            return;
        }
        self.order.push_back(Waiting::Changed(pad.clone()));
        let mut changed = Changed {
            from,
            revision,
            authors: Vec::new(),
        };
        changed.merge(from, revision, authors);
        self.changed.insert(pad.clone(), changed);
    }

    pub(crate) fn push(&mut self, hook: Hook, arguments: Value) {
        if self.has_room() {
            self.order.push_back(Waiting::Other(hook, arguments));
        }
    }

    /// The next call, in the order in which things happened first.
    pub(crate) fn pop(&mut self) -> Option<(Hook, Value)> {
        loop {
            match self.order.pop_front()? {
                Waiting::Other(hook, arguments) => return Some((hook, arguments)),
                Waiting::Changed(pad) => {
                    if let Some(changed) = self.changed.remove(&pad) {
                        return Some((Hook::PadChanged, changed.arguments(&pad)));
                    }
                }
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How many found no room since the last call.
    pub(crate) fn take_dropped(&mut self) -> u64 {
        std::mem::take(&mut self.dropped)
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.order.len() < WAITING;
        self.dropped += u64::from(!has_room);
        has_room
    }
}

impl Changed {
    fn merge<'a>(&mut self, from: Rev, revision: Rev, authors: impl Iterator<Item = &'a AuthorId>) {
        self.from = self.from.min(from);
        self.revision = self.revision.max(revision);
        for author in authors {
            if self.authors.len() < AUTHORS && !self.authors.contains(author) {
                self.authors.push(author.clone());
            }
        }
    }

    fn arguments(self, pad: &PadId) -> Value {
        let authors: Vec<&str> = self.authors.iter().map(AuthorId::as_str).collect();
        json!({
            "padId": pad.as_str(),
            "from": self.from.0,
            "revision": self.revision.0,
            "authors": authors,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn pad(number: usize) -> PadId {
        PadId::parse(&format!("pad{number}")).unwrap()
    }

    fn author(number: usize) -> AuthorId {
        AuthorId::parse(&format!("a.{number:016}")).unwrap()
    }

    #[test]
    fn changes_of_a_pad_become_one() {
        let mut queue = Queue::default();
        let [a, b] = [author(1), author(2)];
        queue.push_changed(&pad(1), Rev(3), Rev(4), [&a, &a].into_iter());
        queue.push(Hook::PadDeleted, json!({ "padId": "pad2" }));
        queue.push_changed(&pad(1), Rev(5), Rev(9), [&b, &a].into_iter());
        let (hook, arguments) = queue.pop().unwrap();
        assert_eq!(hook, Hook::PadChanged);
        let expected = json!({
            "padId": "pad1", "from": 3, "revision": 9, "authors": [a.as_str(), b.as_str()],
        });
        assert_eq!(arguments, expected);
        let row = Hook::PadChanged.row();
        assert_eq!(
            plugin::parameter::check_object(row.arguments, &arguments),
            Ok(())
        );
        assert_eq!(queue.pop().unwrap().0, Hook::PadDeleted);
        assert_eq!(queue.pop(), None);
    }

    proptest! {
        /// Whatever comes in whatever order: bounded, nothing is lost but what is counted, and the
        /// stretches of a pad that come out cover those that went in.
        #[test]
        fn nothing_is_lost_uncounted(
            steps in prop::collection::vec((0..40_usize, 0..5_u8), 0..4_000),
        ) {
            let mut queue = Queue::default();
            let (mut pushed, mut popped) = (0_u64, 0_u64);
            let mut next: HashMap<usize, u64> = HashMap::new();
            let mut seen: HashMap<String, u64> = HashMap::new();
            let mut take = |queue: &mut Queue| {
                let Some((hook, arguments)) = queue.pop() else { return false };
                if hook == Hook::PadChanged {
                    let pad = arguments["padId"].as_str().unwrap().to_owned();
                    let from = arguments["from"].as_u64().unwrap();
                    let last = seen.insert(pad, arguments["revision"].as_u64().unwrap());
                    assert_eq!(from, last.map_or(0, |last| last + 1));
                } else {
                    popped += 1;
                }
                true
            };
            for (which, what) in steps {
                match what {
                    0 => drop(take(&mut queue)),
                    1 => {
                        let rev = next.entry(which).or_default();
                        let by = author(which);
                        queue.push_changed(&pad(which), Rev(*rev), Rev(*rev), [&by].into_iter());
                        *rev += 1;
                    }
                    _ => {
                        pushed += 1;
                        queue.push(Hook::PadDeleted, Value::Null);
                    }
                }
                prop_assert!(queue.order.len() <= WAITING);
                // With so few pads a change always finds its place, unless others took all of it.
                if queue.dropped > 0 && what == 1 {
                    return Ok(());
                }
            }
            while take(&mut queue) {}
            prop_assert_eq!(pushed, popped + queue.take_dropped());
            prop_assert!(queue.changed.is_empty());
        }
    }
}
