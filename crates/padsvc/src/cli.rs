//! The command line: what can be asked of the program.
//!
//! A value given here wins over the environment, and the environment over the default.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Serves collaborative pads.
#[derive(Debug, Parser)]
#[command(version, about)]
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
}

/// Where to find things and where to listen.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder that holds settings.json and var/
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub root: PathBuf,

    /// Settings file, if it is not settings.json in the root
    #[arg(long, value_name = "FILE", global = true)]
    pub settings: Option<PathBuf>,

    /// Address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), global = true)]
    pub ip: IpAddr,

    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "PORT", default_value_t = 9001, global = true)]
    pub port: u16,
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
    fn options_stand_on_either_side_of_the_command() {
        for line in [
            "padsvc --port 80 serve",
            "padsvc serve --port 80",
            "padsvc --port 80",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(cli.options.port, 80, "{line}");
        }
    }
}
