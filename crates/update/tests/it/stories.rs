//! What happens, event by event: the transition table, and longer stories.

use jiff::Timestamp;
use update::feed::Checked;
use update::plan::Found;
use update::state::{LastResult, Release, Trigger};
use update::{Config, Effect, Event, Execution, Refusal, State, Step, boot, step};

use crate::data::{self, configure, time};

#[test]
fn transitions() {
    play("transitions.script");
}

#[test]
fn schedules() {
    play("schedules.script");
}

#[test]
fn mails() {
    play("mails.script");
}

#[test]
fn interruptions() {
    play("interruptions.script");
}

#[test]
fn clocks() {
    play("clocks.script");
}

fn play(file: &str) {
    let mut story = Story::new();
    data::check(file, |line| story.line(line));
}

struct Story {
    state: State,
    config: Config,
    now: Timestamp,
}

pub(crate) fn release(tag: &str) -> Release {
    Release {
        version: tag.strip_prefix('v').unwrap_or(tag).to_owned(),
        tag: tag.to_owned(),
        body: String::new(),
        published_at: "2026-01-01T00:00:00Z".to_owned(),
        prerelease: false,
        html_url: format!("https://example.org/{tag}"),
    }
}

impl Story {
    fn new() -> Story {
        Story {
            state: State::default(),
            config: data::config(),
            now: time("2026-03-02T12:00Z"),
        }
    }

    fn line(&mut self, line: &str) -> Vec<String> {
        if line.starts_with("story") {
            *self = Story::new();
            return Vec::new();
        }
        if let Some(words) = line.strip_prefix("config ") {
            configure(&mut self.config, words);
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
        let before = self.state.clone();
        let taken = match line.strip_prefix("boots ") {
            Some(version) => boot(&self.state, version, self.now),
            None => step(&self.state, event(line), self.now, &self.config),
        };
        self.state = taken.state.clone();
        // What is written down can be read again.
        assert_eq!(State::read(&self.state.write()).unwrap(), self.state);
        shown(&before, &taken)
    }
}

pub(crate) fn event(line: &str) -> Event {
    let (first, rest) = line.split_once(": ").unwrap_or((line, ""));
    let rest = || rest.to_owned();
    match first {
        "starts" => Event::Started,
        "feed offers" => Event::Checked(Checked::Found {
            release: release(&rest()),
            etag: None,
        }),
        "feed unchanged" => Event::Checked(Checked::Unchanged),
        "feed fails" => Event::Checked(Checked::Failed(rest())),
        "feed has a prerelease" => Event::Checked(Checked::Prerelease { etag: None }),
        "feed asks to wait" => Event::Checked(Checked::Limited {
            until: Some(time(&rest())),
        }),
        "timer fires" => Event::TimerFired,
        "apply" => Event::Apply,
        "cancel" => Event::Cancel(None),
        "acknowledge" => Event::Acknowledge,
        "preflight passes" => Event::PreflightPassed(Found {
            from_sha: "old".to_owned(),
            from_release: "old-release".to_owned(),
            commit: "new".to_owned(),
            version: "1.1.0".to_owned(),
            hands_over: rest() == "others take over",
        }),
        "preflight fails" => Event::PreflightFailed(rest()),
        "drain ends" => Event::DrainEnded,
        "installed" => Event::Installed,
        "step fails" => Event::StepFailed(rest()),
        "restored" => Event::RolledBack(None),
        "restore fails" => Event::RolledBack(Some(rest())),
        "healthy" => Event::Healthy,
        "health times out" => Event::HealthTimedOut,
        other => panic!("no event: {other}"),
    }
}

/// The new state in a line, and each effect in a line of its own.
pub(crate) fn shown(before: &State, step: &Step) -> Vec<String> {
    let state = &step.state;
    let mut lines = vec![execution(&state.execution)];
    if state.boot_count != before.boot_count {
        lines.push(format!("boots counted: {}", state.boot_count));
    }
    if state.last_result != before.last_result {
        lines.extend(state.last_result.as_ref().map(result));
    }
    if state.cancelled_tag != before.cancelled_tag {
        let tag = state.cancelled_tag.as_deref().unwrap_or("nothing");
        lines.push(format!("not again by itself: {tag}"));
    }
    if let Some(at) = state.next_check_at {
        lines.push(format!("next check not before {at}"));
    }
    lines.extend(step.refusal.as_ref().map(refusal));
    lines.extend(step.effects.iter().map(effect));
    lines
}

fn execution(execution: &Execution) -> String {
    let status = execution.status();
    let tag = execution.target_tag().unwrap_or_default();
    match execution {
        Execution::Idle => status.to_owned(),
        Execution::Scheduled { scheduled_for, .. } => format!("{status} {tag} for {scheduled_for}"),
        Execution::Draining { drain_ends_at, .. } => {
            format!("{status} {tag} until {drain_ends_at}")
        }
        Execution::PendingVerification { deadline_at, .. } => {
            format!("{status} {tag} until {deadline_at}")
        }
        Execution::PreflightFailed { reason, .. }
        | Execution::RollingBack { reason, .. }
        | Execution::RolledBack { reason, .. }
        | Execution::RollbackFailed { reason, .. } => format!("{status} {tag}: {reason}"),
        _ => format!("{status} {tag}"),
    }
}

fn result(result: &LastResult) -> String {
    let trigger = match result.trigger {
        Some(Trigger::Auto) => " by itself",
        _ => "",
    };
    let reason = result.reason.as_deref().unwrap_or("fine");
    let outcome = result.outcome.name();
    format!("result {outcome} {}{trigger}: {reason}", result.target_tag)
}

fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoKnownLatest => "refused: no-known-latest".to_owned(),
        Refusal::InvalidTag => "refused: invalid-tag-in-state".to_owned(),
        Refusal::Busy(status) => format!("refused: execution-busy:{status}"),
        Refusal::NotAcknowledged(status) => format!("refused: acknowledge-first {status}"),
        Refusal::PolicyDenied(reason) => format!("refused: policy-denied {}", reason.name()),
        Refusal::NotCancellable(status) => format!("refused: not-cancellable {status}"),
        Refusal::NotTerminal(status) => format!("refused: not-terminal {status}"),
    }
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::ArmTimer(at) => format!("do: arm timer for {at}"),
        Effect::DropTimer => "do: drop timer".to_owned(),
        Effect::Mail(mail) => format!("do: mail {}", mail.subject),
        Effect::Preflight { tag, .. } => format!("do: preflight {tag}"),
        Effect::AbortPreflight => "do: abort preflight".to_owned(),
        Effect::Drain {
            until,
            is_announced: true,
        } => format!("do: drain until {until}"),
        Effect::Drain { .. } => "do: drain without a word".to_owned(),
        Effect::StopDrain => "do: stop drain".to_owned(),
        Effect::Install { tag, change } => format!("do: install {tag} from {}", change.commit),
        Effect::Switch { release } => format!("do: switch to {release}"),
        Effect::Restore { change } => {
            format!("do: restore {} {}", change.from_sha, change.from_release)
        }
        Effect::AwaitHealth { until } => format!("do: await health until {until}"),
        Effect::Keep { releases } => format!("do: keep only {}", releases.join(" ")),
        Effect::Claim(claim) => format!("do: claim the turn for {}", claim.tag),
        Effect::Exit => "do: exit".to_owned(),
    }
}
