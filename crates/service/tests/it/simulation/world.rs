//! The editors, the service, and what can happen between them.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use changeset::{Document, Op, OpKind, Pool, Text};
use futures_util::FutureExt;
use futures_util::future::join_all;
use pad::{PadId, Rev, Submission, WindowId};
use service::{
    Acceptance, Config, Delivery, Event, JoinError, JoinRequest, Joined, Member, Service,
    SubmitError,
};
use store::{FaultPlan, Location, Store};
use tempfile::TempDir;
use tokio::task::unconstrained;

use super::Script;
use super::dice::Dice;
use super::editor::{Editor, Habit, Line, Told};
use crate::world::TestWorld;

const PAD: &str = "notes";

pub(super) struct World {
    dice: Dice,
    service: Service,
    faults: Arc<FaultPlan>,
    editors: Vec<Editor>,
    /// Connections whose client has given them up, with what is still on its way through them.
    forgotten: Vec<(Member, VecDeque<Submission>)>,
    /// The newest revision that anybody has seen. It must never be taken back.
    newest: Rev,
    /// Whether each author has two windows, which often make the same change. Then the store does
    /// not fail: after that equal changes are all that a client has to go by.
    has_windows: bool,
    /// How many pages were loaded.
    pages: usize,
    script: Script,
    _folder: TempDir,
}

/// What one of several things done at once came to.
enum Outcome {
    Submitted(usize, Result<Acceptance, SubmitError>),
    Other,
}

type Action<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;

impl World {
    pub(super) async fn new(seed: u64, script: Script) -> World {
        let mut dice = Dice::new(seed);
        // Odd seeds refuse statements, even ones break the connection, so that a commit may have
        // been carried out although it is reported as failed.
        let faults = match seed % 2 {
            0 => FaultPlan::breaking(),
            _ => FaultPlan::refusing(),
        };
        let folder = folder();
        let location = Location::Embedded(folder.path().join("pads.db"));
        let store = Store::open_failing(location, Arc::clone(&faults))
            .await
            .unwrap();
        // Live pads remember what is recent; here little is.
        let world = Arc::new(TestWorld::at_pace(1_000));
        let service = Service::new(store, world, Config::default());
        let text = Text::from("one\ntwo\n*three");
        service.create_pad(&pad(), Some(text), None).await.unwrap();
        let people = 2 + dice.roll(7);
        script
            .borrow_mut()
            .push(format!("seed {seed}, {people} editors"));
        let mut world = World {
            dice,
            service,
            faults,
            editors: Vec::new(),
            forgotten: Vec::new(),
            newest: Rev(0),
            has_windows: seed.is_multiple_of(5),
            pages: 0,
            script,
            _folder: folder,
        };
        for person in 0..people {
            let page = world.next_page();
            let joined = world.join(person, page, None).await.unwrap();
            world.editors.push(world.editor(joined, person, page));
        }
        world
    }

    fn note(&self, text: String) {
        self.script.borrow_mut().push(text);
    }

    fn next_page(&mut self) -> usize {
        self.pages += 1;
        self.pages
    }

    fn editor(&self, mut joined: Joined, person: usize, page: usize) -> Editor {
        if takes_batches(person) {
            joined.feed.take_batches();
        }
        Editor {
            habit: match self.has_windows {
                true => Habit::SameAsOtherWindows,
                false => Habit::Any,
            },
            page,
            ..Editor::new(joined)
        }
    }

    async fn join(
        &self,
        person: usize,
        page: usize,
        known: Option<Rev>,
    ) -> Result<Joined, JoinError> {
        let (author, window) = match self.has_windows {
            true => (person / 2, WindowId::parse(&format!("page{page}"))),
            false => (person, None),
        };
        let request = JoinRequest {
            pad: PAD.to_owned(),
            token: Some(format!("t.{author:020}")),
            known,
            window,
            ..JoinRequest::default()
        };
        self.service.join(&request).await
    }

    pub(super) async fn step(&mut self) {
        let who = self.dice.roll(self.editors.len());
        match self.dice.roll(100) {
            0..30 => {
                let change = self.editors[who].types(&mut self.dice);
                self.note(format!("{who} types {change}"));
            }
            30..45 => self.sends(who),
            45..60 => self.server_takes_some().await,
            60..75 => self.server_tells(who).await,
            75..92 => self.hears(who),
            92..94 => self.comes_back(who).await,
            94 => self.arrives_twice(who),
            95 => self.goes_while_sending(who).await,
            96 => self.forgotten_speaks().await,
            97 => self.plans_failure(),
            98 => self.reloads(who).await,
            _ => self.reads().await,
        }
    }

    fn sends(&mut self, who: usize) {
        if let Some(text) = self.editors[who].sends() {
            self.note(format!("{who} sends {text}"));
        }
    }

    fn hears(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        if let Some(text) = editor.hears() {
            if self.dice.is_one_in(16) {
                editor.check();
            }
            self.note(format!("{who} hears {text}"));
        }
    }

    /// Messages of several editors reach the server at once, and perhaps a call of the API.
    async fn server_takes_some(&mut self) {
        let mut sent = Vec::new();
        for (who, editor) in self.editors.iter_mut().enumerate() {
            if editor.line.is_some()
                && self.dice.is_one_in(2)
                && let Some(submission) = editor.to_server.pop_front()
            {
                sent.push((who, submission));
            }
        }
        let (service, editors) = (&self.service, &self.editors);
        let mut actions: Vec<Action<'_>> = Vec::new();
        for (who, submission) in sent {
            if let Some(line) = &editors[who].line {
                let submit = line.member.submit(submission);
                actions.push(
                    submit
                        .map(move |end| Outcome::Submitted(who, end))
                        .boxed_local(),
                );
            }
        }
        if self.dice.is_one_in(10) {
            let pad = pad();
            let call = match self.dice.roll(12) {
                0 => async move {
                    let _ = service.set_text(&pad, Text::from("new\ntext"), None).await;
                    Outcome::Other
                }
                .boxed_local(),
                _ => async move {
                    let _ = service.append_text(&pad, Text::from("call\n"), None).await;
                    Outcome::Other
                }
                .boxed_local(),
            };
            actions.insert(self.dice.roll(actions.len() + 1), call);
        }
        if actions.is_empty() {
            return;
        }
        let outcomes = join_all(actions).await;
        for outcome in outcomes {
            if let Outcome::Submitted(who, end) = outcome {
                self.answers(who, end).await;
            }
        }
    }

    /// What a connection does when its member's change is through.
    async fn answers(&mut self, who: usize, end: Result<Acceptance, SubmitError>) {
        self.note(format!("the change of {who}: {end:?}"));
        let Acceptance { rev, had_effect } = match end {
            Ok(acceptance) => acceptance,
            Err(SubmitError::Unavailable | SubmitError::NotStored) => {
                return self.editors[who].line = None;
            }
            Err(refusal) => panic!("{who} was refused: {refusal:?}"),
        };
        self.newest = self.newest.max(rev);
        while let Some(line) = &mut self.editors[who].line
            && line.feed.place() < rev
        {
            let delivery = line.feed.next().await;
            self.tell(who, delivery);
        }
        let editor = &mut self.editors[who];
        if let Some(line) = &editor.line
            && !had_effect
        {
            let rev = line.feed.place();
            editor.to_editor.push_back(Told::HadNoEffect { rev });
        }
    }

    /// A connection writes the next thing that its feed has, if there is one.
    async fn server_tells(&mut self, who: usize) {
        let Some(line) = &mut self.editors[who].line else {
            return;
        };
        let delivery = match line.feed.place() < self.newest {
            true => Some(line.feed.next().await),
            // Tokio lets tasks wait that have done much, which depends on how fast the store is.
            false => unconstrained(line.feed.next()).now_or_never(),
        };
        if let Some(delivery) = delivery {
            self.tell(who, delivery);
        }
    }

    fn tell(&mut self, who: usize, delivery: Delivery) {
        let editor = &mut self.editors[who];
        let Some(line) = &mut editor.line else { return };
        let id = line.member.id();
        let delivery = match delivery {
            Delivery::Batch(batch) => Delivery::Revisions(line.revisions(&batch)),
            other => other,
        };
        match delivery {
            Delivery::Revisions(revisions) => {
                for live in revisions {
                    self.newest = self.newest.max(live.rev);
                    editor.to_editor.push_back(if live.origin == Some(id) {
                        Told::Accepted { rev: live.rev }
                    } else {
                        Told::Changed(live)
                    });
                }
            }
            Delivery::Event(Event::Expel { .. }) | Delivery::Behind | Delivery::Ended(_) => {
                editor.line = None;
            }
            _ => {}
        }
    }

    /// The connection breaks, or has been broken; what was on its way to the editor is lost, what
    /// was on its way to the server may still arrive there.
    async fn comes_back(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        editor.to_editor.clear();
        let on_its_way = std::mem::take(&mut editor.to_server);
        if let Some(line) = editor.line.take()
            && self.dice.is_one_in(2)
        {
            self.forgotten.push((line.member, on_its_way));
        }
        let (known, page) = (editor.replica.rev(), editor.page);
        let joined = match self.join(who, page, known).await {
            Ok(joined) => joined,
            Err(JoinError::Unavailable) => return self.note(format!("{who} cannot come back")),
            Err(error) => panic!("{who} knows revision {known:?}: {error:?}"),
        };
        let head = joined.head.rev.unwrap();
        self.note(format!("{who} comes back with {known:?}, head is {head}"));
        let mut line = Line::new(joined.member, joined.feed);
        let editor = &mut self.editors[who];
        editor.is_catching_up = true;
        while line.feed.place() < head {
            match line.feed.next().await {
                Delivery::Revisions(revisions) => {
                    for live in revisions {
                        editor.to_editor.push_back(if live.rev <= head {
                            let record = line.member.record();
                            let is_own = line.member.made_last(live.rev);
                            Told::Missed(live, record.map(|record| (record, is_own)))
                        } else {
                            Told::Changed(live)
                        });
                    }
                }
                Delivery::Event(Event::Expel { .. }) | Delivery::Behind | Delivery::Ended(_) => {
                    return;
                }
                _ => {}
            }
        }
        let missed = editor.to_editor.iter();
        let missed = missed
            .filter(|told| matches!(told, Told::Missed(..)))
            .count();
        editor.to_editor.insert(missed, Told::Caught);
        if takes_batches(who) {
            line.feed.take_batches();
        }
        editor.line = Some(line);
    }

    /// A message arrives twice.
    fn arrives_twice(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        if let Some(told @ Told::Changed(_)) = editor.to_editor.front().cloned() {
            editor.to_editor.push_front(told);
        }
    }

    /// The connection breaks while the server works on a change.
    async fn goes_while_sending(&mut self, who: usize) {
        let editor = &mut self.editors[who];
        let Some(submission) = editor.to_server.pop_front() else {
            return;
        };
        if let Some(line) = editor.line.take() {
            let begun = unconstrained(line.member.submit(submission)).now_or_never();
            assert!(!matches!(begun, Some(Ok(_))), "stored without waiting");
            drop(line);
            self.note(format!("{who} is cut off while its change is stored"));
            if self.dice.is_one_in(2) {
                // Otherwise it would be the race between the two that decides which of them fails.
                if self.faults.is_pending() {
                    self.wait_for_writer().await;
                }
                self.comes_back(who).await;
            }
            self.wait_for_writer().await;
        }
    }

    /// What its client no longer waits for arrives at last.
    async fn forgotten_speaks(&mut self) {
        if self.forgotten.is_empty() {
            return;
        }
        let which = self.dice.roll(self.forgotten.len());
        let (member, on_its_way) = &mut self.forgotten[which];
        match on_its_way.pop_front() {
            Some(submission) => {
                let text = submission.change.to_string();
                let end = member.submit(submission).await;
                self.note(format!("a forgotten connection says {text}: {end:?}"));
            }
            None => drop(self.forgotten.swap_remove(which)),
        }
    }

    fn plans_failure(&mut self) {
        if self.has_windows {
            return;
        }
        let step = 1 + self.dice.roll(20) as u64;
        self.faults.fail_at(step);
        self.note(format!("the store will fail at step {step}"));
    }

    /// Somebody who has nothing unsaved loads the page again.
    async fn reloads(&mut self, who: usize) {
        if !self.editors[who].is_settled() {
            return;
        }
        let page = self.next_page();
        match self.join(who, page, None).await {
            Ok(joined) => {
                self.note(format!("{who} reloads"));
                let inserted = self.editors[who].inserted;
                self.editors[who] = Editor {
                    inserted,
                    ..self.editor(joined, who, page)
                };
            }
            Err(JoinError::Unavailable) => self.editors[who].line = None,
            Err(error) => panic!("{error:?}"),
        }
    }

    /// A reader sees at least everything that anybody has seen.
    async fn reads(&mut self) {
        if let Ok(rev) = self.service.get_revisions_count(&pad()).await {
            assert!(
                rev >= self.newest,
                "{} was seen, the pad is at {rev}",
                self.newest
            );
            self.newest = rev;
        }
    }

    /// Changes that nobody waits for are through when a later one is.
    async fn wait_for_writer(&self) {
        let nothing = Text::from("");
        let _ = self.service.append_text(&pad(), nothing, None).await;
    }

    /// Delivers everything until nothing is left to say.
    pub(super) async fn settle(&mut self) {
        self.faults.end();
        self.note("everything is delivered".to_owned());
        while !self.forgotten.is_empty() {
            self.forgotten_speaks().await;
        }
        self.wait_for_writer().await;
        for round in 0.. {
            assert!(round < 100_000, "it does not come to rest");
            self.reads().await;
            let newest = Some(self.newest);
            let is_done = |editor: &Editor| editor.is_settled() && editor.replica.rev() >= newest;
            if self.editors.iter().all(is_done) {
                return;
            }
            for who in 0..self.editors.len() {
                if self.editors[who].line.is_none() && self.editors[who].to_editor.is_empty() {
                    self.comes_back(who).await;
                }
                self.sends(who);
                self.server_tells(who).await;
                self.hears(who);
            }
            self.server_takes_some().await;
        }
    }

    /// All editors and the store have the same document, and every change is in it once.
    pub(super) async fn check(&self) {
        let store = self.service.store();
        assert_eq!(store.check_pad(&pad()).await.unwrap(), []);
        let key = store.pad(&pad()).await.unwrap().unwrap().key;
        let head = store.load_head(key).await.unwrap().unwrap();
        let stored = plain(&head.document, &head.pool);
        let revisions = store.revisions(key, Rev(0)..head.next_rev()).await.unwrap();
        for (who, editor) in self.editors.iter().enumerate() {
            editor.check();
            assert_eq!(editor.replica.rev(), head.rev, "the revision of {who}");
            let shown = plain(&editor.screen, editor.replica.pool());
            assert_eq!(shown.0, stored.0, "the text of {who}");
            assert_eq!(shown, stored, "the attributes of {who}");
            let made = revisions.iter();
            let made = made.filter(|revision| revision.author.as_ref() == Some(&editor.author));
            let ops = made.flat_map(|revision| &revision.change.ops);
            let inserts = ops.filter(|op| op.kind == OpKind::Insert);
            let inserted: usize = inserts.map(|op| op.chars).sum();
            let windows = self.editors.iter();
            let windows = windows.filter(|other| other.author == editor.author);
            let typed: usize = windows.map(|window| window.inserted).sum();
            assert_eq!(inserted, typed, "units that {who} has inserted");
        }
    }

    pub(super) async fn end(self) {
        let World {
            service,
            editors,
            forgotten,
            faults,
            ..
        } = self;
        faults.end();
        drop((editors, forgotten));
        service.stop().await;
    }
}

/// Every second editor takes several revisions at once.
fn takes_batches(person: usize) -> bool {
    person % 2 == 1
}

/// A document in numbers that do not depend on whose pool it was in.
pub(super) fn plain(document: &Document, pool: &Pool) -> (Text, Vec<Op>, Pool) {
    let mut own = Pool::new();
    let ops = pool.move_ops(&document.attribution(), &mut own);
    (document.text(), ops, own)
}

pub(super) fn pad() -> PadId {
    PadId::for_new(PAD).unwrap()
}

/// In memory where there is such a folder: half a million flushes would take an hour.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
