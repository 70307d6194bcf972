//! The files that a plugin can have, by their names.

use super::SCRIPT;
use crate::manifest;

/// A name that is not of one of these kinds is refused, and with it everything that leads out of
/// the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Manifest,
    Script,
    Style,
    /// The tests of `padsvc plugins test`.
    Tests,
    Locale,
    /// LICENSE and README.
    Document,
    /// With the type it is served as.
    Asset(&'static str),
}

const LOCALE: usize = 128 * 1024;
const OTHER: usize = 2 * 1024 * 1024;

impl FileKind {
    pub fn of(name: &str) -> Option<FileKind> {
        match name {
            "plugin.json" => Some(FileKind::Manifest),
            "server.js" | "client.js" => Some(FileKind::Script),
            "client.css" => Some(FileKind::Style),
            "tests.json" => Some(FileKind::Tests),
            "LICENSE" | "LICENSE.md" | "LICENSE.txt" | "README" | "README.md" | "README.txt" => {
                Some(FileKind::Document)
            }
            _ => match name.split_once('/')? {
                ("locales", file) => {
                    let language = file.strip_suffix(".json")?;
                    is_language(language).then_some(FileKind::Locale)
                }
                ("assets", path) => asset(path),
                _ => None,
            },
        }
    }

    pub fn max_bytes(self) -> usize {
        match self {
            FileKind::Manifest => manifest::BYTES,
            FileKind::Script | FileKind::Style | FileKind::Tests => SCRIPT,
            FileKind::Locale => LOCALE,
            FileKind::Document | FileKind::Asset(_) => OTHER,
        }
    }
}

fn asset(path: &str) -> Option<FileKind> {
    let content_type = match path.rsplit_once('.')?.1 {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    };
    // No part begins with a dot, so none is `..`.
    let is_part = |part: &str| {
        (1..=64).contains(&part.len())
            && part.starts_with(|first: char| first.is_ascii_alphanumeric())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let is_path = path.split('/').count() <= 4 && path.split('/').all(is_part);
    is_path.then_some(FileKind::Asset(content_type))
}

/// As BCP 47 writes it: `de`, `pt-BR`.
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && text.len() <= 20
        && parts.all(|part| {
            (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}
