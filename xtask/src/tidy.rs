//! `cargo xtask tidy`: the rules of the tree that no compiler checks.
//!
//! Each rule is a file beside this one: a function from the tree to what it found, with a test
//! that shows it can fail.

mod bans;
mod codemap;
mod crate_sizes;
mod cycles;
mod features;
mod layers;
mod module_docs;
mod results;
mod sizes;
mod spawns;
mod unsafe_code;
mod web_folders;
mod words;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

/// Everything under version control, as text.
pub struct Tree {
    files: Vec<SourceFile>,
}

pub struct SourceFile {
    /// Relative to the root, with forward slashes.
    path: String,
    text: String,
}

const RULES: &[fn(&Tree) -> Vec<String>] = &[
    layers::check,
    codemap::check,
    crate_sizes::check,
    cycles::check,
    features::check,
    results::check,
    sizes::check,
    module_docs::check,
    spawns::check,
    unsafe_code::check,
    web_folders::check,
    words::check,
    bans::check,
];

pub fn run(project: &Project) -> Result<()> {
    let findings = findings(project)?;
    match findings.is_empty() {
        true => Ok(()),
        false => Err(findings.join("\n").into()),
    }
}

/// One line for each thing that breaks a rule, beginning with its place.
pub fn findings(project: &Project) -> Result<Vec<String>> {
    let tree = Tree::read(project)?;
    Ok(RULES.iter().flat_map(|rule| rule(&tree)).collect())
}

impl Tree {
    /// Files not yet added count too, so that tidy speaks before the commit and not after it.
    fn read(project: &Project) -> Result<Self> {
        let list = project.command("git ls-files --cached --others --exclude-standard");
        let list = shell::capture(list).ok_or("tidy needs git, in a checkout")?;
        let files = list.lines().filter_map(|path| {
            // A file that is deleted but still listed, or that is not text, has no lines to check.
            let text = std::fs::read_to_string(project.root.join(path)).ok()?;
            Some(SourceFile {
                path: path.to_owned(),
                text,
            })
        });
        Ok(Self {
            files: files.collect(),
        })
    }

    /// The names of the folders in `crates/`.
    fn crates(&self) -> impl Iterator<Item = &str> {
        let manifests = self
            .files
            .iter()
            .filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
        manifests
            .filter_map(|folder| folder.strip_prefix("crates/"))
            .filter(|n| !n.contains('/'))
    }

    fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    fn with_ending(&self, ending: &str) -> impl Iterator<Item = &SourceFile> {
        self.files
            .iter()
            .filter(move |file| file.path.ends_with(ending))
    }
}

#[cfg(test)]
impl Tree {
    /// A tree for a rule's own test: pairs of a path and what is in the file.
    fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        Self {
            files: files.iter().map(file).collect(),
        }
    }
}
