//! Command-line arguments of `padsvc plugins`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use plugin::{Name, Permission};

use super::{Output, Rehearsal};

#[derive(Debug, Subcommand)]
pub enum PluginsCommand {
    /// List the plugins that are installed
    List(List),
    /// Install a plugin, or put another version in place of the one that is installed
    ///
    /// Shows what the plugin asks for, and installs it only if all of that is agreed to; of an
    /// upgrade, what is new. Settings and what the plugin has stored stay with an upgrade. No
    /// restart is needed.
    Install(Install),
    /// Remove plugins, with everything they have stored
    Remove(Named),
    /// Have plugins do their work again
    Enable(Named),
    /// Have plugins do nothing, and keep them and what they have stored
    Disable(Named),
    /// Show or set for which pads a plugin is switched on
    ///
    /// On other pads it does nothing, and it reads and writes no other pads. No restart is needed.
    Pads(Pads),
    /// Make a folder with a small plugin that works, to start from
    New(New),
    /// Run the tests of a plugin: what its tests.json says
    ///
    /// Each test runs in a process of its own, as the service would run it. Needs no server.
    Test(Test),
    /// Make one file of the folder of a plugin, to install and pass on
    Pack(Pack),
}

#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Install {
    /// A file that ends in .padplugin, the folder of a plugin, or the name of one in the catalogue
    /// (`plugins.catalogue` in the settings), as in `feed` or `feed@1.2.0`
    pub plugin: String,

    /// Grant a permission that the plugin asks for, as it is written there; can be repeated
    #[arg(long, value_name = "PERMISSION")]
    pub grant: Vec<Permission>,

    /// Grant every permission that the plugin asks for
    #[arg(long)]
    pub grant_all: bool,

    /// Agree that its code runs in the browsers of everybody who opens a pad, with their rights
    #[arg(long)]
    pub browsers: bool,

    /// Install only the package with this SHA-256, which --dry-run shows
    #[arg(long, value_name = "DIGITS")]
    pub sha256: Option<String>,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Named {
    /// The plugins
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Pads {
    /// The plugin
    pub name: String,

    /// Names of pads, in which * stands for any characters and ? for one, as in 'minutes-*' or
    /// 'g.*$*'; '*' is all pads. Without any, those that are set are shown
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct New {
    /// The name of the plugin: lower-case letters, digits and hyphens
    pub name: Name,

    /// The folder to make; without one, the name in the current folder
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Test {
    /// The folder of a plugin, or a file that ends in .padplugin
    #[arg(default_value = ".")]
    pub plugin: PathBuf,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Pack {
    /// The folder of a plugin
    #[arg(default_value = ".")]
    pub folder: PathBuf,

    /// The file to write; without one, NAME-VERSION.padplugin in the current folder
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub output: Output,
}
