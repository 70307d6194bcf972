//! What a real Etherpad answered, compared with what padsvc answers.

use changeset::{Changeset, OpKind, Text};
use sha2::{Digest as _, Sha256};
use wtf_json::{Json, parse, push_json};

use super::fixture;
use crate::client::Request;
use crate::server::{Server, TempRoot};
use crate::socket_client::Member;
use serde_json::json;

/// Longer strings are recorded as a hash.
const LONGEST: usize = 8_000;
/// Of these the order of what is listed says nothing: it is that of the keys of an object.
const UNORDERED: [&str; 4] = [
    "listAllPads",
    "listAllGroups",
    "listPads",
    "listAuthorsOfPad",
];

pub(super) struct Row {
    pub pad: Option<String>,
    pub function: String,
    params: String,
    answer: Json,
}

impl Row {
    pub(super) fn param(&self, name: &str) -> Option<u64> {
        parse(self.params.as_bytes()).unwrap().get(name)?.as_u64()
    }
}

/// The recorded answers about a database.
pub(super) fn rows(name: &str) -> Vec<Row> {
    let text = fixture(&format!("expected/{name}.jsonl"));
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let row = |line: &[u8]| {
        let json = parse(line).unwrap();
        Some(Row {
            pad: json.get("pad").and_then(Json::to_str),
            function: json.get("function")?.to_str()?,
            params: printed(json.get("params")?),
            answer: json.get("answer")?.clone(),
        })
    };
    lines.filter_map(row).collect()
}

/// Starts a server and compares all recorded answers that are wanted.
pub(super) fn compare(root: &TempRoot, name: &str, version: &str, wanted: impl Fn(&Row) -> bool) {
    let server = Server::start(root);
    let mut count = 0;
    let mut differences = Vec::new();
    let is_lasting = |row: &Row| !row.answer.get("data").is_some_and(ends_soon);
    let wanted = |row: &&Row| wanted(row) && is_lasting(row);
    for row in rows(name).iter().filter(wanted) {
        count += 1;
        let theirs = printed(&normal(&row.function, theirs(row)));
        let ours = printed(&normal(&row.function, ours(&server, version, row)));
        if ours != theirs {
            let (function, params) = (&row.function, &row.params);
            differences.push(format!(
                "{function} {params}\n  {}",
                first_difference(&theirs, &ours)
            ));
        }
    }
    server.stop();
    assert!(count > 0);
    let shown: Vec<&str> = differences.iter().take(20).map(String::as_str).collect();
    let shown = shown.join("\n");
    assert!(
        differences.is_empty(),
        "{name}: {} of {count} answers differ:\n{shown}",
        differences.len()
    );
}

fn ours(server: &Server, version: &str, row: &Row) -> Json {
    if row.function == "author of cookie token" {
        let token = parse(row.params.as_bytes()).unwrap();
        let token = token.get("token").and_then(Json::to_str).unwrap();
        let mut member = Member::connect_with_cookie(server, &format!("token={token}"));
        member.ready(&json!({ "padId": "simple" }));
        member.welcomed();
        return parse(json!({ "authorID": member.author }).to_string().as_bytes()).unwrap();
    }
    let request = Request::post(&format!("/api/{version}/{}", row.function))
        .header("apikey", &server.key)
        .body("application/json", row.params.clone());
    parse(&server.send(&request).body).unwrap()
}

/// Their answer as ours has to be: the system author has another name, and where the contract has
/// another shape than Etherpad, that one.
fn theirs(row: &Row) -> Json {
    let text = printed(&row.answer).replace("a.etherpad-system", "a.padsvc-system");
    let answer = parse(text.as_bytes()).unwrap();
    let data = answer.get("data").cloned().unwrap_or_default();
    let message = answer.get("message").and_then(Json::to_str);
    match (&*row.function, message.as_deref()) {
        ("getAuthorName", Some("ok")) => ok(r#"{"authorName":DATA}"#, &data),
        // Version 1.8.14 gave the text of a revision with its attributes.
        ("getText", Some("ok")) if is_attributed(&data) => {
            let text = data.get("text").and_then(|text| text.get("text"));
            ok(r#"{"text":DATA}"#, text.unwrap_or(&Json::Null))
        }
        // Some headers of Etherpad's count wrong; here they are right.
        ("getRevisionChangeset", Some("ok")) => ok("DATA", &counted(&data)),
        ("getChatHistory", Some("start is higher than the current chatHead")) => {
            ok(r#"{"messages":[]}"#, &data)
        }
        ("getChatHistory", Some("ok")) => ok("DATA", &with_numbers(data)),
        _ => answer,
    }
}

/// Times of chat messages are numbers, also where a caller of the API once gave a string.
fn with_numbers(json: Json) -> Json {
    let time = Text::from("time");
    match json {
        Json::Object(members) => {
            let member = |(name, value): (Text, Json)| match value.to_str() {
                Some(digits) if name == time => (name, Json::from(digits.parse::<u64>().unwrap())),
                _ => (name, with_numbers(value)),
            };
            Json::Object(members.into_iter().map(member).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(with_numbers).collect()),
        other => other,
    }
}

fn is_attributed(data: &Json) -> bool {
    data.get("text")
        .is_some_and(|text| text.get("attribs").is_some())
}

/// A changeset whose header says how much it really changes, without characters that it does not
/// insert.
fn counted(changeset: &Json) -> Json {
    let unpacked = changeset
        .as_text()
        .map(|text| Changeset::unpack_units(text));
    match unpacked {
        Some(Ok(mut changeset)) => {
            let ops = changeset.ops.iter();
            let used = ops.clone().filter(|op| op.kind == OpKind::Insert);
            let used = used.map(|op| op.chars).sum();
            changeset.bank = changeset.bank[..used].to_vec().into();
            changeset.new_len = ops.fold(changeset.old_len, |len, op| match op.kind {
                OpKind::Insert => len + op.chars,
                OpKind::Delete => len - op.chars,
                OpKind::Keep => len,
            });
            Json::from(changeset.print())
        }
        _ => changeset.clone(),
    }
}

fn ok(shape: &str, data: &Json) -> Json {
    let data = shape.replace("DATA", &printed(data));
    parse(format!(r#"{{"code":0,"message":"ok","data":{data}}}"#).as_bytes()).unwrap()
}

fn normal(function: &str, mut answer: Json) -> Json {
    sort(&mut answer, UNORDERED.contains(&function));
    answer
}

/// Whether it is a session of the recording that ends long before the others. A day after its end a
/// session is removed, so what is answered about it depends on when the test runs.
fn ends_soon(session: &Json) -> bool {
    const LASTING: u64 = 2_000_000_000;
    let end = session.get("validUntil").and_then(Json::as_u64);
    end.is_some_and(|end| end < LASTING)
}

/// Leaves out sessions that end soon; orders members, and items where their order says nothing;
/// replaces long strings.
fn sort(json: &mut Json, lists: bool) {
    match json {
        Json::Object(members) => {
            members.retain(|(_, value)| !ends_soon(value));
            members.iter_mut().for_each(|(_, value)| sort(value, lists));
            members.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Json::Array(items) => {
            items.iter_mut().for_each(|item| sort(item, lists));
            if lists {
                items.sort_by_key(printed);
            }
        }
        Json::String(text) => {
            let plain = text.to_string_lossy();
            let codepoints = plain.chars().count();
            if codepoints > LONGEST {
                let hash = Sha256::digest(plain.as_bytes());
                let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
                *json = Json::Object(vec![
                    (Text::from("codepoints"), Json::from(codepoints as u64)),
                    (Text::from("sha256"), Json::from(hash.as_str())),
                ]);
            }
        }
        _ => {}
    }
}

fn printed(json: &Json) -> String {
    let mut text = String::new();
    push_json(&mut text, json);
    text
}

/// Where two texts part.
fn first_difference(theirs: &str, ours: &str) -> String {
    let same = theirs.chars().zip(ours.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    let shown = |text: &str| -> String {
        text.chars()
            .skip(same.saturating_sub(60))
            .take(160)
            .collect()
    };
    format!("theirs: {}\n  ours:   {}", shown(theirs), shown(ours))
}
