//! On which pads a plugin is switched on: patterns of their names, which an operator sets.

use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

/// How many patterns there may be, and how many characters one may have.
pub const PATTERNS: usize = 50;
pub const PATTERN_CHARS: usize = 200;

const ALL: &str = "*";

/// At least one pattern. `*` in it stands for any characters, `?` for one; the rest for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PadPatterns(Vec<String>);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PatternsError {
    #[error("there must be a pattern; * stands for all pads")]
    None,
    #[error("there can be up to {PATTERNS} patterns")]
    TooMany,
    #[error("a pattern has 1 to {PATTERN_CHARS} characters, none of them a space or a line break")]
    Pattern,
}

impl PadPatterns {
    pub fn new(patterns: Vec<String>) -> Result<PadPatterns, PatternsError> {
        if patterns.is_empty() {
            return Err(PatternsError::None);
        }
        if patterns.len() > PATTERNS {
            return Err(PatternsError::TooMany);
        }
        let is_odd = |char: char| char.is_whitespace() || char.is_control();
        let fits = |pattern: &String| {
            (1..=PATTERN_CHARS).contains(&pattern.chars().count()) && !pattern.contains(is_odd)
        };
        if !patterns.iter().all(fits) {
            return Err(PatternsError::Pattern);
        }
        Ok(PadPatterns(patterns))
    }

    pub fn patterns(&self) -> &[String] {
        &self.0
    }

    pub fn are_all(&self) -> bool {
        self.0.iter().any(|pattern| pattern == ALL)
    }

    /// Whether the plugin is switched on for a pad.
    pub fn include(&self, pad: &str) -> bool {
        // Every commit asks this of every plugin.
        self.are_all() || self.0.iter().any(|pattern| matches(pattern, pad))
    }
}

impl Default for PadPatterns {
    fn default() -> PadPatterns {
        PadPatterns(vec![ALL.to_owned()])
    }
}

impl<'de> Deserialize<'de> for PadPatterns {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<PadPatterns, D::Error> {
        let patterns = Vec::deserialize(source)?;
        PadPatterns::new(patterns).map_err(serde::de::Error::custom)
    }
}

/// Looks back to the last star only, so the time is bounded by the product of both lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // Behind the last star: the rest of the pattern, and the text that it has not been tried on.
    let mut retry = None;
    loop {
        let before = (pattern.clone(), text.clone());
        match (pattern.next(), text.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                text = before.1;
                retry = Some((pattern.clone(), text.clone()));
            }
            (Some('?'), Some(_)) => {}
            (Some(wanted), Some(found)) if wanted == found => {}
            _ => {
                let Some((rest, mut untried)) = retry.take() else {
                    return false;
                };
                if untried.next().is_none() {
                    return false;
                }
                pattern = rest.clone();
                text = untried.clone();
                retry = Some((rest, untried));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patterns(all: &[&str]) -> PadPatterns {
        let all = all.iter().map(|&it| it.to_owned()).collect();
        PadPatterns::new(all).unwrap()
    }

    #[test]
    fn pads_are_chosen_by_their_names() {
        for (chosen, pad, is_on) in [
            (&["*"][..], "", true),
            (&["*"], "notes", true),
            (&["minutes-*"], "minutes-2026", true),
            (&["minutes-*"], "minutes-", true),
            (&["minutes-*"], "minutes", false),
            (&["minutes-*"], "old-minutes-1", false),
            (&["g.*$*"], "g.s8oes9dhwrvt0zif$plan", true),
            (&["g.*$*"], "g.plan", false),
            (&["*-draft", "notes"], "my-draft", true),
            (&["*-draft", "notes"], "my-draft-draft", true),
            (&["*-draft", "notes"], "notes", true),
            (&["*-draft", "notes"], "notes2", false),
            (&["a?c"], "aüc", true),
            (&["a?c"], "ac", false),
            (&["Notes"], "notes", false),
            (&["[a-z].+"], "x", false),
        ] {
            assert_eq!(patterns(chosen).include(pad), is_on, "{chosen:?} {pad}");
        }
        assert!(PadPatterns::default().are_all());
        assert!(!patterns(&["a*"]).are_all());
    }

    #[test]
    fn what_is_no_list_of_patterns_is_refused() {
        let many = vec!["a".to_owned(); PATTERNS + 1];
        for (given, error) in [
            (vec![], PatternsError::None),
            (many, PatternsError::TooMany),
            (vec![String::new()], PatternsError::Pattern),
            (vec!["a b".to_owned()], PatternsError::Pattern),
            (vec!["a\n".to_owned()], PatternsError::Pattern),
            (vec!["a".repeat(PATTERN_CHARS + 1)], PatternsError::Pattern),
        ] {
            assert_eq!(PadPatterns::new(given), Err(error));
        }
        assert!(serde_json::from_str::<PadPatterns>("[]").is_err());
        let read: PadPatterns = serde_json::from_str(r#"["a*","b"]"#).unwrap();
        assert_eq!(read, patterns(&["a*", "b"]));
    }

    /// The definition, without regard to time.
    fn defined(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, first) => first.is_none(),
            (Some(('*', rest)), None) => defined(rest, text),
            (Some(('*', rest)), Some((_, after))) => defined(rest, text) || defined(pattern, after),
            (Some((wanted, rest)), Some((found, after))) => {
                (*wanted == '?' || wanted == found) && defined(rest, after)
            }
            (Some(_), None) => false,
        }
    }

    proptest! {
        #[test]
        fn matching_is_as_defined(pattern in "[ab*?]{0,8}", text in "[abc]{0,10}") {
            let [p, t]: [Vec<char>; 2] = [&pattern, &text].map(|it| it.chars().collect());
            prop_assert_eq!(matches(&pattern, &text), defined(&p, &t));
        }
    }
}
