//! What can be wrong with a package.

use thiserror::Error;

use super::{ARCHIVE, FILES, UNPACKED};
use crate::manifest::ManifestError;
use crate::permission::excerpt;

#[derive(Debug, Error)]
pub enum PackageError {
    #[error("the archive has more than {ARCHIVE} bytes")]
    ArchiveTooLong,
    #[error("it is not a zip archive, or a damaged one")]
    NotZip,
    #[error("there are more than {FILES} files")]
    TooManyFiles,
    #[error("the files have more than {UNPACKED} bytes together")]
    UnpackedTooLong,
    #[error("{0}: it has more than {1} bytes")]
    FileTooLong(String, usize),
    #[error(
        "{0}: a plugin has no such file; it can have plugin.json, server.js, client.js, \
         client.css, tests.json, LICENSE, README.md, locales/LANGUAGE.json, and files that end \
         in svg, png, woff2, json and txt in assets/"
    )]
    UnknownFile(String),
    #[error("{0}: a link is no file")]
    Link(String),
    #[error("two files have the same name, or the same but for capital letters")]
    RepeatedFile,
    #[error("{0}: it cannot be unpacked")]
    Damaged(String),
    #[error("plugin.json is missing at the top of the archive")]
    NoManifest,
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{0}: it is not text in UTF-8")]
    NotText(String),
    #[error("hooks: {0} is answered by server.js, which is missing")]
    HookWithoutServer(&'static str),
    #[error("server.js would never run: hooks lists nothing")]
    ServerWithoutHook,
    #[error("hooks: {0} is for client.js, which is missing")]
    HookWithoutClient(&'static str),
    #[error("client.css comes into pages with client.js, which is missing")]
    StyleWithoutClient,
    #[error("{0}: {1}")]
    Locale(String, String),
    #[error("locales/en.json is missing; its texts are shown where another language has none")]
    NoEnglish,
}

pub(super) fn unknown(name: &str) -> PackageError {
    PackageError::UnknownFile(excerpt(name))
}
