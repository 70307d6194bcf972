//! The one way in and out for all formats.

use convert::pdf::NoFonts;
use convert::{Error, Format, Limits, export, import};

use crate::data::styled;

#[test]
fn what_goes_out_comes_in() {
    let (document, pool) = styled(&[
        ("*", "heading=h1 lmkr=1 insertorder=first"),
        ("é", ""),
        ("b\n", "bold=true"),
    ]);
    for (format, read) in [
        (Format::Html, "*éb\n"),
        (Format::Docx, "*éb\n"),
        // Its last line ends with the pad's own newline.
        (Format::Markdown, "*éb"),
    ] {
        let file = export(format, "title", &document, &pool, &NoFonts).file;
        let runs = import(format, &file, &Limits::default()).unwrap();
        let text: String = runs.iter().map(|run| run.text.to_string()).collect();
        assert_eq!(text, read, "{format:?}");
    }
    let file = export(Format::Text, "title", &document, &pool, &NoFonts).file;
    assert_eq!(file, "éb\n".as_bytes());
    let file = export(Format::Pdf, "title", &document, &pool, &NoFonts).file;
    assert_eq!(
        import(Format::Pdf, &file, &Limits::default()),
        Err(Error::WriteOnly)
    );
}

#[test]
fn text_files_are_read_in_the_encodings_people_have() {
    let read = |file: &[u8]| -> Result<String, Error> {
        let runs = import(Format::Text, file, &Limits::default())?;
        Ok(runs.iter().map(|run| run.text.to_string()).collect())
    };
    for (file, text) in [
        (&b""[..], ""),
        (b"a", "a"),
        (b"a\r\nb\rc\n", "a\nb\nc"),
        (b"a\n\n", "a\n"),
        ("é漢\t".as_bytes(), "é漢        "),
        (b"\xef\xbb\xbfa", "a"),
        (b"\xff\xfea\0\xe9\0", "aé"),
        (b"\xfe\xff\0a\0\xe9", "aé"),
        (b"caf\xe9 \x80", "café €"),
    ] {
        assert_eq!(read(file).as_deref(), Ok(text), "{file:?}");
    }
    assert_eq!(read(b"\x7fELF\x02\x01\x01\0\0"), Err(Error::NotText));
    assert_eq!(read(b"PK\x03\x04"), Err(Error::NotText));
}

#[test]
fn files_beyond_the_limit_are_refused() {
    let limits = Limits {
        bytes: 3,
        ..Limits::default()
    };
    for format in [Format::Text, Format::Html, Format::Docx, Format::Markdown] {
        assert_eq!(
            import(format, b"abcd", &limits),
            Err(Error::TooLarge),
            "{format:?}"
        );
    }
}

#[test]
fn titles_are_those_of_documents() {
    let (document, pool) = styled(&[("a\n", "")]);
    let file = convert::docx::write("Minutes & more", &document, &pool);
    let core = crate::attributes::part_of_docx(&file, "docProps/core.xml");
    assert!(core.contains(">Minutes &amp; more</dc:title>"), "{core}");
    let file = convert::pdf::write("Minutes & more", &document, &pool, &NoFonts).file;
    assert!(String::from_utf8_lossy(&file).contains("/Title (Minutes & more)"));
}
