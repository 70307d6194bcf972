//! Server time of what the pages of the admin area ask for, with many pads and ninety days of
//! series: `admin_bench FILE`, where `many_pads` of the crate `store` has made FILE.
//!
//! Every request goes through the whole router. The first is shown apart, since it warms caches; of
//! the others the median and the slowest.

#![allow(clippy::disallowed_types)]

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use admin::{AdminState, Alerts, Background, Backups, Monitor};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use edge::{Dependencies, Edge, Oidc};
use http_body_util::BodyExt;
use identity::accounts::Accounts;
use identity::api_key::ApiKey;
use identity::creation_limits::CreationLimits;
use plugins::{CatalogueSource, Manager, Registry};
use series::{HOUR_MILLIS, KEPT_HOURS, Latencies, RING_STEPS, Step, Totals};
use service::{Environment, Service};
use settings::{Secret, Settings, User};
use store::{Location, Store};
use system::environment::System;
use tokio::time::Instant;
use tower::ServiceExt;

/// root:pw
const ROOT: &str = "Basic cm9vdDpwdw==";
const RUNS: usize = 9;
const REQUESTS: [&str; 18] = [
    "overview",
    "series?span=hour",
    "series?span=day",
    "series?span=week",
    "series?span=quarter",
    "alerts",
    "backups",
    "pads",
    "pads?sort=name&from=pad-05",
    "pads?sort=bytes&order=desc",
    "pads?search=pad-0999",
    "pads?filter=untouched",
    "pad?pad=pad-050000",
    "authors",
    "nodes",
    "audit",
    "plugins/installed",
    "settings",
];

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Outcome {
    let file = std::env::args().nth(1).ok_or("usage: admin_bench FILE")?;
    let location = Location::Embedded(PathBuf::from(file));
    let store = Store::open(location.clone()).await?;
    fill(&store).await?;
    let (router, background) = site(store.clone(), location).await?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "| request | first | median | slowest | bytes |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    for request in REQUESTS {
        let (first, bytes) = measure(&router, request).await?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            times.push(measure(&router, request).await?.0);
        }
        times.sort();
        let shown = |time: Option<&Duration>| {
            let millis = time.copied().unwrap_or_default().as_secs_f64() * 1_000.0;
            format!("{millis:.1} ms")
        };
        let (first, middle) = (shown(Some(&first)), shown(times.get(RUNS / 2)));
        let slowest = shown(times.last());
        writeln!(
            out,
            "| `{request}` | {first} | {middle} | {slowest} | {bytes} |"
        )?;
    }
    let ring = RING_STEPS * size_of::<Step>();
    writeln!(out, "\nring of the last day: {ring} bytes")?;
    drop(background);
    store.close().await;
    Ok(())
}

/// Ninety days of hours.
async fn fill(store: &Store) -> Outcome {
    let last = System.now().millis().div_euclid(HOUR_MILLIS);
    for age in 1..KEPT_HOURS {
        let mut stored = Latencies::default();
        for (place, count) in stored.0.iter_mut().enumerate() {
            *count = 1_000 + place as u64;
        }
        let totals = Totals {
            steps: 360,
            people: 360 * 40,
            changes: 20_000,
            storage: Some(1_000_000_000 - age.unsigned_abs() * 1_000),
            stored,
            delivered: stored,
            ..Totals::default()
        };
        let hour = last - age;
        store.put_series_hour(hour, &totals.to_json(), 0).await?;
    }
    Ok(())
}

/// The router with the admin area.
async fn site(store: Store, location: Location) -> Outcome<(Router, Background)> {
    let root = User {
        password: Some(Secret("pw".to_owned())),
        is_admin: true,
        ..User::default()
    };
    let mut settings = Settings::default();
    settings.access.users = [("root".to_owned(), root)].into();
    let settings = Arc::new(settings);
    let folder = Path::new(".");
    let manager = Manager::new(
        Registry::open(store.clone()).await?,
        CatalogueSource::default(),
    );
    let oidc = Arc::new(Oidc::new(&settings, folder, &store, None));
    let provider = Arc::clone(&oidc.provider);
    let accounts = Accounts::new(Arc::clone(&settings), provider, folder, &store);
    let service = Service::new(store, Arc::new(System), service::Config::default());
    let edge = Edge::new(Dependencies {
        service: Arc::new(service),
        limits: Arc::new(CreationLimits::new(&settings.creation)),
        settings: Arc::clone(&settings),
        accounts: Arc::new(accounts),
        oidc,
        key: ApiKey::new("secret"),
        plugins: None,
        updates: None,
        draining: Default::default(),
        root: folder,
    });
    let service = &edge.pages.service;
    let background = Background {
        monitor: Monitor::new(service, None),
        backups: Backups::new(service, location, folder, &settings.backups),
        alerts: Alerts::new(service, &settings, None),
    };
    let state = AdminState::new(&edge, &background, &Arc::new(manager), None, None, None);
    let router = edge.router(Router::new(), admin::router(state));
    Ok((router, background))
}

async fn measure(router: &Router, request: &str) -> Outcome<(Duration, usize)> {
    let path = format!("/admin/api/{request}");
    let asked = Request::get(&path).header("authorization", ROOT);
    let begun = Instant::now();
    let answer = router.clone().oneshot(asked.body(Body::empty())?).await?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    if !status.is_success() {
        return Err(format!("{path}: {status}").into());
    }
    Ok((begun.elapsed(), body.len()))
}
