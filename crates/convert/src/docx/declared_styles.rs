//! The styles of a DOCX file that are named after declared attributes.
//!
//! Such a style is based on what its text has beside the attribute, and shows what the attribute
//! looks like: a reader of the file keeps the first and leaves the second behind. A paragraph and
//! a run have one style each, so there is one for each combination that occurs.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::fixed_parts::{CODE_LINE_STYLE, HEADING_SIZES, HEADING_STYLE, QUOTE_STYLE};
use crate::block::Heading;
use crate::declared::{Kind, Like, Meanings};
use crate::lines::Line;
use crate::style::{CODE, STYLES};
use crate::text_format::TextFormat;

#[derive(Default)]
pub(super) struct DeclaredStyles {
    /// Ids by names.
    ids: BTreeMap<(Kind, String), String>,
    pub xml: String,
}

impl DeclaredStyles {
    /// The style of a paragraph that has another without its declared attributes, or none.
    pub(super) fn of_line(&mut self, line: &Line<'_>, base: String) -> String {
        if line.declared.is_empty() {
            return base;
        }
        let classes = line.declared.iter().map(|found| found.class());
        let name = name_of(classes, &base);
        let mut like = Like::of(line.declared.iter().copied());
        let has_heading = base == CODE_LINE_STYLE || base.starts_with(HEADING_STYLE);
        like.heading = like.heading.filter(|_| !has_heading);
        like.is_quote &= base != QUOTE_STYLE;
        self.style(Kind::Line, name, &base, || paragraph_properties(&like))
    }

    /// The same for a run.
    pub(super) fn of_run(
        &mut self,
        format: &TextFormat,
        meanings: Meanings<'_>,
        base: String,
    ) -> String {
        if format.declared.is_empty() {
            return base;
        }
        let attributes = format.declared.iter();
        let name = name_of(attributes.map(|a| format!("{}:{}", a.key, a.value)), &base);
        let like = meanings.like(&format.declared);
        self.style(Kind::Inline, name, &base, || {
            format!("<w:rPr>{}</w:rPr>", run_properties(&like))
        })
    }

    fn style(
        &mut self,
        kind: Kind,
        name: String,
        base: &str,
        properties: impl Fn() -> String,
    ) -> String {
        let next = format!("Declared{}", self.ids.len() + 1);
        let key = (kind, name);
        if let Some(id) = self.ids.get(&key) {
            return id.clone();
        }
        let (kind, name) = &key;
        let kind = match kind {
            Kind::Line => "paragraph",
            Kind::Inline => "character",
        };
        let base = match (base, kind) {
            ("", "paragraph") => "Normal",
            ("", _) => "DefaultParagraphFont",
            (base, _) => base,
        };
        let _ = write!(
            self.xml,
            "<w:style w:type=\"{kind}\" w:customStyle=\"1\" w:styleId=\"{next}\">\
             <w:name w:val=\"{name}\"/><w:basedOn w:val=\"{base}\"/><w:qFormat/>{}</w:style>",
            properties()
        );
        self.ids.insert(key, next.clone());
        next
    }
}

/// Names are unique in a file. Classes and ids are made of letters, digits and hyphens.
fn name_of(classes: impl Iterator<Item = String>, base: &str) -> String {
    let mut name = classes.collect::<Vec<_>>().join(" ");
    if !base.is_empty() {
        let _ = write!(name, " + {base}");
    }
    name
}

/// The order of properties is part of the format.
fn paragraph_properties(like: &Like) -> String {
    let (mut start, mut end, mut run) = (String::new(), String::new(), String::new());
    match like.heading {
        Some(Heading::Level(level)) => {
            let outline = usize::from(level).saturating_sub(1);
            let size = HEADING_SIZES.get(outline).copied().unwrap_or_default();
            start.push_str("<w:keepNext/>");
            let _ = write!(end, "<w:outlineLvl w:val=\"{outline}\"/>");
            run = format!("<w:b/><w:bCs/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>");
        }
        Some(Heading::Code) => run.push_str(COURIER),
        None => {}
    }
    if like.is_quote {
        start.push_str(
            "<w:pBdr><w:left w:val=\"single\" w:sz=\"18\" w:space=\"8\" w:color=\"BFBFBF\"/>\
             </w:pBdr>",
        );
    }
    let align = like.align.map_or_else(String::new, |align| {
        format!("<w:jc w:val=\"{}\"/>", align.word())
    });
    format!("<w:pPr>{start}{align}{end}</w:pPr><w:rPr>{run}</w:rPr>")
}

const COURIER: &str =
    "<w:rFonts w:ascii=\"Courier New\" w:hAnsi=\"Courier New\" w:cs=\"Courier New\"/>";

fn run_properties(like: &Like) -> String {
    let mut out = String::new();
    let styles = STYLES.iter().zip(like.styles).filter(|(_, is_on)| *is_on);
    let styles: Vec<_> = styles.map(|(style, _)| style).collect();
    if styles.iter().any(|style| style.key == CODE) {
        out.push_str(COURIER);
    }
    let push = |out: &mut String, names: &[&str]| {
        let words = styles.iter().filter_map(|style| style.word);
        for (name, value) in words.filter(|(name, _)| names.contains(name)) {
            let _ = match value {
                "" => write!(out, "<w:{name}/>"),
                value => write!(out, "<w:{name} w:val=\"{value}\"/>"),
            };
        }
    };
    push(&mut out, &["b", "i", "strike"]);
    if let Some(colour) = like.colour {
        let _ = write!(out, "<w:color w:val=\"{:06X}\"/>", colour.rgb());
    }
    push(&mut out, &["u"]);
    if let Some(shade) = like.highlight {
        let _ = write!(
            out,
            "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"{:06X}\"/>",
            shade.rgb
        );
    }
    push(&mut out, &["vertAlign"]);
    out
}
