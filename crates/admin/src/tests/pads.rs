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
    assert!(
        !text.contains("morning") && !text.contains("psst"),
        "{text}"
    );
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

async fn found(site: &Router, query: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("/admin/api/pads?limit=2&{query}&after={after}");
        let page = get(site, &path).await;
        all.extend(names(&page).into_iter().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => after = next.to_owned(),
            None => return all,
        }
    }
}

#[tokio::test]
async fn a_list_is_narrowed_by_age_size_and_group() {
    let site = site().await;
    create(&site, &["a", "b", "c"]).await;
    let long = "x".repeat(5_000);
    call(&site, "createPad", &format!("padID=long&text={long}1")).await;
    let group = call(&site, "createGroup", "").await["groupID"].clone();
    let group = group.as_str().unwrap();
    for name in ["one", "two", "three"] {
        let query = format!("groupID={group}&padName={name}");
        call(&site, "createGroupPad", &query).await;
    }
    let plan = |name: &str| format!("{group}${name}");
    let (one, two, three) = (plan("one"), plan("two"), plan("three"));
    let edited = get(&site, "/admin/api/pad?pad=b").await["edited"].clone();
    let edited = edited.as_i64().unwrap();
    let later = edited + 3_600_000;
    let sizes = get(&site, "/admin/api/pads?sort=name").await;
    let bytes = |id: &str| {
        let pads = sizes["pads"].as_array().unwrap();
        let pad = pads.iter().find(|pad| pad["id"] == id).unwrap();
        pad["bytes"].as_u64().unwrap()
    };
    let (small, large) = (bytes("a"), bytes("long"));
    assert!(small < large, "{small} {large}");
    for (query, pads) in [
        ("filter=ungrouped&sort=name", vec!["a", "b", "c", "long"]),
        ("filter=groups&sort=name", vec![&one, &three, &two]),
        (
            &format!("group={group}&sort=name&order=desc"),
            vec![&two, &three, &one],
        ),
        (&format!("group={group}&search=%24TW"), vec![&two]),
        (&format!("group={group}&filter=occupied"), vec![]),
        (&format!("bytes={large}&sort=name"), vec!["long"]),
        (&format!("bytes={}", large + 1), vec![]),
        (&format!("since={later}"), vec![]),
        (&format!("since={later}&sort=name"), vec![]),
        (&format!("before={later}&since={later}&order=asc"), vec![]),
        (
            &format!("before={later}&sort=name&filter=ungrouped"),
            vec!["a", "b", "c", "long"],
        ),
        ("before=1&order=asc", vec![]),
        ("before=1&sort=created", vec![]),
        ("sort=people", vec![]),
    ] {
        assert_eq!(found(&site, query).await, pads, "{query}");
    }
    // In the order of changes, too, and each pad once.
    for order in ["asc", "desc"] {
        for query in ["since=1", &format!("before={later}"), "bytes=1"] {
            let mut pads = found(&site, &format!("{query}&order={order}")).await;
            pads.sort();
            pads.dedup();
            assert_eq!(pads.len(), 7, "{query} {order}");
        }
    }
    for query in [
        "group=x",
        "since=x",
        "before=y",
        "bytes=-1",
        "sort=bytes&after=x",
    ] {
        let path = format!("/admin/api/pads?{query}");
        let (status, _) = send(&site, "GET", &path, Value::Null).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_list_begins_at_a_name_and_says_how_many_pads_there_are() {
    let site = site().await;
    create(&site, &["alpha", "beta", "betamax", "delta", "gamma"]).await;
    for (query, pads) in [
        ("from=beta", vec!["beta", "betamax", "delta", "gamma"]),
        ("from=bet", vec!["beta", "betamax", "delta", "gamma"]),
        ("from=betam", vec!["betamax", "delta", "gamma"]),
        ("from=zeta", vec![]),
        ("from=beta&order=desc", vec!["betamax", "beta", "alpha"]),
        (
            "from=beta&search=a&bytes=1",
            vec!["beta", "betamax", "delta", "gamma"],
        ),
    ] {
        let query = format!("sort=name&{query}");
        assert_eq!(found(&site, &query).await, pads, "{query}");
    }
    let first = get(&site, "/admin/api/pads?limit=2&search=beta").await;
    assert_eq!(first["total"], 5);
    let second = get(&site, "/admin/api/pads?sort=name&after=beta").await;
    assert_eq!(second["total"], Value::Null);
}

/// Which they are is found out in the background, for the next one who asks.
#[tokio::test]
async fn the_largest_pads_are_listed_once_they_are_known() {
    let store = Store::open(Location::Memory).await.unwrap();
    let all = site_and_parts(store, settings(), Location::Memory, Path::new(".")).await;
    let (site, monitor, service) = (all.router, all.monitor, all.service);
    for (name, length) in [("small", 10), ("large", 2_500), ("middle", 900)] {
        // What repeats itself would be packed.
        let mut seed: u32 = 1;
        let mut letter = |_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (seed >> 24) as u8 % 26)
        };
        let text: String = (0..length).map(&mut letter).collect();
        call(&site, "createPad", &format!("padID={name}&text={text}")).await;
    }
    let waiting = get(&site, "/admin/api/pads?sort=bytes").await;
    assert_eq!(waiting["weighing"], true);
    assert_eq!(names(&waiting), [] as [&str; 0]);
    monitor.weigher.weigh(&service).await;
    let known = get(&site, "/admin/api/pads?sort=bytes").await;
    assert_eq!(known["weighing"], false);
    assert!(known["measured"].is_i64());
    assert_eq!(names(&known), ["large", "middle", "small"]);
    assert_eq!(
        found(&site, "sort=bytes").await,
        ["large", "middle", "small"]
    );
    let upwards = found(&site, "sort=bytes&order=asc&search=l").await;
    assert_eq!(upwards, ["small", "middle", "large"]);
    let bytes = known["pads"][0]["bytes"].as_u64().unwrap();
    let above = found(&site, &format!("sort=bytes&bytes={bytes}")).await;
    assert_eq!(above, ["large"]);
}
