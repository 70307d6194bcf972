//! Templates over sockets: a visitor names one in CLIENT_READY, and learns what became of it.

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

const LETTER: &str = "<p><strong>Dear</strong> all</p>";

fn join(server: &Server, pad: &str, person: usize, template: &Value) -> Member {
    let mut member = Member::connect(server);
    member.ready(&json!({ "padId": pad, "token": token(person), "template": template }));
    member.welcomed();
    member
}

fn text(member: &Member) -> &str {
    let text = &member.vars["collab_client_vars"]["initialAttributedText"]["text"];
    text.as_str().unwrap()
}

#[test]
fn a_visitor_starts_a_pad_from_a_template() {
    let root = TempRoot::new("socket_templates");
    let settings = json!({
        "defaultPadText": "Hello",
        "templates": [{ "name": "letter", "pad": "the_letter" }],
    });
    root.write("settings.json", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "the_letter" }));
    server.data("setHTML", &json!({ "padID": "the_letter", "html": LETTER }));

    let cases = [
        // By the operator's name for it, and by its own.
        ("by_name", json!("letter"), json!("copied"), "Dear all\n"),
        ("by_pad", json!("the_letter"), json!("copied"), "Dear all\n"),
        ("by_name", json!("letter"), json!("ignored"), "Dear all\n"),
        ("missing", json!("nowhere"), json!("missing"), "Hello\n"),
        // What is no name is not looked for.
        ("empty", json!(""), Value::Null, "Hello\n"),
        ("number", json!(7), Value::Null, "Hello\n"),
        ("long", json!("x".repeat(2_000)), Value::Null, "Hello\n"),
        ("none", Value::Null, Value::Null, "Hello\n"),
    ];
    for (person, (pad, template, outcome, start)) in cases.iter().enumerate() {
        let member = join(&server, pad, person, template);
        assert_eq!(member.vars["template"], *outcome, "{pad} from {template}");
        assert_eq!(
            text(&member).trim_end(),
            start.trim_end(),
            "{pad} from {template}"
        );
    }
    let html = server.data("getHTML", &json!({ "padID": "by_name" }));
    let html = html["html"].as_str().unwrap();
    assert!(html.contains("<strong>Dear</strong> all"), "{html}");
    server.stop();
}

#[test]
fn two_people_who_start_the_same_pad_from_a_template_get_one_copy() {
    let root = TempRoot::new("socket_templates_two");
    let server = Server::start(&root);
    server.data(
        "createPad",
        &json!({ "padID": "letter", "text": "Dear all" }),
    );
    let letter = json!("letter");
    let mut both = [1, 2].map(|person| {
        let mut member = Member::connect(&server);
        let token = token(person);
        member.ready(&json!({ "padId": "both", "token": token, "template": letter }));
        member
    });
    for member in &mut both {
        member.welcomed();
        assert_eq!(text(member), "Dear all\n");
    }
    let mut outcomes = both.each_ref().map(|member| &member.vars["template"]);
    outcomes.sort_by_key(|outcome| outcome.to_string());
    assert_eq!(outcomes, [&json!("copied"), &json!("ignored")]);
    drop(both);
    server.stop();
}
