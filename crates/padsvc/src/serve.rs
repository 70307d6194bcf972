//! Wiring: from options to a listening server, and back down again.
//!
//! What is opened first is closed last: the store is there before the first request is answered,
//! and until the last call has ended.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use admin::{Alerts, Background, Backups, Monitor};
use edge::office;
use futures_util::FutureExt;
use identity::shared_keys::ProgramKeys;
use listener::accept::{self, ConnectionLimits};
use listener::tls;
use operator::open_store::{open, prepare};
use operator::operate::Operations;
use operator::operate::control::Control;
use operator::plugin_manager;
use plugins::Plugins;
use service::Service;
use settings::{Configuration, Options, Settings, configuration};
use store::{Location, Opening};
use system::{descriptors, stop};
use telemetry::log;
use tokio_util::sync::CancellationToken;
use tracing::info;
use updater::restart::{self, Program, Refusal, Rehearsal, Restart};
use updater::{Intake, Owner, Surroundings, Updates};

use crate::chores;
use crate::front::{Front, FrontParts};
use crate::hosting;
use crate::node::{self, Node};
use crate::port::Port;
use crate::start_error::StartError;

/// How long an end may take that another start is to follow.
const LAST_RESORT: Duration = Duration::from_secs(60);

/// How long requests are accepted, at least, after `/health/ready` says that others are ready.
const NOTICE: Duration = Duration::from_secs(2);

/// Why serving has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Stopped,
    /// Another release is installed, and starts next.
    Update,
    /// The same program starts next, in this process.
    Restart(Program),
}

impl Ended {
    /// A signal that came meanwhile asks for a stop, not for a restart.
    fn after(self, signal: Option<()>) -> Ended {
        match (self, signal) {
            (Ended::Restart(_), Some(())) => Ended::Stopped,
            (ended, _) => ended,
        }
    }
}

/// Serves until a stop signal arrives, an update is installed, or another start is asked for.
pub(crate) async fn run(options: &Options, owner: Arc<Owner>) -> Result<Ended, StartError> {
    let configuration = Configuration::load(options)?;
    let _log = log::start(&configuration.settings.log);
    configuration.report();
    let prepared = updater::prepare(owner, &configuration.settings, options.version());
    let location = configuration.location(options);
    let opening = opening(&location, options)?;
    let port = Port::take(configuration.address(), opening.node.is_some())?;
    let address = port.address;
    let tls = tls::acceptor(&configuration.settings.listen, &options.root)?;
    let (store, keys) = open(&options.root.join("var"), opening).await?;
    let keys = ProgramKeys::open(&options.root, keys).await?;
    let manager = plugin_manager::open(&store, &configuration.settings).await?;
    let (service, plugins) = hosting::open(store, &manager, configuration.service());
    let settings = complete(configuration.settings, options);
    let intake = Intake::default();
    let node = Arc::new(Node::new(&service, &settings, options, &location, address).await?);
    let limits = ConnectionLimits::new(&settings.listen, descriptors::raise_limit());
    // Handlers are in place before anyone learns that we run: a stop right after the ready line
    // is a clean one.
    let mut signal = pin!(stop::requested().map_err(StartError::Signals)?.fuse());
    let listener = port.open()?;
    let control = Control::open(&options.root).await;
    let home = home(address, tls.is_some());
    let updated = CancellationToken::new();
    let surroundings = surroundings(&node, &settings, &home, &intake, &updated);
    let updates = updater::start(prepared, surroundings);
    let restart = restart(options, address.port(), updates.clone());
    let operations = Operations::new(&service, &settings, &manager).with(&restart);
    let background = background(&service, location, &settings, &options.root)?;
    let front = Front::start(FrontParts {
        node: &node,
        settings: &settings,
        manager: &manager,
        plugins: &plugins,
        keys,
        intake: intake.clone(),
        updates,
        restart: &restart,
        background: &background,
        root: &options.root,
    });
    announce(&home);
    let mut ended = Ended::Stopped;
    let stop = async {
        tokio::select! {
            () = signal.as_mut() => {}
            () = updated.cancelled() => ended = Ended::Update,
            () = restart.asked() => ended = Ended::Restart(restart.program.clone()),
        }
        arm_exit_watchdog(&ended);
        take_leave(&ended, &node, &front, intake).await;
    };
    let ended_serving = CancellationToken::new();
    let (accounts, audit_days) = (&front.edge.sign_in.accounts, settings.access.audit_days);
    let serving = async {
        tokio::select! {
            () = accept::until(stop, listener, tls, limits, front.router()) => {}
            () = chores::run(&service, accounts, control, operations, audit_days) => {}
            never = run_beside(&plugins, &front) => match never {},
        }
        finish(&front, &plugins, &background).await;
        ended_serving.cancel();
    };
    tokio::join!(serving, Node::run_apart(&node, &ended_serving));
    node.leave().await;
    service.stop().await;
    info!("stopped");
    Ok(ended.after(signal.now_or_never()))
}

/// Runs what goes on beside requests, until it is dropped.
async fn run_beside(plugins: &Plugins, front: &Front) -> Infallible {
    tokio::select! {
        never = plugins.run() => never,
        never = front.admin.run() => never,
    }
}

/// What the admin area does whether anybody looks or not.
fn background(
    service: &Arc<Service>,
    location: Location,
    settings: &Settings,
    root: &Path,
) -> Result<Background, StartError> {
    let certificate = tls::certificate(&settings.listen, root)?;
    Ok(Background {
        monitor: Monitor::new(service, data_folder(&location)),
        backups: Backups::new(service, location, root, &settings.backups),
        alerts: Alerts::new(service, settings, certificate.as_deref()),
    })
}

/// Finishes what was begun while requests were taken.
async fn finish(front: &Front, plugins: &Plugins, background: &Background) {
    front.edge.finish_calls().await;
    plugins.stop().await;
    background.monitor.finish().await;
}

/// How the store is opened: as a node, where there are nodes.
fn opening(location: &Location, options: &Options) -> Result<Opening, StartError> {
    let mut opening = prepare(&options.root.join("var"), location.clone())?;
    opening.node = node::id(location);
    Ok(opening)
}

/// The folder of the data, where it is on a disk of this machine.
fn data_folder(location: &Location) -> Option<PathBuf> {
    let Location::Embedded(file) = location else {
        return None;
    };
    match file.parent() {
        Some(folder) if folder != Path::new("") => Some(folder.to_owned()),
        _ => Some(PathBuf::from(".")),
    }
}

/// Settings with what only this machine knows.
fn complete(mut settings: Settings, options: &Options) -> Arc<Settings> {
    office::check_program(&mut settings.files, &options.root);
    Arc::new(settings)
}

/// What updates must know of this process.
fn surroundings(
    node: &Node,
    settings: &Arc<Settings>,
    home: &str,
    intake: &Intake,
    updated: &CancellationToken,
) -> Surroundings {
    Surroundings {
        service: Arc::clone(&node.service),
        settings: Arc::clone(settings),
        health: format!("{home}health"),
        intake: intake.clone(),
        restart: updated.clone(),
        cluster: node.for_updates(),
    }
}

fn restart(options: &Options, running: u16, updates: Updates) -> Arc<Restart> {
    let options = options.clone();
    let rehearsal: Arc<Rehearsal> = Arc::new(move || rehearse(&options, running));
    Arc::new(Restart::new(Program::running(running), updates, rehearsal))
}

/// As much of a start as can be tried while the service runs.
fn rehearse(options: &Options, running: u16) -> Result<(), Refusal> {
    let refused = |error: StartError| Refusal::Start(error.into());
    let configuration = Configuration::load(options).map_err(|error| match error {
        configuration::Error::Wrong(_, problems) => Refusal::Settings(problems),
        other => refused(other.into()),
    })?;
    tls::acceptor(&configuration.settings.listen, &options.root)
        .map_err(|error| refused(error.into()))?;
    let wanted = configuration.address();
    if wanted.port() != 0 && wanted.port() != running {
        std::net::TcpListener::bind(wanted)
            .map_err(|error| refused(StartError::listen(wanted, error)))?;
    }
    Ok(())
}

/// Sees to it that another start follows if it is to, whatever hangs.
fn arm_exit_watchdog(ended: &Ended) {
    let program = match ended {
        Ended::Stopped => return,
        Ended::Update => None,
        Ended::Restart(program) => Some(program.clone()),
    };
    std::thread::spawn(move || {
        std::thread::sleep(LAST_RESORT);
        if let Some(program) = program {
            program.start_again();
        }
        std::process::exit(i32::from(updater::RESTART));
    });
}

/// Has other nodes take over: connections move, and load balancers learn of it before requests are
/// refused. Where there are none, a restart is announced; an update has been, unless there were
/// other nodes when it began.
async fn take_leave(ended: &Ended, node: &Node, front: &Front, intake: Intake) {
    if node.has_others() {
        info!("other nodes take over");
        tokio::join!(front.sockets.drain(), tokio::time::sleep(NOTICE));
    } else if matches!(ended, Ended::Restart(_)) || node.is_shared() && *ended == Ended::Update {
        let service = Arc::clone(&node.service);
        updater::drain(service, intake, restart::DRAIN_SECONDS).await;
    }
    front.close_streams().await;
}

/// The one line on standard output. Scripts wait for it, so its form does not change.
fn announce(home: &str) {
    // A closed standard output is no reason to refuse service.
    let _ = writeln!(io::stdout(), "padsvc is ready: open {home}");
}

/// Where the start page is for those who are on this machine.
fn home(address: SocketAddr, encrypted: bool) -> String {
    let scheme = if encrypted { "https" } else { "http" };
    format!("{scheme}://{}/", reachable(address))
}

/// An address that means "every interface" is not one a browser can open; the loopback is.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_line_names_an_address_a_browser_can_open() {
        let check = |listening: &str, shown: &str| {
            assert_eq!(reachable(listening.parse().unwrap()).to_string(), shown);
        };
        check("127.0.0.1:9001", "127.0.0.1:9001");
        check("0.0.0.0:80", "127.0.0.1:80");
        check("[::]:80", "[::1]:80");
        check("192.0.2.7:80", "192.0.2.7:80");
    }
}
