//! A seeded simulation of several editors, one server and a bad network.
//!
//! Every decision comes from one seed: who types what where, which message arrives when, what is
//! lost or arrives twice, who reconnects. At the end everything is delivered, and all must have the
//! same document as a replay of what the server stored. A failing seed is printed with its steps.

use std::collections::VecDeque;
use std::sync::Arc;

use changeset::{Attribute, Document, NEWLINE, Pool, Text, splice};
use pad::{AuthorId, Head, Replica, Rev, Revision, Submission, Timestamp, Update, accept, edit};

/// A small generator of our own, so that a seed means the same on every machine and release.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

struct Editor {
    replica: Replica,
    author: AuthorId,
    to_server: VecDeque<Submission>,
    to_editor: VecDeque<Update>,
    /// The last revision the server has put into `to_editor`.
    cursor: Rev,
    /// What the editor's user sees, changed only by its own edits and by what `receive` says.
    screen: Document,
}

struct World {
    dice: Dice,
    head: Head,
    history: Vec<Revision>,
    editors: Vec<Editor>,
    script: Vec<String>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let creator = AuthorId::random(999);
        let first = edit::first_text(&Text::from("one\ntwo\n*three"), &creator);
        let step = Head::empty()
            .advance(first.change, first.pool, Some(creator), Timestamp(1))
            .unwrap();
        let step = step.unwrap();
        let editors = 2 + dice.roll(7);
        let mut world = World {
            dice,
            head: step.head,
            history: step.revisions,
            editors: Vec::new(),
            script: vec![format!("seed {seed}, {editors} editors")],
        };
        for number in 0..editors {
            let author = AuthorId::random(number as u128 + 1);
            let editor = world.joined(author);
            world.editors.push(editor);
        }
        world
    }

    /// An editor that has just been sent the whole document.
    fn joined(&self, author: AuthorId) -> Editor {
        let head = &self.head;
        let replica = Replica::new(
            author.clone(),
            head.rev,
            head.document.clone(),
            Pool::clone(&head.pool),
        );
        Editor {
            replica,
            author,
            to_server: VecDeque::new(),
            to_editor: VecDeque::new(),
            cursor: head.rev.unwrap(),
            screen: head.document.clone(),
        }
    }

    fn step(&mut self) {
        let who = self.dice.roll(self.editors.len());
        match self.dice.roll(10) {
            0..=3 => self.types(who),
            4..=5 => self.sends(who),
            6 => self.server_takes(who),
            7..=8 => self.hears(who),
            _ => match self.dice.roll(4) {
                0 => self.reconnects(who),
                1 => self.repeats(who),
                _ => self.server_takes(who),
            },
        }
    }

    fn types(&mut self, who: usize) {
        let dice = &mut self.dice;
        let editor = &mut self.editors[who];
        let end = editor.screen.len() - 1;
        let start = dice.roll(end + 1);
        let deleted = if dice.roll(3) == 0 {
            dice.roll((end - start).min(5) + 1)
        } else {
            0
        };
        let words = ["a", "bc", "\n", "😀", "x\ny", "*", "", "word "];
        let inserted = Text::from(words[dice.roll(words.len())]);
        let pool = editor.replica.pool_mut();
        let mut attributes = vec![Attribute::new("author", editor.author.as_str())];
        if dice.roll(4) == 0 {
            attributes.push(Attribute::new("bold", "true"));
        }
        if *inserted == [b'*' as u16] {
            attributes.push(Attribute::new("insertorder", "first"));
            attributes.push(Attribute::new("list", "bullet1"));
            attributes.push(Attribute::new("lmkr", "1"));
        }
        let attribs = pool.attribs_of_insert(&attributes);
        let change = splice(&editor.screen, start, deleted, &inserted, &attribs);
        self.script.push(format!("{who} edits {change}"));
        editor.screen = editor
            .screen
            .apply(&change, editor.replica.pool_mut())
            .unwrap();
        editor.replica.edit(&change).unwrap();
    }

    fn sends(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        if let Some(submission) = editor.replica.next_submission() {
            self.script
                .push(format!("{who} sends {}", submission.change));
            editor.to_server.push_back(submission);
        }
    }

    fn server_takes(&mut self, who: usize) {
        let Some(submission) = self.editors[who].to_server.pop_front() else {
            return;
        };
        let known = submission.base.map_or(0, |base| base.0 as usize + 1);
        let since = &self.history[known..];
        let now = Timestamp(self.history.len() as i64);
        let step = accept(&self.head, since, &submission, usize::MAX, now).unwrap();
        self.script
            .push(format!("server stores {} of {who}", step.revisions.len()));
        // The sender hears everything before its own change first.
        self.tell(who);
        let rev = match step.revisions.len() {
            0 => self.head.rev.unwrap(),
            _ => self.head.next_rev(),
        };
        self.history.extend(step.revisions);
        self.head = step.head;
        let editor = &mut self.editors[who];
        editor.to_editor.push_back(Update::Accepted { rev });
        editor.cursor = rev;
        for other in 0..self.editors.len() {
            self.tell(other);
        }
    }

    /// Puts what an editor has not been told yet on its way.
    fn tell(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        let pool = Pool::clone(&self.head.pool);
        for rev in (editor.cursor.next().0..self.history.len() as u64).map(Rev) {
            let change = self.history[rev.0 as usize].change.clone();
            editor.to_editor.push_back(Update::Changed {
                rev,
                change,
                pool: pool.clone(),
            });
            editor.cursor = rev;
        }
    }

    fn hears(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        if let Some(update) = editor.to_editor.pop_front() {
            let shown = editor.replica.receive(&update).unwrap();
            self.script.push(format!("{who} hears, shows {shown}"));
            editor.screen = editor
                .screen
                .apply(&shown, editor.replica.pool_mut())
                .unwrap();
            assert_eq!(
                editor.screen,
                editor.replica.visible().unwrap(),
                "screen of {who}"
            );
        }
    }

    /// The connection breaks: everything on its way is lost. The server lists what was missed, in
    /// which the editor recognises its own change, and an unanswered change is sent again.
    fn reconnects(&mut self, who: usize) {
        self.script.push(format!("{who} reconnects"));
        let pool = Pool::clone(&self.head.pool);
        let editor = &mut self.editors[who];
        editor.to_server.clear();
        editor.to_editor.clear();
        let known = editor.replica.rev().unwrap();
        for rev in (known.next().0..self.history.len() as u64).map(Rev) {
            let Revision { change, author, .. } = self.history[rev.0 as usize].clone();
            let own = author.as_ref() == Some(&editor.author);
            let update = if own && editor.replica.is_in_flight(&change, &pool) {
                Update::Accepted { rev }
            } else {
                Update::Changed {
                    rev,
                    change,
                    pool: pool.clone(),
                }
            };
            let shown = editor.replica.receive(&update).unwrap();
            editor.screen = editor
                .screen
                .apply(&shown, editor.replica.pool_mut())
                .unwrap();
        }
        editor.cursor = Rev(self.history.len() as u64 - 1);
        editor.to_server.extend(editor.replica.resubmission());
    }

    /// A message arrives twice.
    fn repeats(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        if let Some(update @ Update::Changed { .. }) = editor.to_editor.front().cloned() {
            editor.to_editor.push_front(update);
        }
    }

    /// Delivers everything until nothing is left to say.
    fn settle(&mut self) {
        while self.editors.iter().any(|editor| {
            !editor.replica.is_settled()
                || !editor.to_server.is_empty()
                || !editor.to_editor.is_empty()
        }) {
            for who in 0..self.editors.len() {
                self.sends(who);
                self.server_takes(who);
                self.hears(who);
            }
        }
    }

    fn check(&self) {
        let mut replayed = Head {
            pool: Arc::clone(&self.head.pool),
            ..Head::empty()
        };
        for revision in &self.history {
            replayed = replayed.replay(revision).unwrap();
        }
        assert_eq!(
            replayed.document, self.head.document,
            "a replay of what was stored"
        );
        let text = self.head.document.text();
        assert_eq!(text.last(), Some(&NEWLINE));
        for (who, editor) in self.editors.iter().enumerate() {
            assert_eq!(editor.screen.text(), text, "the text of editor {who}");
        }
    }
}

fn run(seed: u64, steps: usize) {
    let mut world = World::new(seed);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for _ in 0..steps {
            world.step();
        }
        world.settle();
        world.check();
    }));
    if outcome.is_err() {
        let tail = world.script.len().saturating_sub(200);
        let script = world.script[tail..].join(
            "
",
        );
        panic!(
            "{}; its last steps:
{script}",
            world.script[0]
        );
    }
}

#[test]
fn editors_converge() {
    let times = std::env::var("PADSVC_SOAK")
        .ok()
        .and_then(|times| times.parse().ok());
    let seeds = 40 * times.unwrap_or(1);
    for seed in 1..=seeds {
        run(seed, 500);
    }
}
