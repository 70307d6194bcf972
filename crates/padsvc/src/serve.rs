//! Wiring: from options to a listening server, and back down again.
//!
//! What is opened first is closed last: the store is there before the first request is answered,
//! and until the last call has ended.

use std::fmt;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use service::{Service, StorageState};
use store::{Location, Opening, Store};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::accept::{self, ConnectionLimits};
use crate::api_key::{self, ApiKey};
use crate::http::{self, Site};
use crate::office;
use crate::operate::Operations;
use crate::operate::control::Control;
use crate::restart::{self, Program, Restart};
use crate::session_key;
use crate::socket::Sockets;
use crate::tls;
use crate::update::{self, Intake, Owner, Surroundings};
use settings::Options;
use settings::configuration::{self, Configuration};
use system::descriptors;
use system::environment::System;
use system::private_file;
use system::stop;
use telemetry::log;

/// How long to wait before looking again for what has expired.
const HOUSEKEEPING: Duration = Duration::from_secs(60 * 60);
/// A pad that nobody uses leaves memory after once to twice this time.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// Between two tries whether storing works again: at first, and at most if it does not last.
const FIRST_TRY: Duration = Duration::from_secs(1);
const LAST_TRY: Duration = Duration::from_secs(30);
/// After so long without a failure the next one is the first again.
const STEADY: Duration = Duration::from_secs(60);
/// How long an end may take that another start is to follow.
const LAST_RESORT: Duration = Duration::from_secs(60);

/// Why the program could not do what it was asked. Each text tells the reader what to change.
#[derive(Debug)]
pub enum StartError {
    Configuration(configuration::Error),
    Var(PathBuf, io::Error),
    Listen(SocketAddr, io::Error),
    Signals(io::Error),
    ApiKey(api_key::Error),
    Store(store::Error),
    SessionKey(session_key::Error),
    /// Something is not there, or not what it should be.
    Nothing(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration(error) => error.fmt(f),
            Self::Var(var, error) => write!(f, "cannot create {}: {error}", var.display()),
            Self::Listen(address, error) if error.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {} on {} is in use; \
                 stop the program that has it or choose another with --port",
                address.port(),
                address.ip()
            ),
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Signals(error) => write!(f, "cannot listen for stop signals: {error}"),
            Self::ApiKey(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::SessionKey(error) => error.fmt(f),
            Self::Nothing(text) => f.write_str(text),
        }
    }
}

impl From<configuration::Error> for StartError {
    fn from(error: configuration::Error) -> Self {
        Self::Configuration(error)
    }
}

impl From<store::Error> for StartError {
    fn from(error: store::Error) -> Self {
        Self::Store(error)
    }
}

/// Why serving has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Stopped,
    /// Another release is installed, and is to be started.
    Update,
    /// The same program is to be started, in this process.
    Anew(Program),
}

/// Serves until a stop signal arrives, an update is installed, or another start is asked for.
pub async fn run(options: &Options, owner: Arc<Owner>) -> Result<Ended, StartError> {
    let configuration = Configuration::load(options)?;
    let _log = log::start(&configuration.settings.log);
    configuration.report();
    let prepared = update::prepare(owner, &configuration.settings, options.version());
    let opening = prepare(&options.root.join("var"), configuration.location(options))?;
    let (listener, address) = listen(configuration.address()).await?;
    let tls = tls::acceptor(&configuration.settings.listen, &options.root)?;
    let store = Store::open(opening).await?;
    let key = ApiKey::open(&options.root).map_err(StartError::ApiKey)?;
    let service = Service::new(store, Arc::new(System), configuration.service());
    let service = Arc::new(service);
    let mut settings = configuration.settings;
    office::look_for(&mut settings.files, &options.root);
    let settings = Arc::new(settings);
    let site = Arc::new(Site::new(
        Arc::clone(&service),
        key,
        Arc::clone(&settings),
        &options.root,
    ));
    let intake = Intake::default();
    let sockets = Sockets::start(
        Arc::clone(&service),
        Arc::clone(&settings),
        site.accounts(),
        site.creation_limits(),
        intake.clone(),
    );
    let limits = ConnectionLimits::new(&settings.listen, descriptors::raise_limit());
    // Handlers are in place before anyone is told that we run: a stop right after the ready line
    // is a clean one.
    let mut signal = pin!(stop::requested().map_err(StartError::Signals)?.fuse());
    let control = Control::open(&options.root).await;
    let home = home(address, tls.is_some());
    announce(&home);
    let updated = CancellationToken::new();
    let surroundings = Surroundings {
        service: Arc::clone(&service),
        settings: Arc::clone(&settings),
        health: format!("{home}health"),
        intake: intake.clone(),
        restart: updated.clone(),
    };
    let updates = update::start(prepared, surroundings);
    let program = Program::running(address.port());
    let restart = Arc::new(Restart::new(options, program, updates.clone()));
    let operations = Operations::new(&service, &settings).with(&restart);
    site.attach(updates, Arc::clone(&restart));
    let mut ended = Ended::Stopped;
    let stop = async {
        tokio::select! {
            () = signal.as_mut() => {}
            () = updated.cancelled() => ended = Ended::Update,
            () = restart.asked() => ended = Ended::Anew(restart.program.clone()),
        }
        before(&ended, &service, intake).await;
        end_endless(&site, &sockets).await;
    };
    let router = http::router(Arc::clone(&site), sockets.router());
    tokio::select! {
        () = accept::until(stop, listener, tls, limits, router) => {}
        () = keep_house(&service) => {}
        () = let_idle_pads_go(&service) => {}
        () = watch_storage(&service) => {}
        () = take_commands(control, operations) => {}
    }
    site.stop().await;
    info!("stopped");
    // Whoever sends a signal meanwhile does not want another start.
    let is_unwanted = signal.now_or_never().is_some() && matches!(ended, Ended::Anew(_));
    Ok(if is_unwanted { Ended::Stopped } else { ended })
}

async fn listen(wanted: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let in_context = |error| StartError::Listen(wanted, error);
    let before = restart::last_port().filter(|_| wanted.port() == 0);
    let listener = match before {
        Some(port) => TcpListener::bind(SocketAddr::new(wanted.ip(), port))
            .await
            .ok(),
        None => None,
    };
    let listener = match listener {
        Some(listener) => listener,
        None => TcpListener::bind(wanted).await.map_err(in_context)?,
    };
    let address = listener.local_addr().map_err(in_context)?;
    Ok((listener, address))
}

/// What stays open for ever must not hold up the end.
async fn end_endless(site: &Site, sockets: &Sockets) {
    site.close();
    sockets.close().await;
}

/// Sees to it that another start follows if it is to, whatever hangs; and for one that is not of an
/// update, which has done so, tells people of it.
async fn before(ended: &Ended, service: &Arc<Service>, intake: Intake) {
    let program = match ended {
        Ended::Stopped => return,
        Ended::Update => None,
        Ended::Anew(program) => Some(program.clone()),
    };
    let is_announced = program.is_none();
    std::thread::spawn(move || {
        std::thread::sleep(LAST_RESORT);
        if let Some(program) = program {
            program.start_anew();
        }
        std::process::exit(i32::from(update::RESTART));
    });
    if !is_announced {
        update::drain(Arc::clone(service), intake, restart::DRAIN_SECONDS).await;
    }
}

/// Now and then removes what has expired. Does not end by itself.
async fn keep_house(service: &Service) {
    loop {
        match service.remove_expired_sessions().await {
            Ok(0) => {}
            Ok(count) => info!("removed {count} sessions that ended a day ago or earlier"),
            Err(error) => warn!("sessions that ended could not be removed: {error}"),
        }
        tokio::time::sleep(HOUSEKEEPING).await;
    }
}

/// Logs when nothing can be stored, and tries until it can. Does not end by itself.
async fn watch_storage(service: &Service) {
    let mut state = service.storage();
    let mut pause = FIRST_TRY;
    loop {
        let reason = match &*state.borrow_and_update() {
            StorageState::Failing(reason) => Some(Arc::clone(reason)),
            StorageState::Working => None,
        };
        let Some(reason) = reason else {
            // Whoever fails again soon is tried less often.
            let changed = tokio::time::timeout(STEADY, state.changed()).await;
            if changed.is_err() {
                pause = FIRST_TRY;
            }
            continue;
        };
        error!("nothing can be stored: {reason}; pads can be read, and what is typed waits");
        while state.borrow_and_update().is_failing() {
            tokio::time::sleep(pause).await;
            service.try_storage().await;
        }
        info!("storing works again");
        pause = (pause * 2).min(LAST_TRY);
    }
}

/// Does what operators ask for. Does not end by itself.
async fn take_commands(control: Option<Control>, operations: Operations) {
    match control {
        Some(control) => control.serve(&Arc::new(operations)).await,
        None => std::future::pending().await,
    }
}

/// Does not end by itself.
async fn let_idle_pads_go(service: &Service) {
    loop {
        tokio::time::sleep(IDLE).await;
        service.let_idle_pads_go().await;
    }
}

/// Makes `var/`, and what others may read of it private; and the key that the store needs.
pub fn prepare(var: &Path, database: Location) -> Result<Opening, StartError> {
    std::fs::create_dir_all(var).map_err(|error| StartError::Var(var.to_owned(), error))?;
    let file = match &database {
        Location::Embedded(file) => Some(file.as_path()),
        _ => None,
    };
    for (path, outcome) in private_file::tighten(var, file) {
        let path = path.display();
        match outcome {
            Ok(()) => warn!("others could read {path}; from now on only this user can"),
            Err(error) => warn!("others can read {path}, and that cannot be changed: {error}"),
        }
    }
    let session_key = session_key::open(var).map_err(StartError::SessionKey)?;
    Ok(Opening {
        location: database,
        session_key: Some(session_key),
    })
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
