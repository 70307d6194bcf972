//! Rolls through several nodes, event by event.

use std::collections::BTreeMap;

use jiff::Timestamp;
use update::roll::sync;
use update::{Claim, Config, Effect, Event, NodeName, Roll, State, boot, step};

use crate::data::{self, configure, time};
use crate::stories::{event, shown};

#[test]
fn rolls() {
    let mut story = Story::default();
    data::check("rolls.script", |line| story.line(line));
}

/// One of several nodes.
pub(crate) struct Node {
    pub state: State,
    pub config: Config,
    /// What it asks for with the next look at the record.
    pub claim: Option<Claim>,
}

impl Node {
    pub(crate) fn new(name: &str) -> Node {
        let node = NodeName {
            id: name.to_owned(),
            address: format!("http://{name}"),
        };
        let config = Config {
            node: Some(node),
            ..data::config()
        };
        Node {
            state: State::default(),
            config,
            claim: None,
        }
    }

    /// Takes a step, and remembers what it claims.
    pub(crate) fn step(&mut self, event: Event, now: Timestamp) -> update::Step {
        let taken = step(&self.state, event, now, &self.config);
        self.take(&taken);
        taken
    }

    pub(crate) fn boot(&mut self, version: &str, now: Timestamp) -> update::Step {
        self.claim = None;
        self.config.current = version.to_owned();
        let taken = boot(&self.state, version, now);
        self.take(&taken);
        taken
    }

    /// Compares with the record, which is written first.
    pub(crate) fn sync(&mut self, roll: &mut Roll, now: Timestamp) -> update::Step {
        let claim = self.claim.take();
        *roll = sync(roll, &self.state, claim.as_ref(), now, &self.config);
        let text = serde_json::to_vec(roll).unwrap();
        assert_eq!(serde_json::from_slice::<Roll>(&text).unwrap(), *roll);
        self.step(Event::Synced(Box::new(roll.clone()), claim), now)
    }

    fn take(&mut self, taken: &update::Step) {
        self.state = taken.state.clone();
        assert_eq!(State::read(&self.state.write()).unwrap(), self.state);
        for effect in &taken.effects {
            if let Effect::Claim(claim) = effect {
                self.claim = Some(claim.clone());
            }
        }
    }
}

struct Story {
    nodes: BTreeMap<String, Node>,
    roll: Roll,
    now: Timestamp,
}

impl Default for Story {
    fn default() -> Story {
        Story {
            nodes: BTreeMap::new(),
            roll: Roll::default(),
            now: time("2026-03-02T12:00Z"),
        }
    }
}

impl Story {
    fn line(&mut self, line: &str) -> Vec<String> {
        if line.starts_with("story") {
            *self = Story::default();
            return Vec::new();
        }
        let line = match line.strip_prefix("at ") {
            Some(rest) => {
                let (when, event) = rest.split_once(' ').unwrap();
                self.now = time(when);
                event.trim()
            }
            None => line,
        };
        let (name, what) = line.split_once(' ').unwrap();
        let node = self.nodes.entry(name.to_owned());
        let node = node.or_insert_with(|| Node::new(name));
        if let Some(words) = what.strip_prefix("config ") {
            configure(&mut node.config, words);
            return Vec::new();
        }
        let before = (node.state.clone(), self.roll.clone());
        let taken = match what.strip_prefix("boots ") {
            Some(version) => node.boot(version, self.now),
            None if what == "syncs" => node.sync(&mut self.roll, self.now),
            None if what == "cancel" => {
                node.step(Event::Cancel(Some(Box::new(self.roll.clone()))), self.now)
            }
            None => node.step(event(what), self.now),
        };
        let mut lines = shown(&before.0, &taken);
        if before.1 != self.roll {
            lines.push(record(&self.roll));
        }
        for effect in &taken.effects {
            if let Effect::Mail(mail) = effect {
                let is_sent = self.roll.take_mail(mail, self.now);
                lines.push(format!("{} sent: {is_sent}", mail.key));
            }
        }
        lines
    }
}

fn record(roll: &Roll) -> String {
    let mut words = vec!["record:".to_owned()];
    if let Some(turn) = &roll.turn {
        words.push(format!(
            "turn of {} for {} until {};",
            turn.node, turn.tag, turn.until
        ));
    }
    if let Some(target) = &roll.target {
        words.push(format!("all to {};", target.tag));
    }
    if let Some(halt) = &roll.halt {
        let (address, outcome) = (&halt.address, &halt.outcome);
        words.push(format!("stopped by {address}: {outcome}: {};", halt.reason));
    }
    if let Some(tag) = &roll.cancelled_tag {
        words.push(format!("{tag} is cancelled;"));
    }
    words.join(" ")
}
