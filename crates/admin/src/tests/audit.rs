//! Whatever an administrator does leaves a line.

use super::*;
use crate::audit::tests::NOT_RECORDED;
use crate::openapi::tests::operations;

async fn lines(site: &Router) -> Vec<Value> {
    let log = get(site, "/admin/api/audit").await;
    log["lines"].as_array().unwrap().clone()
}

/// Every route that changes something, by the table that the description is made of: one that is
/// not below the layer fails here.
#[tokio::test]
async fn every_route_that_changes_something_writes_a_line() {
    let site = site().await;
    let operations = operations();
    for route in NOT_RECORDED {
        assert!(operations.contains(&("post", route)), "{route} is no route");
    }
    for (method, route) in operations {
        // Streams without an end.
        if ["/admin/api/live", "/admin/api/log"].contains(&route) {
            continue;
        }
        let path = route.replace("{pad}", "notes").replace("{format}", "txt");
        let before = lines(&site).await.len();
        let (status, _) = send(&site, &method.to_uppercase(), &path, json!({})).await;
        let after = lines(&site).await;
        let is_recorded = method != "get" && !NOT_RECORDED.contains(&route);
        let is_recorded = is_recorded || route.contains("export") || route.contains("download");
        assert_eq!(
            after.len() - before,
            usize::from(is_recorded),
            "{method} {route}"
        );
        if is_recorded {
            let line = &after[0];
            assert_eq!(line["principal"], "root", "{line}");
            assert_eq!(line["done"], status.is_success(), "{line}");
            let last = route.replace("/{format}", "").replace("/{name}", "");
            let last = last.rsplit('/').next().unwrap().to_owned();
            assert!(line["action"].as_str().unwrap().ends_with(&last), "{line}");
        }
    }
}

#[tokio::test]
async fn a_line_says_who_did_what_to_which_pad() {
    let site = site().await;
    create(&site, &["one", "two"]).await;
    let path = "/admin/api/pads/delete";
    let (status, _) = send(
        &site,
        "POST",
        path,
        json!({ "pads": ["one", "two", "none"] }),
    )
    .await;
    assert_eq!(status, StatusCode::OK);
    send(
        &site,
        "POST",
        "/admin/api/message",
        json!({ "text": "a secret plan" }),
    )
    .await;
    let log = get(&site, "/admin/api/audit?action=pads.").await;
    let [line] = log["lines"].as_array().unwrap().as_slice() else {
        panic!("{log}");
    };
    assert_eq!(line["action"], "pads.delete");
    assert_eq!(line["target"], "one, two");
    assert_eq!(line["detail"], "1 failed");
    assert_eq!(line["done"], true);
    assert_eq!(log["days"], 365);
    let all = get(&site, "/admin/api/audit").await.to_string();
    assert!(!all.contains("secret plan"), "{all}");
    let found = get(&site, "/admin/api/audit?search=TWO").await;
    assert_eq!(found["lines"].as_array().unwrap().len(), 1);
}

/// Nothing is written for those who are not let in, and nothing for a page of another site.
#[tokio::test]
async fn who_is_refused_at_the_door_leaves_no_line() {
    let site = site().await;
    for (name, value) in [("x-nobody", "1"), ("sec-fetch-site", "cross-site")] {
        let request = Request::post("/admin/api/pads/delete").header(name, value);
        let request = match name {
            "sec-fetch-site" => request.header("authorization", ROOT),
            _ => request,
        };
        let body = Body::from(json!({ "pads": [] }).to_string());
        let answer = site
            .clone()
            .oneshot(request.body(body).unwrap())
            .await
            .unwrap();
        assert!(answer.status().is_client_error());
    }
    assert_eq!(lines(&site).await, [] as [Value; 0]);
}

#[tokio::test]
async fn the_log_is_a_file_too() {
    let site = site().await;
    for _ in 0..60 {
        send(&site, "POST", "/admin/api/restart", json!({})).await;
    }
    let first = get(&site, "/admin/api/audit").await;
    assert_eq!(first["lines"].as_array().unwrap().len(), 50);
    let next = format!("/admin/api/audit?after={}", first["next"].as_str().unwrap());
    assert_eq!(
        get(&site, &next).await["lines"].as_array().unwrap().len(),
        10
    );
    for (format, lines) in [("csv", 61), ("json", 60)] {
        let request = Request::get(format!("/admin/api/audit?format={format}"));
        let request = request.header("authorization", ROOT).body(Body::empty());
        let answer = site.clone().oneshot(request.unwrap()).await.unwrap();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert_eq!(text.lines().count(), lines, "{format}");
        assert!(text.contains("restart"), "{format}");
    }
}
