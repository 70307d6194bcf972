//! Bounds on what a plugin can make its worker send. The service has bounds of its own; these keep
//! a plugin that floods from filling the pipe and the worker's memory.

/// Calls of functions for each hook, and how many of them may be without an answer at a time.
pub(crate) const CALLS: u32 = 1_000;
pub(crate) const CALLS_UNDER_WAY: usize = 64;

/// Bytes of the arguments of one call, and of all calls for one hook.
pub(crate) const ARGUMENTS: usize = 1_200_000;
pub(crate) const ARGUMENTS_FOR_HOOK: usize = 8_000_000;

/// Bytes of the answer to a hook.
pub(crate) const ANSWER: usize = 2_000_000;

/// Log lines for each hook, and characters of one.
pub(crate) const LOG_LINES: u32 = 50;
pub(crate) const LOG_LINE: usize = 1_000;

/// Characters of the text of an error.
pub(crate) const ERROR: usize = 1_000;

/// The stack of JavaScript, in bytes. The thread has eight megabytes.
pub(crate) const STACK: usize = 512 * 1024;
