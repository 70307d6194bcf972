//! What the recorded server stored, and what ours stores.
//!
//! The rows are read from `fixtures/pad`, or from the folder that `PADSVC_VECTORS` names.

use std::path::PathBuf;
use std::sync::Arc;

use changeset::{Changeset, Document, Pool, print_ops};
use pad::{
    AuthorId, AuthorToken, Head, HistoryRequest, PadId, Rev, Revision, Step, Submission, Timestamp,
    accept, spares_final_newline,
};
use serde_json::{Value, json};

use crate::json::{document, pool, pool_to_json, string};

/// Rows that the recorded server stores as they were sent and ours in canonical form.
const STORED_CANONICALLY: [&str; 2] = ["server-attribs-unsorted", "server-attribs-duplicate-key"];

fn rows(folder: &str, file: &str) -> Vec<Value> {
    let folder = std::env::var_os("PADSVC_VECTORS").map_or_else(
        || {
            PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("../../fixtures")
                .join(folder)
        },
        PathBuf::from,
    );
    let path = folder.join(format!("{file}.json"));
    let content = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let content = content.replace("a.etherpad-system", "a.padsvc-system");
    let rows: Vec<Value> = serde_json::from_str(&content).expect("an array of rows");
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    rows
}

fn head(value: &Value, rev: u64) -> Head {
    Head {
        rev: Some(Rev(rev)),
        document: document(value),
        pool: Arc::new(pool(&value["pool"])),
        time: Timestamp(1),
    }
}

/// A message as the socket layer will read it. `None` if a part is missing or malformed.
fn submission(message: &Value, author: &Value) -> Option<Submission> {
    Some(Submission {
        author: AuthorId::parse(string(author))?,
        base: match message["baseRev"].as_i64()? {
            -1 => None,
            base => Some(Rev(u64::try_from(base).ok()?)),
        },
        change: Changeset::parse(message["changeset"].as_str()?).ok()?,
        pool: message.get("apool").map(pool)?,
    })
}

/// Revisions with their attributes spelled out. The recorded server also numbers attributes of
/// changes that had no effect, so numbers may differ where nothing else does.
fn describe(revisions: &[Revision], pool: &Pool) -> Value {
    let describe = |revision: &Revision| {
        let author = revision.author.as_ref().map_or("", AuthorId::as_str);
        stored(&revision.change, author, pool)
    };
    revisions.iter().map(describe).collect()
}

fn recorded(revisions: &Value, pool: &Pool) -> Value {
    let describe = |revision: &Value| {
        let change = Changeset::parse(string(&revision["changeset"])).unwrap();
        stored(&change, string(&revision["author"]), pool)
    };
    revisions.as_array().unwrap().iter().map(describe).collect()
}

fn stored(change: &Changeset, author: &str, pool: &Pool) -> Value {
    let mut own = Pool::new();
    let change = pool.move_changeset(change, &mut own);
    json!({ "changeset": change.to_string(), "pool": pool_to_json(&own), "author": author })
}

/// A document with its attributes spelled out.
fn spelled_out(document: &Document, pool: &Pool) -> Value {
    let mut own = Pool::new();
    let ops = pool.move_ops(&document.attribution(), &mut own);
    json!([
        document.text().to_string(),
        print_ops(&ops),
        pool_to_json(&own)
    ])
}

fn submit(head: &Head, all: &[Revision], message: &Value, author: &Value) -> Option<Step> {
    let submission = submission(message, author)?;
    let known = submission.base.map_or(0, |base| base.0 as usize + 1);
    let since = all.get(known..)?;
    accept(head, since, &submission, 1_000_000, Timestamp(2)).ok()
}

#[test]
fn server_single() {
    for row in rows("pad", "server_single") {
        let name = string(&row["name"]);
        let before = &row["padBefore"];
        let rev = before["head"].as_u64().unwrap();
        let head = head(before, rev);
        // Only the newest revision matters, as the change that made the first text.
        let first = changeset::splice(
            &Document::plain(&[changeset::NEWLINE]),
            0,
            0,
            &document(before).slice(0..head.document.len() - 1),
            &changeset::Attribs::none(),
        );
        let first = Revision {
            change: first,
            author: None,
            time: Timestamp(1),
        };
        let all = vec![first; rev as usize + 1];
        let step = submit(&head, &all, &row["message"], &row["sessionAuthor"]);
        let expected = &row["expected"];
        let Some(step) = step else {
            assert_eq!(expected["result"], "disconnect", "{name} was refused");
            continue;
        };
        assert_eq!(expected["result"], "accept", "{name} was accepted");
        if STORED_CANONICALLY.contains(&name) {
            continue;
        }
        let recorded_pool = pool(&expected["pool"]);
        let wanted = recorded(&expected["newRevisions"], &recorded_pool);
        assert_eq!(describe(&step.revisions, &step.head.pool), wanted, "{name}");
        let found = spelled_out(&step.head.document, &step.head.pool);
        assert_eq!(
            found,
            spelled_out(&document(expected), &recorded_pool),
            "{name}"
        );
        let new_rev = if step.revisions.is_empty() {
            rev
        } else {
            rev + 1
        };
        assert_eq!(json!(new_rev), expected["newRev"], "{name}");
    }
}

#[test]
fn server_sessions() {
    for row in rows("pad", "server_sessions") {
        let name = string(&row["name"]);
        let recorded_pool = pool(&row["expectedFinal"]["pool"]);
        let mut all: Vec<Revision> = row["initial"]["revs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|revision| Revision {
                change: Changeset::parse(string(&revision["changeset"])).unwrap(),
                author: AuthorId::parse(string(&revision["author"])),
                time: Timestamp(1),
            })
            .collect();
        let mut head = head(&row["initial"], all.len() as u64 - 1);
        for (number, step) in row["steps"].as_array().unwrap().iter().enumerate() {
            let expected = &step["expected"];
            let accepted = submit(&head, &all, &step["message"], &step["author"]);
            let Some(accepted) = accepted else {
                assert_eq!(
                    expected["result"], "disconnect",
                    "{name} step {number} was refused"
                );
                continue;
            };
            assert_eq!(
                expected["result"], "accept",
                "{name} step {number} was accepted"
            );
            let found = describe(&accepted.revisions, &accepted.head.pool);
            let wanted = recorded(&expected["newRevisions"], &recorded_pool);
            assert_eq!(found, wanted, "{name} step {number}");
            all.extend(accepted.revisions);
            head = accepted.head;
            assert_eq!(
                json!(head.rev.map(|rev| rev.0)),
                expected["head"],
                "{name} step {number}"
            );
        }
        let wanted = spelled_out(&document(&row["expectedFinal"]), &recorded_pool);
        assert_eq!(spelled_out(&head.document, &head.pool), wanted, "{name}");
    }
}

#[test]
fn ids() {
    for row in rows("changeset", "ids") {
        let input = row["input"].as_str().unwrap_or_default();
        let found = match string(&row["kind"]) {
            "padId" => PadId::parse(input).is_some(),
            "authorToken" => AuthorToken::parse(input).is_some(),
            _ => continue,
        };
        assert_eq!(json!(found), row["expected"], "{}", row["name"]);
    }
}

/// Rows whose stored changes count newlines wrongly: the recorded value repeats them.
fn is_malformed(changes: &[Changeset]) -> bool {
    let mut document = Document::plain(&[changeset::NEWLINE]);
    changes.iter().any(|change| {
        let recounted = change.recounted(&document).unwrap();
        let changed = recounted.ops != change.ops;
        document = document.apply(&recounted, &numbers()).unwrap();
        changed
    })
}

fn numbers() -> Pool {
    let attribute = |n| (n, changeset::Attribute::new(format!("key{n}"), "value"));
    Pool::from_entries((0..200).map(attribute), 200)
}

#[test]
fn timeslider() {
    let mut compared = 0;
    for row in rows("pad", "timeslider") {
        let name = string(&row["name"]);
        let changes: Vec<Changeset> = row["revs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| Changeset::unpack(string(change)).unwrap())
            .collect();
        let revision = |change: &Changeset| Revision {
            change: change.clone(),
            author: None,
            time: Timestamp(1),
        };
        let revisions: Vec<Revision> = changes.iter().map(revision).collect();
        let request = HistoryRequest {
            start: Rev(row["request"]["start"].as_u64().unwrap()),
            granularity: row["request"]["granularity"].as_u64().unwrap(),
        };
        let pool = pool(&row["pool"]);
        let stretch = request.stretch(Rev(revisions.len() as u64 - 1));
        let mut before = Head {
            pool: Arc::new(pool.clone()),
            ..Head::empty()
        };
        let [start, end] = [stretch.start, stretch.end].map(|rev| rev.0 as usize);
        for revision in &revisions[..start] {
            before = before.replay(revision).unwrap();
        }
        let range = start..end.max(start);
        let history = request
            .answer(&before.document, Timestamp(1), &revisions[range], &pool)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = &row["expected"];
        assert_eq!(json!(start), expected["start"], "{name}");
        assert_eq!(json!(end), expected["actualEndNum"], "{name}");
        if is_malformed(&changes) {
            continue;
        }
        let theirs = expected["forwardsChangesets"].as_array().unwrap().iter();
        let mut theirs = theirs.map(|change| Changeset::unpack(string(change)).unwrap());
        if !theirs.all(|change| spares_final_newline(&change)) {
            // Etherpad fails here, and its page fails on the recorded value.
            assert_eq!(row["peerError"], true, "{name}");
            assert!(history.forwards.iter().all(spares_final_newline), "{name}");
            continue;
        }
        compared += 1;
        let print = |changes: &[Changeset]| changes.iter().map(Changeset::to_string).collect();
        let found: (Vec<String>, Vec<String>) =
            (print(&history.forwards), print(&history.backwards));
        assert_eq!(json!(found.0), expected["forwardsChangesets"], "{name}");
        assert_eq!(json!(found.1), expected["backwardsChangesets"], "{name}");
        assert_eq!(pool_to_json(&history.pool), expected["apool"], "{name}");
    }
    assert!(compared > 0);
}
