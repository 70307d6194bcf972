//! Reading Markdown: whatever comes out is a document.

#![no_main]

use changeset_fuzz::{check_runs, limits};
use convert::{Format, import};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(runs) = import(Format::Markdown, bytes, &limits()) {
        check_runs(&runs);
    }
});
