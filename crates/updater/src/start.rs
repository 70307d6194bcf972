//! From settings to a running updater.

use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use rustix::fs::{Access, access};
use service::Service;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use update::install::{Facts, detect};
use update::{Config, Daily, InstallMethod, Tier, Window};

use super::cluster::{self, Cluster};
use super::drain::Intake;
use super::owner::Owner;
use super::preflight::Demands;
use super::runner::{Runner, Tools, Updates};
use super::{feed, legacy, watchdog};
use crate::release_id;
use settings::{self, MaintenanceWindow, Settings, WindowZone};

/// What the updater works in.
pub struct Surroundings {
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    /// Where the service says whether it is healthy.
    pub health: String,
    pub intake: Intake,
    /// Cancelled when the program has to end and be restarted.
    pub restart: CancellationToken,
    /// `None`: there are no other nodes.
    pub cluster: Option<Cluster>,
}

/// The settings are known, and nothing else is there yet.
pub struct Prepared {
    owner: Arc<Owner>,
    config: Config,
}

/// From here on a new version that hangs is put back.
pub fn prepare(owner: Arc<Owner>, settings: &Settings, version: &str) -> Prepared {
    let config = config(&owner.places.root, settings, version.to_owned());
    watchdog::start(Arc::clone(&owner), config.clone());
    Prepared { owner, config }
}

/// Starts to look for updates. What it does not do for tier `off`, it undoes.
pub fn start(prepared: Prepared, around: Surroundings) -> Updates {
    let Prepared { owner, mut config } = prepared;
    let name = |cluster: &Cluster| cluster::name(&owner, &cluster.address);
    config.node = around.cluster.as_ref().map(name);
    let updates = &around.settings.updates;
    let demands = Demands {
        min_free_megabytes: updates.min_free_megabytes,
        require_signature: updates.requires_signature(),
        keyring: updates.trusted_keys.clone(),
    };
    let feed = match config.tier {
        Tier::Off => None,
        _ => address(updates),
    };
    let feed = feed.and_then(|address| match feed::client(updates.allow_insecure_feed) {
        Ok(client) => Some((client, address)),
        Err(error) => {
            warn!("no release can be looked for: {}", notify::reason(&error));
            None
        }
    });
    let tools = Tools {
        feed,
        demands,
        service: around.service,
        intake: around.intake,
        health: around.health,
        release: release_id(&around.settings.listen, &config.current).to_owned(),
        mail: around.settings.mail.clone(),
        check_interval_hours: updates.check_interval_hours,
        restart: around.restart,
        cluster: around.cluster,
    };
    let settings = around.settings;
    let running = config.current.clone();
    tokio::spawn(async move { legacy::check(&settings.privacy, &running).await });
    Runner::start(owner, config, tools)
}

fn address(updates: &settings::Updates) -> Option<String> {
    // A variable that is set to nothing means nothing.
    let given = Some(&*updates.repository).filter(|given| !given.is_empty());
    let repository = given.unwrap_or(settings::PROJECT_REPOSITORY);
    let address = update::feed::address(repository);
    match &address {
        Some(address) => {
            let hours = updates.check_interval_hours;
            info!("releases are looked for at {address}, every {hours} hours");
        }
        None => warn!("updates.codehostRepo is neither owner/name nor an address: {repository}"),
    }
    address
}

fn config(root: &Path, settings: &Settings, current: String) -> Config {
    let updates = &settings.updates;
    Config {
        tier: match updates.tier {
            settings::Tier::Off => Tier::Off,
            settings::Tier::Notify => Tier::Notify,
            settings::Tier::Manual => Tier::Manual,
            settings::Tier::Auto => Tier::Auto,
            settings::Tier::Autonomous => Tier::Autonomous,
        },
        install_method: match updates.install_method {
            settings::InstallMethod::Auto => detect(facts(root)),
            settings::InstallMethod::Git => InstallMethod::Git,
            settings::InstallMethod::Docker => InstallMethod::Docker,
            settings::InstallMethod::Npm => InstallMethod::Npm,
            settings::InstallMethod::Managed => InstallMethod::Managed,
        },
        current,
        grace_minutes: updates.grace_minutes,
        drain_seconds: updates.drain_seconds,
        health_check_seconds: updates.health_check_seconds,
        window: match updates.window {
            MaintenanceWindow::Unset => Window::Unset,
            MaintenanceWindow::Invalid => Window::Invalid,
            MaintenanceWindow::Daily { start, end, zone } => Window::Daily(Daily {
                start,
                end,
                utc: zone == WindowZone::Utc,
            }),
        },
        zone: system_zone(),
        has_admin_email: settings.mail.admin.is_some(),
        node: None,
    }
}

/// The time zone that maintenance windows are in.
#[expect(clippy::disallowed_methods, reason = "the only time zone of updates")]
fn system_zone() -> TimeZone {
    TimeZone::system()
}

fn facts(root: &Path) -> Facts {
    let is_writable = |path: &Path| access(path, Access::WRITE_OK).is_ok();
    Facts {
        docker_mark: Path::new("/.dockerenv").exists(),
        git_folder: root.join(".git").is_dir(),
        root_is_writable: is_writable(root),
        writable_package_lock: is_writable(&root.join("package-lock.json")),
    }
}
