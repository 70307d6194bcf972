//! Laws that hold whatever happens in whatever order.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use update::feed::Checked;
use update::plan::Found;
use update::{Config, Effect, Event, InstallMethod, State, Tier, boot, step};

use crate::data::{self, time};
use crate::stories::release;

#[derive(Clone, Debug)]
enum Act {
    Tell(Event),
    /// The program is killed and started again, with the old or the new version.
    Restart(&'static str),
    Tier(Tier),
}

fn acts() -> impl Strategy<Value = Vec<(Act, i64)>> {
    let found = Found {
        from_sha: "old".to_owned(),
        from_release: "old-release".to_owned(),
        commit: "new".to_owned(),
        version: "1.1.0".to_owned(),
        hands_over: false,
    };
    let offer = |tag: &str| {
        Event::Checked(Checked::Found {
            release: release(tag),
            etag: None,
        })
    };
    let events = vec![
        offer("v1.1.0"),
        offer("v1.2.0"),
        offer("v0.9.0"),
        Event::Checked(Checked::Unchanged),
        Event::Checked(Checked::Limited { until: None }),
        Event::TimerFired,
        Event::Apply,
        Event::Cancel(None),
        Event::Acknowledge,
        Event::PreflightPassed(found),
        Event::PreflightFailed("low-disk-space".to_owned()),
        Event::DrainEnded,
        Event::Installed,
        Event::StepFailed("build".to_owned()),
        Event::RolledBack(None),
        Event::RolledBack(Some("gone".to_owned())),
        Event::Healthy,
        Event::HealthTimedOut,
    ];
    let act = prop_oneof![
        10 => prop::sample::select(events).prop_map(Act::Tell),
        2 => prop::sample::select(vec!["1.0.0", "1.1.0"]).prop_map(Act::Restart),
        1 => prop::sample::select(Tier::ALL.to_vec()).prop_map(Act::Tier),
    ];
    // Clocks jump, too.
    let seconds = prop_oneof![8 => 0..100_000_i64, 1 => -5_000_000..5_000_000_i64];
    prop::collection::vec((act, seconds), 1..60)
}

/// What must not happen twice for one cause.
fn is_weighty(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::ArmTimer(_) | Effect::DropTimer | Effect::AwaitHealth { .. } | Effect::Claim(_)
    )
}

fn holds(state: &State, effects: &[Effect]) -> Result<(), TestCaseError> {
    let read = State::read(&state.write());
    prop_assert_eq!(read.as_ref().ok(), Some(state));
    for (at, effect) in effects.iter().enumerate() {
        prop_assert!(!effects[..at].contains(effect), "{:?} twice", effect);
        let status = state.execution.status();
        let expected = match effect {
            Effect::Preflight { .. } => "preflight",
            Effect::Drain { .. } => "draining",
            Effect::Install { .. } => "executing",
            Effect::Switch { .. } | Effect::AwaitHealth { .. } => "pending-verification",
            Effect::Restore { .. } => "rolling-back",
            Effect::Keep { .. } => "verified",
            Effect::ArmTimer(_) => "scheduled",
            _ => continue,
        };
        prop_assert_eq!(status, expected, "{:?}", effect);
    }
    Ok(())
}

/// After a restart nothing is under way that would never end by itself.
fn is_settled(state: &State, effects: &[Effect]) -> bool {
    let restores = effects
        .iter()
        .any(|it| matches!(it, Effect::Restore { .. }));
    match state.execution.status() {
        "preflight" | "draining" | "executing" => false,
        "rolling-back" => restores,
        _ => true,
    }
}

fn run(acts: Vec<(Act, i64)>, mut config: Config) -> Result<(), TestCaseError> {
    let mut state = State::default();
    let mut now: Timestamp = time("2026-03-02T12:00Z");
    for (act, seconds) in acts {
        now += SignedDuration::from_secs(seconds);
        match act {
            Act::Tier(tier) => config.tier = tier,
            Act::Tell(event) => {
                let done = step(&state, event.clone(), now, &config);
                holds(&done.state, &done.effects)?;
                let changed = done.state != state;
                prop_assert!(done.refusal.is_none() || !changed, "{:?}", event);
                let again = step(&done.state, event, now, &config);
                let both = again.effects.iter().find(|it| done.effects.contains(it));
                prop_assert!(!both.is_some_and(is_weighty), "{:?}", both);
                state = done.state;
            }
            Act::Restart(version) => {
                let booted = boot(&state, version, now);
                holds(&booted.state, &booted.effects)?;
                prop_assert!(is_settled(&booted.state, &booted.effects));
                state = booted.state;
                config.current = version.to_owned();
                let started = step(&state, Event::Started, now, &config);
                holds(&started.state, &started.effects)?;
                state = started.state;
            }
        }
        let may_write = config.install_method == InstallMethod::Git;
        let idle = ["idle", "scheduled"].contains(&state.execution.status());
        prop_assert!(may_write || idle, "{}", state.execution.status());
    }
    Ok(())
}

fn cases() -> u32 {
    let factor = std::env::var("PADSVC_SOAK").ok();
    512 * factor.and_then(|text| text.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn every_event_in_every_state_gives_a_defined_one(acts in acts()) {
        run(acts, data::config())?;
    }

    #[test]
    fn other_installs_are_never_changed(acts in acts()) {
        run(acts, Config { install_method: InstallMethod::Docker, ..data::config() })?;
    }
}
