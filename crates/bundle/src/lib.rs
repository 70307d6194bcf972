//! The web bundle and its translations, embedded in the program and compressed when it was built.
//!
//! A file's name holds a hash of its content, so a name always means the same bytes. `build/`
//! builds the bundle with npm when it is missing or stale.

pub mod texts;

use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

/// One file of the bundle, with its compressed forms where they are smaller.
pub struct Asset {
    pub name: &'static str,
    /// From the service's root.
    pub path: &'static str,
    pub content_type: &'static str,
    pub hash: &'static str,
    pub plain: &'static [u8],
    pub brotli: Option<&'static [u8]>,
    pub gzip: Option<&'static [u8]>,
}

/// What a page must link to so that its script and its styles load.
pub struct Entry {
    pub script: &'static str,
    pub styles: &'static [&'static str],
    /// Scripts that the first one imports, so that they are fetched along with it.
    pub preloads: &'static [&'static str],
    /// Languages whose texts the first script imports later, each with the script that holds them.
    pub languages: &'static [(&'static str, &'static str)],
}

impl Entry {
    /// The script with the texts in a language, if they are not in the first one.
    pub fn language(&self, code: &str) -> Option<&'static str> {
        let mut languages = self.languages.iter();
        let found = languages.find(|(language, _)| *language == code);
        found.map(|(_, script)| *script)
    }
}

// `ASSETS`, sorted by name, one `Entry` for each page, and `LOCALES`; written by build/main.rs.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A name for all files together: another bundle has another.
pub static NAME: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for file in files() {
        hasher.write(file.as_bytes());
    }
    format!("{:016x}", hasher.finish())
});

/// The paths of all files, from the service's root.
pub fn files() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|asset| asset.path)
}

pub fn find(name: &str) -> Option<&'static Asset> {
    let at = ASSETS.binary_search_by(|asset| asset.name.cmp(name)).ok()?;
    ASSETS.get(at)
}

/// The path of the font that texts in a language need first, if we have one.
pub fn font(language: &str) -> Option<&'static str> {
    let name = match language {
        "ar" => "vazirmatn-arabic-",
        "ru" | "uk" => "inter-cyrillic-",
        "he" | "ja" | "ko" | "zh-Hans" => return None,
        _ => "inter-latin-wght-",
    };
    let mut fonts = ASSETS.iter().filter(|asset| asset.name.starts_with(name));
    fonts.next().map(|asset| asset.path)
}

/// The content of a script, by its path from the root.
pub fn text(path: &str) -> Option<&'static str> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    std::str::from_utf8(asset.plain).ok()
}
