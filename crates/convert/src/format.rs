//! The table of file formats, and one way in and out for all formats of a document.
//!
//! Everything that lists formats or looks one up takes it from [`FileFormat::ALL`]: routes, pages,
//! the command line, the external converter. A document is what a pad is at one time; the format
//! that holds a pad with its history has its own functions in [`crate::native`].

use changeset::Document;

use crate::declared::Meanings;
use crate::pdf::{self, Fonts, Missing};
use crate::{Error, Limits, Run, docx, html, markdown, text};

/// A kind of file that a pad can be exported as or imported from.
#[derive(Debug, PartialEq, Eq)]
pub struct FileFormat {
    /// The ending of its files, and its name in addresses and in the texts of pages.
    pub name: &'static str,
    /// Other endings and names of the same format.
    pub aliases: &'static [&'static str],
    /// As HTTP names it.
    pub media_type: &'static str,
    /// For the help of commands.
    pub description: &'static str,
    /// What of this crate writes it; `None` if only an external converter does.
    pub codec: Option<Codec>,
    /// Whether this crate also reads it.
    pub reads: bool,
    /// How an external converter makes it readable. A converter that reads a format also writes it,
    /// from DOCX.
    pub external: Option<ReadableAs>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    Document(Format),
    /// A pad with its history: see [`crate::native`].
    Native,
}

/// What an external converter turns a file into, so that this crate can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadableAs {
    /// The name of a format.
    pub name: &'static str,
    /// The filter of LibreOffice that writes it.
    pub filter: &'static str,
}

const TO_DOCX: Option<ReadableAs> = Some(ReadableAs {
    name: "docx",
    filter: "docx",
});

impl FileFormat {
    /// Those that most people want first.
    pub const ALL: &[FileFormat] = &[
        FileFormat {
            name: "docx",
            aliases: &[],
            media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            description: "A document for word processors",
            codec: Some(Codec::Document(Format::Docx)),
            reads: true,
            external: None,
        },
        FileFormat {
            name: "pdf",
            aliases: &[],
            media_type: "application/pdf",
            description: "Pages to print",
            codec: Some(Codec::Document(Format::Pdf)),
            reads: false,
            external: Some(ReadableAs {
                name: "html",
                // Pages are pictures to a text processor; the drawing program knows their text.
                filter: "html:draw_html_Export",
            }),
        },
        FileFormat {
            name: "odt",
            aliases: &[],
            media_type: "application/vnd.oasis.opendocument.text",
            description: "A document for LibreOffice",
            codec: None,
            reads: false,
            external: TO_DOCX,
        },
        FileFormat {
            name: "doc",
            aliases: &[],
            media_type: "application/msword",
            description: "A document for old versions of Word",
            codec: None,
            reads: false,
            external: TO_DOCX,
        },
        FileFormat {
            name: "rtf",
            aliases: &[],
            media_type: "application/rtf",
            description: "A document for nearly every word processor",
            codec: None,
            reads: false,
            external: TO_DOCX,
        },
        FileFormat {
            name: "html",
            aliases: &["htm"],
            media_type: "text/html; charset=utf-8",
            description: "A page, with formatting",
            codec: Some(Codec::Document(Format::Html)),
            reads: true,
            external: None,
        },
        FileFormat {
            name: "md",
            aliases: &["markdown"],
            media_type: "text/markdown; charset=utf-8",
            description: "Markdown",
            codec: Some(Codec::Document(Format::Markdown)),
            reads: true,
            external: None,
        },
        FileFormat {
            name: "txt",
            aliases: &[],
            media_type: "text/plain; charset=utf-8",
            description: "The text alone",
            codec: Some(Codec::Document(Format::Text)),
            reads: true,
            external: None,
        },
        FileFormat {
            name: "etherpad",
            aliases: &["native"],
            media_type: "application/octet-stream",
            description: "The pad with its whole history, chat and authors",
            codec: Some(Codec::Native),
            reads: true,
            external: None,
        },
    ];

    /// The format of that name or ending, in either case.
    pub fn named(name: &str) -> Option<&'static FileFormat> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let mut formats = FileFormat::ALL.iter();
        formats.find(|format| is_it(format.name) || format.aliases.iter().any(|name| is_it(name)))
    }

    /// Those that this crate both reads and writes.
    pub fn own() -> impl DoubleEndedIterator<Item = &'static FileFormat> {
        FileFormat::ALL.iter().filter(|format| format.reads)
    }
}

/// A format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Text,
    Html,
    Docx,
    Pdf,
    Markdown,
}

impl Format {
    /// The format of files with this ending, in either case.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match FileFormat::named(extension)?.codec? {
            Codec::Document(format) => Some(format),
            Codec::Native => None,
        }
    }
}

/// A file, and what of the document it could not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub file: Vec<u8>,
    /// For the log: only ever something for PDF, whose text needs fonts.
    pub missing: Vec<Missing>,
}

/// The file of a document that has a title. `fonts` are those for PDF; no other format asks them.
pub fn export<'a>(
    format: Format,
    title: &str,
    document: &'a Document,
    pool: impl Into<Meanings<'a>>,
    fonts: &dyn Fonts,
) -> Exported {
    let pool: Meanings<'a> = pool.into();
    let file = match format {
        Format::Text => text::write(document, pool).to_string_lossy().into_bytes(),
        Format::Html => html::page(title, document, pool).into_bytes(),
        Format::Docx => docx::write(title, document, pool),
        Format::Markdown => markdown::write(document, pool).into_bytes(),
        Format::Pdf => return pdf::write(title, document, pool, fonts),
    };
    Exported {
        file,
        missing: Vec::new(),
    }
}

/// The content of a file, as the runs of a document without authors. A file that is refused is
/// refused as a whole.
pub fn import(format: Format, file: &[u8], limits: &Limits) -> Result<Vec<Run>, Error> {
    if file.len() > limits.bytes {
        return Err(Error::TooLarge);
    }
    match format {
        Format::Text => text::read(file, limits),
        Format::Html => html::read_shown(&text::decode(file)?, limits),
        Format::Docx => docx::read(file, limits),
        Format::Markdown => markdown::read(&text::decode(file)?, limits),
        Format::Pdf => Err(Error::WriteOnly),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_either_case_leads_to_one_format() {
        for format in FileFormat::ALL {
            for name in format.aliases.iter().chain([&format.name]) {
                assert_eq!(FileFormat::named(name), Some(format));
                let upper = name.to_ascii_uppercase();
                assert_eq!(FileFormat::named(&upper), Some(format));
            }
        }
        assert_eq!(Format::of_extension("HTM"), Some(Format::Html));
        assert_eq!(Format::of_extension("odt"), None);
        assert_eq!(FileFormat::named("exe"), None);
    }

    #[test]
    fn every_format_can_be_written_and_what_is_converted_can_be_read() {
        for format in FileFormat::ALL {
            assert!(
                format.codec.is_some() || format.external.is_some(),
                "{}",
                format.name
            );
            if let Some(readable) = format.external {
                let read = FileFormat::named(readable.name).unwrap();
                assert!(read.reads, "{} from {}", read.name, format.name);
            }
        }
    }
}
