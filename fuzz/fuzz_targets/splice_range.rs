//! Splices and followed ranges: numbers, a text, what is inserted, and another change.

#![no_main]

use changeset::{Attribs, Document, InsertionAt, Text, follow_range, parse_number, splice};
use changeset_fuzz::{is_canonical, parts, pool, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [numbers, text, inserted, notation] = parts(bytes);
    let numbers = numbers.to_string();
    let mut numbers = numbers
        .split(' ')
        .map(|number| parse_number(number).unwrap_or(usize::MAX));
    let mut number = || numbers.next().unwrap_or_default();
    let (start, deleted, from, to) = (number(), number(), number(), number());
    let before = Document::plain(&text);
    let change = splice(&before, start, deleted, &inserted, &Attribs::from_iter([1]));
    assert!(is_canonical(&change), "{change}");
    let after = before.apply(&change, &pool()).unwrap();

    let start = start.min(text.len());
    let end = start.saturating_add(deleted).min(text.len());
    let mut expected = text.into_units();
    expected.splice(start..end, inserted.iter().copied());
    assert_eq!(after.text(), Text::from(expected));

    let other = unpack(&notation);
    for insertion in [InsertionAt::After, InsertionAt::Before] {
        let end = to.min(before.len());
        let range = follow_range(&change, from.min(end)..end, insertion);
        assert!(
            range.start <= range.end && range.end <= after.len(),
            "{range:?}"
        );
        if let Some(other) = &other {
            let _ = follow_range(other, from..to, insertion);
        }
    }
});
