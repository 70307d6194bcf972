//! The log: lines on standard error, written by a thread of its own.
//!
//! The reader of the log may be slow or stuck; requests do not wait for it. If far too many lines
//! gather, some are lost, and no request is.

pub mod escaped;
pub mod recent;

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;

use escaped::Escaped;
use tracing::Level;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, reload};

use settings::{Log, LogLayout, LogLevel};

/// The target of the lines about requests.
pub const ACCESS: &str = "access";

/// What speaks for us. The libraries below speak of frames and headers, and headers hold keys.
const OURS: [&str; 18] = [
    "padsvc",
    "admin",
    "edge",
    "sockets",
    "listener",
    "identity",
    "operator",
    "plugins",
    "relay",
    "updater",
    "settings",
    "system",
    "telemetry",
    "service",
    "contract",
    "store",
    "convert",
    ACCESS,
];

/// Lines that wait to be written; when there are more, the newest are dropped. The room for all of
/// them is taken at the start.
const WAITING_LINES: usize = 16_384;

/// Ends the log when it is dropped, after everything has been written.
pub struct Running(#[expect(dead_code, reason = "held to be dropped")] WorkerGuard);

/// Changes what a running log says.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

pub fn start(settings: &Log) -> Running {
    let buffer = NonBlockingBuilder::default().buffered_lines_limit(WAITING_LINES);
    let (writer, guard) = buffer.finish(Escaped(stderr()));
    let (filter, handle) = reload::Layer::new(targets(settings.level));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines: Box<dyn Layer<_> + Send + Sync> = match settings.layout {
        LogLayout::Json => Box::new(lines.json().flatten_event(true)),
        LogLayout::Colored => Box::new(lines.with_ansi(stderr().is_terminal())),
        LogLayout::Basic => Box::new(lines.with_ansi(false)),
    };
    // Starting a second log in one process is the only way to fail.
    let started = tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .with(recent::Recent);
    if started.try_init().is_ok() {
        let _ = FILTER.set(handle);
    }
    Running(guard)
}

/// From now on the log says what belongs to another level. False: there is no log.
pub fn set_level(level: LogLevel) -> bool {
    let changed = FILTER.get().map(|filter| filter.reload(targets(level)));
    matches!(changed, Some(Ok(())))
}

fn targets(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Debug => Level::DEBUG,
        LogLevel::Info => Level::INFO,
        LogLevel::Warn => Level::WARN,
        LogLevel::Error => Level::ERROR,
    };
    let ours = OURS.map(|target| (target, LevelFilter::from_level(level)));
    let others = LevelFilter::from_level(level.min(Level::WARN));
    Targets::new().with_targets(ours).with_default(others)
}
