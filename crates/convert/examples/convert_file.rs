//! `convert_file IN OUT`: one file format into another, by the endings of the names. PDF is written
//! with the fonts of the system; what none of them has goes to standard error.

use std::error::Error;
use std::path::Path;

use changeset::{Builder, Document, Pool};
use convert::fonts::Library;
use convert::{Format, Limits, export, import};

const USAGE: &str = "usage: convert_file IN OUT (txt, html, docx, md; out also pdf)";

#[allow(clippy::print_stderr)]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, target] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let format = |path: &str| {
        let extension = Path::new(path).extension().and_then(|name| name.to_str());
        extension.and_then(Format::of_extension).ok_or(USAGE)
    };
    let runs = import(format(source)?, &std::fs::read(source)?, &Limits::default())?;
    let mut pool = Pool::new();
    let mut builder = Builder::new(0);
    for run in &runs {
        let attribs = pool.attribs_of_insert(&run.attributes);
        builder.insert(&run.text, &attribs);
    }
    let document = Document::plain(&[]).apply(&builder.finish(), &pool)?;
    let (fonts, _) = Library::load(&[], Path::new("."), true);
    let exported = export(format(target)?, source, &document, &pool, &fonts);
    for missing in &exported.missing {
        eprintln!("no font has {missing:?}");
    }
    std::fs::write(target, exported.file)?;
    Ok(())
}
