//! Generator of a large Etherpad database of the kind dirty, for measuring migrations.
//!
//! `cargo run --release -p migrate --example large_etherpad > dirty.db` writes 5,000 pads with
//! 336,000 revisions: most pads are short, some are long, a few are very long. A number as argument
//! divides all of that.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufWriter, Write, stdout};

use changeset::{Attribute, Document, NEWLINE, Pool, Text, splice};
use wtf_json::{Json, object, push_json};

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
/// A text that is longer loses its first half, as people do now and then.
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
            let revisions = (revisions / divisor).max(1);
            pad(&mut out, number, revisions, LONGEST, &mut seed);
        }
    }
    out.flush().unwrap();
}

pub(crate) fn pad(
    out: &mut impl Write,
    number: u64,
    revisions: u64,
    longest: usize,
    seed: &mut u64,
) {
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
        let change = if end > longest {
            splice(&document, 0, end / 2, &word, &attribs)
        } else {
            splice(&document, end, 0, &word, &attribs)
        };
        document = document.apply(&change, &pool).unwrap();
        let mut meta = vec![
            (Text::from("author"), Json::from(&*author)),
            (Text::from("timestamp"), Json::from(START + rev * 1_000)),
        ];
        if rev.is_multiple_of(100) {
            meta.push((Text::from("pool"), pool_record(&pool)));
            meta.push((Text::from("atext"), atext(&document)));
        }
        let record = object([
            ("changeset", Json::from(change.print())),
            ("meta", Json::Object(meta)),
        ]);
        put(out, &format!("pad:{name}:revs:{rev}"), record);
    }
    let record = object([
        ("atext", atext(&document)),
        ("pool", pool_record(&pool)),
        ("head", Json::from(revisions - 1)),
        ("chatHead", Json::Number((-1).into())),
        ("publicStatus", Json::from(false)),
        ("savedRevisions", Json::Array(Vec::new())),
    ]);
    put(out, &format!("pad:{name}"), record);
    let person = object([
        ("colorId", Json::from(number % 64)),
        ("name", Json::from(&*format!("Person {number}"))),
        ("timestamp", Json::from(START)),
        ("lastSeen", Json::from(START)),
        ("padIDs", object([(&*name, Json::from(1))])),
    ]);
    put(out, &format!("globalAuthor:{author}"), person);
    let token = format!("token2author:t.{number:020}");
    put(out, &token, Json::from(&*author));
}

/// A cut may halve a surrogate pair, which Etherpad writes as an escape: the text must not go
/// through a `String`, which cannot hold it.
fn atext(document: &Document) -> Json {
    object([
        ("text", Json::from(document.text())),
        ("attribs", Json::from(&*document.attribs())),
    ])
}

fn pool_record(pool: &Pool) -> Json {
    let entry = |(number, it): (u32, &Attribute)| {
        let pair = vec![Json::from(&*it.key), Json::from(&*it.value)];
        (Text::from(&*number.to_string()), Json::Array(pair))
    };
    object([
        (
            "numToAttrib",
            Json::Object(pool.entries().map(entry).collect()),
        ),
        ("nextNum", Json::from(u64::from(pool.next_number()))),
    ])
}

fn put(out: &mut impl Write, key: &str, value: Json) {
    let mut line = String::new();
    push_json(
        &mut line,
        &object([("key", Json::from(key)), ("val", value)]),
    );
    writeln!(out, "{line}").unwrap();
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
