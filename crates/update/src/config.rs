//! Configuration that plans depend on.

use jiff::tz::TimeZone;

use crate::roll::NodeName;
use crate::window::Window;

/// How much happens by itself; each does what the ones before it do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Off,
    Notify,
    Manual,
    Auto,
    Autonomous,
}

impl Tier {
    pub const ALL: [Tier; 5] = [
        Tier::Off,
        Tier::Notify,
        Tier::Manual,
        Tier::Auto,
        Tier::Autonomous,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Tier::Off => "off",
            Tier::Notify => "notify",
            Tier::Manual => "manual",
            Tier::Auto => "auto",
            Tier::Autonomous => "autonomous",
        }
    }
}

/// How the program came to be on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallMethod {
    Docker,
    Git,
    Npm,
    Managed,
}

impl InstallMethod {
    pub const ALL: [InstallMethod; 4] = [
        InstallMethod::Docker,
        InstallMethod::Git,
        InstallMethod::Npm,
        InstallMethod::Managed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            InstallMethod::Docker => "docker",
            InstallMethod::Git => "git",
            InstallMethod::Npm => "npm",
            InstallMethod::Managed => "managed",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Config {
    pub tier: Tier,
    pub install_method: InstallMethod,
    /// The version that runs.
    pub current: String,
    pub grace_minutes: u64,
    pub drain_seconds: u64,
    pub health_check_seconds: u64,
    pub window: Window,
    /// The zone that a window in local time is in.
    pub zone: TimeZone,
    /// Whether there is somebody to write to.
    pub has_admin_email: bool,
    /// `None`: there are no other nodes.
    pub node: Option<NodeName>,
}
