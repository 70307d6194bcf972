//! Documents: four bytes an edit, and a plain list of units to compare with.

#![no_main]

use changeset::{Attribs, Builder, Document, Text, splice};
use changeset_fuzz::{check, pool};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let pool = pool();
    let mut document = Document::plain(&[]);
    let mut model: Vec<u16> = Vec::new();
    for edit in bytes.chunks_exact(4).take(100) {
        let &[kind, at, size, seed] = edit else {
            return;
        };
        let start = model.len() * usize::from(at) / 255;
        // Small edits as often as ones of several leaves.
        let size = if seed % 2 == 0 {
            usize::from(size) % 8
        } else {
            usize::from(size) * 8
        };
        let end = (start + size).min(model.len());
        let attribs = Attribs::from_iter([u32::from(kind >> 6)]);
        let change = match kind % 3 {
            0 => {
                let units: Text = (0..size)
                    .map(|n| u16::from(b'\n') + (n as u16 % 5))
                    .collect();
                model.splice(start..start, units.iter().copied());
                splice(&document, start, 0, &units, &attribs)
            }
            1 => {
                model.drain(start..end);
                splice(&document, start, end - start, &[], &attribs)
            }
            _ => {
                let mut builder = Builder::new(document.len());
                builder.keep_start(&document, start);
                builder.keep(&document.slice(start..end), &attribs);
                builder.finish()
            }
        };
        document = document.apply(&change, &pool).unwrap();
        assert_eq!(document.len(), model.len());
    }
    assert_eq!(document.text(), Text::from(model));
    check(&document);
});
