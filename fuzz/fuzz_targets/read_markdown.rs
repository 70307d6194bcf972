//! Reading Markdown: whatever comes out is a document.

#![no_main]

use changeset_fuzz::check_runs;
use convert::{Format, Limits, import};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(runs) = import(Format::Markdown, bytes, &Limits::default()) {
        check_runs(&runs);
    }
});
