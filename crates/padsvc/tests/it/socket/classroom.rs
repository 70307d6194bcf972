//! Many people behind one address, and one who says too much.

use serde_json::json;

use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const PUPILS: usize = 40;

#[test]
fn a_class_behind_one_address_works_with_default_settings() {
    let root = TempRoot::new("socket_classroom");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "class", "text": "base" }));
    let mut class: Vec<Member> = (0..PUPILS)
        .map(|pupil| Member::join(&server, "class", &token(pupil)))
        .collect();
    let rounds = ["x", "y", "z"];
    for text in rounds {
        // All at once, each on the text as it was when the lesson began.
        for member in &mut class {
            member.change(0, insert(5, text, &member.author.clone()));
        }
        for member in &mut class {
            member.room("ACCEPT_COMMIT");
        }
    }
    for member in &mut class {
        // Everybody hears of everything, up to what was said last.
        member.say(&json!({ "type": "GET_CHAT_MESSAGES", "start": 0, "end": 0 }));
        member.room("CHAT_MESSAGES");
    }
    let revisions = server.data("getRevisionsCount", &json!({ "padID": "class" }));
    assert_eq!(revisions["revisions"], rounds.len() * PUPILS);
    let written = rounds.map(|text| text.repeat(PUPILS)).concat();
    let text = server.data("getText", &json!({ "padID": "class" }));
    assert_eq!(text["text"], format!("{written}base\n"));
    assert!(!server.log().contains("SLOW"), "{}", server.log());
    drop(class);
    server.stop();
}

#[test]
fn a_member_that_sends_too_much_is_slowed_down_and_loses_nothing() {
    let settings = json!({ "commitRateLimiting": { "duration": 1, "points": 4 } });
    let root = TempRoot::with_settings("socket_too_much", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut loud = Member::join(&server, "notes", &token(1));
    let mut calm = Member::join(&server, "notes", &token(2));
    for number in 0..10 {
        let message = json!({ "text": number.to_string() });
        loud.say(&json!({ "type": "CHAT_MESSAGE", "message": message }));
    }
    calm.change(0, insert(5, "x", &calm.author.clone()));
    assert_eq!(
        calm.room("ACCEPT_COMMIT")["newRev"],
        1,
        "others do not wait"
    );
    let times: Vec<i64> = (0..10)
        .map(|number| {
            let heard = loud.room("CHAT_MESSAGE")["message"].take();
            assert_eq!(heard["text"], number.to_string());
            heard["time"].as_i64().unwrap()
        })
        .collect();
    // The first three are free, since joining was a message too; then there are four a second.
    let took = times[9] - times[0];
    assert!(took >= 1500, "all were heard within {took} ms");
    let slowed = server.log().matches(" access: SLOW ").count();
    assert_eq!(slowed, 1);
    drop((loud, calm));
    server.stop();
}
