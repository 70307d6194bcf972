//! From the command line and the settings file to what each part is handed.
//!
//! A service is configured completely or not at all: if anything is wrong with the settings, all of
//! it is reported and nothing is started.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use pad::OptionRules;
use store::Location;
use tracing::{info, warn};

use crate::{DatabaseKind, Options, Problem, Settings, Warning, load};

pub struct Configuration {
    pub settings: Settings,
    source: Source,
    warnings: Vec<Warning>,
}

/// Where the settings are from.
enum Source {
    File(PathBuf),
    /// There is no such file.
    Defaults(PathBuf),
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the root folder {} does not exist", .0.display())]
    Root(PathBuf),
    #[error("the settings {} cannot be read: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    #[error("the settings {} cannot be used:{}", .0.display(), indented(.1))]
    Wrong(PathBuf, Vec<Problem>),
}

fn indented(problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| format!("\n  {problem}"));
    lines.collect()
}

/// The environment of this process.
#[expect(clippy::disallowed_methods, reason = "owns the environment")]
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Configuration {
    pub fn load(options: &Options) -> Result<Configuration, Error> {
        if !options.root.is_dir() {
            return Err(Error::Root(options.root.clone()));
        }
        let named = options.settings.clone();
        let path = named.unwrap_or_else(|| options.root.join("settings.json"));
        let (text, source) = match std::fs::read_to_string(&path) {
            Ok(text) => (text, Source::File(path.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                ("{}".to_owned(), Source::Defaults(path.clone()))
            }
            Err(error) => return Err(Error::Read(path, error)),
        };
        let (mut settings, warnings) =
            load(&text, &environment).map_err(|problems| Error::Wrong(path.clone(), problems))?;
        settings.file = Some(path);
        if let Some(ip) = options.ip {
            settings.listen.ip = ip;
            settings.commanded.push("ip");
        }
        if let Some(port) = options.port {
            settings.listen.port = port;
            settings.commanded.push("port");
        }
        Ok(Configuration {
            settings,
            source,
            warnings,
        })
    }

    /// Says where the settings are from and what is odd about them; the log depends on them, so
    /// that cannot be said while they are read.
    pub fn report(&self) {
        match &self.source {
            Source::File(path) => {
                info!("settings are from {}", path.display());
                for warning in &self.warnings {
                    warn!("{}: {warning}", path.display());
                }
            }
            Source::Defaults(path) => {
                info!("there is no {}; the defaults are used", path.display());
                for warning in &self.warnings {
                    warn!("{warning}");
                }
            }
        }
    }

    /// The settings file, and whether there is one.
    pub fn file(&self) -> (&Path, bool) {
        match &self.source {
            Source::File(path) => (path, true),
            Source::Defaults(path) => (path, false),
        }
    }

    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.settings.listen.ip, self.settings.listen.port)
    }

    pub fn location(&self, options: &Options) -> Location {
        let database = &self.settings.database;
        match database.kind {
            DatabaseKind::Embedded => Location::Embedded(database.file_in(&options.root)),
            DatabaseKind::Postgres => Location::Postgres(database.connection().0),
        }
    }

    pub fn service(&self) -> service::Config {
        let pads = &self.settings.pads;
        let shown = &self.settings.pages.options;
        let default = service::Config::default();
        service::Config {
            default_text: pads.default_text.clone().unwrap_or(default.default_text),
            max_text: pads.max_text,
            deletion_by_all: pads.deletion_by_all,
            options: OptionRules {
                pad_wide: pads.pad_wide_settings,
                plugins: pads.plugin_options,
                show_chat: shown.show_chat,
                show_line_numbers: shown.show_line_numbers,
                fade_inactive_authors: shown.fade_inactive_authors,
            },
            lower_case_ids: pads.lower_case_ids,
            compaction: pads.compaction,
            erasure: pads.erasure,
            ..default
        }
    }
}
