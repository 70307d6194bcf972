//! Somebody, or several people, typing: bursts at a caret, corrections, new lines, pastes.
//!
//! The words are made up but follow each other as often as words do, so that they compress about as
//! well as prose. The same seed gives the same trace.

use std::sync::Arc;

use changeset::{Attribute, Builder, NEWLINE, Pool, Text, splice};
use pad::{AuthorId, Head, Step, Timestamp};

use crate::Outcome;

const WORDS: usize = 4_000;
const SYLLABLES: [&str; 32] = [
    "an", "be", "der", "ein", "fa", "ge", "hal", "in", "ju", "ka", "le", "men", "nor", "ol", "pre",
    "qua", "ri", "sch", "ten", "un", "ver", "wi", "xe", "zu", "st", "ch", "ung", "lich", "keit",
    "ar", "er", "is",
];

pub(crate) struct Typist {
    random: Random,
    words: Vec<String>,
    head: Head,
    authors: Vec<AuthorId>,
    author: usize,
    caret: usize,
    /// What is left to type of the burst.
    pending: Text,
    /// Longer texts are cut back, so that the text stays about this long.
    target: usize,
}

impl Typist {
    pub(crate) fn new(seed: u64, target: usize) -> Typist {
        let mut random = Random(seed);
        let word = |random: &mut Random| -> String {
            let syllables = 1 + random.below(3);
            (0..syllables)
                .filter_map(|_| SYLLABLES.get(random.below(SYLLABLES.len())))
                .copied()
                .collect()
        };
        Typist {
            words: (0..WORDS).map(|_| word(&mut random)).collect(),
            authors: (1..6).map(AuthorId::random).collect(),
            head: Head::empty(),
            author: 0,
            caret: 0,
            pending: Text::new(),
            target,
            random,
        }
    }

    /// Revision 0, with a text of about that length.
    pub(crate) fn start(&mut self, length: usize) -> Outcome<Step> {
        let text = self.prose(length);
        self.insert(0, &text, 0)
    }

    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// The next so many revisions as one step.
    pub(crate) fn steps(&mut self, count: usize) -> Outcome<Step> {
        let mut revisions = Vec::with_capacity(count);
        while revisions.len() < count {
            revisions.extend(self.next()?.revisions);
        }
        Ok(Step {
            revisions,
            head: self.head.clone(),
        })
    }

    pub(crate) fn next(&mut self) -> Outcome<Step> {
        if self.pending.is_empty() {
            self.next_burst();
        }
        let length = self.head.document.len() - 1;
        let at = self.caret.min(length);
        let pause = 200 + self.random.below(700) as i64;
        match self.random.below(1000) {
            0..70 if at > 3 => {
                // Backspace, with what went wrong.
                let count = 1 + self.random.below(3);
                self.delete(at - count, count, pause)
            }
            70..73 => {
                let length = 200 + self.random.below(1500);
                let text = self.prose(length);
                self.insert(at, &text, pause)
            }
            73..76 if at > 40 => self.embolden(at - 30, 20, pause),
            _ if length > self.target => {
                let count = (length - self.target).clamp(1, 400);
                let at = self.random.below(length - count);
                self.delete(at, count, pause)
            }
            _ => {
                // What was typed since the last message was sent.
                let count = (1 + self.random.below(4)).min(self.pending.len());
                let (now, later) = self.pending.split_at_checked(count).unwrap_or_default();
                let (now, later) = (Text::from(now), Text::from(later));
                self.pending = later;
                self.insert(at, &now, pause)
            }
        }
    }

    /// Somebody goes on at the same place, at another, or at the end.
    fn next_burst(&mut self) {
        let length = self.head.document.len();
        self.caret = match self.random.below(10) {
            0..5 => self.caret,
            5..8 => length - 1,
            _ => self.random.below(length),
        };
        if self.random.below(3) == 0 {
            self.author = self.random.below(self.authors.len());
        }
        let burst = 10 + self.random.below(120);
        self.pending = self.prose(burst);
        if self.random.below(4) == 0 {
            self.pending.push(NEWLINE);
        }
    }

    fn prose(&mut self, length: usize) -> Text {
        let mut text = Text::with_capacity(length + 8);
        let mut line = 0;
        while text.len() < length {
            // Few words are frequent and many are rare.
            let rank = self.random.below(WORDS) * self.random.below(WORDS) / WORDS;
            let word = self.words.get(rank * self.random.below(100) / 100);
            text.push_str(word.map_or("", String::as_str));
            line += 1;
            let end = match line % 14 {
                0 => ".\n",
                7 => ", ",
                _ => " ",
            };
            text.push_str(end);
        }
        text
    }

    fn insert(&mut self, at: usize, text: &[u16], pause: i64) -> Outcome<Step> {
        let mut pool = Arc::clone(&self.head.pool);
        let author = self.authors.get(self.author).map_or("", AuthorId::as_str);
        let list = [Attribute::new("author", author)];
        let attribs = Pool::attribs_of_insert_shared(&mut pool, &list);
        let change = splice(&self.head.document, at, 0, text, &attribs);
        self.caret = at + text.len();
        self.advance(change, pool, pause)
    }

    fn delete(&mut self, at: usize, count: usize, pause: i64) -> Outcome<Step> {
        let none = changeset::Attribs::none();
        let change = splice(&self.head.document, at, count, &[], &none);
        self.caret = at;
        self.advance(change, Arc::clone(&self.head.pool), pause)
    }

    fn embolden(&mut self, at: usize, count: usize, pause: i64) -> Outcome<Step> {
        let mut pool = Arc::clone(&self.head.pool);
        let value = if self.random.below(2) == 0 {
            "true"
        } else {
            ""
        };
        let number = Pool::intern_shared(&mut pool, &Attribute::new("bold", value));
        let document = &self.head.document;
        let mut builder = Builder::new(document.len());
        builder.keep_start(document, at);
        builder.keep(
            &document.slice(at..at + count),
            &std::iter::once(number).collect(),
        );
        self.advance(builder.finish(), pool, pause)
    }

    fn advance(
        &mut self,
        change: changeset::Changeset,
        pool: Arc<Pool>,
        pause: i64,
    ) -> Outcome<Step> {
        let author = self.authors.get(self.author).cloned();
        let now = Timestamp(self.head.time.millis() + pause);
        let step = self.head.advance(change, pool, author, now)?;
        let step = step.unwrap_or_else(|| Step {
            revisions: Vec::new(),
            head: self.head.clone(),
        });
        self.head = step.head.clone();
        Ok(step)
    }
}

/// Numbers that look random and are the same every time.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
