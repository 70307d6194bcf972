//! The parts of a DOCX file that are the same in all that we write.

use std::fmt::Write;

use super::{INDENT, LEVELS};

pub(super) const CONTENT_TYPES: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
    r#"<Default Extension="rels" "#,
    r#"ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
    r#"<Default Extension="xml" ContentType="application/xml"/>"#,
    r#"<Override PartName="/word/document.xml" ContentType="application/"#,
    r#"vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>"#,
    r#"<Override PartName="/word/styles.xml" ContentType="application/"#,
    r#"vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>"#,
    r#"<Override PartName="/word/numbering.xml" ContentType="application/"#,
    r#"vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>"#,
    r#"<Override PartName="/docProps/core.xml" "#,
    r#"ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>"#,
    r#"</Types>"#,
);

pub(super) const PACKAGE_RELATIONS: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    r#"<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/"#,
    r#"relationships/officeDocument" Target="word/document.xml"/>"#,
    r#"<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/"#,
    r#"relationships/metadata/core-properties" Target="docProps/core.xml"/>"#,
    r#"</Relationships>"#,
);

/// The relations of the document that are always there; links are written behind them.
pub(super) const DOCUMENT_RELATIONS: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    r#"<Relationship Id="styles" Type="http://schemas.openxmlformats.org/officeDocument/2006/"#,
    r#"relationships/styles" Target="styles.xml"/>"#,
    r#"<Relationship Id="numbering" Type="http://schemas.openxmlformats.org/officeDocument/2006/"#,
    r#"relationships/numbering" Target="numbering.xml"/>"#,
);

pub(super) const MAIN_NAMESPACE: &str =
    r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;

/// Half points: the sizes of headings, the largest first. The text between has [`TEXT_SIZE`].
pub(super) const HEADING_SIZES: [u32; 6] = [40, 32, 28, 26, 24, 22];

const TEXT_SIZE: u32 = 22;

/// The style of runs that are code.
pub(super) const CODE_STYLE: &str = "VerbatimChar";

/// The style of lines of code, and the start of those of headings.
pub(super) const CODE_LINE_STYLE: &str = "Code";

pub(super) const HEADING_STYLE: &str = "Heading";

/// The style of quotations.
pub(super) const QUOTE_STYLE: &str = "Quote";

/// The named styles; those that are not in every file only if it needs them, and behind them those
/// of declared attributes.
pub(super) fn styles(needs_code: bool, needs_quote: bool, declared: &str) -> String {
    let mut out = format!(
        "{XML}<w:styles {MAIN_NAMESPACE}><w:docDefaults><w:rPrDefault><w:rPr>\
         <w:rFonts w:ascii=\"Arial\" w:hAnsi=\"Arial\" w:eastAsia=\"Arial\" w:cs=\"Arial\"/>\
         <w:sz w:val=\"{TEXT_SIZE}\"/><w:szCs w:val=\"{TEXT_SIZE}\"/>\
         </w:rPr></w:rPrDefault></w:docDefaults>\
         <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\">\
         <w:name w:val=\"Normal\"/><w:qFormat/></w:style>\
         <w:style w:type=\"character\" w:default=\"1\" w:styleId=\"DefaultParagraphFont\">\
         <w:name w:val=\"Default Paragraph Font\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"ListParagraph\">\
         <w:name w:val=\"List Paragraph\"/>\
         <w:basedOn w:val=\"Normal\"/><w:qFormat/></w:style>\
         <w:style w:type=\"paragraph\" w:customStyle=\"1\" w:styleId=\"Code\">\
         <w:name w:val=\"Code\"/>\
         <w:basedOn w:val=\"Normal\"/><w:qFormat/><w:rPr><w:rFonts w:ascii=\"Courier New\" \
         w:hAnsi=\"Courier New\" w:cs=\"Courier New\"/></w:rPr></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Hyperlink\"><w:name w:val=\"Hyperlink\"/>\
         <w:rPr><w:color w:val=\"0563C1\"/><w:u w:val=\"single\"/></w:rPr></w:style>"
    );
    for (level, size) in (1..).zip(HEADING_SIZES) {
        let outline = level - 1;
        // Writing into a string cannot fail.
        let _ = write!(
            out,
            "<w:style w:type=\"paragraph\" w:styleId=\"Heading{level}\">\
             <w:name w:val=\"heading {level}\"/><w:basedOn w:val=\"Normal\"/>\
             <w:next w:val=\"Normal\"/><w:qFormat/><w:pPr><w:keepNext/>\
             <w:spacing w:before=\"240\" w:after=\"120\"/>\
             <w:outlineLvl w:val=\"{outline}\"/></w:pPr>\
             <w:rPr><w:b/><w:bCs/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/></w:rPr>\
             </w:style>\
             <w:style w:type=\"character\" w:customStyle=\"1\" w:styleId=\"Heading{level}Char\">\
             <w:name w:val=\"Heading {level} Char\"/>\
             <w:rPr><w:b/><w:bCs/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/></w:rPr>\
             </w:style>"
        );
    }
    if needs_code {
        let _ = write!(
            out,
            "<w:style w:type=\"character\" w:customStyle=\"1\" w:styleId=\"{CODE_STYLE}\">\
             <w:name w:val=\"Verbatim Char\"/><w:rPr><w:rFonts w:ascii=\"Courier New\" \
             w:hAnsi=\"Courier New\" w:cs=\"Courier New\"/></w:rPr></w:style>"
        );
    }
    if needs_quote {
        let _ = write!(
            out,
            "<w:style w:type=\"paragraph\" w:styleId=\"{QUOTE_STYLE}\">\
             <w:name w:val=\"Quote\"/><w:basedOn w:val=\"Normal\"/><w:qFormat/><w:pPr><w:pBdr>\
             <w:left w:val=\"single\" w:sz=\"18\" w:space=\"8\" w:color=\"BFBFBF\"/></w:pBdr>\
             </w:pPr><w:rPr><w:color w:val=\"404040\"/></w:rPr></w:style>"
        );
    }
    out.push_str(declared);
    out.push_str("</w:styles>");
    out
}

/// The numbering definition of bullets, and the first number of a list that uses it.
pub(super) const BULLETS: usize = 1;

const NUMBERS: usize = 2;

/// How lists look, and for each numbered one, from number [`BULLETS`] + 1 on, its level counted
/// from 0 and the number it starts with.
pub(super) fn numbering(starts: &[(usize, u32)]) -> String {
    let mut out = format!("{XML}<w:numbering {MAIN_NAMESPACE}>");
    let formats = ["decimal", "lowerLetter", "lowerRoman"];
    for definition in [BULLETS, NUMBERS] {
        let _ = write!(
            out,
            "<w:abstractNum w:abstractNumId=\"{definition}\">\
             <w:multiLevelType w:val=\"hybridMultilevel\"/>"
        );
        for (level, format) in (0..LEVELS).zip(formats.into_iter().cycle()) {
            let (format, text) = match definition {
                BULLETS => ("bullet", "\u{2022}".to_owned()),
                _ => (format, format!("%{}.", level + 1)),
            };
            let left = INDENT * (level + 1);
            let _ = write!(
                out,
                "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>\
                 <w:lvlText w:val=\"{text}\"/><w:lvlJc w:val=\"left\"/>\
                 <w:pPr><w:ind w:left=\"{left}\" w:hanging=\"360\"/></w:pPr></w:lvl>"
            );
        }
        out.push_str("</w:abstractNum>");
    }
    let _ = write!(
        out,
        "<w:num w:numId=\"{BULLETS}\"><w:abstractNumId w:val=\"{BULLETS}\"/></w:num>"
    );
    for (number, (level, start)) in (BULLETS + 1..).zip(starts) {
        let _ = write!(
            out,
            "<w:num w:numId=\"{number}\"><w:abstractNumId w:val=\"{NUMBERS}\"/>\
             <w:lvlOverride w:ilvl=\"{level}\"><w:startOverride w:val=\"{start}\"/>\
             </w:lvlOverride></w:num>"
        );
    }
    out.push_str("</w:numbering>");
    out
}

/// What a file manager shows of the file. `title` is escaped.
pub(super) fn properties(title: &str) -> String {
    format!(
        "{XML}<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/\
         metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
         <dc:title>{title}</dc:title><dc:creator>padsvc</dc:creator></cp:coreProperties>"
    )
}
