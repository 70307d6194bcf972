//! Frames and messages that are noise, or that were right before something in them changed.
//!
//! Nothing of it may disturb others, end the server or damage the pad. `PADSVC_CASES` says how
//! many there are; the same number makes the same garbage.

use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::client::{Request, exchange};
use crate::server::{Server, TempRoot, run, stdout};
use crate::socket::follower::Follower;
use crate::socket::insert;
use crate::socket_client::{Member, token};

const CASES: usize = 500;
/// So many in a row on one connection, if it bears them.
const IN_A_ROW: usize = 10;

#[test]
fn garbage_disturbs_nobody() {
    // Garbage must be read, not slowed down.
    let settings = json!({ "commitRateLimiting": { "duration": 1, "points": 100_000 } });
    let root = TempRoot::with_settings("socket_garbage", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "victim", "text": "base" }));
    let mut reader = Follower::new(Member::join(&server, "victim", &token(1)));
    let mut writer = Member::join(&server, "victim", &token(2));
    let cases = std::env::var("PADSVC_CASES").map_or(CASES, |count| count.parse().unwrap());
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut rev = 0;
    for case in 0..cases.div_ceil(IN_A_ROW) {
        attack(&server, &mut dice);
        // Somebody else goes on writing, and somebody reading.
        writer.change(0, insert(5, &format!("{case} "), &writer.author.clone()));
        let accepted = writer.room("ACCEPT_COMMIT")["newRev"].as_u64().unwrap();
        assert!(accepted > rev, "case {case}");
        rev = accepted;
        reader.read_to(rev);
    }
    let text = server.data("getText", &json!({ "padID": "victim" }));
    assert_eq!(text["text"], reader.text());
    let revisions = server.data("getRevisionsCount", &json!({ "padID": "victim" }));
    assert_eq!(revisions["revisions"], rev);
    let log = server.log();
    assert!(!log.contains("ERROR") && !log.contains("panicked"), "{log}");
    drop((reader, writer));
    server.stop();
    let checked = run(&root, &["check"]);
    assert!(
        stdout(&checked).ends_with("no problems\n"),
        "{}",
        stdout(&checked)
    );
}

/// One connection that sends a few bad things, whatever becomes of it.
fn attack(server: &Server, dice: &mut Dice) {
    if dice.below(8) == 0 {
        for _ in 0..IN_A_ROW {
            let target = format!("/socket.io/?{}", dice.query());
            let body = dice.packet();
            exchange(&server.address, &Request::post(&target).form(body).bytes());
        }
        return;
    }
    let mut member = match dice.below(4) {
        0 => Member::connect(server),
        _ => Member::join(server, "victim", &token(100 + dice.below(20))),
    };
    let author = member.author.clone();
    for _ in 0..IN_A_ROW {
        let packet = dice.message(&author);
        if !member.try_send(&packet) {
            return;
        }
    }
    if dice.below(4) == 0 {
        // Not even a frame. Nothing comes after it.
        let frame = dice.frame();
        let stream = member.stream();
        let _ = stream.write_all(&frame);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        return;
    }
    // A proper question at the end, so that it is known when all of it was read.
    if member.try_send(r#"42999["message",{"component":"pad","type":"none"}]"#) {
        while let Some(packet) = member.packet() {
            if packet.starts_with("43999[") {
                return;
            }
        }
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    fn bytes(&mut self, below: usize) -> Vec<u8> {
        let length = self.below(below);
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    fn query(&mut self) -> String {
        let parts = [
            "EIO=4",
            "EIO=3",
            "EIO=",
            "transport=websocket",
            "transport=polling",
            "transport=x",
            "sid=none",
            "sid=",
            "sid=%00%ff",
            "padId=victim",
            "cookie=token%3Dx",
            "b64=1",
            "%",
        ];
        let query: Vec<&str> = (0..self.below(5)).map(|_| *self.one_of(&parts)).collect();
        query.join("&")
    }

    /// A packet in which something is wrong, on the level of its text.
    fn packet(&mut self) -> Vec<u8> {
        let mut bytes = self.message("a.0123456789abcdef").into_bytes();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(3) {
                0 => bytes[at] = self.below(256) as u8,
                1 => bytes.insert(at, self.below(256) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    }

    /// A message in which something is wrong, on the level of its values.
    fn message(&mut self, author: &str) -> String {
        let samples = samples(author);
        let mut message = self.one_of(&samples).clone();
        for _ in 0..=self.below(2) {
            let value = self.value();
            let place = self.place(&mut message);
            match (self.below(5), place) {
                (0, Value::Object(members)) => members.clear(),
                (1, Value::Object(members)) => drop(members.insert("type".into(), value)),
                (_, place) => *place = value,
            }
        }
        let name = *self.one_of(&["message", "message", "message", "", "shout", "disconnect"]);
        let text = match self.below(10) {
            0 => json!([message]).to_string(),
            1 => json!([name]).to_string(),
            2 => json!([name, message, message]).to_string(),
            _ => json!([name, message]).to_string(),
        };
        // Half of an emoji, as an editor may send it; and texts that end too early.
        let text = text.replace("HALF", "\\ud83d");
        let text = match self.below(20) {
            0 => text.chars().take(self.below(text.len())).collect(),
            _ => text,
        };
        let kind = *self.one_of(&[
            "42",
            "42",
            "42",
            "42",
            "427",
            "42/other,",
            "43",
            "45",
            "4",
            "",
        ]);
        format!("{kind}{text}")
    }

    /// Some place in a message.
    fn place<'a>(&mut self, message: &'a mut Value) -> &'a mut Value {
        let count = match &*message {
            Value::Object(members) => members.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if count == 0 || self.below(5) == 0 {
            return message;
        }
        let at = self.below(count);
        let inner = match message {
            Value::Object(members) => members.values_mut().nth(at),
            Value::Array(items) => items.get_mut(at),
            _ => None,
        };
        self.place(inner.expect("there are so many"))
    }

    fn value(&mut self) -> Value {
        let values = [
            json!(null),
            json!(true),
            json!(-1),
            json!(0),
            json!(1),
            json!(1.5),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e300),
            json!(""),
            json!("x"),
            json!("HALF"),
            json!("\u{0}"),
            json!("victim"),
            json!("r.0123456789abcdef"),
            json!("__proto__"),
            json!("Z:5>1*0+1$x"),
            json!("Z:5<5|1-5$"),
            json!("Z:zzzzzzzz>zzzzzzzz*0+zzzzzzzz$x"),
            json!("long ".repeat(2000)),
            json!([]),
            json!([[[[[[[[[[[[]]]]]]]]]]]]),
            json!({}),
            json!({ "type": "USER_CHANGES" }),
            json!({ "0": ["author", "a.0123456789abcdef"] }),
        ];
        self.one_of(&values).clone()
    }

    /// Bytes that are a frame, or nearly.
    fn frame(&mut self) -> Vec<u8> {
        let body = self.bytes(100);
        let first = self.below(256) as u8;
        let length = self.below(256) as u8;
        match self.below(4) {
            0 => body,
            1 => [
                &[0x81, 0x80 | body.len() as u8, 0, 0, 0, 0],
                body.as_slice(),
            ]
            .concat(),
            2 => [
                &[first, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                body.as_slice(),
            ]
            .concat(),
            _ => [&[first, length, 0, 0, 0, 0], body.as_slice()].concat(),
        }
    }
}

/// Every kind of message there is, each nearly right.
fn samples(author: &str) -> Vec<Value> {
    let pool = json!({ "numToAttrib": { "0": ["author", author] }, "nextNum": 1 });
    let room = [
        json!({ "type": "USER_CHANGES", "baseRev": 0, "changeset": "Z:5>1*0+1$y", "apool": pool }),
        json!({ "type": "USER_CHANGES", "baseRev": 0, "changeset": "Z:5<2=1-2$", "apool": pool }),
        json!({ "type": "CHAT_MESSAGE", "message": { "text": "hello" } }),
        json!({ "type": "GET_CHAT_MESSAGES", "start": 0, "end": 10 }),
        json!({ "type": "USERINFO_UPDATE", "userInfo": { "name": "Eve", "colorId": "#abcdef" } }),
        json!({ "type": "SAVE_REVISION" }),
        json!({ "type": "NAME_SAVED_REVISION", "rev": 0, "label": "Draft" }),
        json!({ "type": "SET_TITLE", "title": "Plan" }),
        json!({ "type": "CURSOR", "rev": 0, "position": 1, "anchor": 2 }),
        json!({
            "type": "CLIENT_MESSAGE",
            "payload": { "type": "suggestUserName", "unnamedId": author, "newName": "Eve" },
        }),
        json!({
            "type": "CLIENT_MESSAGE",
            "payload": { "type": "padoptions", "options": { "view": { "rtlIsTrue": true } } },
        }),
        json!({ "type": "PAD_DELETE", "data": { "padId": "victim", "deletionToken": "wrong" } }),
    ];
    let wrap = |data| json!({ "component": "pad", "type": "COLLABROOM", "data": data });
    let mut samples: Vec<Value> = room.into_iter().map(wrap).collect();
    let request = json!({ "start": 0, "granularity": 1, "requestID": 1 });
    samples.push(json!({ "component": "pad", "type": "CHANGESET_REQ", "data": request }));
    let request = json!({ "rev": 0, "requestID": 1 });
    samples.push(json!({ "component": "pad", "type": "REVISION_REQ", "data": request }));
    let request = json!({ "rev": 0, "position": 1, "requestID": 1 });
    samples.push(json!({ "component": "pad", "type": "ORIGIN_REQ", "data": request }));
    let request = json!({ "before": 1, "requestID": 1 });
    samples.push(json!({ "component": "pad", "type": "PERIODS_REQ", "data": request }));
    samples.push(json!({
        "component": "pad", "type": "CLIENT_READY", "padId": "victim", "token": token(99),
        "userInfo": { "name": "Eve", "colorId": "#abc" }, "reconnect": false, "client_rev": 0,
        "padSettingsDefaults": { "view": {} }, "extensions": ["cursors", "titles"],
    }));
    samples
}
