//! The command line: what can be asked of the program.
//!
//! A value given here wins over the environment, the environment over the settings file, and that
//! over the default.

pub mod upkeep;

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::loadtest::LoadTest;
pub use upkeep::Upkeep;

const AFTER_HELP: &str = "\
Exit codes: 0 is done, 1 is not done, or something is wrong; 2 is a command line without sense.";

/// Serves collaborative pads, and looks after them
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(flatten)]
    pub options: Options,

    /// What to do; without one, `serve`
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve pads until told to stop
    Serve,
    /// Serve pads, and start anew when an update is installed or the service breaks
    ///
    /// For those who have no other supervisor. Runs the newest release in var/releases, and itself
    /// as long as there is none.
    Supervise,
    /// Have people type in pads of a running server, and tell how long it takes
    ///
    /// Works with any server of the protocol. Everybody has a websocket and types in a line of its
    /// own. `acknowledged` is the time from sending a change to hearing that it is accepted, `seen
    /// by others` that from sending it to anybody else's receiving it. The pads are new ones, named
    /// loadtest-…; they stay.
    ///
    /// A server slows down who sends too much, or sends it away. Intervals below 100 ms need a
    /// larger `commitRateLimiting` in its settings.
    Loadtest(LoadTest),
    #[command(flatten)]
    Upkeep(Upkeep),
}

/// Where to find things and where to listen.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of the server")]
pub struct Options {
    /// Folder that holds settings.json, APIKEY.txt and var/
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub root: PathBuf,

    /// Settings file, if it is not settings.json in the root
    #[arg(long, value_name = "FILE", global = true)]
    pub settings: Option<PathBuf>,

    /// Address to listen on; without one, as the settings say
    #[arg(long, global = true)]
    pub ip: Option<IpAddr>,

    /// Port to listen on, 0 takes a free one; without one, PORT or as the settings say
    #[arg(long, global = true)]
    pub port: Option<u16>,

    /// The version it takes itself for, to rehearse updates
    #[arg(long, value_name = "VERSION", global = true, hide = true)]
    pub as_version: Option<String>,
}

impl Options {
    /// What to write on a command line to get the same.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments = vec!["--root".into(), self.root.clone().into()];
        if let Some(settings) = &self.settings {
            arguments.extend(["--settings".into(), settings.clone().into()]);
        }
        if let Some(ip) = self.ip {
            arguments.extend(["--ip".into(), ip.to_string().into()]);
        }
        if let Some(port) = self.port {
            arguments.extend(["--port".into(), port.to_string().into()]);
        }
        arguments
    }

    /// The version of this program.
    pub fn version(&self) -> &str {
        self.as_version
            .as_deref()
            .unwrap_or(env!("CARGO_PKG_VERSION"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn options_can_be_passed_on() {
        let line = "padsvc --root a --settings b --ip ::1 --port 80";
        let cli = Cli::try_parse_from(line.split(' ')).unwrap();
        assert_eq!(cli.options.arguments().join(" ".as_ref()), line[7..]);
    }

    #[test]
    fn options_stand_on_either_side_of_the_command() {
        for line in [
            "padsvc --port 80 serve",
            "padsvc serve --port 80",
            "padsvc --port 80",
            "padsvc check notes --port 80",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(cli.options.port, Some(80), "{line}");
        }
    }
}
