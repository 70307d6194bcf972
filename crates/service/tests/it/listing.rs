//! The kept list of pads is what reading it again would give, after every kind of change.

use serde_json::{Value, json};
use service::api::{Argument, Arguments, Caller, Version};
use service::{Config, Service};

use crate::world;

async fn call(service: &Service, function: &str, given: &[(&str, &str)]) -> Value {
    let mut arguments = Arguments::new();
    for (name, value) in given {
        arguments.push(*name, Argument::Text((*value).to_owned()));
    }
    let answer = service
        .call(Version::LATEST, function, arguments, Caller::Trusted)
        .await;
    answer.unwrap().into_value()
}

#[tokio::test]
async fn list_follows_every_change() {
    let service = world::service(Config {
        compaction: true,
        ..Config::default()
    })
    .await;
    let group = call(&service, "createGroup", &[]).await;
    let group = group["groupID"].as_str().unwrap();
    let in_group = format!("{group}$plan");
    let changes: &[(&str, &[(&str, &str)])] = &[
        ("createPad", &[("padID", "one")]),
        ("copyPad", &[("sourceID", "one"), ("destinationID", "two")]),
        (
            "movePad",
            &[("sourceID", "two"), ("destinationID", "three")],
        ),
        (
            "copyPadWithoutHistory",
            &[("sourceID", "one"), ("destinationID", "four")],
        ),
        ("createGroupPad", &[("groupID", group), ("padName", "plan")]),
        (
            "movePad",
            &[
                ("sourceID", "one"),
                ("destinationID", "three"),
                ("force", "true"),
            ],
        ),
        ("setText", &[("padID", "three"), ("text", "new")]),
        ("compactPad", &[("padID", "three")]),
        ("deletePad", &[("padID", "four")]),
        ("deleteGroup", &[("groupID", group)]),
        ("deletePad", &[("padID", "three")]),
    ];
    let mut seen = vec![call(&service, "listAllPads", &[]).await];
    for (function, arguments) in changes {
        call(&service, function, arguments).await;
        let listed = call(&service, "listAllPads", &[]).await;
        let pads = service.list_all_pads().await.unwrap();
        let names: Vec<&str> = pads.iter().map(pad::PadId::as_str).collect();
        assert_eq!(listed, json!({ "padIDs": names }), "after {function}");
        seen.push(listed);
    }
    assert!(seen.contains(&json!({"padIDs": ["four", in_group, "one", "three"]})));
    assert_eq!(seen.last(), Some(&json!({ "padIDs": [] })));
    service.stop().await;
}
