//! Health of a plugin: what it did, what it took, and what went wrong, for the admin area.
//!
//! Everything is bounded: counters, and the last lines of a log.

use std::collections::{BTreeMap, VecDeque};

use plugin::Hook;
use plugin::wire::{LogLevel, SandboxReport};
use serde::Serialize;

/// Lines of the log that are kept, and characters of one.
const LINES: usize = 100;
const LINE: usize = 1_000;

/// So many failures in a row of hooks that people in pads wait for switch a plugin off.
const FAILURES: u32 = 5;
/// And so many starts in a row that failed.
const FAILED_STARTS: u32 = 10;

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub state: State,
    /// Why it is off, or why its worker does not run.
    pub reason: Option<String>,
    /// Since the plugin was enabled here.
    pub hooks: BTreeMap<&'static str, HookHealth>,
    /// Hooks that were left out because the plugin was off, or its worker did not run.
    pub skipped: u64,
    /// Notices that found no room.
    pub dropped: u64,
    /// Calls of functions, and those that were refused or failed.
    pub calls: u64,
    pub refused_calls: u64,
    pub starts: u64,
    /// What it has allocated, in bytes: now, and at most.
    pub memory: u64,
    pub peak_memory: u64,
    /// What the kernel keeps it from.
    pub sandbox: Option<SandboxReport>,
    pub log: VecDeque<LogLine>,
    /// Failures never switch it off: nothing would pass any more, and anybody could see to that.
    #[serde(skip)]
    stays_on: bool,
    #[serde(skip)]
    failures_in_a_row: u32,
    #[serde(skip)]
    failed_starts: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// No worker: nothing is to do.
    #[default]
    Idle,
    Running,
    /// The worker has ended and starts again after a while.
    Waiting,
    /// Switched off after too many failures, until an operator switches it on.
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookHealth {
    pub calls: u64,
    pub failures: u64,
    /// Of the failures: those that were too late.
    pub late: u64,
    /// Processor time of the worker, in microseconds.
    pub micros: u64,
    pub longest_micros: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// In milliseconds since 1970.
    pub time: u64,
    pub level: LogLevel,
    pub text: String,
}

impl Health {
    pub(crate) fn new(stays_on: bool) -> Health {
        Health {
            stays_on,
            ..Health::default()
        }
    }

    pub(crate) fn log(&mut self, time: u64, level: LogLevel, text: &str) {
        if self.log.len() >= LINES {
            self.log.pop_front();
        }
        let text = text.chars().take(LINE).collect();
        self.log.push_back(LogLine { time, level, text });
    }

    pub(crate) fn hook(&mut self, hook: Hook) -> &mut HookHealth {
        self.hooks.entry(hook.name()).or_default()
    }

    /// A hook was answered in time.
    pub(crate) fn succeed(&mut self, hook: Hook) {
        if hook.is_in_pads() {
            self.failures_in_a_row = 0;
        }
    }

    /// A hook was not answered, and why. True: the plugin is off now.
    pub(crate) fn fail(&mut self, hook: Hook, reason: &str, time: u64) -> bool {
        self.hook(hook).failures += 1;
        self.log(time, LogLevel::Error, &format!("{hook}: {reason}"));
        // Others are asked for by anybody, who would switch a plugin off by asking for nonsense.
        if hook.is_in_pads() {
            self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
        }
        self.failures_in_a_row >= FAILURES
            && self.switch_off(&format!("{FAILURES} failures in a row, the last: {reason}"))
    }

    /// Something was refused since the hook could not be called.
    pub(crate) fn refuse(&mut self, hook: Hook, time: u64) {
        self.hook(hook).failures += 1;
        let text = format!("{hook}: refused without an answer, since it cannot be called now");
        self.log(time, LogLevel::Error, &text);
    }

    pub(crate) fn late(&mut self, hook: Hook, time: u64) -> bool {
        self.hook(hook).late += 1;
        self.fail(hook, "no answer in time", time)
    }

    /// The worker did not start, or ended. True: the plugin is off now.
    pub(crate) fn ended(&mut self, reason: &str, time: u64) -> bool {
        self.log(time, LogLevel::Error, reason);
        self.failed_starts = self.failed_starts.saturating_add(1);
        if self.state != State::Off {
            self.state = State::Waiting;
            self.reason = Some(reason.to_owned());
        }
        self.failed_starts >= FAILED_STARTS && self.switch_off(reason)
    }

    /// The worker has answered something.
    pub(crate) fn works(&mut self) {
        self.failed_starts = 0;
    }

    pub(crate) fn started(&mut self, sandbox: SandboxReport) {
        self.starts += 1;
        self.state = State::Running;
        self.reason = None;
        self.sandbox = Some(sandbox);
    }

    pub(crate) fn idles(&mut self) {
        self.memory = 0;
        if self.state == State::Running {
            self.state = State::Idle;
        }
    }

    pub(crate) fn uses(&mut self, memory: u64) {
        self.memory = memory;
        self.peak_memory = self.peak_memory.max(memory);
    }

    pub(crate) fn is_off(&self) -> bool {
        self.state == State::Off
    }

    /// Begins again after it was switched off.
    pub(crate) fn switch_on(&mut self) {
        self.failures_in_a_row = 0;
        self.failed_starts = 0;
        self.state = State::Idle;
        self.reason = None;
    }

    fn switch_off(&mut self, reason: &str) -> bool {
        if self.stays_on {
            return false;
        }
        let was_off = self.is_off();
        self.state = State::Off;
        if !was_off {
            self.reason = Some(format!("switched off: {reason}"));
        }
        !was_off
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_in_a_row_switch_off() {
        let mut health = Health::default();
        for _ in 0..4 {
            assert!(!health.fail(Hook::ChatMessage, "it threw", 1));
        }
        health.succeed(Hook::ChatMessage);
        // What anybody can ask for does not count, nor what nobody waits for.
        for hook in [Hook::Request, Hook::Message, Hook::PadChanged] {
            for _ in 0..20 {
                assert!(!health.fail(hook, "it threw", 1));
                health.succeed(hook);
            }
        }
        for _ in 0..4 {
            assert!(!health.late(Hook::ClientVars, 1));
        }
        assert!(health.fail(Hook::ChatMessage, "it threw", 1));
        assert!(health.is_off());
        let reason = health.reason.clone().unwrap();
        assert_eq!(
            reason,
            "switched off: 5 failures in a row, the last: it threw"
        );
        // It is said once.
        assert!(!health.fail(Hook::ChatMessage, "again", 1));
        assert_eq!(health.reason, Some(reason));
        health.switch_on();
        assert_eq!((health.state, health.reason.clone()), (State::Idle, None));
        assert!(!health.fail(Hook::ChatMessage, "it threw", 1));
        assert_eq!(health.hook(Hook::ClientVars).late, 4);
    }

    #[test]
    fn a_worker_that_never_works_is_switched_off() {
        let mut health = Health::default();
        for _ in 0..9 {
            assert!(!health.ended("it ended", 1));
            assert_eq!(health.state, State::Waiting);
        }
        health.works();
        for _ in 0..9 {
            assert!(!health.ended("it ended", 1));
        }
        assert!(health.ended("it ended", 1));
        assert!(health.is_off());
    }

    /// What refuses without an answer would refuse everybody if it were off.
    #[test]
    fn one_that_refuses_stays_on() {
        let mut health = Health::new(true);
        for _ in 0..20 {
            assert!(!health.fail(Hook::ChatMessage, "it threw", 1));
            assert!(!health.late(Hook::ClientVars, 1));
            assert!(!health.ended("it ended", 1));
            health.refuse(Hook::ChatMessage, 1);
        }
        assert!(!health.is_off());
        assert_eq!(health.state, State::Waiting);
        assert_eq!(health.hook(Hook::ChatMessage).failures, 40);
        let last = &health.log.back().unwrap().text;
        assert!(last.starts_with("chatMessage: refused"), "{last}");
    }

    #[test]
    fn the_log_is_bounded() {
        let mut health = Health::default();
        for number in 0..1_000 {
            health.log(number, LogLevel::Info, &"ä".repeat(5_000));
        }
        assert_eq!(health.log.len(), LINES);
        assert_eq!(health.log[0].time, 900);
        assert_eq!(health.log[0].text.chars().count(), LINE);
    }
}
