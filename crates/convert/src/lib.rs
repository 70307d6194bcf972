//! Documents to and from file formats, as pure functions.
//!
//! [`FileFormat::ALL`] is the table of all formats. [`export`] and [`import`] are the way out and
//! in for a document in any [`Format`]. Behind them:
//!
//! * [`text`]: the plain text that people expect, with list markers written out;
//! * [`html`]: writing and reading HTML, and what changed between two revisions as HTML;
//! * [`docx`]: the format of word processors, written and read;
//! * [`markdown`]: written and read;
//! * [`pdf`]: written, with the fonts that [`fonts`] finds;
//! * [`native`]: the JSON of an `.etherpad` file, with the whole history of a pad.
//!
//! What an attribute means in a format is said once, in `style.rs`, `values.rs`, `palette.rs` and
//! `family.rs` for characters and in `block.rs` for lines; every writer sees documents through
//! `lines.rs` and every reader makes `runs.rs`. [`declared`] are those that extensions add.
//! Nothing here touches a file, the network or the clock, but for [`fonts`], which reads font
//! files. Whatever comes from outside is bounded ([`Limits`]) and never makes this crate panic: it
//! is an [`Error`], or a warning where a reader can go on.
//!
//! Read `style`, `block` and `lines` first, then `text`, then `html` from `inline` to `read`.

mod error;

mod limits;

pub mod declared;

mod style;

mod family;

mod palette;

mod values;

mod text_format;

mod block;

mod lines;

mod parts;

mod numbers;

mod runs;

mod slugs;

pub mod links;

pub mod text;

pub mod html;

pub mod docx;

pub mod markdown;

pub mod pdf;

pub mod fonts;

mod format;

pub mod native;

pub mod options;

pub use declared::{Declared, Meanings};
pub use error::Error;
pub use format::{Codec, Exported, FileFormat, Format, ReadableAs, export, import};
pub use limits::Limits;
pub use runs::Run;
