//! The words that ARCHITECTURE.md says not to use, found in code, comments, documents and texts.
//!
//! Words of the table in backticks are checked, also inside of identifiers and across the end of
//! a line; words in quotation marks have good uses as well and are left to the reader.

use super::{SourceFile, Tree};

const PATH: &str = "ARCHITECTURE.md";
const HEADING: &str = "### Words not to use";
const ENDINGS: [&str; 9] = [
    ".rs", ".ts", ".tsx", ".css", ".md", ".json", ".toml", ".sh", ".html",
];
/// Written by others, or recorded from them.
const FOREIGN: [&str; 3] = ["web/package-lock.json", "fixtures/", "tests/"];

/// A row: the phrase in lower case, and what to write in its place.
type Row<'a> = (Vec<String>, &'a str);

pub fn check(tree: &Tree) -> Vec<String> {
    let text = tree.file(PATH).map_or("", |file| file.text.as_str());
    let rows = rows(text);
    if rows.is_empty() {
        return vec![format!("{PATH}: no words under the heading {HEADING}")];
    }
    let checked = tree.files.iter().filter(|file| {
        ENDINGS.iter().any(|ending| file.path.ends_with(ending))
            && !FOREIGN.iter().any(|start| file.path.starts_with(start))
            && !file.path.ends_with("tidy/words.rs")
    });
    checked.flat_map(|file| check_file(file, &rows)).collect()
}

fn check_file(file: &SourceFile, rows: &[Row<'_>]) -> Vec<String> {
    let words = words_of(&file.text);
    let mut findings = Vec::new();
    for (start, first) in words.iter().enumerate() {
        for (phrase, instead) in rows {
            if matches(words.get(start..).unwrap_or_default(), phrase) {
                let place = format!("{}:{}", file.path, first.line);
                let phrase = phrase.join(" ");
                findings.push(format!("{place}: write {instead}, not {phrase}"));
            }
        }
    }
    findings
}

fn matches(words: &[Word], phrase: &[String]) -> bool {
    words.len() >= phrase.len()
        && words
            .iter()
            .zip(phrase)
            .enumerate()
            .all(|(index, (word, wanted))| word.text == *wanted && (index == 0 || word.continues))
}

/// The rows of the table, one for each word in backticks.
fn rows(text: &str) -> Vec<Row<'_>> {
    let section = text.split_once(HEADING).map_or("", |(_, after)| after);
    let lines = section.lines().take_while(|line| !line.starts_with('#'));
    let mut rows = Vec::new();
    for line in lines {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let (Some(words), Some(instead)) = (cells.next(), cells.next()) else {
            continue;
        };
        for word in words.split('`').skip(1).step_by(2) {
            rows.push((word.split(' ').map(str::to_lowercase).collect(), instead));
        }
    }
    rows
}

struct Word {
    line: usize,
    /// In lower case.
    text: String,
    /// Only space, an underscore or the start of a comment line is between it and the word before.
    continues: bool,
}

/// The words of a text; identifiers are taken apart at underscores and capitals. The table itself
/// does not count.
fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut in_table = false;
    let mut continues = false;
    for (index, line) in text.lines().enumerate() {
        in_table = line == HEADING || (in_table && !line.starts_with('#'));
        if in_table {
            continue;
        }
        let mut word = String::new();
        let mut before_is_lower = false;
        // The end of the line ends a word like a space does.
        for char in line.chars().chain([' ']) {
            let starts_hump = char.is_uppercase() && before_is_lower;
            if !word.is_empty() && (starts_hump || !char.is_alphabetic()) {
                let text = std::mem::take(&mut word);
                words.push(Word {
                    line: index + 1,
                    text,
                    continues,
                });
                continues = true;
            }
            if char.is_alphabetic() {
                word.extend(char.to_lowercase());
            } else if !" _/!*".contains(char) {
                continues = false;
            }
            before_is_lower = char.is_lowercase();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "### Words not to use\n\n| No | Write |\n|---|---|\n\
        | `mend`, `mended` | repair |\n| `is told` | gets |\n\
        | \"elsewhere\" | cross-site |\n\n## End\n";

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(PATH, TABLE), (path, text)]))
    }

    #[test]
    fn words_are_found_in_comments_and_identifiers() {
        assert_eq!(
            found("a.md", "It was\nMended."),
            ["a.md:2: write repair, not mended"]
        );
        for text in [
            "fn mend_pad() {}",
            "const canMend = 1;",
            "/// who is\n    /// told",
        ] {
            assert_eq!(found("a.rs", text).len(), 1, "{text}");
        }
        for text in ["amendment", "is. Told", "commend", "elsewhere", "is_a told"] {
            assert_eq!(found("a.rs", text).len(), 0, "{text}");
        }
    }

    #[test]
    fn only_what_we_have_written_counts() {
        assert_eq!(found("fixtures/a.json", "mend").len(), 0);
        assert_eq!(found("web/package-lock.json", "mend").len(), 0);
        assert_eq!(found("web/locales/en.json", "mend").len(), 1);
    }

    #[test]
    fn a_missing_table_is_found() {
        assert_eq!(check(&Tree::of(&[(PATH, "## Words")])).len(), 1);
    }
}
