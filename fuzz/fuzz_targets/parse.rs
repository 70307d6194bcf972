//! Reading notations: whatever is accepted is printed the way it was.

#![no_main]

use changeset::{Changeset, parse_number, parse_ops, print_number, print_ops};
use changeset_fuzz::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let notation = text(bytes);
    let unpacked = Changeset::unpack_units(&notation);
    if let Ok(change) = Changeset::parse_units(&notation) {
        let printed = change.print();
        // Zeros before an attribute number are let pass and not kept.
        assert!(printed.len() <= notation.len());
        assert_eq!(Changeset::parse_units(&printed).as_ref(), Ok(&change));
        assert_eq!(unpacked, Ok(change));
    }
    let notation = notation.to_string();
    if let Ok(ops) = parse_ops(&notation) {
        assert_eq!(parse_ops(&print_ops(&ops)), Ok(ops));
    }
    if let Ok(number) = parse_number(&notation) {
        assert_eq!(parse_number(&print_number(number)), Ok(number));
    }
});
