//! Taking back: the text is what it was.

#![no_main]

use changeset::inverse;
use changeset_fuzz::{document, is_canonical, parts, pool, unpack, unpack_for};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [text, attribution, notation] = parts(bytes);
    let mut pool = pool();
    let before = document(&text, &attribution);
    if let Some(change) = unpack(&notation) {
        let _ = inverse(&change, &before, &mut pool);
    }
    let Some(mut change) = unpack_for(before.len(), &notation) else {
        return;
    };
    let Ok(after) = before.apply(&change, &pool) else {
        return;
    };
    change.new_len = after.len();
    if let Ok(back) = inverse(&change, &before, &mut pool) {
        assert!(is_canonical(&back), "{back}");
        assert_eq!(after.apply(&back, &pool).unwrap().text(), before.text());
    }
});
