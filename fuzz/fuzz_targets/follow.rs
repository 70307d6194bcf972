//! Following: two canonical changes of the same text meet.

#![no_main]

use changeset::{Changeset, Document, Tie, follow};
use changeset_fuzz::{is_canonical, parts, pool, unpack_for};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [text, first, second] = parts(bytes);
    let pool = pool();
    let before = Document::plain(&text);
    let Some(mut first) = unpack_for(before.len(), &first) else {
        return;
    };
    let Some(mut second) = unpack_for(before.len(), &second) else {
        return;
    };
    let _ = follow(&first, &second, Tie::First, &pool);
    let _ = follow(&first, &second, Tie::Second, &pool);
    let after = |change: &mut Changeset| {
        let after = before.apply(change, &pool).ok()?;
        change.new_len = after.len();
        is_canonical(change).then_some(after)
    };
    let (Some(after_first), Some(after_second)) = (after(&mut first), after(&mut second)) else {
        return;
    };
    let second_late = follow(&first, &second, Tie::First, &pool);
    let first_late = follow(&second, &first, Tie::Second, &pool);
    if let (Ok(second_late), Ok(first_late)) = (second_late, first_late) {
        assert_eq!(
            after_first.apply(&second_late, &pool).unwrap().text(),
            after_second.apply(&first_late, &pool).unwrap().text()
        );
    }
});
