//! Command-line options that every command has: where things are and where to listen.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

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
