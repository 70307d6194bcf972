//! Locale files: the texts of a plugin in languages, flat and bounded.

use std::collections::BTreeMap;

use super::{FileKind, PackageError};
use crate::parameter::has_units;
use crate::reason::Reason;
use crate::wire::Texts;

const TEXTS: usize = 500;
const TEXT: usize = 2_000;
const KEY: usize = 100;

pub(super) fn texts(files: &BTreeMap<String, Vec<u8>>) -> Result<Texts, PackageError> {
    let mut texts = Texts::new();
    for (name, bytes) in files {
        if FileKind::of(name) != Some(FileKind::Locale) {
            continue;
        }
        let language = name
            .trim_start_matches("locales/")
            .trim_end_matches(".json");
        let wrong = |reason: Reason| PackageError::Locale(name.clone(), reason.to_string());
        texts.insert(language.to_owned(), parse(bytes).map_err(wrong)?);
    }
    if texts.is_empty() || texts.contains_key("en") {
        Ok(texts)
    } else {
        Err(PackageError::NoEnglish)
    }
}

fn parse(bytes: &[u8]) -> Result<BTreeMap<String, String>, Reason> {
    let texts: BTreeMap<String, String> = serde_json::from_slice(bytes).map_err(Reason::of)?;
    if texts.len() > TEXTS {
        return Err(format!("there are more than {TEXTS} texts").into());
    }
    for (key, text) in &texts {
        let is_key = (1..=KEY).contains(&key.len())
            && key
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        if !is_key {
            let key = crate::permission::excerpt(key);
            return Err(format!("{key}: a key has letters, digits, dots and hyphens").into());
        }
        if !has_units(text, TEXT) {
            return Err(format!("{key}: a text has at most {TEXT} characters").into());
        }
    }
    Ok(texts)
}
