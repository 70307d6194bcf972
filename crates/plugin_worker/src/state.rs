//! What the engine and the functions that JavaScript calls share.

use std::collections::BTreeMap;

use plugin::wire::{FromWorker, LogLevel, Texts};
use plugin::{Function, Hook};
use rquickjs::{Function as JsFunction, Persistent};
use serde_json::value::RawValue;

use crate::limits;

pub(crate) type Callback = Persistent<JsFunction<'static>>;

/// Who waits for the answer to a call.
pub(crate) struct Waiting {
    pub(crate) resolve: Callback,
    pub(crate) reject: Callback,
}

#[derive(Default)]
pub(crate) struct State {
    /// What time it is for the plugin.
    pub(crate) now: u64,
    texts: Texts,
    /// Handlers can be set until the script has run once.
    pub(crate) is_started: bool,
    pub(crate) handlers: BTreeMap<Hook, Callback>,
    pub(crate) waiting: BTreeMap<u64, Waiting>,
    last_call: u64,
    calls_left: u32,
    bytes_left: usize,
    lines_left: u32,
    /// What goes to the service, in order.
    pub(crate) messages: Vec<FromWorker>,
}

impl State {
    pub(crate) fn new(texts: Texts, now: u64) -> State {
        let mut state = State {
            texts,
            ..State::default()
        };
        state.refill(now);
        state
    }

    /// A hook has come: calls and log lines are counted for it.
    pub(crate) fn refill(&mut self, now: u64) {
        self.now = now;
        self.calls_left = limits::CALLS;
        self.bytes_left = limits::ARGUMENTS_FOR_HOOK;
        self.lines_left = limits::LOG_LINES;
    }

    /// Whether a call with arguments of that length may be sent; the error is for the plugin.
    pub(crate) fn admit_call(&mut self, bytes: usize) -> Result<(), &'static str> {
        if self.waiting.len() >= limits::CALLS_UNDER_WAY {
            return Err("too many calls are waiting for an answer");
        }
        let calls_left = self.calls_left.checked_sub(1);
        let bytes_left = self.bytes_left.checked_sub(bytes);
        let (Some(calls_left), Some(bytes_left)) = (calls_left, bytes_left) else {
            return Err("too many calls for one hook");
        };
        self.calls_left = calls_left;
        self.bytes_left = bytes_left;
        Ok(())
    }

    pub(crate) fn send_call(&mut self, function: Function, args: Box<RawValue>, waiting: Waiting) {
        self.last_call += 1;
        let id = self.last_call;
        self.waiting.insert(id, waiting);
        self.messages.push(FromWorker::Call { id, function, args });
    }

    pub(crate) fn may_log(&self) -> bool {
        self.lines_left > 0
    }

    pub(crate) fn log(&mut self, level: LogLevel, text: &str) {
        let Some(lines_left) = self.lines_left.checked_sub(1) else {
            return;
        };
        self.lines_left = lines_left;
        let text = if lines_left == 0 {
            "more log lines are left out".to_owned()
        } else {
            cut(text, limits::LOG_LINE)
        };
        self.messages.push(FromWorker::Log { level, text });
    }

    /// A text of the plugin: in the language, in the language without its region, in English, or
    /// its key.
    pub(crate) fn text(&self, key: &str, language: &str) -> String {
        let base = language.split('-').next().unwrap_or_default();
        let found = [language, base, "en"]
            .iter()
            .find_map(|language| self.texts.get(*language)?.get(key));
        found.cloned().unwrap_or_else(|| key.to_owned())
    }
}

pub(crate) fn cut(text: &str, characters: usize) -> String {
    let mut short: String = text.chars().take(characters).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
