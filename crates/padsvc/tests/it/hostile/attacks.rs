//! What the crowd does. Each attack ends by itself; `None` means that it was refused or cut off.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Arena, Dice};
use crate::client::{Request, multipart_file};

pub(super) type Attack = fn(&Arena, &mut Dice) -> Option<()>;

pub(super) const ATTACKS: [(&str, Attack); 10] = [
    ("sockets of other origins", other_origin),
    ("silent connections", silent),
    ("slow bodies", slow_body),
    ("clients that never read", never_read),
    ("oversized names", oversized_name),
    ("oversized attributes", oversized_attribute),
    ("bombs as files", bomb),
    ("abused relays", abuse_relay),
    ("many pads", many_pads),
    ("garbage", garbage),
];

/// The length of the pad `book`.
pub(super) const BOOK: usize = 2_000_000;

/// A page of another origin, with the cookies of its visitor.
fn other_origin(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let origin = ["http://127.0.0.1:1", "https://evil.example", "null"][dice.below(3)];
    let headers = [("cookie", arena.cookies.as_str()), ("origin", origin)];
    let mut member = arena.connect(dice, &headers)?;
    member.ready(&json!({ "padId": arena.group_pad }));
    let answer = member.next_message()?;
    assert_eq!(answer, json!({ "accessStatus": "deny" }));
    Some(())
}

fn silent(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut held = Vec::new();
    for _ in 0..20 {
        let mut stream = arena.dial(dice)?;
        let opening: &[u8] = match dice.below(3) {
            0 => b"",
            1 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            _ => b"GET / HTTP/1.1\r\nhost: pa",
        };
        stream.write_all(opening).ok()?;
        held.push(stream);
    }
    arena.pause(Duration::from_millis(dice.below(2000) as u64));
    Some(())
}

/// A body that takes its time.
fn slow_body(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut stream = arena.dial(dice)?;
    let target = ["/p/slow/import", "/api/1/createPad"][dice.below(2)];
    let head = format!("POST {target} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    for _ in 0..1 + dice.below(10) {
        stream.write_all(b"x").ok()?;
        arena.pause(Duration::from_millis(100));
    }
    Some(())
}

fn never_read(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut member = arena.connect(dice, &[])?;
        member.try_ready(&json!({ "padId": "book" }))?;
        let past = json!({ "component": "pad", "type": "REVISION_REQ",
            "data": { "rev": 1, "requestID": 1 } });
        for _ in 0..3 {
            let packet = format!("42{}", json!(["message", past]));
            member.try_send(&packet).then_some(())?;
        }
        held.push(member);
    }
    arena.pause(Duration::from_millis(dice.below(2000) as u64));
    Some(())
}

fn oversized_name(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut member = arena.join(dice, "notes-of-others")?;
    let name = "n".repeat(1000 + dice.below(300_000));
    let info =
        json!({ "type": "USERINFO_UPDATE", "userInfo": { "name": name, "colorId": "#123456" } });
    member.ask(&in_pad(&info))?;
    Some(())
}

fn oversized_attribute(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut member = arena.join(dice, "attributes")?;
    let value = "v".repeat(5000 + dice.below(300_000));
    let pool = json!({
        "numToAttrib": { "0": ["author", member.author], "1": ["link", value] },
        "nextNum": 2,
    });
    let length = changeset::print_number(member.length());
    let rev = member.vars["collab_client_vars"]["rev"].clone();
    let change = json!({
        "type": "USER_CHANGES", "baseRev": rev,
        "changeset": format!("Z:{length}>1*0*1+1$x"), "apool": pool,
    });
    member.ask(&in_pad(&change))?;
    Some(())
}

/// A small file that is a large document.
fn bomb(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let (name, file) = match dice.below(3) {
        0 => ("bomb.docx", docx(200_000)),
        1 => ("bomb.html", "<p></p>".repeat(150_000).into_bytes()),
        _ => ("bomb.html", "<ul><li>".repeat(100_000).into_bytes()),
    };
    let (kind, body) = multipart_file(name, &file);
    let target = format!("/p/bomb{}/import", dice.below(5));
    let request = Request::post(&target).body(&kind, body);
    let mut stream = arena.dial(dice)?;
    stream.write_all(&request.bytes()).ok()?;
    stream.read_to_end(&mut Vec::new()).ok()?;
    Some(())
}

fn docx(lines: usize) -> Vec<u8> {
    let text: Vec<u16> = "\n".repeat(lines).encode_utf16().collect();
    let document = changeset::Document::plain(&text);
    convert::docx::write("bomb", &document, &changeset::Pool::new())
}

/// Tries to have the server say something to the witness, which would not expect it.
fn abuse_relay(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let mut member = arena.join(dice, "notes")?;
    let suggestion = json!({
        "type": "suggestUserName", "unnamedId": arena.witness, "newName": "n",
        "disconnect": "deleted",
    });
    let options = json!({ "type": "padoptions", "options": { "disconnect": "deleted" } });
    for payload in [suggestion, options] {
        let mut message = in_pad(&json!({ "type": "CLIENT_MESSAGE", "payload": payload }));
        message["disconnect"] = json!("deleted");
        member.ask(&message)?;
    }
    let delete = json!({ "type": "PAD_DELETE", "data": { "padId": "notes" } });
    assert!(
        member.ask(&in_pad(&delete))?.is_some(),
        "a stranger deleted the pad"
    );
    Some(())
}

fn many_pads(arena: &Arena, dice: &mut Dice) -> Option<()> {
    for _ in 0..10 {
        let pad = format!("pad-{}", dice.below(1_000_000_000));
        arena.join(dice, &pad)?;
    }
    Some(())
}

fn garbage(arena: &Arena, dice: &mut Dice) -> Option<()> {
    let length = 1 + dice.below(5000);
    let bytes = dice.bytes(length);
    let mut stream = match dice.below(2) {
        0 => arena.dial(dice)?,
        _ => arena.join(dice, "garbage")?.stream().try_clone().ok()?,
    };
    stream.write_all(&bytes).ok()?;
    stream.shutdown(Shutdown::Write).ok()?;
    let mut answer = [0; 1024];
    while let Ok(1..) = stream.read(&mut answer) {}
    Some(())
}

fn in_pad(data: &Value) -> Value {
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}
