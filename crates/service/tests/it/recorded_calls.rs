//! Sequences of calls as a running Etherpad answered them: the text after each, and who wrote what.
//!
//! The rows are read from `fixtures/pad`, or from the folder that `PADSVC_VECTORS` names.

use std::collections::HashMap;
use std::path::PathBuf;

use changeset::{Changeset, Document, NEWLINE, Pool, Text};
use pad::{AuthorId, PadId, Rev, spares_final_newline};
use serde_json::Value;
use service::{Config, JoinRequest, Service};

use crate::world;

fn rows() -> Vec<Value> {
    let folder = std::env::var_os("PADSVC_VECTORS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/pad"),
        PathBuf::from,
    );
    let content = std::fs::read_to_string(folder.join("api_changesets.json")).unwrap();
    let content = content.replace("a.etherpad-system", "a.padsvc-system");
    let rows: Vec<Value> = serde_json::from_str(&content).unwrap();
    assert!(!rows.is_empty());
    rows
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// What the pad said before the first call: the rows do not have it, but what was done to it does.
fn first_text(row: &Value) -> Option<String> {
    let steps = row["steps"].as_array().unwrap();
    let restored = steps
        .iter()
        .find(|step| step["call"] == "restoreRevision" && step["params"]["rev"] == 0);
    if let Some(step) = restored {
        let text = string(&step["expected"]["text"]);
        return text.strip_suffix("\n\n").map(str::to_owned);
    }
    let first = &steps[0];
    let text = string(&first["expected"]["text"]);
    let added = first["params"]["text"].as_str()?;
    match first["call"] == "appendText" {
        true => text.strip_suffix(&format!("{added}\n")).map(str::to_owned),
        // Nothing that follows depends on it.
        false => Some(String::new()),
    }
}

/// A stretch of text as a reader sees it: who wrote it and how it looks.
fn described(document: &Document, pool: &Pool) -> Vec<(u16, Vec<String>)> {
    let mut units = Vec::new();
    for piece in document.pieces(0..document.len()) {
        let pairs = piece.attribs.iter().filter_map(|number| pool.get(number));
        let pairs: Vec<String> = pairs.map(|a| format!("{}={}", a.key, a.value)).collect();
        units.extend(piece.units.iter().map(|&unit| (unit, pairs.clone())));
    }
    // Whose the newlines are, nobody sees, and the final one keeps its author.
    for (unit, pairs) in &mut units {
        if *unit == NEWLINE {
            pairs.clear();
        }
    }
    units
}

fn recorded(expected: &Value) -> (Document, Pool) {
    let entries = expected["pool"]["numToAttrib"].as_object().unwrap();
    let entries = entries.iter().map(|(number, pair)| {
        let (key, value) = (string(&pair[0]), string(&pair[1]));
        let attribute = changeset::Attribute::new(key, value);
        (number.parse().unwrap(), attribute)
    });
    let next = expected["pool"]["nextNum"].as_u64().unwrap();
    let pool = Pool::from_entries(entries, u32::try_from(next).unwrap());
    let text = Text::from(string(&expected["text"]));
    let attribution = changeset::parse_ops(string(&expected["attribs"])).unwrap();
    (Document::from_atext(&text, &attribution).unwrap(), pool)
}

async fn call(service: &Service, pad: &PadId, step: &Value, revs: &HashMap<u64, Rev>) {
    let params = &step["params"];
    let author = params["authorId"].as_str().and_then(AuthorId::parse);
    let author = author.as_ref();
    let text = || Text::from(string(&params["text"]));
    let called = match string(&step["call"]) {
        "setText" => service.set_text(pad, text(), author).await,
        "appendText" => service.append_text(pad, text(), author).await,
        "setHTML" => service.set_html(pad, string(&params["html"]), author).await,
        "restoreRevision" => {
            let rev = revs[&params["rev"].as_u64().unwrap()];
            service.restore_revision(pad, rev, author).await
        }
        other => panic!("no such call: {other}"),
    };
    called.unwrap();
}

#[tokio::test]
async fn every_text_is_the_recorded_one() {
    let service = world::service(Config::default()).await;
    let mut compared = 0;
    for row in rows() {
        let name = string(&row["name"]);
        let Some(first) = first_text(&row) else {
            continue;
        };
        let pad = PadId::for_new(name).unwrap();
        let first = Some(Text::from(&*first));
        // The first of the pad's attributes is the one of its first text.
        let author = string(&row["steps"][0]["expected"]["pool"]["numToAttrib"]["0"][1]);
        let author = AuthorId::parse(author);
        let created = service.create_pad(&pad, first, author.as_ref());
        created.await.unwrap();
        let request = JoinRequest {
            pad: name.to_owned(),
            ..JoinRequest::default()
        };
        // Setting HTML is one revision here and two there.
        let mut revs = HashMap::from([(0, Rev(0))]);
        for (number, step) in row["steps"].as_array().unwrap().iter().enumerate() {
            let known = step["params"]["rev"].as_u64();
            if known.is_some_and(|rev| !revs.contains_key(&rev)) {
                break;
            }
            call(&service, &pad, step, &revs).await;
            let newest = service.get_revisions_count(&pad).await.unwrap();
            revs.insert(step["expected"]["head"].as_u64().unwrap(), newest);
            let visit = service.visit(&request).await.unwrap().unwrap();
            let (document, pool) = service.content(&visit, None).await.unwrap();
            let (wanted, wanted_pool) = recorded(&step["expected"]);
            assert_eq!(document.text(), wanted.text(), "{name} step {number}");
            compared += 1;
            if string(&step["call"]) != "restoreRevision" {
                let found = described(&document, &pool);
                let wanted = described(&wanted, &wanted_pool);
                assert_eq!(found, wanted, "{name} step {number}");
            }
        }
        for rev in 0..=service.get_revisions_count(&pad).await.unwrap().0 {
            let change: Changeset = service
                .get_revision_changeset(&pad, Some(Rev(rev)))
                .await
                .unwrap();
            assert!(
                spares_final_newline(&change),
                "{name} revision {rev}: {change}"
            );
        }
    }
    assert!(compared > 10, "only {compared} steps were compared");
    service.stop().await;
}
