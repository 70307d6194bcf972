//! Time series, and what follows from them.

use super::*;
use series::{HOUR_MILLIS, Totals};

fn hour(people: u64, storage: u64) -> String {
    let totals = Totals {
        steps: 360,
        people: people * 360,
        changes: 100,
        storage: Some(storage),
        ..Totals::default()
    };
    totals.to_json()
}

/// A store that knows the last ninety days.
async fn store_with_history() -> (Store, i64) {
    let store = Store::open(Location::Memory).await.unwrap();
    let now = service::Environment::now(&System).millis();
    let last = now / HOUR_MILLIS;
    for age in (1..90 * 24).rev() {
        let people = if age < 7 * 24 { 6 } else { 3 };
        let totals = hour(people, 1_000_000 - age * 10);
        let stored = store.put_series_hour(last - age as i64, &totals, 0).await;
        stored.unwrap();
    }
    (store, last)
}

fn known(series: &Value) -> Vec<f64> {
    let numbers = series.as_array().unwrap();
    numbers.iter().filter_map(Value::as_f64).collect()
}

#[tokio::test]
async fn charts_are_made_of_the_hours_in_the_store() {
    let (store, last) = store_with_history().await;
    let site = site_with(store, settings()).await;
    let week = get(&site, "/admin/api/series?span=week").await;
    assert_eq!(week["width"], HOUR_MILLIS);
    assert_eq!(week["from"], (last - 167) * HOUR_MILLIS);
    let people = week["series"]["people"].as_array().unwrap();
    assert_eq!(people.len(), 168);
    assert_eq!(people[167], Value::Null, "nothing of this hour is stored");
    assert_eq!(known(&week["series"]["people"]), [6.0; 167]);
    let days = get(&site, "/admin/api/series?span=quarter").await;
    let people = known(&days["series"]["people"]);
    assert!(people.len() >= 89, "{}", people.len());
    assert_eq!((people[1], people[80].round()), (3.0, 3.0));
    // Before this start of the process, hours stand for their parts.
    let day = get(&site, "/admin/api/series?span=day").await;
    assert!(known(&day["series"]["people"]).len() > 130);
    let (status, _) = send(&site, "GET", "/admin/api/series?span=year", Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn weeks_are_compared_and_growth_goes_on() {
    let (store, _) = store_with_history().await;
    let site = site_with(store, settings()).await;
    let overview = get(&site, "/admin/api/overview").await;
    assert_eq!(overview["weeks"][0]["people"], 6.0);
    assert_eq!(overview["weeks"][1]["people"], 3.0);
    assert_eq!(overview["weeks"][1]["changes"], 168 * 100);
    assert_eq!(overview["storage"]["bytesPerDay"], 240.0);
    assert_eq!(
        overview["storage"]["freeDisk"],
        Value::Null,
        "it is in memory"
    );
    assert_eq!(
        overview["storage"]["pads"],
        Value::Null,
        "nobody has looked yet"
    );
}

#[tokio::test]
async fn a_service_that_has_just_begun_knows_nothing_and_says_so() {
    let site = site().await;
    let overview = get(&site, "/admin/api/overview").await;
    assert_eq!(overview["weeks"], json!([null, null]));
    assert_eq!(overview["storage"]["bytesPerDay"], Value::Null);
    for span in ["hour", "day", "week", "quarter"] {
        let series = get(&site, &format!("/admin/api/series?span={span}")).await;
        assert_eq!(known(&series["series"]["people"]), [] as [f64; 0], "{span}");
    }
}

#[tokio::test]
async fn what_is_measured_is_charted_and_stored() {
    let store = Store::open(Location::Memory).await.unwrap();
    let service = Service::new(store.clone(), Arc::new(System), service::Config::default());
    let service = Arc::new(service);
    let monitor = Monitor::new(&service, None);
    assert!(monitor.weigher.get(service.now()).is_none());
    monitor.weigher.weigh(&service).await;
    let (_, weights) = monitor.weigher.get(service.now()).unwrap();
    assert_eq!(*weights, store::Weights::default());
    for _ in 0..3 {
        monitor.measure().await;
    }
    let chart = monitor.chart(series::Span::Hour).await.unwrap();
    let memory = chart.points.iter().filter_map(|point| point[9]);
    assert!(memory.clone().count() >= 1);
    assert!(memory.into_iter().all(|bytes| bytes > 0.0));
    monitor.finish().await;
    let stored = store.series_hours(0).await.unwrap();
    let steps = stored
        .iter()
        .filter_map(|(_, _, text)| Totals::from_json(text));
    assert_eq!(steps.map(|totals| totals.steps).sum::<u64>(), 3);
}

#[tokio::test]
async fn a_chart_is_a_file_too() {
    let (store, _) = store_with_history().await;
    let site = site_with(store, settings()).await;
    let request = Request::get("/admin/api/series?span=week&format=csv");
    let request = request.header("authorization", ROOT).body(Body::empty());
    let answer = site.oneshot(request.unwrap()).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert_eq!(text.lines().count(), 169);
    assert!(text.starts_with("time,people,"), "{text}");
}
