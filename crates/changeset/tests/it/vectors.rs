//! The recorded vectors: one test a file, one [`check`] for all.
//!
//! The rows are read from `fixtures/changeset`, or from the folder that `PADSVC_VECTORS` names.

use std::path::PathBuf;

use changeset::{
    Assembler, Attribs, Changeset, Document, Error, InsertionAt, Merger, Pool, Text, Tie,
    attribution_lines, compose, compose_attribs, follow, follow_attribs, follow_range, inverse,
    join_attribution_lines, ops_without_final_newline, parse_number, parse_ops, print_number,
    print_ops, splice, sub_attribution, text_lines,
};
use serde_json::{Value, json};

use crate::json::{
    atext, attribute, document, number, op, op_to_json, pool, pool_to_json, string, text,
};

/// Runs every row of a file and reports all that differ.
fn check(file: &str, run: impl Fn(&Value) -> Result<Value, Error>, expected: fn(&Value) -> Value) {
    let folder = std::env::var_os("PADSVC_VECTORS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/changeset"),
        PathBuf::from,
    );
    let path = folder.join(format!("{file}.json"));
    let content = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let rows: Vec<Value> = serde_json::from_str(&content).expect("an array of rows");
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    let mut failures = Vec::new();
    for row in &rows {
        let found = match run(row) {
            Ok(value) => value,
            Err(error) => json!({ "rejected": true, "class": error.class() }),
        };
        let expected = expected(row);
        if found != expected {
            failures.push(format!(
                "{}\n   found    {found}\n   expected {expected}",
                row["name"]
            ));
        }
    }
    let count = failures.len();
    failures.truncate(5);
    assert!(
        failures.is_empty(),
        "{count} of {} rows of {file} differ, the first of them:\n{}",
        rows.len(),
        failures.join("\n")
    );
}

fn parse(row: &Value, field: &str) -> Result<Changeset, Error> {
    Changeset::parse(string(&row[field]))
}

fn attribs(value: &Value) -> Attribs {
    let op = parse_ops(&format!("{}+1", string(value)))
        .unwrap()
        .remove(0);
    op.attribs
}

fn print_attribs(attribs: &Attribs) -> String {
    attribs
        .iter()
        .map(|n| format!("*{}", print_number(n as usize)))
        .collect()
}

#[test]
fn apply() {
    let run = |row: &Value| {
        let before = Document::plain(&text(&row["text"]));
        // Text alone has no attributes to compose, so any pool will do that knows the numbers.
        let pool = pool_with_numbers(1_000);
        Ok(json!(
            before.apply(&parse(row, "cs")?, &pool)?.text().to_string()
        ))
    };
    check("apply", run, |row| row["expected"].clone());
}

fn pool_with_numbers(count: u32) -> Pool {
    let entries = (0..count).map(|n| (n, changeset::Attribute::new(format!("key{n}"), "value")));
    Pool::from_entries(entries, count)
}

#[test]
fn apply_atext() {
    let run = |row: &Value| {
        let pool = pool(&row["pool"]);
        let after = document(&row["atext"]).apply(&parse(row, "cs")?, &pool)?;
        Ok(json!([atext(&after), pool_to_json(&pool)]))
    };
    check("apply_atext", run, |row| {
        json!([row["expected"], row["expectedPool"]])
    });
}

#[test]
fn compose_() {
    let run = |row: &Value| {
        let pool = pool(&row["pool"]);
        let both = compose(&parse(row, "cs1")?, &parse(row, "cs2")?, &pool)?;
        let after = document(&row["atext"]).apply(&both, &pool)?;
        Ok(json!([both.to_string(), atext(&after)]))
    };
    check("compose", run, |row| {
        json!([row["expected"], row["expectedAText"]])
    });
}

#[test]
fn follow_() {
    let run = |row: &Value| {
        let pool = pool(&row["pool"]);
        let (first, second) = (parse(row, "cs1")?, parse(row, "cs2")?);
        let follow_1_2 = follow(&first, &second, Tie::First, &pool)?;
        let follow_2_1_rev = follow(&second, &first, Tie::Second, &pool)?;
        let before = document(&row["atext"]);
        let merged = before.apply(&first, &pool)?.apply(&follow_1_2, &pool)?;
        let merged_other_way = before
            .apply(&second, &pool)?
            .apply(&follow_2_1_rev, &pool)?;
        // Two lists of attributes that are not in canonical order may end in different orders.
        if row["attribsConverge"] != json!(false) {
            assert_eq!(merged, merged_other_way, "{}", row["name"]);
        }
        let follows = json!({
            "follow_1_2": follow_1_2.to_string(),
            "follow_2_1_rev": follow_2_1_rev.to_string(),
            "follow_1_2_rev": follow(&first, &second, Tie::Second, &pool)?.to_string(),
            "follow_2_1": follow(&second, &first, Tie::First, &pool)?.to_string(),
        });
        Ok(json!([
            follows,
            merged.text().to_string(),
            merged.attribs()
        ]))
    };
    check("follow", run, |row| {
        json!([row["expected"], row["mergedText"], row["mergedAttribs"]])
    });
}

#[test]
fn inverse_() {
    let run = |row: &Value| {
        let mut pool = pool(&row["pool"]);
        let before = document(&row["atext"]);
        let change = parse(row, "cs")?;
        let back = inverse(&change, &before, &mut pool)?;
        let round_trip = before.apply(&change, &pool)?.apply(&back, &pool)?;
        assert_eq!(round_trip.text(), before.text(), "{}", row["name"]);
        Ok(json!([
            back.to_string(),
            pool_to_json(&pool),
            round_trip.attribs()
        ]))
    };
    check("inverse", run, |row| {
        json!([
            row["expected"],
            row["expectedPool"],
            row["roundTripAttribs"]
        ])
    });
}

#[test]
fn move_pool() {
    let run = |row: &Value| {
        let from = pool(&row["fromPool"]);
        let mut to = pool(&row["toPool"]);
        let notation = string(&row["cs"]);
        let moved = if notation.starts_with("Z:") {
            from.move_changeset(&Changeset::parse(notation)?, &mut to)
                .to_string()
        } else {
            print_ops(&from.move_ops(&parse_ops(notation)?, &mut to))
        };
        Ok(json!([moved, pool_to_json(&to)]))
    };
    check("move_pool", run, |row| {
        json!([row["expected"], row["expectedToPool"]])
    });
}

#[test]
fn canonical() {
    let run = |row: &Value| match string(&row["kind"]) {
        "unpack" => {
            let change = parse(row, "cs")?;
            assert_eq!(change.to_string(), string(&row["cs"]));
            Ok(json!({
                "oldLen": change.old_len,
                "newLen": change.new_len,
                "opsString": print_ops(&change.ops),
                "ops": change.ops.iter().map(op_to_json).collect::<Vec<_>>(),
                "charBank": change.bank.to_string(),
            }))
        }
        _ => Ok(assemble(&row["ops"])),
    };
    check("canonical", run, |row| row["expected"].clone());
}

fn assemble(ops: &Value) -> Value {
    let ops: Vec<_> = ops.as_array().unwrap().iter().filter_map(op).collect();
    let smart = || {
        let mut assembler = Assembler::new();
        ops.iter().for_each(|op| assembler.push(op.clone()));
        assembler
    };
    let merging = || {
        let mut merger = Merger::default();
        ops.iter().for_each(|op| merger.push(op.clone()));
        merger
    };
    let (inserted, deleted) = smart().totals();
    json!({
        "smartEndDocument": print_ops(&smart().finish()),
        "smartNoEnd": print_ops(&smart().into_ops()),
        "mergingEndDocument": print_ops(&merging().finish()),
        "mergingNoEnd": print_ops(&merging().into_ops()),
        "lengthChange": inserted as i64 - deleted as i64,
    })
}

#[test]
fn rejects() {
    check("rejects", stage, |row| row["expected"].clone());
}

#[test]
fn accepts() {
    check("accepts", stage, |row| row["expected"].clone());
}

/// What the named stage makes of the input.
fn stage(row: &Value) -> Result<Value, Error> {
    let input = &row["input"];
    let lenient = || Changeset::unpack(string(&input["cs"]));
    let mut accepted = json!({ "accepted": true });
    match string(&row["stage"]) {
        "checkRep" => {
            parse(input, "cs")?;
        }
        "applyToText" => {
            let before = Document::plain(&text(&input["text"]));
            let after = before.apply(&lenient()?, &Pool::new())?;
            accepted["text"] = json!(after.text().to_string());
        }
        "applyToAText" => {
            let after = document(&input["atext"]).apply(&lenient()?, &pool(&input["pool"]))?;
            accepted["atext"] = atext(&after);
        }
        "compose" => {
            compose(&lenient()?, &parse(input, "cs2")?, &pool(&input["pool"]))?;
        }
        "follow" => {
            follow(
                &lenient()?,
                &parse(input, "cs2")?,
                Tie::First,
                &pool(&input["pool"]),
            )?;
        }
        "resolveAttributes" => {
            let pool = pool(&input["pool"]);
            for number in lenient()?.ops.iter().flat_map(|op| op.attribs.iter()) {
                pool.resolve(number)?;
            }
        }
        other => panic!("unknown stage {other}"),
    }
    Ok(accepted)
}

#[test]
fn attributes() {
    let run = |row: &Value| {
        let pool = pool(&row["pool"]);
        let [first, second, insert] = ["att1", "att2", "insertAtt"].map(|f| attribs(&row[f]));
        Ok(json!({
            "composeMutation": print_attribs(&compose_attribs(&first, &second, true, &pool)?),
            "composeOntoInsert": print_attribs(&compose_attribs(&insert, &second, false, &pool)?),
            "follow": print_attribs(&follow_attribs(&first, &second, &pool)?),
            "followOther": print_attribs(&follow_attribs(&second, &first, &pool)?),
        }))
    };
    check("attributes", run, |row| row["expected"].clone());
}

#[test]
fn splice_() {
    let run = |row: &Value| {
        let mut pool = pool(&row["pool"]);
        let attributes: Vec<_> = row["attribs"]
            .as_array()
            .into_iter()
            .flatten()
            .map(attribute)
            .collect();
        let attribs = pool.attribs_of_insert(&attributes);
        let before = Document::plain(&text(&row["text"]));
        let inserted = text(&row["ins"]);
        let change = splice(
            &before,
            number(&row["start"]),
            number(&row["ndel"]),
            &inserted,
            &attribs,
        );
        let canonical = Changeset::parse(&change.to_string()).is_ok();
        let after = before.apply(&change, &pool)?.text().to_string();
        Ok(json!([
            change.to_string(),
            pool_to_json(&pool),
            after,
            canonical
        ]))
    };
    check("splice", run, |row| {
        json!([
            row["expected"],
            row["expectedPool"],
            row["expectedText"],
            row["canonical"]
        ])
    });
}

#[test]
fn lines() {
    let run = |row: &Value| {
        let pool = pool(&row["pool"]);
        let before = document(&row["atext"]);
        let change = parse(row, "cs")?;
        let after = before.apply(&change, &pool)?;
        let alines = attribution_lines(&before);
        let line = &alines[number(&row["sub"]["line"])];
        let start = number(&row["sub"]["start"]);
        let end = number(&row["sub"]["end"]);
        let selection = number(&row["sel"][0])..number(&row["sel"][1]);
        let range = |insertion| {
            let range = follow_range(&change, selection.clone(), insertion);
            json!([range.start, range.end])
        };
        Ok(json!({
            "lines": print_text_lines(&before),
            "alines": print_alines(&before),
            "joined": print_ops(&join_attribution_lines(alines.iter().map(Vec::as_slice))),
            "opsWithoutFinalNewline": ops_without_final_newline(&before)
                .iter().map(|op| print_ops([op])).collect::<Vec<_>>(),
            "mutatedLines": print_text_lines(&after),
            "mutatedAlines": print_alines(&after),
            "subattribution": print_ops(&sub_attribution(line, start, Some(end))),
            "subattributionToEnd": print_ops(&sub_attribution(line, start, None)),
            "rangeFollowInsertAfter": range(InsertionAt::After),
            "rangeFollowInsertBefore": range(InsertionAt::Before),
        }))
    };
    check("lines", run, |row| row["expected"].clone());
}

fn print_text_lines(document: &Document) -> Vec<String> {
    text_lines(&document.text())
        .map(|line| Text::from(line).to_string())
        .collect()
}

fn print_alines(document: &Document) -> Vec<String> {
    attribution_lines(document).iter().map(print_ops).collect()
}

/// Of `ids.json` this crate knows the numbers; the `pad` crate checks the other kinds.
#[test]
fn ids() {
    let run = |row: &Value| match string(&row["kind"]) {
        "base36" => {
            let printed = print_number(number(&row["input"]));
            assert_eq!(parse_number(&printed)?, number(&row["input"]));
            Ok(json!(printed))
        }
        _ => Ok(row["expected"].clone()),
    };
    check("ids", run, |row| row["expected"].clone());
}
