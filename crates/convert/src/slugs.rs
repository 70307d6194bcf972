//! Names of headings in addresses.
//!
//! The page has the same rule (`web/src/document/headings.ts`), and both are held to
//! `fixtures/convert/slugs.json`. A name consists of letters, digits and hyphens, so it can stand
//! in an attribute of HTML as it is.

use std::collections::{HashMap, HashSet};

/// How much of a heading counts, in units, and the longest name, in characters.
const MAX_HEADING: usize = 200;
const MAX_SLUG: usize = 80;
const UNNAMED: &str = "section";

/// Gives each heading of a document its name, from top to bottom: equal ones are numbered.
#[derive(Default)]
pub(crate) struct Slugs {
    taken: HashSet<String>,
    counts: HashMap<String, usize>,
}

impl Slugs {
    pub(crate) fn next(&mut self, heading: &[u16]) -> String {
        let start = heading.get(..MAX_HEADING).unwrap_or(heading);
        let slug = slug_of(&String::from_utf16_lossy(start));
        let count = self.counts.entry(slug.clone()).or_insert(1);
        let mut name = numbered(&slug, *count);
        while self.taken.contains(&name) {
            *count += 1;
            name = numbered(&slug, *count);
        }
        *count += 1;
        self.taken.insert(name.clone());
        name
    }
}

fn numbered(slug: &str, count: usize) -> String {
    if count == 1 {
        slug.to_owned()
    } else {
        format!("{slug}-{count}")
    }
}

fn slug_of(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(MAX_SLUG).collect();
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { UNNAMED } else { slug }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    #[test]
    fn names_are_those_of_the_page() {
        let rows = include_str!("../../../fixtures/convert/slugs.json");
        let rows: serde_json::Value = serde_json::from_str(rows).unwrap();
        let texts = |list: &serde_json::Value| -> Vec<String> {
            let list = list.as_array().unwrap();
            list.iter()
                .map(|text| text.as_str().unwrap().to_owned())
                .collect()
        };
        for row in rows.as_array().unwrap() {
            let mut slugs = Slugs::default();
            let headings = texts(&row["headings"]);
            let units = headings
                .iter()
                .map(|text| text.encode_utf16().collect::<Vec<_>>());
            let names: Vec<String> = units.map(|units| slugs.next(&units)).collect();
            assert_eq!(names, texts(&row["slugs"]), "{headings:?}");
        }
    }
}
