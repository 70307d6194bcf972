//! Generator of a large Etherpad database of the kind dirty, for measuring migrations.
//!
//! `cargo run --release -p migrate --example large_etherpad > dirty.db` writes 5,000 pads with
//! 336,000 revisions: most pads are short, some are long, a few are very long. A number as argument
//! divides all of that.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufWriter, Write, stdout};

use changeset::{Attribute, Changeset, Document, NEWLINE, Pool, splice};
use serde_json::{Value, json};

/// How many pads have how many revisions.
const SHAPES: [(u64, u64); 3] = [(4_900, 40), (90, 1_000), (10, 5_000)];
const WORDS: [&str; 12] = [
    "alpha ",
    "beta ",
    "Straße ",
    "日本語 ",
    "😀 ",
    "line\n",
    "naïve ",
    "שלום ",
    "text ",
    "and ",
    "more ",
    "words ",
];
/// Texts are cut to this length now and then, as people do.
const LONGEST: usize = 6_000;
const START: u64 = 1_700_000_000_000;

fn main() {
    let divisor = std::env::args()
        .nth(1)
        .map_or(1, |text| text.parse().unwrap());
    let mut out = BufWriter::new(stdout().lock());
    let mut seed = 1;
    let mut number = 0;
    for (pads, revisions) in SHAPES {
        for _ in 0..(pads / divisor).max(1) {
            number += 1;
            pad(&mut out, number, (revisions / divisor).max(1), &mut seed);
        }
    }
    out.flush().unwrap();
}

fn pad(out: &mut impl Write, number: u64, revisions: u64, seed: &mut u64) {
    let name = format!("pad-{number}");
    let author = format!("a.{number:016}");
    let mut pool = Pool::new();
    let by_author = pool.intern(Attribute::new("author", &*author));
    let bold = pool.intern(Attribute::new("bold", "true"));
    let mut document = Document::plain(&[NEWLINE]);
    for rev in 0..revisions {
        let word: Vec<u16> = pick(&WORDS, seed).encode_utf16().collect();
        let attribs = match random(seed, 5) {
            0 => [by_author, bold].into_iter().collect(),
            _ => [by_author].into_iter().collect(),
        };
        let end = document.len() - 1;
        let change = match end > LONGEST {
            true => splice(&document, 0, end / 2, &word, &attribs),
            false => splice(&document, end, 0, &word, &attribs),
        };
        document = document.apply(&change, &pool).unwrap();
        let record = revision(&change, &author, START + rev * 1_000, rev, &document, &pool);
        put(out, &format!("pad:{name}:revs:{rev}"), &record);
    }
    let record = json!({
        "atext": atext(&document),
        "pool": pool_record(&pool),
        "head": revisions - 1,
        "chatHead": -1,
        "publicStatus": false,
        "savedRevisions": [],
    });
    put(out, &format!("pad:{name}"), &record);
    let person = json!({
        "colorId": number % 64, "name": format!("Person {number}"), "timestamp": START,
        "lastSeen": START, "padIDs": {name: 1},
    });
    put(out, &format!("globalAuthor:{author}"), &person);
    put(out, &format!("token2author:t.{number:020}"), &json!(author));
}

fn revision(
    change: &Changeset,
    author: &str,
    time: u64,
    rev: u64,
    document: &Document,
    pool: &Pool,
) -> Value {
    let mut record = json!({
        "changeset": change.to_string(),
        "meta": {"author": author, "timestamp": time},
    });
    if let Some(meta) = record.get_mut("meta").filter(|_| rev.is_multiple_of(100)) {
        let more = json!({"pool": pool_record(pool), "atext": atext(document)});
        meta.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
    }
    record
}

fn atext(document: &Document) -> Value {
    json!({"text": document.text().to_string(), "attribs": document.attribs()})
}

fn pool_record(pool: &Pool) -> Value {
    let entries = pool.entries();
    let entries: serde_json::Map<String, Value> = entries
        .map(|(number, it)| (number.to_string(), json!([it.key, it.value])))
        .collect();
    json!({"numToAttrib": entries, "nextNum": pool.next_number()})
}

fn put(out: &mut impl Write, key: &str, value: &Value) {
    writeln!(out, "{}", json!({"key": key, "val": value})).unwrap();
}

fn pick<'a>(words: &[&'a str], seed: &mut u64) -> &'a str {
    words
        .get(random(seed, words.len() as u64) as usize)
        .unwrap()
}

/// The same numbers each time.
fn random(seed: &mut u64, bound: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 33) % bound
}
