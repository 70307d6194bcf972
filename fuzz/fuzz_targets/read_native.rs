//! Reading `.etherpad` files: an error, or a pad that is written and read again as it is.

#![no_main]

use convert::native::{read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((pad, _)) = read(bytes) {
        let file = write(&pad).unwrap();
        let (again, warnings) = read(file.as_bytes()).unwrap();
        assert_eq!(again, pad);
        assert!(warnings.is_empty());
    }
});
