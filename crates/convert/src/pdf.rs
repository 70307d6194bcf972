//! PDF: writing.
//!
//! Text that the standard fonts can show is set in them and takes no room in the file. Other text
//! is shaped and set in a font that the caller has, of which only the glyphs in use are embedded.
//! A character that no font has is shown by its number, keeps its place when text is copied, and
//! is reported to the caller. Pages are packed as they fill up, so that a long text is never in
//! memory as pages.

mod fonts;

mod families;

mod widths;

mod standard;

mod typesetter;

mod paragraph;

mod rows;

mod embedded;

mod blanks;

mod sheet;

mod drawing;

mod layout;

pub use fonts::{Family, Font, Fonts, NoFonts, Standard, Variant, same_family};
pub(crate) use fonts::{coverage, is_in};
pub use layout::write;

/// A character that no font could show, and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub character: char,
    pub count: usize,
}
