//! One operation again and again, for counting its instructions.
//!
//! `bench <case> <size> <iterations>` prepares a document of `size` units and then does nothing but
//! the operation. What preparing costs does not depend on `iterations`, so that the difference
//! between a run and one of twice as many iterations is the operation alone. Nothing is random.

use std::error::Error;
use std::hint::black_box;

use changeset::{
    Attribs, Attribute, Builder, Changeset, Document, Op, OpKind, Pool, Text, Tie, compose,
    count_newlines, follow, splice,
};

const USAGE: &str = "usage: bench edit|follow100|compose100|parse|print <size> <iterations>";
/// Enough for any long-lived pad; a document with fewer units gets a run for each of them.
const RUNS: usize = 5_000;
const LINE: usize = 60;
const AUTHORS: u32 = 7;
const BOLD: u32 = AUTHORS;
/// Inserts before the same number of deletes brings the document back to what it was.
const EDITS: usize = 64;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, size, iterations] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let (document, pool) = prepare(size.parse()?)?;
    let iterations = iterations.parse()?;
    match case.as_str() {
        "edit" => edit(document, &pool, iterations),
        "follow100" => {
            let (first, second) = (change_lines(&document, 0)?, change_lines(&document, 7)?);
            repeat(iterations, || follow(&first, &second, Tie::First, &pool))
        }
        "compose100" => {
            let first = change_lines(&document, 0)?;
            let second = change_lines(&document.apply(&first, &pool)?, 7)?;
            repeat(iterations, || compose(&first, &second, &pool))
        }
        "parse" => {
            let notation = change_lines(&document, 7)?.to_string();
            repeat(iterations, || Changeset::parse(black_box(&notation)))
        }
        "print" => {
            let change = change_lines(&document, 7)?;
            repeat(iterations, || Ok(black_box(&change).to_string()))
        }
        _ => Err(USAGE.into()),
    }
}

fn repeat<T>(iterations: usize, run: impl Fn() -> Result<T, changeset::Error>) -> Outcome {
    for _ in 0..iterations {
        black_box(run()?);
    }
    Ok(())
}

/// Reads and applies changes of one character all over the document.
fn edit(document: Document, pool: &Pool, iterations: usize) -> Outcome {
    let notations = one_character_edits(&document, pool)?;
    let mut current = document;
    for notation in notations.iter().cycle().take(iterations) {
        let change = Changeset::parse(black_box(notation))?;
        let next = current.apply(&change, pool)?;
        // The document of the step before lives until here, as it does while readers hold it, so
        // that the path to the edit is copied every time.
        drop(black_box(std::mem::replace(&mut current, next)));
    }
    Ok(())
}

/// Changes that each apply to what the one before made, the first to `document` and the last
/// giving `document` again.
fn one_character_edits(document: &Document, pool: &Pool) -> Result<Vec<String>, Box<dyn Error>> {
    let mut current = document.clone();
    let mut random = Random(1);
    let mut notations = Vec::new();
    let mut places = Vec::new();
    for number in 0..EDITS {
        let at = random.below(current.len());
        let author = Attribs::from_iter([number as u32 % AUTHORS]);
        let change = splice(&current, at, 0, &Text::from("x"), &author);
        current = current.apply(&change, pool)?;
        notations.push(change.to_string());
        places.push(at);
    }
    for &at in places.iter().rev() {
        let change = splice(&current, at, 1, &[], &Attribs::none());
        current = current.apply(&change, pool)?;
        notations.push(change.to_string());
    }
    Ok(notations)
}

/// A change of exactly 100 operations: on line after line, from a column on, one character goes,
/// two come and three are restyled.
fn change_lines(document: &Document, column: usize) -> Result<Changeset, Box<dyn Error>> {
    let mut builder = Builder::new(document.len());
    let none = Attribs::none();
    builder.keep_start(document, document.line_start(1));
    // The keep up to a column takes an operation of its own.
    let lines = if column == 0 { 25 } else { 20 };
    for line in 1..=lines {
        let start = document.line_start(line);
        let edit = start + column;
        builder.keep(&document.slice(start..edit), &none);
        builder.delete(&document.slice(edit..edit + 1));
        builder.insert(
            &Text::from("xy"),
            &Attribs::from_iter([line as u32 % AUTHORS]),
        );
        builder.keep(
            &document.slice(edit + 1..edit + 4),
            &Attribs::from_iter([BOLD]),
        );
        builder.keep(
            &document.slice(edit + 4..document.line_start(line + 1)),
            &none,
        );
    }
    let change = builder.finish();
    match change.ops.len() {
        100 => Ok(change),
        other => Err(format!("a document of this size gives {other} operations, not 100").into()),
    }
}

/// Lines of letters, in runs of the same length by one author after the other.
fn prepare(size: usize) -> Result<(Document, Pool), Box<dyn Error>> {
    let mut pool = Pool::new();
    for author in 0..AUTHORS {
        pool.intern(Attribute::new("author", format!("a.{author:016}")));
    }
    pool.intern(Attribute::new("bold", "true"));
    let mut random = Random(2);
    let unit = |at: usize| match (at + 1) % LINE {
        0 => b'\n',
        _ => b'a' + random.below(26) as u8,
    };
    let text: Text = (0..size).map(unit).map(u16::from).collect();
    let runs = RUNS.min(size);
    let mut attribution = Vec::new();
    let mut rest = &*text;
    for run in 0..runs {
        let chars = (run + 1) * size / runs - run * size / runs;
        let (units, after) = rest.split_at(chars);
        rest = after;
        let attribs = match run % 3 {
            0 => Attribs::from_iter([run as u32 % AUTHORS, BOLD]),
            _ => Attribs::from_iter([run as u32 % AUTHORS]),
        };
        attribution.push(Op::new(
            OpKind::Insert,
            units.len(),
            count_newlines(units),
            attribs,
        ));
    }
    Ok((Document::from_atext(&text, &attribution)?, pool))
}

/// A plain congruential generator: the same numbers on every machine and with every version.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
