//! Documents that go out in a format and come back: text, lists, headings, alignment and styles.

use std::sync::Arc;

use convert::{Declared, Limits, Meanings, Run, docx, html, markdown};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::data::styled;

/// A line: what its marker says, and its runs.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub marker: Vec<String>,
    pub runs: Vec<(String, String)>,
}

pub(crate) fn arb_line(text: &'static str) -> impl Strategy<Value = Line> {
    let list = (prop_oneof!["bullet", "number", "indent"], 1usize..=16)
        .prop_map(|(kind, level)| format!("list={kind}{level}"));
    let heading = prop_oneof!["h1", "h2", "h3", "h4", "h5", "h6", "code"]
        .prop_map(|value| format!("heading={value}"));
    let align =
        prop_oneof!["center", "right", "justify"].prop_map(|value| format!("align={value}"));
    let align = (align, prop::bool::weighted(0.3)).prop_map(|(align, is_quoted)| {
        let quote = is_quoted.then(|| "quote=true".to_owned());
        quote.unwrap_or(align)
    });
    let marker = (
        prop::option::weighted(0.2, align),
        prop::option::weighted(0.2, heading),
        prop::option::weighted(0.5, list),
    );
    let keys = vec!["bold", "code", "italic", "strikethrough", "underline"];
    let style = prop::sample::subsequence(keys, 0..=5);
    let values = vec![
        "color=red",
        "highlight=pink",
        "sup=true",
        "url=https://x.y/(z]&amp;`",
        "url=/p/q",
    ];
    let value = prop::option::weighted(0.3, prop::sample::select(values));
    let family = prop::option::weighted(
        0.2,
        prop_oneof!["fontgaramond=true", "font-family=Corporate"],
    );
    let style = (style, family, value).prop_map(|(keys, family, value)| {
        let pairs = keys.iter().map(|key| format!("{key}=true"));
        let pairs = pairs.chain(family).chain(value.map(str::to_owned));
        let mut pairs: Vec<String> = pairs.collect();
        pairs.sort();
        pairs.join(" ")
    });
    (marker, prop::collection::vec((text, style), 0..4)).prop_map(
        |((align, heading, list), mut runs): (_, Vec<(String, String)>)| {
            // In a line of code, all is code.
            if heading.as_deref() == Some("heading=code") {
                for (_, attributes) in &mut runs {
                    let pairs = attributes.split(' ').filter(|pair| *pair != "code=true");
                    *attributes = pairs.collect::<Vec<_>>().join(" ");
                }
            }
            Line {
                marker: align.into_iter().chain(heading).chain(list).collect(),
                runs,
            }
        },
    )
}

impl Line {
    pub(crate) fn text(&self) -> String {
        self.runs.iter().map(|(text, _)| text.as_str()).collect()
    }

    fn drop_fonts(&mut self) {
        for (_, attributes) in &mut self.runs {
            let pairs = attributes
                .split(' ')
                .filter(|pair| !pair.starts_with("font"));
            *attributes = pairs.collect::<Vec<_>>().join(" ");
        }
    }

    fn drop_marker(&mut self, key: &str) {
        self.marker.retain(|pair| !pair.starts_with(key));
    }
}

/// The runs of a document.
pub(crate) fn runs_of(lines: &[Line]) -> Vec<(String, String)> {
    let mut runs = Vec::new();
    for line in lines {
        if !line.marker.is_empty() {
            let mut pairs = line.marker.clone();
            pairs.extend(["insertorder=first".to_owned(), "lmkr=1".to_owned()]);
            pairs.sort();
            runs.push(("*".to_owned(), pairs.join(" ")));
        }
        runs.extend(line.runs.clone());
        runs.push(("\n".to_owned(), String::new()));
    }
    runs
}

pub(crate) fn read_runs(runs: &[Run]) -> Vec<(String, String)> {
    let pairs = |run: &Run| {
        let pairs = run.attributes.iter();
        let pairs: Vec<String> = pairs.map(|a| format!("{}={}", a.key, a.value)).collect();
        pairs.join(" ")
    };
    runs.iter()
        .map(|run| (run.text.to_string(), pairs(run)))
        .collect()
}

/// The attributes of every unit, without the numbers of items, which readers count.
pub(crate) fn units(runs: &[(String, String)]) -> Vec<(char, String)> {
    let mut units = Vec::new();
    for (text, attributes) in runs {
        let kept: Vec<&str> = attributes
            .split_whitespace()
            .filter(|pair| !pair.starts_with("start="))
            .collect();
        units.extend(text.chars().map(|c| (c, kept.join(" "))));
    }
    units
}

pub(crate) fn document(lines: &[Line]) -> (changeset::Document, changeset::Pool) {
    let runs = runs_of(lines);
    let borrowed: Vec<_> = runs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    styled(&borrowed)
}

pub(crate) const DOCX_TEXT: &str = "[a-z \t&<>\"'/é漢😀\u{5d0}]{1,8}|http://a\\.b/c|www\\.x ";

pub(crate) const HTML_TEXT: &str = "[a-z &<>\"'/é漢😀]{1,8}|http://a\\.b/c|www\\.x ";

pub(crate) const MARKDOWN_TEXT: &str =
    "[a-z0-9 &<>\"'/é漢😀*_#.!`~()+=|$:\\[\\]\\\\-]{1,8}|http://a\\.b/c|www\\.x ";

/// A document and the table that its attributes have their meanings from.
fn meanings<'a>(pool: &'a changeset::Pool, declared: &'a Declared) -> Meanings<'a> {
    Meanings { pool, declared }
}

fn limits(declared: &Arc<Declared>) -> Limits {
    Limits {
        declared: Arc::clone(declared),
        ..Limits::default()
    }
}

pub(crate) fn through_docx(
    mut lines: Vec<Line>,
    declared: &Arc<Declared>,
) -> Result<(), TestCaseError> {
    // A paragraph has one style.
    for line in &mut lines {
        if line.marker.iter().any(|pair| pair.starts_with("heading=")) {
            line.drop_marker("quote");
        }
    }
    let (document, pool) = document(&lines);
    let meanings = meanings(&pool, declared);
    let file = docx::write("a <title> & more", &document, meanings);
    let read = docx::read(&file, &limits(declared)).unwrap();
    prop_assert_eq!(units(&read_runs(&read)), units(&runs_of(&lines)));
    prop_assert_eq!(docx::write("a <title> & more", &document, meanings), file);
    Ok(())
}

/// HTML has no tabs, no empty list items and headings, and no blank at their start.
pub(crate) fn through_a_page(
    mut lines: Vec<Line>,
    declared: &Arc<Declared>,
) -> Result<(), TestCaseError> {
    for line in &mut lines {
        if line.runs.is_empty() || line.text().starts_with(' ') {
            line.marker.clear();
        }
    }
    let (document, pool) = document(&lines);
    let page = html::page("a <title> & more", &document, meanings(&pool, declared));
    let read = html::read_shown(&page, &limits(declared)).unwrap();
    prop_assert_eq!(
        units(&read_runs(&read)),
        units(&runs_of(&lines)),
        "{}",
        page
    );
    Ok(())
}

/// Markdown has no alignment, no fonts, no empty lines beside paragraphs, no numbered headings
/// in code.
pub(crate) fn through_markdown(
    mut lines: Vec<Line>,
    declared: &Arc<Declared>,
) -> Result<(), TestCaseError> {
    lines.retain(|line| !line.text().trim().is_empty());
    for line in &mut lines {
        line.drop_marker("align");
        line.drop_fonts();
        let is_code = line.marker.iter().any(|pair| pair == "heading=code");
        // Indented lines are quotations there.
        let is_indented = line
            .marker
            .iter()
            .any(|pair| pair.starts_with("list=indent"));
        if is_code || is_indented || line.text().trim() != line.text() {
            line.marker.clear();
        }
    }
    let (document, pool) = document(&lines);
    let text = markdown::write(&document, meanings(&pool, declared));
    let read = markdown::read(&text, &limits(declared)).unwrap();
    let mut found = units(&read_runs(&read));
    found.push(('\n', String::new()));
    found.dedup_by(|a, b| a.0 == '\n' && b.0 == '\n');
    if lines.is_empty() {
        found.clear();
    }
    prop_assert_eq!(found, units(&runs_of(&lines)), "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn documents_go_through_docx(lines in prop::collection::vec(arb_line(DOCX_TEXT), 1..12)) {
        through_docx(lines, &Arc::default())?;
    }

    #[test]
    fn documents_go_through_a_page(lines in prop::collection::vec(arb_line(HTML_TEXT), 1..12)) {
        through_a_page(lines, &Arc::default())?;
    }

    #[test]
    fn documents_go_through_markdown(
        lines in prop::collection::vec(arb_line(MARKDOWN_TEXT), 1..12),
    ) {
        through_markdown(lines, &Arc::default())?;
    }
}
