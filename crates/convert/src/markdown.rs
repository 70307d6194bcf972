//! Markdown: writing and reading.
//!
//! Headings, lists and inline styles go both ways. Indented lines are quotations, which is as near
//! as Markdown comes. Empty lines part paragraphs, so several of them in a row are not kept.

mod escape;

mod write;

mod tag;

mod read;

pub use read::read;
pub use write::write;
