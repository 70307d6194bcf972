//! The Rust source that embeds the bundle: a sorted table of files, an entry for each page, and the
//! texts of the interface, which the server's own pages share with the scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use serde_json::Value;

/// The source text of `assets.rs` for a bundle and the texts it was built with.
pub(crate) fn write(dist: &Path, locales: &Path) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    write_assets(&mut source, &dist.join("assets"))?;
    write_entries(&mut source, &dist.join(".vite/manifest.json"))?;
    write_locales(&mut source, locales)?;
    Ok(source)
}

fn write_assets(source: &mut String, folder: &Path) -> Result<(), Box<dyn Error>> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(|error| at(&error))? {
        let entry = entry.map_err(|error| at(&error))?;
        names.insert(entry.file_name().to_string_lossy().into_owned());
    }
    source.push_str("static ASSETS: &[Asset] = &[\n");
    for name in &names {
        if name.ends_with(".br") || name.ends_with(".gz") {
            continue;
        }
        let plain = folder.join(name);
        let content = fs::read(&plain).map_err(|error| at(&error))?;
        let compressed = |ending: &str| match names.contains(&format!("{name}{ending}")) {
            true => format!("Some({})", include(&folder.join(format!("{name}{ending}")))),
            false => "None".to_owned(),
        };
        let fields = [
            format!("name: {name:?}"),
            format!("path: {:?}", format!("assets/{name}")),
            format!("content_type: {:?}", content_type(name)?),
            format!("hash: {:?}", hash(&content)),
            format!("plain: {}", include(&plain)),
            format!("brotli: {}", compressed(".br")),
            format!("gzip: {}", compressed(".gz")),
        ];
        let _ = writeln!(source, "Asset {{ {} }},", fields.join(", "));
    }
    source.push_str("];\n");
    Ok(())
}

fn include(file: &Path) -> String {
    format!("include_bytes!({:?})", file.to_string_lossy())
}

fn hash(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    format!("{:016x}", hasher.finish())
}

/// A kind of file that is not listed fails the build: how to label it is a decision.
fn content_type(name: &str) -> Result<&'static str, Box<dyn Error>> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "css" => Ok("text/css; charset=utf-8"),
        "js" => Ok("text/javascript; charset=utf-8"),
        "json" => Ok("application/json"),
        "png" => Ok("image/png"),
        "svg" => Ok("image/svg+xml"),
        "woff2" => Ok("font/woff2"),
        _ => Err(format!("build/table.rs does not know the content type of {name}").into()),
    }
}

fn write_entries(source: &mut String, manifest: &Path) -> Result<(), Box<dyn Error>> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", manifest.display());
    let text = fs::read_to_string(manifest).map_err(|error| at(&error))?;
    let chunks: BTreeMap<String, Value> =
        serde_json::from_str(&text).map_err(|error| at(&error))?;
    for (key, chunk) in &chunks {
        if chunk.get("isEntry") != Some(&Value::Bool(true)) {
            continue;
        }
        let name = text_of(chunk, "name").ok_or_else(|| at(&format!("{key} has no name")))?;
        let script = text_of(chunk, "file").ok_or_else(|| at(&format!("{key} has no file")))?;
        let mut linked = Linked::default();
        linked.follow(&chunks, key);
        linked.scripts.retain(|other| *other != script);
        let Linked {
            styles,
            scripts,
            languages,
            ..
        } = linked;
        let name = name.to_uppercase().replace('-', "_");
        let _ = writeln!(
            source,
            "pub const {name}: Entry = Entry {{ script: {script:?}, styles: &{styles:?}, \
             preloads: &{scripts:?}, languages: &{languages:?} }};"
        );
    }
    Ok(())
}

/// What a page needs besides its own script.
#[derive(Default)]
struct Linked<'a> {
    seen: BTreeSet<&'a str>,
    /// Those of a chunk come after those of the chunks it imports, as in the source.
    styles: Vec<&'a str>,
    scripts: Vec<&'a str>,
    /// Languages, each with the script that holds its texts.
    languages: Vec<(&'a str, &'a str)>,
}

impl<'a> Linked<'a> {
    fn follow(&mut self, chunks: &'a BTreeMap<String, Value>, key: &'a str) {
        let Some(chunk) = chunks.get(key).filter(|_| self.seen.insert(key)) else {
            return;
        };
        for import in texts_of(chunk, "imports") {
            self.follow(chunks, import);
        }
        for style in texts_of(chunk, "css") {
            if !self.styles.contains(&style) {
                self.styles.push(style);
            }
        }
        self.scripts.extend(text_of(chunk, "file"));
        for import in texts_of(chunk, "dynamicImports") {
            let file = chunks.get(import).and_then(|chunk| text_of(chunk, "file"));
            self.languages.extend(language_of(import).zip(file));
        }
    }
}

/// The language whose texts a chunk holds: those that pages need at once.
fn language_of(key: &str) -> Option<&str> {
    let (_, name) = key.rsplit_once(':').unwrap_or(("", key));
    name.strip_prefix("locales/")?.strip_suffix(".json")
}

/// The texts of the interface, a file for each language, named by it.
fn write_locales(source: &mut String, folder: &Path) -> Result<(), Box<dyn Error>> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| at(&error))? {
        let path = entry.map_err(|error| at(&error))?.path();
        if let Some(language) = path.file_stem() {
            files.insert(language.to_string_lossy().into_owned(), path);
        }
    }
    source.push_str("pub static LOCALES: &[(&str, &str)] = &[\n");
    for (language, path) in &files {
        let path = path.to_string_lossy();
        let _ = writeln!(source, "({language:?}, include_str!({path:?})),");
    }
    source.push_str("];\n");
    Ok(())
}

fn text_of<'a>(chunk: &'a Value, field: &str) -> Option<&'a str> {
    chunk.get(field).and_then(Value::as_str)
}

fn texts_of<'a>(chunk: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    chunk
        .get(field)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
