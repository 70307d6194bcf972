//! The log: lines on standard error, written by a thread of its own.
//!
//! Whoever reads the log may be slow or stuck; requests do not wait for it. If far too many lines
//! gather, some are lost, and no request is.

use std::io::{IsTerminal, stderr};

use tracing::Level;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::{Log, LogLayout, LogLevel};

/// The target of the lines about requests.
pub const ACCESS: &str = "access";

/// What speaks for us. The libraries below speak of frames and headers, and headers hold keys.
const OURS: [&str; 5] = ["padsvc", "service", "store", "convert", ACCESS];

/// Ends the log when it is dropped, after everything has been written.
pub struct Running(#[expect(dead_code, reason = "held to be dropped")] WorkerGuard);

pub fn start(settings: &Log) -> Running {
    let (writer, guard) = tracing_appender::non_blocking(stderr());
    let level = match settings.level {
        LogLevel::Debug => Level::DEBUG,
        LogLevel::Info => Level::INFO,
        LogLevel::Warn => Level::WARN,
        LogLevel::Error => Level::ERROR,
    };
    let ours = OURS.map(|target| (target, LevelFilter::from_level(level)));
    let others = LevelFilter::from_level(level.min(Level::WARN));
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(settings.layout == LogLayout::Colored && stderr().is_terminal())
        .with_writer(writer);
    // Starting a second log in one process is the only way to fail.
    let _ = tracing_subscriber::registry()
        .with(lines)
        .with(Targets::new().with_targets(ours).with_default(others))
        .try_init();
    Running(guard)
}
