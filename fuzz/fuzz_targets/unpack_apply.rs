//! Applying: a text, its attribution and a change, none of which need to fit.

#![no_main]

use changeset_fuzz::{check, document, parts, pool, unpack, unpack_for};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [text, attribution, notation] = parts(bytes);
    let before = document(&text, &attribution);
    check(&before);
    if let Some(change) = unpack(&notation) {
        let _ = before.apply(&change, &pool());
    }
    let Some(change) = unpack_for(before.len(), &notation) else {
        return;
    };
    if let Ok(after) = before.apply(&change, &pool()) {
        check(&after);
    }
});
