//! DOCX, the format of word processors: writing and reading.
//!
//! A file is a zip archive of XML. Text, lists with real numbering, headings, alignment and inline
//! styles go both ways. Of a file that is read, pictures are dropped, rows of tables become lines,
//! and nothing is unpacked beyond the limits. Both directions stream: neither the XML of a document
//! nor a tree of it is ever in memory as a whole.

mod fixed_parts;

mod declared_styles;

mod write;

mod archive;

mod xml;

mod styles;

mod numbering;

mod read;

mod paragraph;

pub use read::read;
pub use write::write;

/// Twips, twentieths of a point, by which each level of a list is indented.
const INDENT: usize = 720;

/// Word processors know no more levels than this. Deeper ones differ by their indentation.
const LEVELS: usize = 9;
