//! DOCX files of other programs, put together from their parts.

use std::io::{Cursor, Write};

use convert::{Error, Limits, docx};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::data::{shown, styled};

/// A file with this body, and other parts.
pub(crate) fn file(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let document = format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("word/document.xml", &*document)].iter().chain(parts) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read_file(file: &[u8]) -> Result<String, Error> {
    let runs = docx::read(file, &Limits::default())?;
    Ok(shown(&runs))
}

fn read(body: &str) -> String {
    read_file(&file(
        body,
        &[
            ("word/styles.xml", STYLES),
            ("word/numbering.xml", NUMBERING),
            (
                "word/_rels/document.xml.rels",
                "<R><R Id='a' Target='https://a.b/c' TargetMode='External'/></R>",
            ),
        ],
    ))
    .unwrap()
}

const STYLES: &str = "<w:styles xmlns:w='w'>
    <w:style w:styleId='H'><w:name w:val='heading 2'/><w:rPr><w:b/></w:rPr></w:style>
    <w:style w:styleId='Sub'><w:name w:val='mine'/><w:basedOn w:val='H'/></w:style>
    <w:style w:styleId='Strong'><w:rPr><w:b/></w:rPr></w:style>
    <w:style w:styleId='Item'><w:basedOn w:val='Item'/>
      <w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>
    <w:style w:styleId='Hyperlink'><w:rPr><w:u w:val='single'/></w:rPr></w:style>
    </w:styles>";

const NUMBERING: &str = "<w:numbering xmlns:w='w'>
    <w:abstractNum w:abstractNumId='7'>
      <w:lvl w:ilvl='0'><w:start w:val='3'/><w:numFmt w:val='decimal'/></w:lvl>
      <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='bullet'/></w:lvl>
      <w:lvl w:ilvl='2'><w:numFmt w:val='none'/></w:lvl>
    </w:abstractNum>
    <w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>
    <w:num w:numId='2'><w:abstractNumId w:val='7'/>
      <w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>
    </w:numbering>";

#[test]
fn paragraphs_are_lines_and_runs_have_styles() {
    for (body, text) in [
        ("<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p/>", "a\n\n"),
        (
            "<w:p><w:r><w:rPr><w:b/><w:i w:val='0'/></w:rPr><w:t>a</w:t></w:r></w:p>",
            "{bold=true a}\n",
        ),
        (
            "<w:p><w:r><w:rPr><w:rStyle w:val='Strong'/><w:dstrike/></w:rPr><w:t>a</w:t>\
             </w:r></w:p>",
            "{bold=true strikethrough=true a}\n",
        ),
        (
            "<w:p><w:pPr><w:pStyle w:val='Sub'/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t>a\
             </w:t></w:r></w:p>",
            "{heading=h2 *}a\n",
        ),
        (
            "<w:p><w:pPr><w:pStyle w:val='H'/><w:numPr><w:ilvl w:val='2'/><w:numId w:val='1'/>\
             </w:numPr></w:pPr><w:r><w:t>outline</w:t></w:r></w:p>",
            "{heading=h2 *}outline\n",
        ),
        (
            "<w:p><w:pPr><w:jc w:val='center'/><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a\
             </w:t><w:tab/>\
          <w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type='page'/></w:r></w:p>",
            "{align=center *}a\tb\n{align=center *}c\n",
        ),
        (
            "<w:p><w:pPr><w:ind w:left='1440'/></w:pPr><w:r><w:t>a&amp;&#x62;</w:t></w:r></w:p>",
            "{list=indent2 *}a&b\n",
        ),
        (
            "<w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del><w:ins><w:r><w:t>a\
             </w:t></w:r></w:ins>\
          <w:r><w:rPr><w:vanish/></w:rPr><w:t>y</w:t></w:r>\
          <w:r><w:instrText>PAGE</w:instrText></w:r>\
          <w:r><w:drawing><w:p><w:r><w:t>z</w:t></w:r></w:p></w:drawing></w:r></w:p>",
            "a\n",
        ),
        (
            "<w:p><w:hyperlink xmlns:r='r' r:id='a'><w:r><w:rPr>\
             <w:rStyle w:val='Hyperlink'/></w:rPr>\
          <w:t>word</w:t></w:r></w:hyperlink></w:p>",
            "{url=https://a.b/c word}\n",
        ),
    ] {
        assert_eq!(read(body), text, "{body}");
    }
}

#[test]
fn lists_count_as_their_definitions_say() {
    let item = |list: u8, level: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/>\
             </w:numPr></w:pPr>\
             <w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        item(1, 0, "a"),
        item(1, 1, "b"),
        item(1, 0, "c"),
        "<w:p><w:pPr><w:pStyle w:val='Item'/></w:pPr><w:r><w:t>d</w:t><w:br/><w:t>e</w:t>\
         </w:r></w:p>"
            .to_owned(),
        item(2, 0, "f"),
        item(0, 0, "g"),
        item(9, 0, "h"),
    ];
    assert_eq!(
        read(&body.concat()),
        "{list=number1 start=3 *}a\n{list=bullet2 *}b\n{list=number1 start=4 *}c\n\
         {list=number1 start=5 *}d\n{list=indent1 *}e\n{list=number1 start=1 *}f\ng\nh\n"
    );
}

#[test]
fn rows_of_tables_are_lines() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let nested = format!(
        "<w:tc><w:p/><w:tbl><w:tr>{}{}</w:tr></w:tbl><w:p/></w:tc>",
        cell("x"),
        cell("y")
    );
    let body = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr><w:tc><w:p/></w:tc>{nested}</w:tr></w:tbl><w:p/>",
        cell("a"),
        cell("b")
    );
    assert_eq!(read(&body), "a\tb\n\tx y\n\n");
}

#[test]
fn numbers_of_lists_come_back() {
    let (document, pool) = styled(&[
        ("*", "list=number1 start=4 lmkr=1"),
        ("a\n", ""),
        ("*", "list=number2 start=1 lmkr=1"),
        ("b\n", ""),
        ("*", "list=number1 start=5 lmkr=1"),
        ("c\n", ""),
        ("d\n", ""),
        ("*", "list=number1 start=1 lmkr=1"),
        ("e\n", ""),
    ]);
    assert_eq!(
        read_file(&docx::write("t", &document, &pool)).unwrap(),
        "{list=number1 start=4 *}a\n{list=number2 start=1 *}b\n{list=number1 start=5 *}c\n\
         d\n{list=number1 start=1 *}e\n"
    );
}

#[test]
fn part_of_a_line_as_a_heading_comes_back() {
    let (document, pool) = styled(&[
        ("a", "heading1=true"),
        ("b\n", ""),
        ("c", "heading2=true"),
        ("\n", ""),
    ]);
    assert_eq!(
        read_file(&docx::write("t", &document, &pool)).unwrap(),
        "{heading1=true a}b\n{heading=h2 *}c\n"
    );
}
