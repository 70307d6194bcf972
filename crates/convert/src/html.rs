//! HTML: writing documents, reading them, and showing what changed.
//!
//! What is written is safe to show: text and attribute values are escaped, and everything else
//! comes from fixed words. What is read keeps text, lists and the styles of `style.rs`, and drops
//! all else, so that nothing of a page can act in a pad.

mod escape;

mod urls;

mod format;

mod inline;

mod write;

mod tags;

mod tree;

mod spaces;

mod collect;

mod word;

mod element;

mod shown;

mod read;

mod diff;

pub use diff::diff;
pub(crate) use format::Attributes;
pub(crate) use inline::value_tag;
pub(crate) use read::read_shown_into;
pub use read::{read, read_shown, read_with_faults};
pub use tree::{Fault, Faults};
pub use urls::find_urls;
pub use write::{body, get_html, linkable_body, page};
