//! The algebra of text changes: what a change is, how changes combine, and what they do to a text.
//!
//! A *changeset* describes how one text becomes another. A *document* is a text in which every unit
//! carries attributes. Everything else in padsvc rests on four operations and their laws:
//!
//! * [`Document::apply`]: a document and a change give the next document;
//! * [`compose()`]: two changes in a row as one, `(d·a)·b = d·(a·b)`; composing is associative;
//! * [`follow()`]: two changes of the same document made at once, the second rewritten to come
//!   after the first; both orders end in the same document;
//! * [`inverse()`]: the change that takes a change back, text and attributes.
//!
//! Lengths are counted in UTF-16 units everywhere, because the notation does. A text may hold half
//! of a surrogate pair: browsers produce them, so they are carried, never repaired.
//!
//! This crate knows nothing of pads, authors, time, storage or JSON. It never panics on bad input:
//! every way in which a change can be wrong has a name in [`Error`].
//!
//! Read `text`, `op` and `notation` first, then `document`, then the four operations.

mod text;

mod op;

mod assemble;

mod number;

mod notation;

mod error;

mod pool;

mod attribs;

mod build;

mod document;

mod compose;

mod follow;

mod inverse;

mod lines;

mod range;

pub use assemble::{Assembler, Merger};
pub use attribs::{compose_attribs, follow_attribs};
pub use build::{Builder, splice};
pub use compose::compose;
pub use document::{Document, Piece};
pub use error::Error;
pub use follow::{Tie, follow};
pub use inverse::inverse;
pub use lines::{
    attribution_lines, join_attribution_lines, line_marker, ops_without_final_newline,
    sub_attribution, text_lines,
};
pub use notation::{parse_ops, print_ops};
pub use number::{parse_number, print_number};
pub use op::{Attribs, Changeset, Op, OpKind};
pub use pool::{Attribute, Pool, cmp_units};
pub use range::{InsertionAt, follow_range};
pub use text::{NEWLINE, Text, count_newlines, split_after_last_newline};
