//! PDF: what a reader of it sees and can copy.
//!
//! Text is taken out of files by `pdftotext` (poppler-utils). Where that is not installed, what
//! depends on it is not looked at, and the tests say so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use changeset::{Document, Pool, Text};
use convert::fonts::{FamilyFiles, Library};
use convert::pdf::{Family, Font, Fonts, Missing, NoFonts, Standard, Variant, same_family, write};
use proptest::prelude::*;

use crate::data::{Run, styled};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/convert/fonts")
}

/// The fonts of the fixtures, for whatever they can show.
struct Samples(Vec<Arc<Font>>);

impl Samples {
    fn load() -> Samples {
        let names = ["NotoSans", "NotoSansArabic", "NotoSansHebrew"];
        let mut files: Vec<String> = names.map(|name| format!("{name}-sample.ttf")).into();
        files.push("NotoSansCJK-sample.otf".to_owned());
        let font = |name: &String| {
            let data = std::fs::read(folder().join(name)).unwrap();
            Arc::new(Font::new(data, 0).unwrap())
        };
        Samples(files.iter().map(font).collect())
    }
}

impl Fonts for Samples {
    fn family(&self, _name: &str) -> Option<Family> {
        None
    }

    fn font_for(&self, c: char, _variant: Variant) -> Option<Arc<Font>> {
        self.0.iter().find(|font| font.covers(c)).cloned()
    }
}

/// The text of a file as a program extracts it, or `None` if there is no such program.
#[allow(clippy::print_stderr)]
fn extracted(file: &[u8]) -> Option<String> {
    let child = Command::new("pdftotext")
        .args(["-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("not looked at: pdftotext (poppler-utils) is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(file).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    // Marks that say where text runs from right to left are not part of it.
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.replace(
        ['\u{202a}', '\u{202b}', '\u{202c}', '\u{200e}', '\u{200f}'],
        "",
    ))
}

fn pdf(runs: &[Run<'_>], fonts: &dyn Fonts) -> (Vec<u8>, Vec<Missing>) {
    let (document, pool) = styled(runs);
    let exported = write("title", &document, &pool, fonts);
    (exported.file, exported.missing)
}

fn contains(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|part| part == text.as_bytes())
}

/// What is drawn on the pages, unpacked.
pub(crate) fn drawn(file: &[u8]) -> String {
    let find = |from: usize, word: &[u8]| {
        let rest = &file[from..];
        let found = rest.windows(word.len()).position(|part| part == word);
        found.map(|at| from + at)
    };
    let mut out = String::new();
    let mut at = 0;
    while let Some(start) = find(at, b"stream\n").map(|start| start + 7) {
        let end = find(start, b"endstream").unwrap();
        let mut unpacked = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(&file[start..end]);
        if std::io::Read::read_to_end(&mut decoder, &mut unpacked).is_ok() {
            out.push_str(&String::from_utf8_lossy(&unpacked));
        }
        at = end + 9;
    }
    out
}

#[test]
fn western_text_needs_no_fonts() {
    let (file, missing) = pdf(
        &[
            ("*", "heading=h1 lmkr=1"),
            ("Café “naïve” – €5\n", ""),
            ("bold", "bold=true"),
            (" italic", "italic=true"),
            (" both\n", "bold=true italic=true"),
            ("*", "list=number1 start=3 lmkr=1"),
            ("third\n", ""),
            ("*", "list=bullet2 lmkr=1"),
            ("deeper http://a.b/c\n", ""),
            ("*", "heading=code lmkr=1"),
            ("code();\n", ""),
        ],
        &NoFonts,
    );
    assert_eq!(missing, []);
    for font in [
        "Helvetica",
        "Helvetica-Bold",
        "Helvetica-Oblique",
        "Courier",
    ] {
        assert!(contains(&file, &format!("/BaseFont /{font}\n")), "{font}");
    }
    assert!(contains(&file, "/URI (http://a.b/c)"));
    assert!(!contains(&file, "FontFile"));
    if let Some(text) = extracted(&file) {
        for part in [
            "Café “naïve” – €5\n",
            "bold italic both\n",
            "3. third\n",
            "• deeper http://a.b/c",
            "code();",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn other_scripts_are_embedded_and_can_be_copied() {
    let lines = [
        "Η γρήγορη καφέ αλεπού",
        "Съешь же ещё этих мягких булок",
        "我能吞下玻璃而不伤身体。",
        "私はガラスを食べられます",
        "나는 유리를 먹을 수 있어요",
        "أنا قادر على أكل الزجاج السلام عليكم",
        "אני יכול לאכול זכוכית",
    ];
    let text = lines.join("\n") + "\n";
    let (file, missing) = pdf(&[(&text, "")], &Samples::load());
    assert_eq!(missing, []);
    assert!(contains(&file, "/FontFile2"));
    assert!(contains(&file, "/CIDFontType0C"));
    // All of the fonts is more than 50,000 bytes.
    assert!(file.len() < 60_000, "{}", file.len());
    if let Some(text) = extracted(&file) {
        for line in lines {
            assert!(text.contains(line), "{line} in {text}");
        }
    }
}

#[test]
fn text_from_right_to_left_stands_right() {
    let (file, _) = pdf(&[("שלום (abc) עולם\n", "")], &Samples::load());
    if let Some(text) = extracted(&file) {
        assert!(
            text.contains("abc") && text.contains("שלום") && text.contains("עולם"),
            "{text}"
        );
    }
}

#[test]
fn what_no_font_has_is_reported_and_shown_by_its_number() {
    let (file, missing) = pdf(&[("a漢b漢😀\u{200d}\n", "")], &NoFonts);
    let expected = [('漢', 2), ('😀', 1)];
    let expected = expected.map(|(character, count)| Missing { character, count });
    assert_eq!(missing, expected);
    if let Some(text) = extracted(&file) {
        assert!(text.contains("a漢b漢😀"), "{text}");
    }
}

#[test]
fn families_are_those_that_are_set_then_the_closest_standard_one() {
    let files = [
        FamilyFiles::of_file("My Font", "NotoSans-sample.ttf"),
        FamilyFiles::of_file("serif", "NotoSans-sample.ttf"),
        FamilyFiles {
            name: "gone".to_owned(),
            regular: Some("gone.ttf".into()),
            fallback: Some(Standard::Times),
            ..FamilyFiles::default()
        },
        FamilyFiles {
            name: "no-font".to_owned(),
            regular: Some("README.md".into()),
            ..FamilyFiles::default()
        },
    ];
    let (library, unusable) = Library::load(&files, &folder(), false);
    let families: Vec<&str> = unusable.iter().map(|font| font.family.as_str()).collect();
    assert_eq!(families, ["gone", "no-font"]);
    assert!(unusable[0].to_string().contains("gone.ttf of gone"));
    for (family, font) in [
        ("my_font", "+NotoSans-Regular"),
        ("MY-FONT,serif", "+NotoSans-Regular"),
        // One that the page offers.
        ("serif", "+NotoSans-Regular"),
        ("Gone", "Times-Roman"),
        ("no font", "Helvetica"),
        ("Georgia", "Times-Roman"),
        ("'Courier New'", "Courier"),
        ("unheard-of, monospace", "Courier"),
        ("unheard-of", "Helvetica"),
    ] {
        let (document, pool) = family_document(family, "x");
        let file = write("t", &document, &pool, &library).file;
        assert!(contains(&file, font), "{family}");
        let others = ["+NotoSans", "Times-Roman", "/Helvetica", "/Courier"];
        let count = others.iter().filter(|other| contains(&file, other)).count();
        assert_eq!(count, 1, "{family}");
    }
    assert!(same_family("A-b_c", "a B c") && !same_family("ab", "a b"));
}

/// A family's name may hold blanks.
fn family_document(family: &str, text: &str) -> (Document, Pool) {
    let mut pool = Pool::new();
    let attributes = [changeset::Attribute::new("font-family", family)];
    let attribs = pool.attribs_of_insert(&attributes);
    let mut builder = changeset::Builder::new(0);
    builder.insert(&Text::from(&*format!("{text}\n")), &attribs);
    let document = Document::plain(&[])
        .apply(&builder.finish(), &pool)
        .unwrap();
    (document, pool)
}

#[test]
fn unreadable_families_in_code_stay_monospaced() {
    let (document, pool) = styled(&[("*", "heading=code lmkr=1"), ("x\n", "font-family=unheard")]);
    let file = write("t", &document, &pool, &NoFonts).file;
    assert!(contains(&file, "/Courier") && !contains(&file, "/Helvetica"));
}

#[test]
fn long_documents_take_many_pages_and_long_lines_many_rows() {
    let lines = "A line of text.\n".repeat(200);
    let (file, _) = pdf(&[(&lines, "")], &NoFonts);
    let pages = |file: &[u8]| {
        let pages = file.windows(12).filter(|part| part == b"/Type /Page\n");
        pages.count()
    };
    assert_eq!(pages(&file), 5);
    let line = format!("{}\n", "word ".repeat(20_000));
    let (file, _) = pdf(&[(&line, "")], &NoFonts);
    assert!(pages(&file) > 15);
    let (file, _) = pdf(&[(&format!("{}\n", "x".repeat(100_000)), "")], &NoFonts);
    assert!(pages(&file) > 15);
    if let Some(text) = extracted(&file) {
        assert_eq!(text.matches('x').count(), 100_000);
    }
}

#[test]
fn the_same_document_is_the_same_file() {
    let runs = [("漢字 शब्द אבג\n", "bold=true")];
    let fonts = Samples::load();
    assert_eq!(pdf(&runs, &fonts), pdf(&runs, &fonts));
}

#[test]
fn files_that_are_no_fonts_are_none() {
    for data in [
        vec![],
        b"no font".to_vec(),
        vec![0; 1000],
        b"\0\x01\0\0\xff\xff".to_vec(),
    ] {
        assert!(Font::new(data, 0).is_none());
    }
    let data = std::fs::read(folder().join("NotoSans-sample.ttf")).unwrap();
    assert!(Font::new(data.clone(), 1).is_none());
    for cut in [10, 100, 300, 1_000] {
        let _ = Font::new(data[..cut].to_vec(), 0);
    }
    let (library, unusable) = Library::load(&[], Path::new("."), false);
    assert!(unusable.is_empty() && library.family("x").is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_a_file(
        texts in prop::collection::vec(
            ("([a-z (\u{5d0}-\u{5ea}\u{627}-\u{64a}\u{300}\u{200d}\u{202e}\u{2067}漢]|\\PC|.){0,40}",
             prop_oneof!["", "bold=true", "italic=true underline=true"]),
            0..5),
    ) {
        let fonts = Samples::load();
        let runs = texts.iter().map(|(text, style)| (text.as_str(), style.as_str()));
        let runs: Vec<Run> = runs.collect();
        let (file, _) = pdf(&[&runs[..], &[("\n", "")]].concat(), &fonts);
        prop_assert!(file.starts_with(b"%PDF-"));
    }
}
