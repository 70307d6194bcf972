//! Composing: where two changes apply one after the other, so does their composition.

#![no_main]

use changeset::{Changeset, Document, compose};
use changeset_fuzz::{parts, pool, unpack, unpack_for};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [text, first, second] = parts(bytes);
    let pool = pool();
    if let (Some(first), Some(second)) = (unpack(&first), unpack(&second)) {
        let _ = compose(&first, &second, &pool);
        let old_len = first.new_len;
        let _ = compose(&first, &Changeset { old_len, ..second }, &pool);
    }
    let before = Document::plain(&text);
    let Some(mut first) = unpack_for(before.len(), &first) else {
        return;
    };
    let Ok(between) = before.apply(&first, &pool) else {
        return;
    };
    first.new_len = between.len();
    let Some(second) = unpack_for(between.len(), &second) else {
        return;
    };
    let Ok(after) = between.apply(&second, &pool) else {
        return;
    };
    if let Ok(both) = compose(&first, &second, &pool) {
        assert_eq!(before.apply(&both, &pool).unwrap().text(), after.text());
    }
});
