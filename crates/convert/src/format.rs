//! The file formats of a document, and one way in and out for all of them.
//!
//! A document is what a pad is at one time. The format that holds a pad with its history is not
//! among these; see [`crate::native`].

use changeset::{Document, Pool};

use crate::pdf::{self, Fonts, Missing};
use crate::{Error, Limits, Run, docx, html, markdown, text};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Text,
    Html,
    Docx,
    Pdf,
    Markdown,
}

impl Format {
    /// The format of files with this ending, in whatever case.
    pub fn of_extension(extension: &str) -> Option<Format> {
        Some(match &*extension.to_ascii_lowercase() {
            "txt" => Format::Text,
            "html" | "htm" => Format::Html,
            "docx" => Format::Docx,
            "pdf" => Format::Pdf,
            "md" | "markdown" => Format::Markdown,
            _ => return None,
        })
    }

    pub fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Html => "html",
            Format::Docx => "docx",
            Format::Pdf => "pdf",
            Format::Markdown => "md",
        }
    }

    /// As HTTP names it.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Text => "text/plain; charset=utf-8",
            Format::Html => "text/html; charset=utf-8",
            Format::Docx => {
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            }
            Format::Pdf => "application/pdf",
            Format::Markdown => "text/markdown; charset=utf-8",
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
pub fn export(
    format: Format,
    title: &str,
    document: &Document,
    pool: &Pool,
    fonts: &dyn Fonts,
) -> Exported {
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
    fn extensions_name_their_formats() {
        for format in [
            Format::Text,
            Format::Html,
            Format::Docx,
            Format::Pdf,
            Format::Markdown,
        ] {
            assert_eq!(Format::of_extension(format.extension()), Some(format));
        }
        assert_eq!(Format::of_extension("HTM"), Some(Format::Html));
        assert_eq!(Format::of_extension("exe"), None);
    }
}
