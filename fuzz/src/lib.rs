//! How bytes become what the targets try.
//!
//! An input is readable text, so that its pieces can be taken from real changes and recombined:
//! parts separated by U+001E. Half a surrogate pair is written as the private character
//! 0x0800 above it, since no UTF-8 says it otherwise.

use std::sync::Arc;

use changeset::{Attribute, Builder, Changeset, Document, NEWLINE, Pool, Text, parse_ops};
use convert::declared::{Declaration, Kind};
use convert::pdf::NoFonts;
use convert::{Declared, Format, Limits, Meanings, Run, export};

const SEPARATOR: u16 = 0x1e;

pub fn text(bytes: &[u8]) -> Text {
    let units = String::from_utf8_lossy(bytes);
    units
        .encode_utf16()
        .map(|unit| {
            if (0xe000..0xe800).contains(&unit) {
                unit - 0x800
            } else {
                unit
            }
        })
        .collect()
}

/// The first parts of an input. Those that are missing are empty, the last one takes all the rest.
pub fn parts<const N: usize>(bytes: &[u8]) -> [Text; N] {
    let units = text(bytes);
    let mut parts = units.splitn(N, |&unit| unit == SEPARATOR);
    std::array::from_fn(|_| Text::from(parts.next().unwrap_or_default()))
}

/// A small pool with a hole at 6, an attribute that is there twice, and removals.
pub fn pool() -> Pool {
    let attributes = [
        ("author", "a.1"),
        ("bold", "true"),
        ("insertorder", "first"),
        ("list", "bullet1"),
        ("bold", ""),
        ("author", "a.2"),
        ("", ""),
        ("author", ""),
        ("bold", "true"),
        ("lmkr", "1"),
    ];
    let entries = (0..).zip(attributes.map(|(key, value)| Attribute::new(key, value)));
    Pool::from_entries(entries.filter(|(number, _)| *number != 6), 0)
}

/// A text with its attribution, or without if that does not fit.
pub fn document(text: &[u16], attribution: &Text) -> Document {
    parse_ops(&attribution.to_string())
        .and_then(|ops| Document::from_atext(text, &ops))
        .unwrap_or_else(|_| Document::plain(text))
}

/// A change as it is found in a store, where damage may have made large numbers larger still.
pub fn unpack(notation: &[u16]) -> Option<Changeset> {
    let mut change = Changeset::unpack_units(notation).ok()?;
    let lengths = change
        .ops
        .iter_mut()
        .flat_map(|op| [&mut op.chars, &mut op.lines]);
    for length in lengths.chain([&mut change.old_len, &mut change.new_len]) {
        if *length > 1 << 30 {
            *length = usize::MAX - *length % 8;
        }
    }
    Some(change)
}

/// A change made to fit a text of that length: few would otherwise.
pub fn unpack_for(len: usize, notation: &[u16]) -> Option<Changeset> {
    let change = unpack(notation)?;
    Some(Changeset {
        old_len: len,
        ..change
    })
}

/// Whether the change is one that is accepted from outside.
pub fn is_canonical(change: &Changeset) -> bool {
    Changeset::parse_units(&change.print()).as_ref() == Ok(change)
}

/// A document is what it says of itself.
pub fn check(document: &Document) {
    let text = document.text();
    assert_eq!(text.len(), document.len());
    assert_eq!(changeset::count_newlines(&text), document.newlines());
    assert_eq!(
        &Document::from_atext(&text, &document.attribution()).unwrap(),
        document
    );
}

/// The usual limits, with a few attributes that plugins declare.
pub fn limits() -> Limits {
    let mut declared = Declared::default();
    for (key, kind, element) in [
        ("a", Kind::Inline, "mark"),
        ("b", Kind::Inline, "del"),
        ("c", Kind::Line, "aside"),
        ("d", Kind::Line, "p"),
    ] {
        let added = declared.add(Declaration {
            key: key.to_owned(),
            kind,
            values: vec!["1".to_owned()],
            element: element.to_owned(),
            like: Vec::new(),
        });
        added.unwrap();
    }
    Limits {
        declared: Arc::new(declared),
        ..Limits::default()
    }
}

/// What a reader makes of a file fits before a pad's last newline, and every format can write it.
pub fn check_runs(runs: &[Run]) {
    let mut pool = Pool::new();
    let mut builder = Builder::new(1);
    for run in runs {
        assert!(!run.text.is_empty());
        let attribs = pool.attribs_of_insert(&run.attributes);
        builder.insert(&run.text, &attribs);
    }
    let document = Document::plain(&[NEWLINE]);
    let document = document.apply(&builder.finish(), &pool).unwrap();
    let last = document.len() - 1;
    assert_eq!(document.unit_at(last), Some(NEWLINE));
    check(&document);
    let declared = limits().declared;
    let meanings = Meanings::new(&pool, &declared);
    for format in [
        Format::Text,
        Format::Html,
        Format::Docx,
        Format::Markdown,
        Format::Pdf,
    ] {
        export(format, "title", &document, meanings, &NoFonts);
    }
}
