//! Imports of hostile files: what they cost the server.

use std::io::{Cursor, Write as _};

use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::client::Request;
use crate::server::{Server, TempRoot};

const FILES: usize = 4;
const PARAGRAPHS: usize = 200_000;
/// With a line for each paragraph in memory it was more than twice as much.
const MOST_MEGABYTES: u64 = 100;

fn docx() -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let part = "word/document.xml";
    zip.start_file(part, SimpleFileOptions::default()).unwrap();
    let paragraphs = "<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(PARAGRAPHS);
    let xml = format!("<w:document xmlns:w=\"w\"><w:body>{paragraphs}</w:body></w:document>");
    zip.write_all(xml.as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

const FORM: &str = "multipart/form-data; boundary=b";

fn form(file: &[u8]) -> Vec<u8> {
    let field = "content-disposition: form-data; name=\"file\"; filename=\"bomb.docx\"";
    let start = format!("--b\r\n{field}\r\n\r\n");
    [start.as_bytes(), file, b"\r\n--b--\r\n"].concat()
}

/// `cargo xtask bench imports` is the same with larger files and a release build.
#[test]
fn many_near_empty_paragraphs_take_little_memory() {
    let root = TempRoot::new("imports_memory");
    let server = Server::start(&root);
    for number in 0..FILES {
        server.data("createPad", &json!({ "padID": format!("pad{number}") }));
    }
    let file = docx();
    let idle = server.peak_kilobytes();
    std::thread::scope(|scope| {
        for number in 0..FILES {
            let (server, file) = (&server, &file);
            scope.spawn(move || {
                let path = format!("/p/pad{number}/import");
                let request = Request::post(&path).body(FORM, form(file));
                assert_eq!(server.send(&request).status, 200);
            });
        }
    });
    let above_idle = (server.peak_kilobytes() - idle) / 1024;
    assert!(above_idle < MOST_MEGABYTES, "{above_idle} MB");
    let text = server.data("getText", &json!({ "padID": "pad3" }));
    // The pad has an empty line behind them.
    assert_eq!(text["text"].as_str().unwrap().len(), 2 * PARAGRAPHS + 1);
}
