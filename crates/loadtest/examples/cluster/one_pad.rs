//! One pad that people write in on one, two and three nodes.

use std::time::Duration;

use loadtest::{LoadTest, Quantiles, Summary};

use crate::nodes::Node;
use crate::observer::{Observation, Observer};
use crate::{Bench, Outcome};

/// Loads that one, two and three nodes get: so many authors, with so many milliseconds from commit
/// to commit. Authors take turns, so with the first nodes hardly meet; with the second they do.
const SAME_LOADS: [(usize, u64); 2] = [(30, 250), (30, 50)];
const CROWD: (usize, u64) = (500, 1_000);
const NODES: usize = 3;
/// How many times the processor time of one node a commit may take on three.
const AIM: f64 = 1.5;

pub(crate) async fn run(bench: &Bench) -> Outcome {
    let connection = bench.connection()?;
    let mut nodes = Vec::new();
    println!("\n## One pad on one, two and three nodes\n");
    println!(
        "| authors, interval | nodes | commits/s | acknowledged p50 | p95 | at other nodes p50 \
         | p95 | processor: nodes | PostgreSQL | of one node | commits in one transaction \
         | replanned | wait for the row | for NOTIFY |"
    );
    println!("|---|{}", "---:|".repeat(13));
    let mut of_one = [None; SAME_LOADS.len()];
    while nodes.len() < NODES {
        nodes.push(Node::start(bench, nodes.len(), &connection)?);
        for (load, of_one) in SAME_LOADS.into_iter().zip(&mut of_one) {
            let run = measure(bench, &connection, &nodes, load).await?;
            let cost = run.milliseconds(run.observed.nodes + run.observed.postgres);
            println!("{}", run.row(load, cost / *of_one.get_or_insert(cost)));
            run.complain();
        }
    }
    println!("\nAim: at most {AIM} times the processor time of one node.");

    let (authors, interval) = CROWD;
    println!("\n## {authors} authors in one pad over {NODES} nodes, every {interval} ms\n");
    let run = measure(bench, &connection, &nodes, CROWD).await?;
    let (summary, observed) = (&run.summary, &run.observed);
    println!("| | |\n|---|---:|");
    println!("| commits/s | {:.0} |", summary.rate());
    println!(
        "| acknowledged p50, p95 | {} |",
        times(&summary.acknowledged)
    );
    println!("| seen by others p50, p95 | {} |", times(&summary.seen));
    println!(
        "| from the acknowledgement to other nodes p50, p95 | {} |",
        times(&summary.crossed)
    );
    let closed: u64 = summary.errors.iter().map(|(_, count)| count).sum();
    println!("| closed connections | {closed} |");
    println!("| commits in one transaction | {:.1} |", run.batched());
    println!("| replanned | {} |", run.replanned());
    println!(
        "| processor, ms per commit: nodes, PostgreSQL | {:.2}, {:.2} |",
        run.milliseconds(observed.nodes),
        run.milliseconds(observed.postgres)
    );
    run.complain();
    Ok(())
}

struct Run {
    nodes: usize,
    summary: Summary,
    observed: Observation,
}

async fn measure(
    bench: &Bench,
    connection: &str,
    nodes: &[Node],
    (authors, interval): (usize, u64),
) -> Outcome<Run> {
    let test = LoadTest {
        urls: nodes.iter().map(|node| node.url.clone()).collect(),
        authors,
        batches: false,
        readers: 0,
        pads: 1,
        interval,
        text: 2_000,
        seconds: bench.time.as_secs(),
        ramp: false,
        limit: 0,
    };
    let pids = nodes.iter().map(Node::pid).collect();
    let observer = Observer::start(connection, bench.postmaster, pids);
    let summary = loadtest::measure(&test).await?;
    let observed = observer.end(summary.began, summary.duration)?;
    Ok(Run {
        nodes: nodes.len(),
        summary,
        observed,
    })
}

impl Run {
    /// For each commit.
    fn milliseconds(&self, seconds: f64) -> f64 {
        seconds * 1000.0 / self.summary.acknowledged.count.max(1) as f64
    }

    fn batched(&self) -> f64 {
        self.summary.acknowledged.count as f64 / self.observed.batches.max(1.0)
    }

    fn replanned(&self) -> String {
        let share = self.observed.replans / self.observed.batches.max(1.0);
        format!("{:.0} %", share * 100.0)
    }

    fn row(&self, (authors, interval): (usize, u64), ratio: f64) -> String {
        let (summary, observed) = (&self.summary, &self.observed);
        let [p50, p95] = quantiles(&summary.acknowledged);
        let [crossed50, crossed95] = match summary.crossed.count {
            0 => [String::new(), String::new()],
            _ => quantiles(&summary.crossed),
        };
        format!(
            "| {authors}, {interval} ms | {} | {:.0} | {p50} | {p95} | {crossed50} | {crossed95} \
             | {:.2} ms | {:.2} ms | {ratio:.2} | {:.1} | {} | {:.2} ms | {:.2} ms |",
            self.nodes,
            summary.rate(),
            self.milliseconds(observed.nodes),
            self.milliseconds(observed.postgres),
            self.batched(),
            self.replanned(),
            self.milliseconds(observed.row_waits),
            self.milliseconds(observed.notify_waits),
        )
    }

    fn complain(&self) {
        for (error, count) in &self.summary.errors {
            eprintln!("{count} times: {error}");
        }
    }
}

fn quantiles(quantiles: &Quantiles) -> [String; 2] {
    let shown = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    [shown(quantiles.p50), shown(quantiles.p95)]
}

fn times(of: &Quantiles) -> String {
    quantiles(of).join(", ")
}
