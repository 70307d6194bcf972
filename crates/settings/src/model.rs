//! The settings as the program uses them: plain data, in pieces, one for each part that reads it.
//!
//! The defaults are here. What each field is called in the file, what it may be and what it does is
//! in the [table](super::table).

mod access;
mod alerts;
mod backups;
mod cluster;
mod database;
mod frames;
mod messages;
mod pages;
mod plugins;
mod proxy;
mod toolbar;
mod updates;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

pub use access::{Access, Client, GroupRights, Login, SameSite, User};
pub use alerts::{Alerts, WebhookAddress, is_loopback};
pub use backups::Backups;
pub use cluster::{Cluster, NodeAddress};
pub use database::{Database, DatabaseKind};
pub use frames::FrameAncestor;
pub use messages::Words;
pub use pages::{Banner, Pages, PdfFallback, PdfFont, Shortcuts};
pub use plugins::{PluginKey, Plugins};
pub use proxy::TrustProxy;
#[cfg(test)]
pub use toolbar::{Bars, History as HistoryBar, Pad as PadBars};
pub use updates::{
    InstallMethod, Mail, MaintenanceWindow, PROJECT_REPOSITORY, Tier, Updates, WindowZone,
};

use super::value::{Fields, Setting, WebAddress, choices};

#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub listen: Listen,
    pub log: Log,
    pub database: Database,
    pub backups: Backups,
    pub cluster: Cluster,
    pub pads: Pads,
    pub creation: Creation,
    pub sockets: Sockets,
    pub files: Files,
    pub pages: Pages,
    pub access: Access,
    pub privacy: Privacy,
    pub plugins: Plugins,
    pub updates: Updates,
    pub mail: Mail,
    pub alerts: Alerts,
    /// The file they are from, or would be.
    pub file: Option<PathBuf>,
    /// Keys for which the command line has another value than the rest.
    pub commanded: Vec<&'static str>,
}

/// Where the service listens, and what it says about itself.
#[derive(Clone, Debug)]
pub struct Listen {
    pub ip: IpAddr,
    pub port: u16,
    /// Whose headers say who the client is.
    pub trust_proxy: TrustProxy,
    pub tls: Option<Tls>,
    /// How many connections may be open; 0 is as many as there are descriptors.
    pub max_connections: usize,
    /// The same for one address; 0 is as many as in all.
    pub max_connections_per_address: usize,
    /// The address under which people reach the service, if not the one of the request.
    pub public_url: Option<WebAddress>,
    /// Which sites may show pads in a frame; none named is all.
    pub frame_ancestors: Vec<FrameAncestor>,
    pub expose_version: bool,
    pub metrics: bool,
}

impl Default for Listen {
    fn default() -> Listen {
        Listen {
            ip: Ipv4Addr::LOCALHOST.into(),
            port: 9001,
            trust_proxy: TrustProxy::Nobody,
            tls: None,
            max_connections: 20_000,
            max_connections_per_address: 4_000,
            public_url: None,
            frame_ancestors: Vec::new(),
            expose_version: false,
            metrics: true,
        }
    }
}

/// Files in PEM form.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    pub key: String,
    pub certificate: String,
    pub authorities: Vec<String>,
}

impl Fields for Tls {
    const REQUIRED: &'static [&'static str] = &["key", "cert"];

    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![
            ("key", &mut self.key),
            ("cert", &mut self.certificate),
            ("ca", &mut self.authorities),
        ]
    }
}

#[derive(Clone, Debug, Default)]
pub struct Log {
    pub level: LogLevel,
    pub layout: LogLayout,
    pub ip: IpLogging,
}

choices! {
    pub enum LogLevel {
        Debug = "DEBUG",
        #[default]
        Info = "INFO",
        Warn = "WARN",
        Error = "ERROR",
    }
}

choices! {
    pub enum LogLayout {
        Basic = "basic",
        #[default]
        Colored = "colored",
        /// An object to a line.
        Json = "json",
    }
}

choices! {
    /// How much of a client's address reaches the log.
    pub enum IpLogging {
        #[default]
        Anonymous = "anonymous",
        Truncated = "truncated",
        Full = "full",
    }
}

/// What concerns pads as such. The fields have the names they have in the configuration of the
/// service.
#[derive(Clone, Debug)]
pub struct Pads {
    /// `None` leaves the text that is built in.
    pub default_text: Option<String>,
    pub max_text: usize,
    pub deletion_by_all: bool,
    pub compaction: bool,
    /// How many revisions the clean-up button of the admin area keeps.
    pub kept_revisions: u64,
    pub erasure: bool,
    pub lower_case_ids: bool,
    /// Whether the creator of a pad may set options for everybody in it.
    pub pad_wide_settings: bool,
    pub plugin_options: bool,
    /// What the first page offers to start from.
    pub templates: Vec<PadTemplate>,
}

impl Default for Pads {
    fn default() -> Pads {
        Pads {
            default_text: None,
            max_text: 5_000_000,
            deletion_by_all: false,
            compaction: false,
            kept_revisions: 100,
            erasure: false,
            lower_case_ids: false,
            pad_wide_settings: true,
            plugin_options: true,
            templates: Vec::new(),
        }
    }
}

/// A pad to start others from.
#[derive(Clone, Debug, Default)]
pub struct PadTemplate {
    /// What `?template=` calls it.
    pub name: String,
    /// The id of the pad, or its read-only id; the name if left out.
    pub pad: Option<String>,
    /// What people see; the name if left out.
    pub title: Option<String>,
}

impl PadTemplate {
    pub fn pad(&self) -> &str {
        self.pad.as_deref().unwrap_or(&self.name)
    }

    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}

impl Fields for PadTemplate {
    const REQUIRED: &'static [&'static str] = &["name"];

    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![
            ("name", &mut self.name),
            ("pad", &mut self.pad),
            ("title", &mut self.title),
        ]
    }
}

impl Pads {
    /// The pad that a visitor means by the name of a template: an operator's, or any pad.
    pub fn template<'a>(&'a self, name: &'a str) -> &'a str {
        let known = self.templates.iter().find(|known| known.name == name);
        known.map_or(name, PadTemplate::pad)
    }
}

/// What one address may create in a minute; 0 is no limit.
#[derive(Clone, Debug)]
pub struct Creation {
    pub pads_per_minute: u64,
    pub history_bytes_per_minute: u64,
}

impl Default for Creation {
    fn default() -> Creation {
        Creation {
            pads_per_minute: 300,
            history_bytes_per_minute: 20_000_000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Sockets {
    pub transports: Vec<Transport>,
    pub max_message_bytes: usize,
    /// For each address.
    pub max_unread_bytes: usize,
    pub rate_window_seconds: u64,
    pub messages_in_window: u64,
}

impl Default for Sockets {
    fn default() -> Sockets {
        Sockets {
            transports: vec![Transport::Websocket, Transport::Polling],
            max_message_bytes: 1_000_000,
            max_unread_bytes: 64_000_000,
            rate_window_seconds: 1,
            messages_in_window: 10,
        }
    }
}

choices! {
    pub enum Transport {
        #[default]
        Websocket = "websocket",
        Polling = "polling",
    }
}

/// Import and export.
#[derive(Clone, Debug)]
pub struct Files {
    pub soffice: Option<String>,
    pub docx_export: bool,
    pub unknown_endings: bool,
    pub max_import_bytes: usize,
    pub rate_window_milliseconds: u64,
    pub requests_in_window: u64,
    pub pdf_fonts: BTreeMap<String, PdfFont>,
}

impl Default for Files {
    fn default() -> Files {
        Files {
            soffice: None,
            docx_export: true,
            unknown_endings: true,
            max_import_bytes: 50 * 1024 * 1024,
            rate_window_milliseconds: 90_000,
            requests_in_window: 10,
            pdf_fonts: BTreeMap::new(),
        }
    }
}

/// Which requests the service makes of its own accord.
#[derive(Clone, Debug)]
pub struct Privacy {
    pub update_check: bool,
    pub plugin_catalog: bool,
    pub update_server: Option<WebAddress>,
}

impl Default for Privacy {
    fn default() -> Privacy {
        Privacy {
            update_check: true,
            plugin_catalog: true,
            update_server: None,
        }
    }
}
