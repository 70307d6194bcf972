//! What this crate answers to a request.

use changeset::{
    Changeset, Document, Error, InsertionAt, Pool, Text, Tie, attribution_lines, compose, follow,
    follow_range, inverse, parse_ops, print_ops, splice, text_lines,
};
use serde_json::{Value, json};

use crate::json::{attribute, number, pool, pool_to_json, string, text};

/// `{"ok": …}` or `{"error": CLASS}`; none if the answer has a lone surrogate, which JSON as a Rust
/// string cannot carry.
pub(crate) fn answer(request: &Value) -> Option<Value> {
    match try_answer(request) {
        Ok(answer) => answer.map(|answer| json!({ "ok": answer })),
        Err(error) => Some(json!({ "error": error.class() })),
    }
}

fn try_answer(request: &Value) -> Result<Option<Value>, Error> {
    let cs = |field: &str| Changeset::unpack(string(&request[field]));
    Ok(match string(&request["op"]) {
        "check" => print(&Changeset::parse(string(&request["cs"]))?),
        "apply" => {
            let before = Document::plain(&text(&request["text"]));
            json_text(
                &before
                    .apply(&without_attributes(cs("cs")?), &Pool::new())?
                    .text(),
            )
        }
        "applyAText" => {
            let change = cs("cs")?;
            let before = document(&request["atext"])?;
            let after = before.apply(&change, &pool(&request["pool"]))?;
            json_text(&after.text()).map(|text| json!({ "text": text, "attribs": after.attribs() }))
        }
        "compose" => print(&compose(&cs("cs1")?, &cs("cs2")?, &pool(&request["pool"]))?),
        "follow" => {
            let tie = if request["reverse"] == json!(true) {
                Tie::Second
            } else {
                Tie::First
            };
            print(&follow(
                &cs("cs1")?,
                &cs("cs2")?,
                tie,
                &pool(&request["pool"]),
            )?)
        }
        "inverse" => {
            let mut pool = pool(&request["pool"]);
            let change = cs("cs")?;
            print_with(
                &inverse(&change, &document(&request["atext"])?, &mut pool)?,
                &pool,
            )
        }
        "splice" => {
            let mut pool = pool(&request["pool"]);
            let change = spliced(request, &mut pool);
            print_with(&change, &pool)
        }
        "movePool" => moved(request)?,
        "lines" => lines(&document(&request["atext"])?),
        "range" => {
            let insertion = if request["insertsAfter"] == json!(true) {
                InsertionAt::After
            } else {
                InsertionAt::Before
            };
            let range = number(&request["start"])..number(&request["end"]);
            let range = follow_range(&cs("cs")?, range, insertion);
            Some(json!([range.start, range.end]))
        }
        other => panic!("unknown request {other}"),
    })
}

/// Text alone does not ask what its attributes are.
fn without_attributes(mut change: Changeset) -> Changeset {
    for op in &mut change.ops {
        op.attribs = Default::default();
    }
    change
}

fn spliced(request: &Value, pool: &mut Pool) -> Changeset {
    let attributes: Vec<_> = request["attribs"]
        .as_array()
        .unwrap()
        .iter()
        .map(attribute)
        .collect();
    let attribs = pool.attribs_of_insert(&attributes);
    let document = Document::plain(&text(&request["text"]));
    let (start, deleted) = (number(&request["start"]), number(&request["ndel"]));
    splice(&document, start, deleted, &text(&request["ins"]), &attribs)
}

fn moved(request: &Value) -> Result<Option<Value>, Error> {
    let from = pool(&request["fromPool"]);
    let mut to = pool(&request["toPool"]);
    let notation = string(&request["cs"]);
    let moved = if notation.starts_with("Z:") {
        from.move_changeset(&Changeset::unpack(notation)?, &mut to)
            .print()
            .to_utf8()
    } else {
        Some(print_ops(&from.move_ops(&parse_ops(notation)?, &mut to)))
    };
    Ok(moved.map(|cs| json!({ "cs": cs, "pool": pool_to_json(&to) })))
}

fn lines(document: &Document) -> Option<Value> {
    let text = document.text();
    let lines: Option<Vec<_>> = text_lines(&text)
        .map(|line| json_text(&Text::from(line)))
        .collect();
    let alines: Vec<_> = attribution_lines(document).iter().map(print_ops).collect();
    lines.map(|lines| json!({ "lines": lines, "alines": alines }))
}

fn document(atext: &Value) -> Result<Document, Error> {
    Document::from_atext(
        &text(&atext["text"]),
        &parse_ops(string(&atext["attribs"]))?,
    )
}

fn json_text(text: &Text) -> Option<Value> {
    text.to_utf8().map(Value::from)
}

fn print(change: &Changeset) -> Option<Value> {
    json_text(&change.print())
}

fn print_with(change: &Changeset, pool: &Pool) -> Option<Value> {
    print(change).map(|cs| json!({ "cs": cs, "pool": pool_to_json(pool) }))
}
