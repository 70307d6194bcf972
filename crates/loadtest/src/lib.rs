//! `padsvc loadtest`: people typing in pads, and how long it takes until others see it.
//!
//! It speaks to a server as browsers do, over one websocket for each person, and knows nothing of
//! its insides, so that any server of the protocol can be measured. Every change carries the time
//! when it was sent, as text: the receiver knows how old it is.
//!
//! `target` is where the server is, `client` a connection, `wire` what is said over it, `place`
//! where an author writes, `person` who reads and writes, `crowd` all of them, `measure` what is
//! counted, `crossing` the way from node to node, `report` what is shown.

#![expect(clippy::disallowed_types, reason = "it measures")]

mod client;

mod crossing;

mod crowd;

mod error;

mod measure;

mod person;

mod place;

mod report;

mod target;

mod wire;

use std::time::Duration;

use clap::Args;

use crowd::Scene;
pub use error::LoadTestError;
pub use measure::{Quantiles, Summary};
use report::Display;
use target::Target;

/// How much more people each step of a ramp has.
const GROWTH: f64 = 1.5;
/// A step that makes less of the commits it should is beyond what the server can do.
const KEPT_UP: f64 = 0.9;

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct LoadTest {
    /// The server, such as http://127.0.0.1:9001; people are spread over several nodes of one
    #[arg(required = true, value_name = "URL")]
    pub urls: Vec<String>,

    /// How many people type in each pad
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub authors: usize,

    /// How many people only read in each pad
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub readers: usize,

    /// Take many revisions in one message, as the pad's page does, if the server can
    #[arg(long)]
    pub batches: bool,

    /// How many pads there are
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub pads: usize,

    /// Milliseconds from one commit of an author to the next; 0 waits for nothing but the answer
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pub interval: u64,

    /// How long each pad's text is before anybody types, in UTF-16 units
    #[arg(long, value_name = "UNITS", default_value_t = 0)]
    pub text: usize,

    /// How long to measure, after a second that does not count
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub seconds: u64,

    /// Begin with that many authors and go on with half as many more, again and again, until the
    /// limit is passed or the server does not keep up
    #[arg(long)]
    pub ramp: bool,

    /// Milliseconds within which 95 of 100 commits must be acknowledged for a ramp to go on
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pub limit: u64,
}

/// Measures and reports. False if anything went wrong for anybody.
pub async fn run(test: &LoadTest) -> Result<bool, LoadTestError> {
    let display = Display::new();
    if test.ramp {
        ramp(test, &display).await
    } else {
        let summary = measure_on(test, &display).await?;
        display.print(&report::one(test, &summary));
        Ok(summary.errors.is_empty())
    }
}

/// Measures once.
pub async fn measure(test: &LoadTest) -> Result<Summary, LoadTestError> {
    measure_on(test, &Display::new()).await
}

async fn measure_on(test: &LoadTest, display: &Display) -> Result<Summary, LoadTestError> {
    let targets = test.urls.iter().map(|url| Target::parse(url));
    let targets: Vec<Target> = targets.collect::<Result<_, _>>()?;
    if test.authors == 0 || test.pads == 0 || test.seconds == 0 {
        return Err(LoadTestError::Nobody);
    }
    let scene = Scene {
        authors: test.authors,
        readers: test.readers,
        pads: test.pads,
        interval: Duration::from_millis(test.interval),
        text: test.text,
        batches: test.batches,
    };
    let duration = Duration::from_secs(test.seconds);
    crowd::measure(&targets, &scene, duration, display).await
}

async fn ramp(test: &LoadTest, display: &Display) -> Result<bool, LoadTestError> {
    display.print(&report::heading());
    let mut test = test.clone();
    let mut most = None;
    loop {
        let summary = measure_on(&test, display).await?;
        display.print(&report::row(&test, &summary));
        let slowest = summary.acknowledged.p95;
        let asked = test.asked_rate();
        let kept_up = asked.is_none_or(|asked| summary.rate() >= asked * KEPT_UP);
        let in_time = slowest <= Duration::from_millis(test.limit);
        if !summary.errors.is_empty() || !kept_up || !in_time {
            display.print(&report::verdict(&test, most, &summary));
            return Ok(summary.errors.is_empty());
        }
        most = Some(test.authors);
        test.authors = (test.authors as f64 * GROWTH).ceil() as usize;
    }
}

impl LoadTest {
    /// The commits in a second that the authors would make if nothing held them up.
    fn asked_rate(&self) -> Option<f64> {
        let authors = (self.authors * self.pads) as f64;
        (self.interval > 0).then(|| authors * 1000.0 / self.interval as f64)
    }
}
