//! The past of a pad as its history page asks for it: by steps, and by the text at a revision.

use std::sync::Arc;

use changeset::{Attribute, Changeset, NEWLINE, OpKind, Pool, Text, splice};
use pad::{Head, PadId, Revision, Step, Timestamp};
use serde_json::{Value, json};
use store::{Location, NewPad, Store};

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

const AUTHOR: &str = "a.0000000000000001";
const LINES: usize = 200;

/// A text that stays as long as it is, while revision after revision changes a letter in it.
fn written(revisions: usize) -> Step {
    let mut pool = Pool::new();
    let attribs = pool.attribs_of_insert(&[Attribute::new("author", AUTHOR)]);
    let mut head = Head {
        pool: Arc::new(pool),
        ..Head::empty()
    };
    let mut all = Vec::with_capacity(revisions);
    let mut write = |change: Changeset, head: &Head| {
        let revision = Revision {
            change,
            author: pad::AuthorId::parse(AUTHOR),
            time: Timestamp(1_790_000_000_000 + 1_000 * all.len() as i64),
        };
        let head = head.replay(&revision).unwrap();
        all.push(revision);
        head
    };
    let text = "forty letters and some more of the text\n".repeat(LINES);
    let first = splice(&head.document, 0, 0, &Text::from(&*text), &attribs);
    head = write(first, &head);
    for number in 1..revisions {
        let letter = char::from(b'a' + (number % 26) as u8);
        let place = (number * 7_919) % (head.document.len() - 1);
        // Lines stay lines.
        let place = place - usize::from(head.document.unit_at(place) == Some(NEWLINE));
        let letter = Text::from(&*letter.to_string());
        let change = splice(&head.document, place, 1, &letter, &attribs);
        head = write(change, &head);
    }
    Step {
        revisions: all,
        head,
    }
}

fn server(name: &str, pads: &[(&str, &Step)]) -> Server {
    let root = TempRoot::new(name);
    std::fs::create_dir(root.path("var")).unwrap();
    let location = Location::Embedded(root.path("var/padsvc.db"));
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = Store::open(location).await.unwrap();
        for (name, step) in pads {
            let new = NewPad {
                id: &PadId::parse(name).unwrap(),
                step,
                deletion: None,
                public: false,
                settings: None,
            };
            store.create_pad(new).await.unwrap().unwrap();
        }
        store.close().await;
    });
    Server::start(&root)
}

fn ask(member: &mut Member, kind: &str, data: Value) -> (Value, usize) {
    member.tell(&json!({ "component": "pad", "type": kind, "data": data }));
    let mut answer = member.message();
    assert_eq!(answer["type"], kind, "{answer}");
    let bytes = answer.to_string().len();
    (answer["data"].take(), bytes)
}

#[test]
fn the_text_at_a_revision_can_be_asked_for() {
    let step = written(300);
    let server = server("socket_past", &[("notes", &step)]);
    let mut member = Member::join(&server, "notes", &token(1));
    let document = |rev: usize| {
        let empty = Head {
            pool: Arc::clone(&step.head.pool),
            ..Head::empty()
        };
        let replay = |head: Head, revision: &Revision| head.replay(revision).unwrap();
        step.revisions[..=rev].iter().fold(empty, replay).document
    };
    for (asked, rev) in [(0, 0), (137, 137), (299, 299), (5_000, 299)] {
        let request = json!({ "rev": asked, "requestID": "mine" });
        let (answer, _) = ask(&mut member, "REVISION_REQ", request);
        assert_eq!(answer["rev"], rev);
        assert_eq!(answer["requestID"], "mine");
        assert_eq!(answer["author"], AUTHOR);
        assert_eq!(answer["time"], 1_790_000_000_000_u64 + 1_000 * rev as u64);
        assert_eq!(answer["atext"]["text"], document(rev).text().to_string());
        assert_eq!(
            answer["apool"]["numToAttrib"],
            json!({ "0": ["author", AUTHOR] })
        );
    }
    for wrong in [
        json!({ "rev": -1, "requestID": 1 }),
        json!({ "rev": 1 }),
        json!(null),
    ] {
        member.tell(&json!({ "component": "pad", "type": "REVISION_REQ", "data": wrong }));
    }
    for wrong in [0, 101, u64::MAX] {
        let wrong = json!({ "start": 0, "granularity": wrong, "requestID": 1 });
        member.tell(&json!({ "component": "pad", "type": "CHANGESET_REQ", "data": wrong }));
    }
    // Nothing was answered to those.
    let (answer, _) = ask(
        &mut member,
        "REVISION_REQ",
        json!({ "rev": 1, "requestID": 2 }),
    );
    assert_eq!(answer["requestID"], 2);
    let request = json!({ "start": 0, "granularity": 100, "requestID": 3 });
    let (answer, _) = ask(&mut member, "CHANGESET_REQ", request);
    assert_eq!(answer["actualEndNum"], 300);
    server.stop();
}

#[test]
fn a_place_is_traced_to_the_revision_that_wrote_it() {
    let step = written(1_500);
    let server = server("socket_origin", &[("notes", &step)]);
    let mut member = Member::join(&server, "notes", &token(1));
    let newest = step.revisions.len() - 1;
    // Of the text that a revision left, a place that it has written itself.
    let place = |rev: usize| {
        let mut at = 0;
        for op in &step.revisions[rev].change.ops {
            match op.kind {
                OpKind::Insert => return at,
                OpKind::Keep => at += op.chars,
                OpKind::Delete => {}
            }
        }
        panic!("revision {rev} writes nothing")
    };
    for rev in [0, 700, newest] {
        let request = json!({ "rev": rev, "position": place(rev), "requestID": rev });
        let (answer, _) = ask(&mut member, "ORIGIN_REQ", request);
        let time = 1_790_000_000_000_u64 + 1_000 * rev as u64;
        let expected = json!({ "rev": rev, "time": time, "earlier": false, "requestID": rev });
        assert_eq!(answer, expected);
    }
    // The final newline is as old as the pad: further back than anybody looks.
    let length = step.head.document.len();
    let request = json!({ "rev": 99_999, "position": length - 1, "requestID": 1 });
    let (answer, _) = ask(&mut member, "ORIGIN_REQ", request);
    assert_eq!(
        (&answer["rev"], &answer["earlier"]),
        (&json!(500), &json!(true))
    );
    let request = json!({ "rev": newest, "position": length, "requestID": 1 });
    let (answer, _) = ask(&mut member, "ORIGIN_REQ", request);
    assert_eq!(answer["rev"], Value::Null);
    for wrong in [
        json!({ "rev": 0, "position": -1, "requestID": 1 }),
        json!({ "rev": 0, "position": u64::MAX, "requestID": 1 }),
        json!({ "position": 1, "requestID": 1 }),
    ] {
        let message = json!({ "component": "pad", "type": "ORIGIN_REQ", "data": wrong });
        assert!(matches!(member.ask(&message), Some(Some(_))), "{message}");
    }
    server.stop();
}

/// Asks for all periods of a history that was written without a pause, newest first. The most bytes
/// of an answer.
fn periods(member: &mut Member, newest: u64) -> usize {
    let mut before = Value::Null;
    let mut next = newest + 1;
    let mut most = 0;
    while next > 0 {
        let request = json!({ "before": before, "requestID": "mine" });
        let (answer, bytes) = ask(member, "PERIODS_REQ", request);
        assert_eq!(answer["requestID"], "mine");
        let found = answer["periods"].as_array().unwrap();
        assert!((1..=100).contains(&found.len()));
        for period in found {
            assert_eq!(period["last"], next - 1);
            next = period["first"].as_u64().unwrap();
            assert_eq!(period["authors"], json!([AUTHOR]));
            assert_eq!(period["began"], 1_790_000_000_000 + 1_000 * next);
        }
        before = answer["next"].clone();
        assert_eq!(before.as_u64().unwrap_or(0), next);
        most = most.max(bytes);
    }
    assert_eq!(before, Value::Null);
    for wrong in [
        json!({ "before": -1, "requestID": 1 }),
        json!({}),
        json!(null),
    ] {
        let message = json!({ "component": "pad", "type": "PERIODS_REQ", "data": wrong });
        assert!(matches!(member.ask(&message), Some(Some(_))), "{message}");
    }
    most
}

/// What the history page takes to open, and for any jump, does not grow with the history.
#[test]
fn a_long_history_takes_no_more_bytes_than_a_short_one() {
    let [short, long] = [1_000, 100_000].map(written);
    let server = server("socket_long_past", &[("short", &short), ("long", &long)]);
    let mut bytes = Vec::new();
    for (name, step) in [("short", &short), ("long", &long)] {
        let mut member = Member::join(&server, name, &token(1));
        let newest = step.revisions.len() - 1;
        let opening = member.vars.to_string().len();
        let mut most = (0, 0);
        for place in 0..20 {
            let rev = newest * place / 20;
            let request = json!({ "rev": rev, "requestID": 1 });
            let (_, document) = ask(&mut member, "REVISION_REQ", request);
            let request = json!({ "start": rev - rev % 100, "granularity": 1, "requestID": 1 });
            let (answer, steps) = ask(&mut member, "CHANGESET_REQ", request);
            assert!(answer["forwardsChangesets"].as_array().unwrap().len() <= 100);
            most = (document.max(most.0), steps.max(most.1));
        }
        let list = periods(&mut member, newest as u64);
        bytes.push([opening, most.0, most.1, list]);
    }
    println!("bytes to open, of a document, of steps, of periods: {bytes:?}");
    for (short, long) in bytes[0].iter().zip(bytes[1]) {
        // Numbers of revisions have a few more digits.
        assert!(long <= short + 2_000, "{bytes:?}");
    }
    server.stop();
}
