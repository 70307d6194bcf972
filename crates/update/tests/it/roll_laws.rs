//! Laws of rolls: whatever several nodes do in whatever order, one is updated at a time, and none
//! after one has failed.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use update::feed::Checked;
use update::plan::Found;
use update::{Effect, Event, Roll, Tier};

use crate::data::time;
use crate::rolls::Node;
use crate::stories::release;

const NODES: usize = 3;
const NEW: &str = "1.1.0";

#[derive(Clone, Copy, Debug)]
enum Act {
    Sync,
    /// What is under way goes on, well or badly.
    Go(bool),
    Timer,
    Apply,
    Cancel,
    Acknowledge,
    /// Killed and started again.
    Crash,
    /// The feed is read again.
    Check,
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act, i64)>> {
    let act = prop_oneof![
        10 => Just(Act::Sync),
        8 => Just(Act::Go(true)),
        1 => Just(Act::Go(false)),
        4 => Just(Act::Timer),
        2 => Just(Act::Apply),
        1 => Just(Act::Cancel),
        1 => Just(Act::Acknowledge),
        1 => Just(Act::Crash),
        2 => Just(Act::Check),
    ];
    prop::collection::vec((0..NODES, act, 0..600_i64), 1..200)
}

fn nodes(tier: Tier) -> Vec<Node> {
    let names = ["a", "b", "c"].iter().take(NODES);
    let node = |name: &&str| {
        let mut node = Node::new(name);
        node.config.tier = tier;
        node
    };
    names.map(node).collect()
}

fn offer() -> Event {
    Event::Checked(Checked::Found {
        release: release("v1.1.0"),
        etag: None,
    })
}

/// How the work of a state ends.
fn end_of_work(status: &str, well: bool) -> Option<Event> {
    let bad = || "bad".to_owned();
    Some(match (status, well) {
        ("preflight", true) => Event::PreflightPassed(Found {
            from_sha: "old".to_owned(),
            from_release: "old-release".to_owned(),
            commit: "new".to_owned(),
            version: NEW.to_owned(),
            hands_over: true,
        }),
        ("preflight", false) => Event::PreflightFailed(bad()),
        ("draining", _) => Event::DrainEnded,
        ("executing", true) => Event::Installed,
        ("executing", false) => Event::StepFailed(bad()),
        ("pending-verification", true) => Event::Healthy,
        ("pending-verification", false) => Event::HealthTimedOut,
        ("rolling-back", true) => Event::RolledBack(None),
        ("rolling-back", false) => Event::RolledBack(Some(bad())),
        _ => return None,
    })
}

struct World {
    nodes: Vec<Node>,
    roll: Roll,
    now: Timestamp,
    mails: Vec<String>,
    /// Something has failed, and nobody has acknowledged.
    has_failed: bool,
}

impl World {
    fn new(tier: Tier) -> World {
        World {
            nodes: nodes(tier),
            roll: Roll::default(),
            now: time("2026-03-02T12:00Z"),
            mails: Vec::new(),
            has_failed: false,
        }
    }

    fn act(&mut self, number: usize, act: Act) -> Result<(), TestCaseError> {
        let node = &mut self.nodes[number];
        let status = node.state.execution.status();
        let was_under_way = node.state.execution.is_under_way();
        let had_failed = node.state.execution.has_failed();
        let taken = match act {
            Act::Sync => node.sync(&mut self.roll, self.now),
            Act::Go(well) => {
                let Some(event) = end_of_work(status, well) else {
                    return Ok(());
                };
                let taken = node.step(event, self.now);
                if taken.effects.contains(&Effect::Exit) {
                    return self.restart(number);
                }
                taken
            }
            Act::Timer => node.step(Event::TimerFired, self.now),
            Act::Apply => node.step(Event::Apply, self.now),
            Act::Cancel => {
                let roll = Some(Box::new(self.roll.clone()));
                node.step(Event::Cancel(roll), self.now)
            }
            Act::Acknowledge => {
                let taken = node.step(Event::Acknowledge, self.now);
                self.has_failed &= taken.refusal.is_some();
                taken
            }
            Act::Crash => return self.restart(number),
            Act::Check => node.step(offer(), self.now),
        };
        // A failed rollback may be tried again by somebody who acts.
        if matches!(act, Act::Apply) && status == "rollback-failed" && taken.refusal.is_none() {
            self.has_failed = false;
        }
        let begins = !was_under_way && taken.state.execution.is_under_way();
        prop_assert!(!(begins && self.has_failed), "{:?} after a failure", act);
        self.note(&taken, had_failed);
        self.check()
    }

    fn restart(&mut self, number: usize) -> Result<(), TestCaseError> {
        let node = &mut self.nodes[number];
        let status = node.state.execution.status();
        let had_failed = node.state.execution.has_failed();
        let version = match status {
            "pending-verification" | "verified" => NEW.to_owned(),
            "rolling-back" | "rolled-back" | "rollback-failed" => "1.0.0".to_owned(),
            _ => node.config.current.clone(),
        };
        let taken = node.boot(&version, self.now);
        if taken.state.execution.status() == "rolling-back" {
            node.config.current = "1.0.0".to_owned();
            let taken = node.step(Event::RolledBack(None), self.now);
            self.note(&taken, had_failed);
        }
        let taken = self.nodes[number].step(Event::Started, self.now);
        self.note(&taken, had_failed);
        self.check()
    }

    /// A node that had failed before has not failed again: others may have acknowledged it since.
    fn note(&mut self, taken: &update::Step, had_failed: bool) {
        let has_failed = taken.state.execution.has_failed() && !had_failed;
        self.has_failed |= has_failed && taken.state.roll.halt.is_none();
        for effect in &taken.effects {
            if let Effect::Mail(mail) = effect
                && self.roll.take_mail(mail, self.now)
            {
                self.mails.push(mail.key.clone());
            }
        }
    }

    fn check(&self) -> Result<(), TestCaseError> {
        let busy = |node: &&Node| node.state.execution.is_under_way();
        let count = self.nodes.iter().filter(busy).count();
        prop_assert!(count <= 1, "{count} nodes at once");
        let mut mails = self.mails.clone();
        mails.sort();
        mails.dedup();
        prop_assert_eq!(mails.len(), self.mails.len(), "{:?}", &self.mails);
        Ok(())
    }

    /// Lets everything go well until nothing changes.
    fn settle(&mut self) -> Result<(), TestCaseError> {
        for _ in 0..12 {
            for number in 0..NODES {
                self.now += SignedDuration::from_secs(60);
                for act in [Act::Timer, Act::Sync, Act::Sync, Act::Go(true)] {
                    self.act(number, act)?;
                }
            }
        }
        (0..NODES).try_for_each(|number| self.act(number, Act::Sync))
    }
}

fn run(acts: Vec<(usize, Act, i64)>, tier: Tier) -> Result<World, TestCaseError> {
    let mut world = World::new(tier);
    for (number, act, seconds) in acts {
        // All live nodes look at the record more often than a turn lasts.
        world.now += SignedDuration::from_secs(seconds);
        for number in 0..NODES {
            if world.nodes[number].state.execution.is_under_way() {
                world.act(number, Act::Sync)?;
            }
        }
        world.act(number, act)?;
    }
    Ok(world)
}

fn cases() -> u32 {
    let factor = std::env::var("PADSVC_SOAK").ok();
    64 * factor.and_then(|text| text.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn one_node_at_a_time_and_none_after_a_failure(
        acts in acts(),
        tier in prop::sample::select(vec![Tier::Manual, Tier::Auto]),
    ) {
        run(acts, tier)?;
    }

    /// After any history all nodes get the release, once failures are acknowledged.
    #[test]
    fn a_roll_that_goes_well_reaches_every_node(acts in acts()) {
        let mut world = run(acts, Tier::Manual)?;
        world.settle()?;
        for number in 0..NODES {
            for act in [Act::Sync, Act::Acknowledge, Act::Sync, Act::Check, Act::Sync] {
                world.act(number, act)?;
            }
        }
        world.settle()?;
        world.act(0, Act::Apply)?;
        for number in 0..NODES {
            world.act(number, Act::Apply)?;
            world.settle()?;
        }
        let versions: Vec<_> = world.nodes.iter().map(|it| it.config.current.clone()).collect();
        prop_assert_eq!(versions, vec![NEW; NODES]);
    }
}

/// The click on one node is for all of them, and nobody has to click again.
#[test]
fn one_click_updates_all_nodes() {
    let mut world = World::new(Tier::Manual);
    world.act(0, Act::Check).unwrap();
    world.act(0, Act::Apply).unwrap();
    world.settle().unwrap();
    for node in &world.nodes {
        assert_eq!(node.config.current, NEW);
        assert_eq!(node.state.execution.status(), "verified");
    }
    assert_eq!((&world.roll.turn, &world.roll.halt), (&None, &None));
}
