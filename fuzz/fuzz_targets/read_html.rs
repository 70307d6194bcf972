//! Reading HTML, as the API does it and as files are read: whatever comes out is a document.

#![no_main]

use changeset_fuzz::{check_runs, limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let html = String::from_utf8_lossy(bytes);
    let limits = limits();
    for read in [convert::html::read, convert::html::read_shown] {
        if let Ok(runs) = read(&html, &limits) {
            check_runs(&runs);
        }
    }
});
