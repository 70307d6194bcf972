//! Everybody who takes part, from joining to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

use super::error::LoadTestError;
use super::measure::{Summary, Tally};
use super::person::{Phase, Role, Through, take_part};
use super::report::Display;
use super::target::Target;
use system::environment::random_bytes;

/// How many join at the same time.
const JOINING_AT_ONCE: usize = 32;
/// Not counted: connections and caches become warm.
const WARMING_UP: Duration = Duration::from_secs(1);
/// How often the display changes.
const TICK: Duration = Duration::from_millis(200);
/// How long getting ready may stand still.
const STANDSTILL: Duration = Duration::from_secs(40);
/// Longer than anybody waits for a last answer.
const LEAVING: Duration = Duration::from_secs(20);

/// Who does what.
pub(crate) struct Scene {
    /// In each pad.
    pub authors: usize,
    pub readers: usize,
    pub pads: usize,
    pub interval: Duration,
    pub text: usize,
    pub batches: bool,
}

/// Has everybody join, type for a while and leave. The error says why nobody could.
pub(crate) async fn measure(
    targets: &[Target],
    scene: &Scene,
    duration: Duration,
    display: &Display,
) -> Result<Summary, LoadTestError> {
    let tally = Arc::new(Tally::new()?);
    let through = Arc::new(Through::default());
    let (phases, phase) = watch::channel(Phase::Joining);
    let mut people = invite(targets, scene, &tally, &through, &phase);
    let all = (scene.authors + scene.readers) * scene.pads;
    let authors = scene.authors * scene.pads;
    let get_ready = async {
        wait(display, "joining", &through.joined, all, &through.gone).await;
        phases.send_replace(Phase::Filling);
        if scene.text > 0 {
            wait(
                display,
                "filling pads",
                &through.filled,
                scene.pads,
                &through.gone,
            )
            .await;
        }
        phases.send_replace(Phase::Lining);
        wait(
            display,
            "beginning lines",
            &through.lined,
            authors,
            &through.gone,
        )
        .await;
    };
    get_ready.await;
    if through.joined.load(Ordering::Relaxed) == 0 {
        let summary = tally.summary(duration)?;
        let reason = summary.errors.into_iter().next();
        return Err(match reason {
            Some((text, _)) => LoadTestError::Unreachable(text),
            None => LoadTestError::NobodyJoined,
        });
    }
    phases.send_replace(Phase::Typing);
    sleep(WARMING_UP).await;
    tally.clear();
    let start = Instant::now();
    let mut ticks = interval(TICK);
    while start.elapsed() < duration {
        ticks.tick().await;
        if let Ok(summary) = tally.summary(start.elapsed()) {
            display.typing(start.elapsed(), duration, &summary);
        }
    }
    let summary = tally.summary(start.elapsed())?;
    phases.send_replace(Phase::Ended);
    let left = async { while people.join_next().await.is_some() {} };
    let _ = timeout(LEAVING, left).await;
    display.clear();
    // Trouble with the last changes counts too.
    let errors = tally.summary(duration)?.errors;
    Ok(Summary { errors, ..summary })
}

/// Starts everybody; they wait for one another before they write.
fn invite(
    targets: &[Target],
    scene: &Scene,
    tally: &Arc<Tally>,
    through: &Arc<Through>,
    phases: &watch::Receiver<Phase>,
) -> JoinSet<()> {
    let targets: Vec<Arc<Target>> = targets.iter().cloned().map(Arc::new).collect();
    let gate = Arc::new(Semaphore::new(JOINING_AT_ONCE));
    let run = random_name();
    let mut people = JoinSet::new();
    let in_each = scene.authors + scene.readers;
    for number in 0..in_each * scene.pads {
        // The authors first, those of one pad far apart.
        let (seat, pad) = (number / scene.pads, number % scene.pads);
        // Those of one pad on one node after the other.
        let node = (seat + pad) % targets.len().max(1);
        let Some(target) = targets.get(node) else {
            break;
        };
        let writes = seat < scene.authors;
        let spread = number as f64 / (scene.authors * scene.pads) as f64;
        let role = Role {
            number,
            node,
            pad_number: pad,
            observes: targets.len() > 1 && seat < targets.len(),
            pad: format!("loadtest-{run}-{pad}"),
            token: format!("t.{}{number:08}", random_name()),
            writes,
            batches: scene.batches,
            fills: if seat == 0 { scene.text } else { 0 },
            interval: scene.interval,
            offset: scene.interval.mul_f64(spread.min(1.0)),
        };
        let (target, gate) = (Arc::clone(target), Arc::clone(&gate));
        let (tally, through) = (Arc::clone(tally), Arc::clone(through));
        let phases = phases.clone();
        people.spawn(async move {
            take_part(role, target, gate, tally, through, phases).await;
        });
    }
    people
}

/// Waits until everybody is through who is still there, or nothing moves any more.
async fn wait(
    display: &Display,
    what: &'static str,
    through: &AtomicUsize,
    all: usize,
    gone: &AtomicUsize,
) {
    let mut ticks = interval(TICK);
    let mut last = (0, Instant::now());
    loop {
        let done = through.load(Ordering::Relaxed);
        display.getting_ready(what, done, all);
        if done != last.0 {
            last = (done, Instant::now());
        }
        let missing = all.saturating_sub(done);
        if missing <= gone.load(Ordering::Relaxed) || last.1.elapsed() > STANDSTILL {
            return;
        }
        ticks.tick().await;
    }
}

fn random_name() -> String {
    let bytes: [u8; 6] = random_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
