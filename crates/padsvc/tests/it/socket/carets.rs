//! Where others are: an extension that clients announce.

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

fn join(server: &Server, pad: &str, person: usize) -> Member {
    let mut member = Member::connect(server);
    let extensions = json!(["something else", "cursors"]);
    member.ready(&json!({ "padId": pad, "token": token(person), "extensions": extensions }));
    member.welcomed();
    member
}

fn caret(rev: u64, position: u64, anchor: u64) -> Value {
    json!({ "type": "CURSOR", "rev": rev, "position": position, "anchor": anchor })
}

#[test]
fn those_who_announced_it_see_where_others_are() {
    let root = TempRoot::new("socket_carets");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut ada = join(&server, "notes", 1);
    let mut bob = join(&server, "notes", 2);
    let mut stock = Member::join(&server, "notes", &token(3));
    assert_eq!(ada.vars["extensions"], json!(["cursors"]));
    assert_eq!(stock.vars.get("extensions"), None);
    ada.say(&caret(0, 3, 1));
    let expected = json!({
        "type": "CURSOR", "author": ada.author, "rev": 0, "position": 3, "anchor": 1,
    });
    assert_eq!(bob.room("CURSOR"), expected);
    // Nobody gets a place that cannot be, or by somebody who may not write.
    let read_only = server.data("getReadOnlyID", &json!({ "padID": "notes" }));
    let mut reader = join(&server, read_only["readOnlyID"].as_str().unwrap(), 4);
    assert_eq!(
        reader.room("CURSOR"),
        expected,
        "those who join later get it"
    );
    reader.say(&caret(0, 1, 1));
    stock.say(&caret(0, 1, 1));
    for wrong in [
        caret(1, 0, 0),
        caret(0, 1 << 40, 0),
        json!({ "type": "CURSOR", "rev": 0, "position": -1, "anchor": 0 }),
        json!({ "type": "CURSOR", "rev": 0, "position": 0.5, "anchor": 0 }),
        json!({ "type": "CURSOR", "rev": 0, "position": "1", "anchor": 0 }),
        json!({ "type": "CURSOR" }),
    ] {
        bob.say(&wrong);
    }
    bob.say(&caret(0, 4, 4));
    let heard = ada.room("CURSOR");
    assert_eq!(
        (&heard["author"], &heard["position"]),
        (&json!(bob.author), &json!(4))
    );
    // The others have heard everything by now; who did not ask heard nothing of it.
    bob.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": "done" } }));
    loop {
        let message = stock.message();
        assert_ne!(message["data"]["type"], "CURSOR");
        if message["data"]["type"] == "CHAT_MESSAGE" {
            break;
        }
    }
    drop((ada, bob, stock, reader));
    server.stop();
}
