//! Diagnostics of a settings file: problems and warnings.
//!
//! A problem keeps the service from starting, a warning does not. Both name the key in full, and
//! the place in the file where there is one. Neither ever holds the value of a secret.

use std::fmt;

use super::tree::Node;

/// Position of a value in the settings file, both counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The full path of the key, such as `mail.port`; empty if it is about the file as a whole.
    pub key: String,
    pub place: Option<Place>,
    pub text: String,
}

pub type Problem = Diagnostic;
pub type Warning = Diagnostic;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// The diagnostics so far. Reading goes on after a problem, so that one run reports all.
#[derive(Debug, Default)]
pub struct Report {
    pub problems: Vec<Problem>,
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Reports a value that is not allowed.
    pub fn refuse(&mut self, key: &str, node: &Node, allowed: &str) {
        self.refuse_as(key, node, &node.describe(), allowed);
    }

    /// The same for a secret, which is not repeated.
    pub fn refuse_secret(&mut self, key: &str, node: &Node, allowed: &str) {
        self.refuse_as(key, node, HIDDEN, allowed);
    }

    /// The same where a list or an object should be. What was written instead is not repeated
    /// either: it may be the secret that belongs inside.
    pub fn refuse_kind(&mut self, key: &str, node: &Node, allowed: &str) {
        self.refuse_as(key, node, node.kind(), allowed);
    }

    fn refuse_as(&mut self, key: &str, node: &Node, value: &str, allowed: &str) {
        let source = match &node.variable {
            Some(variable) => format!(", from the environment variable {variable},"),
            None => String::new(),
        };
        let text = format!("{key}{source} is {value}, but must be {allowed}");
        self.problems.push(Diagnostic::new(key, node.place, text));
    }

    /// Reports a problem with its own text.
    pub fn fail(&mut self, key: &str, place: Option<Place>, text: impl Into<String>) {
        self.problems.push(Diagnostic::new(key, place, text.into()));
    }

    pub fn warn(&mut self, key: &str, place: Option<Place>, text: impl Into<String>) {
        self.warnings.push(Diagnostic::new(key, place, text.into()));
    }

    /// Turns the problems after the first `kept` into warnings that end in `outcome`.
    pub fn soften(&mut self, kept: usize, outcome: &str) {
        for mut diagnostic in self.problems.drain(kept.min(self.problems.len())..) {
            diagnostic.text.push_str(outcome);
            self.warnings.push(diagnostic);
        }
    }
}

/// What stands for the value of a secret.
pub(crate) const HIDDEN: &str = "(hidden)";

impl Diagnostic {
    fn new(key: &str, place: Option<Place>, text: String) -> Diagnostic {
        Diagnostic {
            key: key.to_owned(),
            place,
            text,
        }
    }
}
