//! The nodes, the people, and what can happen between them.

use std::collections::BTreeSet;
use std::sync::Arc;

use changeset::{OpKind, Text};
use futures_util::FutureExt;
use hints::{HintChannel, HintFaults, HintHub, MemoryHints};
use pad::{AuthorId, Rev, WindowId};
use service::{
    Acceptance, Config, Delivery, Event, JoinError, JoinRequest, Joined, Node, Service, SubmitError,
};
use store::{Location, NodeId, NodeReport, Store};
use tokio::task::unconstrained;

use super::person::{Forgotten, Person, Welcome};
use crate::simulation::Script;
use crate::simulation::dice::Dice;
use crate::simulation::editor::{Editor, Habit, Line, Told};
use crate::simulation::world::{pad, plain};
use crate::world::TestWorld;

struct Running {
    service: Arc<Service>,
    node: Node,
    hints: Arc<MemoryHints>,
    noted: tokio::sync::watch::Receiver<u64>,
}

pub(super) struct Cluster {
    dice: Dice,
    store: Store,
    world: Arc<TestWorld>,
    hub: HintHub,
    /// `None`: killed, and not started again yet.
    nodes: Vec<Option<Running>>,
    /// How many nodes there have been.
    starts: u64,
    people: Vec<Person>,
    forgotten: Vec<Forgotten>,
    /// How many chat messages were sent.
    said: usize,
    /// The newest revision that somebody was answered.
    newest: Rev,
    /// Whether each author has two windows, on any nodes.
    has_windows: bool,
    script: Script,
}

impl Cluster {
    pub(super) async fn new(seed: u64, script: Script) -> Cluster {
        let mut dice = Dice::new(seed);
        let faults = HintFaults {
            dropped: dice.roll(40) as u64,
            doubled: dice.roll(20) as u64,
            held: dice.roll(40) as u64,
        };
        let store = Store::open(Location::Memory).await.unwrap();
        let (nodes, people) = (2 + dice.roll(2), 2 + dice.roll(5));
        let first = format!("seed {seed}, {nodes} nodes, {people} people, {faults:?}");
        script.borrow_mut().push(first);
        let mut cluster = Cluster {
            dice,
            store,
            world: Arc::new(TestWorld::new()),
            hub: HintHub::new(seed, faults),
            nodes: Vec::new(),
            starts: 0,
            people: Vec::new(),
            forgotten: Vec::new(),
            said: 0,
            newest: Rev(0),
            has_windows: seed.is_multiple_of(3),
            script,
        };
        for _ in 0..nodes {
            let node = cluster.start().await;
            cluster.nodes.push(Some(node));
        }
        let text = Text::from("one\ntwo\n*three");
        let service = cluster.service(0).unwrap();
        service.create_pad(&pad(), Some(text), None).await.unwrap();
        for who in 0..people {
            let node = cluster.dice.roll(nodes);
            let joined = cluster.join(who, node, None).await.unwrap();
            let mut person = Person::new(joined, node);
            person.editor.page = who;
            if cluster.has_windows {
                // On another node a client knows its change by what it is.
                person.editor.habit = Habit::OwnWords;
            }
            cluster.people.push(person);
        }
        cluster
    }

    fn note(&self, text: String) {
        self.script.borrow_mut().push(text);
    }

    /// Starts a process: each is another node.
    async fn start(&mut self) -> Running {
        self.starts += 1;
        let id = NodeId::new(self.starts);
        let store = self.store.as_node(id);
        let noted = store.noted();
        let config = Config::default();
        let service = Arc::new(Service::new(store, self.world.clone(), config));
        let hints = Arc::new(self.hub.join(id));
        let node = service.node(hints.clone()).unwrap();
        node.beat(NodeReport::default()).await.unwrap();
        node.sweep().await.unwrap();
        Running {
            service,
            node,
            hints,
            noted,
        }
    }

    fn service(&self, node: usize) -> Option<Arc<Service>> {
        Some(Arc::clone(&self.nodes[node].as_ref()?.service))
    }

    /// A node that runs.
    fn any_node(&mut self) -> usize {
        loop {
            let node = self.dice.roll(self.nodes.len());
            if self.nodes[node].is_some() {
                return node;
            }
        }
    }

    async fn join(&self, who: usize, node: usize, known: Option<Rev>) -> Result<Joined, JoinError> {
        let (author, window) = match self.has_windows {
            true => (who / 2, WindowId::parse(&format!("page{who}"))),
            false => (who, None),
        };
        let request = JoinRequest {
            pad: pad().as_str().to_owned(),
            token: Some(format!("t.{author:020}")),
            known,
            window,
            ..JoinRequest::default()
        };
        let service = self.service(node).ok_or(JoinError::Unavailable)?;
        service.join(&request).await
    }

    pub(super) async fn step(&mut self) {
        let who = self.dice.roll(self.people.len());
        match self.dice.roll(100) {
            0..20 => {
                let change = self.people[who].editor.types(&mut self.dice);
                self.note(format!("{who} types {change}"));
            }
            20..33 => self.sends(who),
            33..48 => self.server_takes(who).await,
            48..62 => self.server_tells(who).await,
            62..76 => self.hears(who),
            76..80 => self.comes_back(who).await,
            80..83 => self.forgotten_speaks().await,
            83 => self.says(who).await,
            84 => self.saves(who).await,
            85 => self.kills().await,
            86 => self.starts_again().await,
            87..90 => self.sweeps().await,
            _ => self.nodes_talk().await,
        }
    }

    fn sends(&mut self, who: usize) {
        if let Some(text) = self.people[who].editor.sends() {
            self.note(format!("{who} sends {text}"));
        }
    }

    fn hears(&mut self, who: usize) {
        let editor = &mut self.people[who].editor;
        if let Some(text) = editor.hears() {
            editor.check();
            self.note(format!("{who} hears {text}"));
        }
    }

    /// A message reaches the server.
    async fn server_takes(&mut self, who: usize) {
        let editor = &mut self.people[who].editor;
        if editor.line.is_none() {
            return;
        }
        let Some(submission) = editor.to_server.pop_front() else {
            return;
        };
        let Some(line) = &editor.line else { return };
        let end = line.member.submit(submission).await;
        self.note(format!("the change of {who}: {end:?}"));
        let Acceptance { rev, had_effect } = match end {
            Ok(acceptance) => acceptance,
            Err(SubmitError::Unavailable | SubmitError::NotStored) => {
                return self.people[who].editor.line = None;
            }
            Err(refusal) => panic!("{who} was refused: {refusal:?}"),
        };
        self.newest = self.newest.max(rev);
        while let Some(line) = &mut self.people[who].editor.line
            && line.feed.place() < rev
        {
            let delivery = line.feed.next().await;
            self.tell(who, delivery);
        }
        let editor = &mut self.people[who].editor;
        if let Some(line) = &editor.line
            && !had_effect
        {
            let rev = line.feed.place();
            editor.to_editor.push_back(Told::HadNoEffect { rev });
        }
    }

    /// A connection writes the next thing that its feed has, if there is one.
    async fn server_tells(&mut self, who: usize) {
        let Some(line) = &mut self.people[who].editor.line else {
            return;
        };
        if let Some(delivery) = unconstrained(line.feed.next()).now_or_never() {
            self.tell(who, delivery);
        }
    }

    fn tell(&mut self, who: usize, delivery: Delivery) {
        if let Delivery::Event(event) = &delivery {
            self.note(format!("{who} learns {}", kind(event)));
        }
        let person = &mut self.people[who];
        if !person.receives(delivery) {
            person.editor.line = None;
        }
    }

    /// The connection breaks, or has been broken, and the editor comes to any node; what was on its
    /// way to the old one may still arrive there.
    async fn comes_back(&mut self, who: usize) {
        let node = self.any_node();
        let person = &mut self.people[who];
        let editor = &mut person.editor;
        editor.to_editor.clear();
        let on_its_way = std::mem::take(&mut editor.to_server);
        if let Some(line) = editor.line.take()
            && self.dice.is_one_in(2)
        {
            self.forgotten.push(Forgotten {
                member: line.member,
                node: person.node,
                on_its_way,
            });
        }
        let known = editor.replica.rev();
        let joined = match self.join(who, node, known).await {
            Ok(joined) => joined,
            Err(JoinError::Unavailable) => return self.note(format!("{who} cannot come back")),
            Err(error) => panic!("{who} knows revision {known:?}: {error:?}"),
        };
        let head = joined.head.rev.unwrap();
        self.note(format!(
            "{who} comes to {node} with {known:?}, head is {head}"
        ));
        let person = &mut self.people[who];
        person.is_welcomed(Welcome::of(&joined), node);
        let mut line = Line::new(joined.member, joined.feed);
        person.editor.is_catching_up = true;
        while line.feed.place() < head {
            match line.feed.next().await {
                Delivery::Revisions(revisions) => {
                    let told = revisions.into_iter().map(|live| match live.rev <= head {
                        true => {
                            let record = line.member.record();
                            let is_own = line.member.made_last(live.rev);
                            Told::Missed(live, record.map(|record| (record, is_own)))
                        }
                        false => Told::Changed(live),
                    });
                    person.editor.to_editor.extend(told);
                }
                Delivery::Event(event) => {
                    if !person.learns(event) {
                        return;
                    }
                }
                Delivery::Behind | Delivery::Ended(_) => return,
                Delivery::Batch(_) | Delivery::Carets(_) => {}
            }
        }
        let editor = &mut person.editor;
        let missed = editor.to_editor.iter();
        let missed = missed.filter(|told| matches!(told, Told::Missed(..)));
        editor.to_editor.insert(missed.count(), Told::Caught);
        editor.line = Some(line);
    }

    /// What its client no longer waits for arrives at last.
    async fn forgotten_speaks(&mut self) {
        if self.forgotten.is_empty() {
            return;
        }
        let which = self.dice.roll(self.forgotten.len());
        match self.forgotten[which].on_its_way.pop_front() {
            Some(submission) => {
                let text = submission.change.to_string();
                let end = self.forgotten[which].member.submit(submission).await;
                self.note(format!("a forgotten connection says {text}: {end:?}"));
            }
            None => drop(self.forgotten.swap_remove(which)),
        }
    }

    async fn says(&mut self, who: usize) {
        let text = format!("message {}", self.said);
        if let Some(line) = &self.people[who].editor.line
            && line.member.chat(Text::from(text.as_str())).await.is_ok()
        {
            self.said += 1;
            self.note(format!("{who} says {text}"));
        }
    }

    async fn saves(&mut self, who: usize) {
        if let Some(line) = &self.people[who].editor.line {
            let saved = line.member.save_revision().await;
            self.note(format!("{who} saves a revision: {saved:?}"));
        }
    }

    /// A process ends without a word, and its connections with it.
    async fn kills(&mut self) {
        if self.nodes.iter().flatten().count() < 2 {
            return;
        }
        let node = self.any_node();
        self.note(format!("node {node} is killed"));
        for person in self.people.iter_mut().filter(|it| it.node == node) {
            person.editor.line = None;
        }
        self.forgotten.retain(|forgotten| forgotten.node != node);
        self.nodes[node] = None;
    }

    async fn starts_again(&mut self) {
        for node in 0..self.nodes.len() {
            if self.nodes[node].is_none() {
                self.note(format!("node {node} starts"));
                let running = self.start().await;
                self.nodes[node] = Some(running);
                return;
            }
        }
    }

    /// A second passes. Most nodes notice.
    async fn sweeps(&mut self) {
        self.world.pass(1_000);
        for node in 0..self.nodes.len() {
            if self.dice.is_one_in(8) {
                continue;
            }
            self.note(format!("node {node} compares"));
            if let Some(running) = &self.nodes[node] {
                running.node.beat(NodeReport::default()).await.unwrap();
                running.node.sweep().await.unwrap();
            }
        }
    }

    /// A node does some of what it does beside serving.
    async fn nodes_talk(&mut self) {
        let (node, part) = (self.any_node(), self.dice.roll(4));
        self.talks(node, part).await;
    }

    async fn talks(&mut self, node: usize, part: usize) {
        let Some(running) = &mut self.nodes[node] else {
            return;
        };
        match part {
            0 => running.node.send_revisions(),
            1 => {
                if running.noted.has_changed().unwrap() {
                    running.noted.mark_unchanged();
                    running.node.send_look();
                }
            }
            2 => running.node.work().await,
            _ => {
                let received = unconstrained(running.hints.next()).now_or_never();
                if let Some(hints) = received {
                    let text = format!("node {node} receives {} hints", hints.len());
                    running.node.receive(hints).await.unwrap();
                    self.note(text);
                }
            }
        }
    }

    /// Delivers everything until nothing is left to say.
    pub(super) async fn settle(&mut self) {
        self.note("everything is delivered".to_owned());
        self.hub.set_faults(HintFaults::default());
        while !self.forgotten.is_empty() {
            self.forgotten_speaks().await;
        }
        for _ in 0..self.nodes.len() {
            self.starts_again().await;
        }
        let mut quiet = 0;
        for round in 0.. {
            assert!(round < 10_000, "it does not come to rest");
            let mut is_done = true;
            for who in 0..self.people.len() {
                let editor = &self.people[who].editor;
                is_done &= editor.is_settled() && editor.replica.rev() >= Some(self.newest);
                if editor.line.is_none() && editor.to_editor.is_empty() {
                    self.comes_back(who).await;
                }
                self.sends(who);
                self.server_takes(who).await;
                for _ in 0..10 {
                    self.server_tells(who).await;
                    self.hears(who);
                }
            }
            self.hub.release();
            self.world.pass(1_000);
            for node in 0..self.nodes.len() {
                for part in 0..4 {
                    self.talks(node, part).await;
                }
                if let Some(running) = &self.nodes[node] {
                    running.node.beat(NodeReport::default()).await.unwrap();
                    running.node.sweep().await.unwrap();
                }
            }
            quiet = if is_done { quiet + 1 } else { 0 };
            // Nodes that were killed are found dead after some seconds.
            if quiet > 8 {
                return;
            }
        }
    }

    pub(super) async fn check(&mut self) {
        assert_eq!(self.store.check_pad(&pad()).await.unwrap(), []);
        let key = self.store.pad(&pad()).await.unwrap().unwrap().key;
        let head = self.store.load_head(key).await.unwrap().unwrap();
        let stored = plain(&head.document, &head.pool);
        let all = Rev(0)..head.next_rev();
        let revisions = self.store.revisions(key, all).await.unwrap();
        let chat = self.store.chat(key, 0..u64::MAX >> 1).await.unwrap();
        let saved = self.store.saved_revisions(key).await.unwrap();
        let saved = saved.iter().map(|saved| saved.rev).collect();
        let authors = || self.people.iter().map(|person| &person.editor.author);
        assert_eq!(chat.len(), self.said);
        for (who, person) in self.people.iter().enumerate() {
            let editor = &person.editor;
            assert_eq!(editor.replica.rev(), head.rev, "the revision of {who}");
            let shown = plain(&editor.screen, editor.replica.pool());
            assert_eq!(shown, stored, "the text of {who}");
            let windows = self.people.iter().map(|person| &person.editor);
            let windows = windows.filter(|other| other.author == editor.author);
            let typed: usize = windows.map(|window| window.inserted).sum();
            assert_eq!(inserted(&revisions, editor), typed, "units of {who}");
            let others = authors().filter(|author| **author != editor.author);
            assert_eq!(person.others, others.cloned().collect(), "others of {who}");
            assert_eq!(person.saved, saved, "saved revisions of {who}");
            for (number, message) in &chat {
                let times = person.chat.get(&message.text.to_string());
                let is_news = *number >= person.chat_since;
                let times = times.copied().unwrap_or(0);
                assert_eq!(times, usize::from(is_news), "message {number} to {who}");
            }
        }
        for running in self.nodes.iter().flatten() {
            let users = running.service.pad_users(&pad()).await.unwrap();
            let people: BTreeSet<&AuthorId> = authors().collect();
            assert_eq!(users.len(), people.len());
            let stats = running.service.get_stats().await.unwrap();
            assert_eq!(stats.members as usize, self.people.len());
        }
    }

    pub(super) async fn end(self) {
        let Cluster {
            people,
            forgotten,
            nodes,
            store,
            ..
        } = self;
        drop((people, forgotten, nodes));
        store.close().await;
    }
}

fn inserted(revisions: &[pad::Revision], editor: &Editor) -> usize {
    let made = revisions.iter();
    let made = made.filter(|revision| revision.author.as_ref() == Some(&editor.author));
    let ops = made.flat_map(|revision| &revision.change.ops);
    let inserts = ops.filter(|op| op.kind == OpKind::Insert);
    inserts.map(|op| op.chars).sum()
}

fn kind(event: &Event) -> String {
    match event {
        Event::Info { presence } => format!("that {} is there", presence.author.as_str()),
        Event::Left { presence } => format!("that {} is gone", presence.author.as_str()),
        Event::Expel { reason, .. } => format!("that it must go: {reason:?}"),
        Event::Chat(entry) => entry.message.text.to_string(),
        Event::Saved(saved) => format!("that revision {} is saved", saved.rev),
        _ => "something else".to_owned(),
    }
}
