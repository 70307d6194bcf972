//! The command line: what can be asked of the program.
//!
//! A value given here wins over the environment, the environment over the settings file, and that
//! over the default.

use clap::{Parser, Subcommand};
use loadtest::LoadTest;
use operator::arguments::OperatorCommand;
use settings::Options;

const AFTER_HELP: &str = "\
Exit codes: 0: success; 1: failure, or a problem was found; 2: usage error.";

/// The command that a worker of a plugin is started by.
pub(crate) const PLUGIN_WORKER: &str = "plugin-worker";

/// Serves collaborative pads, and looks after them
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub options: Options,

    /// What to do; without one, `serve`
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve pads until told to stop
    Serve,
    /// Serve pads, and restart when an update is installed or the service breaks
    ///
    /// For those who have no other supervisor. Runs the newest release in var/releases, and itself
    /// as long as there is none.
    Supervise,
    /// Have people type in pads of a running server, and tell how long it takes
    ///
    /// Works with any server of the protocol. Everybody has a websocket and types in a line of its
    /// own. `acknowledged` is the time from sending a change to hearing that it is accepted, `seen
    /// by others` that from sending it to anybody else's receiving it. The pads are new ones, named
    /// loadtest-…; they stay. With the addresses of several nodes people are spread over them, and
    /// `other nodes` is the time from an acknowledgement on one to the arrival at another.
    ///
    /// A server slows down who sends too much, or sends it away. Intervals below 100 ms need a
    /// larger `commitRateLimiting` in its settings.
    Loadtest(LoadTest),
    /// Run the server half of a plugin; the service starts it, at the end of two pipes
    #[command(name = PLUGIN_WORKER, hide = true)]
    PluginWorker,
    #[command(flatten)]
    Operate(OperatorCommand),
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
