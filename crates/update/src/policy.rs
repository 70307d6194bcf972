//! Policy: what an installation may do about a release, and why not more.

use crate::config::{Config, InstallMethod, Tier};
use crate::state::{Execution, Release};
use crate::version::is_newer;
use crate::window::Window;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub can_notify: bool,
    pub can_manual: bool,
    pub can_auto: bool,
    pub can_autonomous: bool,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Ok,
    TierOff,
    UpToDate,
    InstallMethodNotWritable,
    RollbackFailedTerminal,
    MaintenanceWindowMissing,
    MaintenanceWindowInvalid,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::Ok => "ok",
            Reason::TierOff => "tier-off",
            Reason::UpToDate => "up-to-date",
            Reason::InstallMethodNotWritable => "install-method-not-writable",
            Reason::RollbackFailedTerminal => "rollback-failed-terminal",
            Reason::MaintenanceWindowMissing => "maintenance-window-missing",
            Reason::MaintenanceWindowInvalid => "maintenance-window-invalid",
        }
    }
}

pub fn policy(config: &Config, latest: &Release, execution: &Execution) -> Policy {
    let nothing = |reason| Policy {
        can_notify: false,
        can_manual: false,
        can_auto: false,
        can_autonomous: false,
        reason,
    };
    if config.tier == Tier::Off {
        return nothing(Reason::TierOff);
    }
    if !is_newer(&latest.version, &config.current) {
        return nothing(Reason::UpToDate);
    }
    if config.install_method != InstallMethod::Git {
        return Policy {
            can_notify: true,
            ..nothing(Reason::InstallMethodNotWritable)
        };
    }
    let is_terminal = matches!(execution, Execution::RollbackFailed { .. });
    let is_autonomous = config.tier == Tier::Autonomous;
    let about_window = match config.window {
        _ if !is_autonomous => Reason::Ok,
        Window::Unset => Reason::MaintenanceWindowMissing,
        Window::Invalid => Reason::MaintenanceWindowInvalid,
        Window::Daily(_) => Reason::Ok,
    };
    Policy {
        can_notify: true,
        can_manual: config.tier >= Tier::Manual,
        can_auto: config.tier >= Tier::Auto && !is_terminal,
        can_autonomous: is_autonomous && !is_terminal && about_window == Reason::Ok,
        reason: if is_terminal {
            Reason::RollbackFailedTerminal
        } else {
            about_window
        },
    }
}
