//! The page of one pad, and what can be done to it there.

use super::*;

async fn call(site: &Router, function: &str, query: &str) -> Value {
    let path = format!("/api/1.3.0/{function}?apikey=secret&{query}");
    let answer = get(site, &path).await;
    assert_eq!(answer["code"], 0, "{answer}");
    answer["data"].clone()
}

async fn archive(site: &Router, pads: &[&str]) -> Value {
    let path = "/admin/api/pads/archive";
    let (status, outcome) = send(site, "POST", path, json!({ "pads": pads })).await;
    assert_eq!(status, StatusCode::OK);
    outcome
}

#[tokio::test]
async fn a_pad_is_described_without_what_is_written_in_it() {
    let site = site().await;
    create(&site, &["notes"]).await;
    let author = call(&site, "createAuthor", "name=Ada").await["authorID"].clone();
    let author = author.as_str().unwrap();
    let text = "text=Good%20morning";
    call(
        &site,
        "setText",
        &format!("padID=notes&{text}&authorId={author}"),
    )
    .await;
    call(
        &site,
        "appendChatMessage",
        &format!("padID=notes&text=psst&authorID={author}"),
    )
    .await;
    call(&site, "saveRevision", "padID=notes&rev=1").await;
    let pad = get(&site, "/admin/api/pad?pad=notes").await;
    for (key, value) in [
        ("id", json!("notes")),
        ("title", Value::Null),
        ("group", Value::Null),
        ("revisions", json!(1)),
        ("characters", json!("Good morning\n".len())),
        ("messages", json!(1)),
        ("saved", json!(1)),
        ("people", json!([])),
        ("authorCount", json!(1)),
        ("readOnlyId", Value::Null),
    ] {
        assert_eq!(pad[key], value, "{key}");
    }
    assert_eq!(pad["authors"][0]["id"], author);
    assert_eq!(pad["authors"][0]["name"], "Ada");
    assert!(pad["bytes"].as_u64().unwrap() > 0);
    assert!(pad["created"].as_i64() <= pad["edited"].as_i64());
    let text = pad.to_string();
    assert!(!text.contains("morning") && !text.contains("psst"), "{text}");
    let id = call(&site, "getReadOnlyID", "padID=notes").await["readOnlyID"].clone();
    let pad = get(&site, "/admin/api/pad?pad=notes").await;
    assert_eq!(pad["readOnlyId"], id);
}

#[tokio::test]
async fn a_pad_of_a_group_says_which() {
    let site = site().await;
    let group = call(&site, "createGroup", "").await["groupID"].clone();
    let group = group.as_str().unwrap();
    call(
        &site,
        "createGroupPad",
        &format!("groupID={group}&padName=plan"),
    )
    .await;
    let pad = get(&site, &format!("/admin/api/pad?pad={group}$plan")).await;
    assert_eq!(pad["group"], group);
    assert_eq!(pad["public"], false);
    // Its archive is one of the group's too.
    let name = format!("{group}$plan");
    assert_eq!(archive(&site, &[&name]).await["done"], json!([name]));
    let left = get(&site, "/admin/api/pads").await;
    let [archived] = names(&left)[..] else {
        panic!("{left}");
    };
    let start = format!("{group}$archived-");
    assert!(archived.starts_with(&start) && archived.ends_with("-plan"));
}

#[tokio::test]
async fn a_pad_that_is_not_there_has_no_page() {
    let site = site().await;
    for (query, status) in [
        ("pad=none", StatusCode::NOT_FOUND),
        ("pad=", StatusCode::BAD_REQUEST),
        ("", StatusCode::BAD_REQUEST),
    ] {
        let path = format!("/admin/api/pad?{query}");
        let (answered, body) = send(&site, "GET", &path, Value::Null).await;
        assert_eq!(answered, status, "{query}");
        assert!(body["error"].is_string());
    }
}

/// With text, history, chat and the address for readers. A second pad of the same name, on the
/// same day, is another archive.
#[tokio::test]
async fn an_archive_is_the_pad_under_another_name() {
    let site = site().await;
    create(&site, &["notes"]).await;
    let id = call(&site, "getReadOnlyID", "padID=notes").await["readOnlyID"].clone();
    call(&site, "setText", "padID=notes&text=first").await;
    let outcome = archive(&site, &["notes", "none"]).await;
    let expected = json!({ "done": ["notes"], "failed": { "none": "padID does not exist" } });
    assert_eq!(outcome, expected);
    create(&site, &["notes"]).await;
    assert_eq!(archive(&site, &["notes"]).await["done"], json!(["notes"]));
    let left = get(&site, "/admin/api/pads?sort=name").await;
    let [first, second] = names(&left)[..] else {
        panic!("{left}");
    };
    assert!(first.starts_with("archived-20") && first.ends_with("-notes"));
    assert_eq!(second, format!("{first}-2"));
    let pad = get(&site, &format!("/admin/api/pad?pad={first}")).await;
    assert_eq!(pad["revisions"], 1);
    assert_eq!(pad["readOnlyId"], id);
    let text = call(&site, "getText", &format!("padID={first}")).await;
    assert_eq!(text["text"], "first\n");
    let log = get(&site, "/admin/api/audit?action=pads.archive").await;
    let lines = log["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2, "{log}");
    assert_eq!(lines[1]["target"], "notes");
    assert_eq!(lines[1]["detail"], "1 failed");
}
