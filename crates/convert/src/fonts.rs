//! Fonts on disk: those that are set for exports, and those that are installed.
//!
//! The one place of this crate that reads files. Whatever is wrong with a font is reported and
//! costs only that font.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use fontdb::{Database, FaceInfo, Source, Style, Weight};
use read_fonts::FontRef;

use crate::pdf::{Family, Font, Fonts, Standard, Variant, coverage, is_in, same_family};

/// The fonts that are set for a family, as files. Relative paths start at the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FamilyFiles {
    /// As CSS names it.
    pub name: String,
    pub regular: Option<PathBuf>,
    pub bold: Option<PathBuf>,
    pub italic: Option<PathBuf>,
    pub bold_italic: Option<PathBuf>,
    /// What a variant is shown in that has no font, or one that cannot be read.
    pub fallback: Option<Standard>,
}

impl FamilyFiles {
    /// One file for every variant.
    pub fn of_file(name: impl Into<String>, file: impl Into<PathBuf>) -> FamilyFiles {
        let file = Some(file.into());
        FamilyFiles {
            name: name.into(),
            regular: file.clone(),
            bold: file.clone(),
            italic: file.clone(),
            bold_italic: file,
            fallback: None,
        }
    }
}

/// A font file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the font {} of {family} cannot be used: {reason}", file.display())]
pub struct Unusable {
    pub family: String,
    pub file: PathBuf,
    /// What the system says, or that it is no font.
    pub reason: String,
}

/// Where exports find their fonts. Made once; installed fonts are looked for when the first
/// character needs one.
#[derive(Default)]
pub struct Library {
    families: Vec<(String, Family)>,
    installed: Installation,
}

#[derive(Default)]
enum Installation {
    #[default]
    Unused,
    Used(OnceLock<Installed>),
}

impl Library {
    /// The fonts that are set, and what is wrong with some. With `installed`, those of the system
    /// help out where none of them has a character.
    pub fn load(files: &[FamilyFiles], root: &Path, installed: bool) -> (Library, Vec<Unusable>) {
        let mut loader = Loader {
            root,
            loaded: HashMap::new(),
            unusable: Vec::new(),
        };
        let families = files.iter().map(|files| loader.family(files)).collect();
        let installed = if installed {
            Installation::Used(OnceLock::new())
        } else {
            Installation::Unused
        };
        let library = Library {
            families,
            installed,
        };
        (library, loader.unusable)
    }
}

impl Fonts for Library {
    fn family(&self, name: &str) -> Option<Family> {
        let mut families = self.families.iter();
        let found = families.find(|(known, _)| same_family(known, name));
        found.map(|(_, family)| family.clone())
    }

    fn font_for(&self, c: char, variant: Variant) -> Option<Arc<Font>> {
        let set = self.families.iter().flat_map(|(_, family)| {
            [
                &family.regular,
                &family.bold,
                &family.italic,
                &family.bold_italic,
            ]
        });
        if let Some(font) = set.flatten().find(|font| font.covers(c)) {
            return Some(Arc::clone(font));
        }
        match &self.installed {
            Installation::Unused => None,
            Installation::Used(installed) => {
                installed.get_or_init(Installed::find).font_for(c, variant)
            }
        }
    }
}

struct Loader<'a> {
    root: &'a Path,
    /// A file may be set for several variants.
    loaded: HashMap<PathBuf, Option<Arc<Font>>>,
    unusable: Vec<Unusable>,
}

impl Loader<'_> {
    fn family(&mut self, files: &FamilyFiles) -> (String, Family) {
        let mut load =
            |file: &Option<PathBuf>| file.as_ref().and_then(|file| self.font(&files.name, file));
        let family = Family {
            regular: load(&files.regular),
            bold: load(&files.bold),
            italic: load(&files.italic),
            bold_italic: load(&files.bold_italic),
            fallback: files.fallback,
        };
        (files.name.clone(), family)
    }

    fn font(&mut self, family: &str, file: &Path) -> Option<Arc<Font>> {
        let path = self.root.join(file);
        if let Some(loaded) = self.loaded.get(&path) {
            return loaded.clone();
        }
        let font = match std::fs::read(&path) {
            Ok(data) => {
                Font::new(data, 0).ok_or_else(|| "it is not a font with outlines".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        let font = font.map_err(|reason| {
            self.unusable.push(Unusable {
                family: family.to_owned(),
                file: path.clone(),
                reason,
            });
        });
        let font = font.ok().map(Arc::new);
        self.loaded.insert(path, font.clone());
        font
    }
}

/// The fonts of the system: what each can show, but not the fonts themselves, which are read when
/// they are needed and kept as long as an export uses them.
struct Installed {
    /// The ones to be preferred first.
    candidates: Vec<Candidate>,
    open: Mutex<HashMap<usize, Weak<Font>>>,
}

struct Candidate {
    file: PathBuf,
    index: u32,
    coverage: Vec<(u32, u32)>,
    variant: Variant,
}

impl Installed {
    fn find() -> Installed {
        let mut database = Database::new();
        database.load_system_fonts();
        let mut candidates: Vec<(_, Candidate)> = database
            .faces()
            .filter_map(|face| Some((preference(face), candidate(&database, face)?)))
            .collect();
        candidates.sort_by(|(a, _), (b, _)| a.cmp(b));
        Installed {
            candidates: candidates.into_iter().map(|(_, found)| found).collect(),
            open: Mutex::default(),
        }
    }

    fn font_for(&self, c: char, variant: Variant) -> Option<Arc<Font>> {
        let covering = self.candidates.iter().enumerate();
        let covering = covering.filter(|(_, candidate)| is_in(&candidate.coverage, c));
        // A font of the wrong variant still shows the text.
        let (index, candidate) = covering.min_by_key(|(index, candidate)| {
            let Variant { bold, italic } = candidate.variant;
            (bold != variant.bold, italic != variant.italic, *index)
        })?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(font) = open.get(&index).and_then(Weak::upgrade) {
            return Some(font);
        }
        let font = Arc::new(Font::new(
            std::fs::read(&candidate.file).ok()?,
            candidate.index,
        )?);
        open.insert(index, Arc::downgrade(&font));
        Some(font)
    }
}

fn candidate(database: &Database, face: &FaceInfo) -> Option<Candidate> {
    let (Source::File(file) | Source::SharedFile(file, _)) = &face.source else {
        return None;
    };
    let coverage = database.with_face_data(face.id, |data, index| {
        coverage(&FontRef::from_index(data, index).ok()?)
    });
    Some(Candidate {
        file: file.clone(),
        index: face.index,
        coverage: coverage??,
        variant: Variant {
            bold: face.weight >= Weight::SEMIBOLD,
            italic: face.style != Style::Normal,
        },
    })
}

/// Text in a font for everything should look like the text around it: upright, without serifs, not
/// too bold or thin. Names decide what is left, so that the same fonts give the same file.
fn preference(face: &FaceInfo) -> impl Ord + use<> {
    // A font may have names in other languages first.
    let names = face.families.iter().map(|(name, _)| name);
    let family = names.clone().find(|name| name.is_ascii());
    let family = family.or(names.clone().next()).cloned().unwrap_or_default();
    let is_plain = !face.monospaced
        && !["Serif", "Mono", "Display"]
            .iter()
            .any(|word| family.contains(word));
    let is_known = ["DejaVu Sans", "Noto Sans", "Liberation Sans"]
        .iter()
        .any(|known| family.starts_with(known));
    // Fonts for Chinese, Japanese and Korean differ in how they draw the same characters.
    let writing = ["SC", "JP", "KR", "TC"]
        .iter()
        .position(|end| family.ends_with(end));
    let distance = face.weight.0.abs_diff(400).min(face.weight.0.abs_diff(700));
    (
        Reverse(is_plain),
        distance,
        Reverse(is_known),
        writing,
        family,
        face.post_script_name.clone(),
        face.index,
    )
}
