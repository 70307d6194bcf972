//! Moving between pools: what the first pool knows comes back as it was.

#![no_main]

use changeset::{Changeset, Pool, parse_ops};
use changeset_fuzz::{pool, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let notation = text(bytes);
    let here = pool();
    let mut there = Pool::new();
    if let Ok(change) = Changeset::unpack_units(&notation) {
        let moved = here.move_changeset(&change, &mut there);
        let known = there.move_changeset(&moved, &mut here.clone());
        let again = here.move_changeset(&known, &mut there.clone());
        assert_eq!(again, moved);
    }
    if let Ok(ops) = parse_ops(&notation.to_string()) {
        let moved = here.move_ops(&ops, &mut there);
        let numbers = moved.iter().flat_map(|op| op.attribs.iter());
        for number in numbers {
            there.resolve(number).unwrap();
        }
    }
});
