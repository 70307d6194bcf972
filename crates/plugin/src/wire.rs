//! Messages between the service and a worker, as they are on its pipes.
//!
//! A frame is a length in four bytes, the lowest first, and so many bytes of JSON. Neither side
//! believes the other: a frame longer than [`FRAME`] and JSON of another form are errors, after
//! which nothing more is read. What a plugin says (`RawValue`) is valid JSON and nothing more; it
//! can be nested too deep to be read.

mod frame;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::functions::Function;
use crate::hooks::Hook;
use crate::reason::Reason;
pub use frame::{Decoder, FRAME, FrameError, encode};

/// Texts of a plugin: by language, by key.
pub type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// JSON, or why there is none.
pub type Outcome = Result<Box<RawValue>, Reason>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum ToWorker {
    /// The first message, and only that.
    Start(Box<Start>),
    /// Answered by one [`FromWorker::Settled`] with the same id, or never.
    Hook {
        id: u64,
        hook: Hook,
        /// What time it is for the plugin, in milliseconds since 1970.
        now: u64,
        args: Box<RawValue>,
    },
    /// To the [`FromWorker::Call`] with that id.
    Answer { id: u64, result: Outcome },
    /// The worker ends.
    Stop,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    pub name: crate::Name,
    /// The contents of server.js.
    pub script: String,
    pub now: u64,
    /// A value for every setting.
    pub settings: Box<RawValue>,
    pub texts: Texts,
    /// How much the plugin may allocate, in bytes.
    pub memory: u64,
    /// How much processor time one message may take, in milliseconds.
    pub slice_ms: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum FromWorker {
    /// The script has run and is ready for hooks.
    Ready {
        /// The hooks it has handlers for.
        hooks: Vec<Hook>,
        sandbox: SandboxReport,
        memory: u64,
    },
    /// The worker ends, and why: the script failed, or promises never come to rest.
    Failed {
        reason: String,
    },
    /// A hook has been answered.
    Settled {
        id: u64,
        result: Outcome,
        /// Processor time of the worker from the arrival of the hook to its answer.
        micros: u64,
        /// What the plugin has allocated, in bytes.
        memory: u64,
    },
    /// A call of a function, answered by [`ToWorker::Answer`].
    Call {
        id: u64,
        function: Function,
        args: Box<RawValue>,
    },
    Log {
        level: LogLevel,
        text: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

/// What the worker has given up, as far as the kernel allowed it. `true` is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SandboxReport {
    /// No new privileges by running programs.
    pub no_new_privileges: bool,
    /// Memory, files and processes are limited.
    pub limits: bool,
    /// The kernel has landlock and it is on.
    pub landlock: bool,
    /// A filter of system calls is on.
    pub seccomp: bool,
    /// Seen by trying: no file can be opened, no socket be made, no process be started.
    pub no_files: bool,
    pub no_network: bool,
    pub no_processes: bool,
    /// Files beyond its three pipes that the service left open for it and that it can use. None is
    /// safe.
    pub inherited: u32,
}

impl SandboxReport {
    /// Whether nothing of the machine can be reached.
    pub fn is_tight(&self) -> bool {
        self.no_files && self.no_network && self.no_processes
    }
}

#[cfg(test)]
mod tests;
