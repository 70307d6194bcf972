//! `/admin/api/overview` and `/admin/api/series`: how the service does, and how it did.

use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use series::{HOUR_MILLIS, SERIES, Span, Totals, growth};
use tracing::error;

use crate::AdminState;
use crate::answer::{ok, unavailable, wrong};
use crate::health;
use crate::monitor::GROWTH_HOURS;
use edge::admin_only::Admin;
use edge::refuse::NO_STORE;
use identity::query::parameter;

const WEEK_HOURS: i64 = 7 * 24;
/// How many of the largest pads are named.
const LARGEST: usize = 10;

pub(crate) async fn overview(State(state): State<AdminState>, _: Admin) -> Response {
    let now = state.service.now().millis();
    let hour = now.div_euclid(HOUR_MILLIS);
    let hours = match state.monitor.hours(hour - GROWTH_HOURS).await {
        Ok(hours) => hours,
        Err(error) => {
            error!("the numbers of the last month cannot be read: {error}");
            return unavailable();
        }
    };
    let disk = state.monitor.disk();
    let growth = growth(&hours, now, disk.map(|disk| disk.free));
    let weights = state.monitor.weigher.get(state.service.now());
    let weights = weights.map(|(at, weights)| {
        let pad = |(id, bytes): &(pad::PadId, u64)| json!({ "id": id.as_str(), "bytes": bytes });
        json!({
            "at": at.millis(),
            "texts": weights.texts,
            "history": weights.history,
            "chat": weights.chat,
            "largest": weights.largest.iter().take(LARGEST).map(pad).collect::<Vec<_>>(),
        })
    });
    let health = health::conditions(&state, growth).await;
    let health: Vec<Value> = health.iter().map(alerts::Condition::to_json).collect();
    let week = |from: i64, to: i64| week(&hours, hour - from, hour - to);
    ok(&json!({
        "health": health,
        "weeks": [week(WEEK_HOURS - 1, -1), week(2 * WEEK_HOURS - 1, WEEK_HOURS - 1)],
        "storage": {
            "freeDisk": disk.map(|disk| disk.free),
            "bytesPerDay": growth.map(|growth| growth.bytes_per_day),
            "daysLeft": growth.and_then(|growth| growth.days_left),
            "pads": weights,
        },
    }))
}

/// The hours of a week together; null if nothing is known of it.
fn week(hours: &[(i64, Totals)], from: i64, to: i64) -> Option<Value> {
    let mut totals = Totals::default();
    let of_week = hours.iter().filter(|(hour, _)| (from..to).contains(hour));
    of_week.for_each(|(_, hour)| totals.join(hour));
    if totals.steps == 0 {
        return None;
    }
    let [people, ..] = totals.point((to - from) * HOUR_MILLIS);
    Some(json!({
        "people": people,
        "changes": totals.changes,
        "calls": totals.calls,
        "errors": totals.errors,
        "storedP95": totals.stored.quantile(0.95),
    }))
}

/// `GET /admin/api/series?span=hour|day|week|quarter&format=csv`.
pub(crate) async fn get_series(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let asked = parameter(&uri, "span");
    let span = Span::ALL
        .into_iter()
        .find(|span| Some(span.name()) == asked.as_deref());
    let Some(span) = span else {
        return wrong("span is hour, day, week or quarter");
    };
    let chart = match state.monitor.chart(span).await {
        Ok(chart) => chart,
        Err(error) => {
            error!("time series cannot be read: {error}");
            return unavailable();
        }
    };
    if parameter(&uri, "format").as_deref() == Some("csv") {
        let name = format!("attachment; filename=\"padsvc-{}.csv\"", span.name());
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ];
        return ([NO_STORE], headers, chart.to_csv()).into_response();
    }
    let series: Map<String, Value> = SERIES
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let numbers = chart
                .points
                .iter()
                .map(|point| point.get(place).copied().flatten());
            ((*name).to_owned(), numbers.collect::<Vec<_>>().into())
        })
        .collect();
    ok(&json!({ "from": chart.from_millis, "width": chart.width_millis, "series": series }))
}
