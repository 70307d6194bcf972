//! The log: what was written before somebody looks, and what comes then.

use futures_util::StreamExt;

use super::*;

#[tokio::test]
async fn the_log_is_sent_and_goes_on() {
    let site = site().await;
    // What other tests of this process write is there too.
    let _log = telemetry::log::start(&settings().log);
    tracing::warn!("before anybody looks");
    let request = Request::get("/admin/api/log").header("authorization", ROOT);
    let answer = site.clone().oneshot(request.body(Body::empty()).unwrap());
    let answer = answer.await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut events = answer.into_body().into_data_stream();
    let mut next = async || loop {
        let event = events.next().await.unwrap().unwrap();
        if let Some(data) = event.strip_prefix(b"data: ") {
            return serde_json::from_slice::<Value>(data).unwrap();
        }
    };
    let first = next().await;
    assert_eq!(first["first"], true);
    assert_eq!(first["level"], "INFO");
    let has = |event: &Value, text: &str| {
        let lines = event["lines"].as_array().unwrap().iter();
        lines.filter(|line| line["text"] == text).count() == 1
    };
    assert!(has(&first, "before anybody looks"), "{first}");
    tracing::info!("while somebody looks");
    let second = next().await;
    assert_eq!(second["first"], false);
    assert!(has(&second, "while somebody looks"), "{second}");
    assert!(!has(&second, "before anybody looks"), "{second}");
    for line in first["lines"].as_array().unwrap() {
        let mut members: Vec<&String> = line.as_object().unwrap().keys().collect();
        members.sort();
        assert_eq!(members, ["at", "from", "level", "number", "text"]);
    }
}
