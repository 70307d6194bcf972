//! Pools, documents and rows of vectors between JSON and the crates' types.

use changeset::{Attribute, Builder, Document, Pool, Text, parse_ops};
use serde_json::Value;

pub(crate) fn string(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a string: {value}"))
}

pub(crate) fn number(value: &Value) -> usize {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("not a number: {value}")) as usize
}

pub(crate) fn pool(value: &Value) -> Pool {
    let entries = value["numToAttrib"]
        .as_object()
        .expect("a pool has numToAttrib");
    let entries = entries.iter().map(|(number, pair)| {
        let attribute = Attribute::new(string(&pair[0]), string(&pair[1]));
        (number.parse().unwrap(), attribute)
    });
    Pool::from_entries(entries, value["nextNum"].as_u64().unwrap_or(0) as u32)
}

pub(crate) fn document(value: &Value) -> Document {
    let attribution = parse_ops(string(&value["attribs"])).unwrap();
    let text = Text::from(string(&value["text"]));
    Document::from_atext(&text, &attribution).unwrap()
}

/// A stretch of text and its attributes as `key=value`, separated by spaces.
pub(crate) type Run<'a> = (&'a str, &'a str);

/// A document from its runs.
pub(crate) fn styled(runs: &[Run<'_>]) -> (Document, Pool) {
    let mut pool = Pool::new();
    let mut builder = Builder::new(0);
    for (text, attributes) in runs {
        let attributes: Vec<Attribute> = attributes
            .split_whitespace()
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap();
                Attribute::new(key, value)
            })
            .collect();
        let attribs = pool.attribs_of_insert(&attributes);
        builder.insert(&Text::from(*text), &attribs);
    }
    let empty = Document::plain(&[]);
    let document = empty.apply(&builder.finish(), &pool).unwrap();
    (document, pool)
}

/// What was read, to compare with: attributes in braces, without those that every marker has.
pub(crate) fn shown(runs: &[convert::Run]) -> String {
    let mut out = String::new();
    for run in runs {
        let pairs = run.attributes.iter();
        let pairs = pairs.filter(|a| a.key != "insertorder" && a.key != "lmkr");
        let pairs: Vec<String> = pairs.map(|a| format!("{}={}", a.key, a.value)).collect();
        if pairs.is_empty() {
            out.push_str(&run.text.to_string())
        } else {
            out.push_str(&format!("{{{} {}}}", pairs.join(" "), run.text))
        }
    }
    out
}
