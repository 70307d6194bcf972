//! Command-line arguments of the operator's commands.

pub mod plugins;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use clap_complete::Shell;
use convert::FileFormat;

use crate::operate::Level;

/// What they do to pads they do while the service runs, and while it does not.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Look whether what is stored holds together, and list what does not
    ///
    /// The database engine checks its own files first. Then every pad is read from its first
    /// revision to its newest, the way serving it would, and all other rows as well. Repairs
    /// nothing. Exit code 1 means that something is wrong.
    Check(Check),
    /// Shorten the history of pads
    ///
    /// The oldest revisions of each pad become one, and are gone for good. Text, chat and all else
    /// stay; marks on revisions do not. Needs `cleanup.enabled` in the settings. Browsers with such
    /// a pad open reload it and lose nothing.
    Compact(Compact),
    /// Repair pads that `check` complains about
    ///
    /// Everything that follows from the revisions is rebuilt: snapshots, the list of authors,
    /// counts; and with --all the indexes of a damaged database. A pad whose revisions are not all
    /// there is left as it is; see `rebuild`. What cannot be brought back is listed.
    Repair(Repair),
    /// Make a new pad of what a pad was at a revision
    ///
    /// With the history up to there. The pad itself stays as it is. Also works with pads of which
    /// revisions are lost.
    Rebuild(Rebuild),
    /// Delete pads
    Delete(Delete),
    /// Write pads to files
    Export(Export),
    /// Make pads of files
    Import(Import),
    /// Bring over everything from the database of an Etherpad
    ///
    /// Pads with all revisions, chat, marked revisions and read-only links; authors, with the
    /// browsers and the names by which they are known; groups and sessions. The source is only
    /// read. Each pad is compared with it afterwards. What is here already stays, so an interrupted
    /// migration is started again. No server may run in the root meanwhile.
    ///
    /// Exit code 0 means that nothing was lost, 3 that something was left out or could be repaired
    /// only with loss, 1 that the migration failed.
    Migrate(Migrate),
    /// Write everything as records that an Etherpad can load
    ///
    /// The way back: one JSON object with `key` and `val` per line, which is what a database of the
    /// kind dirty is, and what Etherpad's database layer takes for any other kind. Browsers are not
    /// known again there, since only hashes of their tokens are stored here.
    Dump(Dump),
    /// Copy the database to a file
    ///
    /// The copy is one state of the database: everything that was acknowledged before it is begun
    /// is in it. The service goes on meanwhile. Settings, APIKEY.txt and the keys in var/ are not
    /// part of it.
    Backup(Backup),
    /// Put a copy of the database back
    ///
    /// The service must not run. The copy is looked over first.
    Restore(Restore),
    /// Let somebody into the pads of a group
    ///
    /// Prints what to put into the cookie `sessionID` of a browser. A group and an author that are
    /// not known yet are made.
    Session(Session),
    /// Ask the running server how it is; for health checks
    Health(Health),
    /// List the processes that serve the pads of a PostgreSQL database
    ///
    /// Reads the database, so it works on any machine with the settings of one of them.
    Nodes(Nodes),
    /// Have the running server log more or less, until it restarts
    LogLevel(LogLevel),
    /// Restart the running server, with the settings as they are now
    ///
    /// It looks over the settings first, and goes on as it is if it could not start with them.
    /// People in pads are informed, reconnect and lose nothing; who signed in has to do
    /// so again.
    Restart(Restart),
    /// Install plugins and look after them; make and test plugins of your own
    #[command(subcommand)]
    Plugins(plugins::PluginsCommand),
    /// Look whether the settings can be used
    CheckSettings(CheckSettings),
    /// Make the hash of a password, for `users` in the settings
    ///
    /// Reads the password from standard input.
    HashPassword(HashPassword),
    /// Write a script that completes commands in a shell
    Completions(Completions),
    /// Write the pages of the manual
    Man(Manual),
}

impl OperatorCommand {
    /// Whether the files it writes are meant for all users of the machine.
    pub fn writes_for_everybody(&self) -> bool {
        matches!(
            self,
            OperatorCommand::Completions(_) | OperatorCommand::Man(_)
        )
    }
}

/// How to answer.
#[derive(Clone, Copy, Debug, Args)]
pub struct Output {
    /// Answer with one JSON object on standard output, for programs
    #[arg(long)]
    pub json: bool,
}

/// Whether to do it.
#[derive(Clone, Copy, Debug, Args)]
pub struct Rehearsal {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct Check {
    /// The pads to look at; without one, every pad
    #[arg(value_name = "PAD")]
    pub pads: Vec<String>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub struct Compact {
    /// The pads to compact
    #[arg(value_name = "PAD", group = "which")]
    pub pads: Vec<String>,

    /// Every pad
    #[arg(long, group = "which")]
    pub all: bool,

    /// Every pad that nobody has changed for so many days
    #[arg(long, value_name = "DAYS", group = "which")]
    pub older_than: Option<u64>,

    /// How many of the last revisions stay; without it, none but what the text is now
    #[arg(long, value_name = "REVISIONS")]
    pub keep: Option<u64>,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub struct Repair {
    /// The pads to repair
    #[arg(value_name = "PAD", group = "which")]
    pub pads: Vec<String>,

    /// Every pad with problems
    #[arg(long, group = "which")]
    pub all: bool,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Rebuild {
    /// The pad to take
    pub pad: String,

    /// The last revision to take; without one, the last that can be reached
    pub rev: Option<u64>,

    /// The name of the new pad; without one, that of the pad and `-rebuilt`
    #[arg(long, value_name = "PAD")]
    pub to: Option<String>,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Delete {
    /// The pads to delete
    #[arg(value_name = "PAD", required = true)]
    pub pads: Vec<String>,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

/// Only formats that can be imported again; PDF needs the fonts that a server has loaded.
fn export_formats() -> impl TypedValueParser<Value = &'static FileFormat> {
    let value = |format: &FileFormat| PossibleValue::new(format.name).help(format.description);
    PossibleValuesParser::new(FileFormat::own().rev().map(value))
        .try_map(|name| FileFormat::named(&name).ok_or("there is no such format"))
}

fn import_help() -> String {
    let formats = FileFormat::own().rev().map(|format| format.name);
    format!(
        "Files to import, or folders of them. The ending tells what a file holds: {}",
        formats.collect::<Vec<_>>().join(", ")
    )
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub struct Export {
    /// The pads to export
    #[arg(value_name = "PAD", group = "which")]
    pub pads: Vec<String>,

    /// Every pad
    #[arg(long, group = "which")]
    pub all: bool,

    /// Where to: a folder that gets a file for each pad, or for one pad also a file, `-` being
    /// standard output
    #[arg(long, value_name = "PATH")]
    pub to: PathBuf,

    /// What to write
    #[arg(long, value_parser = export_formats(), default_value = "etherpad")]
    pub format: &'static FileFormat,

    /// The revision to write, for formats without history
    #[arg(long)]
    pub rev: Option<u64>,

    /// Replace files that are there
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Import {
    #[arg(value_name = "FILE", required = true, help = import_help())]
    pub files: Vec<PathBuf>,

    /// The name of the pad; without one, that of the file without its ending
    #[arg(long = "as", value_name = "PAD")]
    pub name: Option<String>,

    /// Replace what pads say that are there; an etherpad file replaces their history, too
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Migrate {
    /// The file of a database of the kind dirty or sqlite; the address of a database server
    /// (postgres://…, mysql://…); or - for what tools/etherpad-dump.mjs writes, which reads
    /// databases of every kind
    pub from: String,

    /// Bring only what has changed in the source since it was brought, and remove what is gone
    /// there. What was changed here meanwhile stays
    #[arg(long)]
    pub follow: bool,

    /// How much of each pad's history to compare with the source afterwards
    #[arg(long, value_enum, default_value_t = Verify::Sample)]
    pub verify: Verify,

    /// Write the report to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Take texts that look as if their characters were lost in a dump
    #[arg(long)]
    pub allow_question_marks: bool,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

/// How much of a history is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Verify {
    /// The text with its attributes, and the texts of some revisions
    Sample,
    /// Every revision
    All,
}

#[derive(Debug, Args)]
pub struct Dump {
    /// The file to write, which must not exist; - for standard output
    #[arg(default_value = "-")]
    pub to: PathBuf,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Backup {
    /// The file to write, which must not exist
    pub file: PathBuf,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Restore {
    /// A file that `padsvc backup` has written
    pub file: PathBuf,

    /// Replace the database file that is there; it is kept beside the new one, as `….replaced`.
    /// A PostgreSQL database has to be empty
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Session {
    /// The group, by the name your application has for it
    #[arg(long)]
    pub group: String,

    /// The author, by the name your application has for it
    #[arg(long)]
    pub author: String,

    /// What the author is called in pads
    #[arg(long)]
    pub name: Option<String>,

    /// A pad of the group, made if there is none
    #[arg(long)]
    pub pad: Option<String>,

    /// How long the session is valid
    #[arg(long, default_value_t = 24)]
    pub hours: u64,

    #[command(flatten)]
    pub rehearsal: Rehearsal,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Health {
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Nodes {
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Restart {
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct LogLevel {
    /// The least important messages to log
    #[arg(value_enum)]
    pub level: Level,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct CheckSettings {
    /// Show all settings as they are used, without secrets
    #[arg(long)]
    pub show: bool,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct HashPassword {
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell to write it for
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct Manual {
    /// The folder to write a page for each command into; without one, the main page goes to
    /// standard output
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
}
