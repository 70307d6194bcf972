//! Status of updates, as the API shows it.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::config::{Config, Tier};
use crate::policy::{Policy, policy as policy_of};
use crate::roll::Roll;
use crate::state::State;
use crate::window::{Daily, Window};

/// Who looks, and what only the caller can see.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub is_admin: bool,
    /// Whether others than administrators may know which version runs.
    pub shows_version: bool,
    pub lock_is_held: bool,
    pub now: Timestamp,
    /// Where there are nodes.
    pub roll: Option<&'a Roll>,
}

/// Others than administrators learn how things stand, and neither when nor why.
pub fn status(state: &State, config: &Config, view: View<'_>) -> Value {
    let window = match config.window {
        Window::Daily(daily) if view.is_admin => Some(daily),
        _ => None,
    };
    let opening = window
        .filter(|_| config.tier == Tier::Autonomous)
        .and_then(|daily| daily.next_opening(view.now, &config.zone));
    let latest = state.latest.as_ref();
    // What may be done about the latest release tells which one runs.
    let shows_version = view.is_admin || view.shows_version;
    let policy = latest.filter(|_| shows_version);
    let policy = policy.map(|latest| shown(policy_of(config, latest, &state.execution)));
    let execution = if view.is_admin {
        json!(state.execution)
    } else {
        json!({ "status": state.execution.status() })
    };
    let last_result = state.last_result.as_ref().map(|result| {
        if view.is_admin {
            json!(result)
        } else {
            json!({ "outcome": result.outcome, "at": result.at })
        }
    });
    let mut status = json!({
        "currentVersion": shows_version.then_some(&config.current),
        "latest": latest,
        "lastCheckAt": state.last_check_at,
        "installMethod": config.install_method.name(),
        "tier": config.tier.name(),
        "policy": policy,
        "execution": execution,
        "lastResult": last_result,
        "lockHeld": view.lock_is_held,
        "maintenanceWindow": window.map(window_shown),
        "windowIsOpen": window.map(|daily| daily.contains(view.now, &config.zone)),
        "nextWindowOpensAt": opening,
    });
    let roll = view.roll.filter(|_| view.is_admin);
    if let (Some(roll), Some(fields)) = (roll, status.as_object_mut()) {
        fields.insert("roll".to_owned(), roll_shown(roll));
    }
    status
}

fn roll_shown(roll: &Roll) -> Value {
    json!({
        "target": roll.target.as_ref().map(|target| &target.tag),
        "updating": roll.turn.as_ref().map(|turn| &turn.address),
        "stopped": roll.halt,
    })
}

fn shown(policy: Policy) -> Value {
    json!({
        "canNotify": policy.can_notify,
        "canManual": policy.can_manual,
        "canAuto": policy.can_auto,
        "canAutonomous": policy.can_autonomous,
        "reason": policy.reason.name(),
    })
}

fn window_shown(window: Daily) -> Value {
    let clock = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
    json!({
        "start": clock(window.start),
        "end": clock(window.end),
        "tz": if window.utc { "utc" } else { "local" },
    })
}
