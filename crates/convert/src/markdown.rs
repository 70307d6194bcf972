//! Markdown: writing and reading.
//!
//! Headings, lists, tasks, quotations, code and inline styles go both ways; fonts and sizes do not.
//! Indented lines are written as quotations, which is as near as Markdown comes. Empty lines part
//! paragraphs, so several of them in a row are not kept.

mod escape;

mod write;

mod tag;

mod read;

pub use read::read;
pub use write::write;
