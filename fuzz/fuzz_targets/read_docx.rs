//! Reading DOCX: the bytes as a file, and as the parts of one. What comes out is a document.

#![no_main]

use std::io::{Cursor, Write};

use changeset_fuzz::{check_runs, limits};
use convert::{Limits, docx};
use libfuzzer_sys::fuzz_target;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The parts that are read, in the order they stand in the input.
const PARTS: [&str; 4] = [
    "word/document.xml",
    "word/styles.xml",
    "word/numbering.xml",
    "word/_rels/document.xml.rels",
];

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits {
        unpacked: 1 << 20,
        ..limits()
    };
    let _ = docx::read(bytes, &limits);
    // No mutation of packed bytes leads to other XML, so that is packed here.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in PARTS.iter().zip(bytes.split(|&byte| byte == 0)) {
        zip.start_file(*name, options).unwrap();
        zip.write_all(part).unwrap();
    }
    let file = zip.finish().unwrap().into_inner();
    if let Ok(runs) = docx::read(&file, &limits) {
        check_runs(&runs);
    }
});
