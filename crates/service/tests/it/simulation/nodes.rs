//! The simulation with several services on one store, as several processes have it.
//!
//! Editors move between nodes, nodes are killed and started, and hints are dropped, doubled, held
//! back and reordered. Each part of a node's work is a step of its own, so that a seed does the
//! same every time.

mod cluster;

mod person;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::Script;
use cluster::Cluster;

const SEEDS: u64 = 200;
const SOAK_SEEDS: u64 = 3_000;
const STEPS: usize = 400;

/// Runs a seed; the error is a text that says how to run it again.
fn run(seed: u64, steps: usize) -> Result<Vec<String>, String> {
    let script = Script::default();
    let taken = Rc::new(RefCell::new(0));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut cluster = Cluster::new(seed, Rc::clone(&script)).await;
            for _ in 0..steps {
                *taken.borrow_mut() += 1;
                cluster.step().await;
            }
            cluster.settle().await;
            cluster.check().await;
            cluster.end().await;
        });
    }));
    if outcome.is_ok() {
        return Ok(script.take());
    }
    let script = script.borrow();
    let last = script.len().saturating_sub(200);
    Err(format!(
        "the end of the script of seed {seed}:\n{}\nto replay it:\n\
         PADSVC_NODES_SIMULATION={seed},{} cargo test -p service --test it simulation::nodes -- \
         --nocapture",
        script[last..].join("\n"),
        taken.borrow(),
    ))
}

/// A quarter of the seeds, so that there is work for several processors.
fn run_quarter(quarter: u64) {
    if std::env::var("PADSVC_NODES_SIMULATION").is_ok() {
        return;
    }
    let seeds = match std::env::var("PADSVC_SOAK") {
        Ok(_) => SOAK_SEEDS,
        Err(_) => SEEDS,
    };
    for seed in (1..=seeds).filter(|seed| seed % 4 == quarter) {
        if let Err(report) = run(seed, STEPS) {
            panic!("{report}");
        }
    }
}

#[test]
fn nodes_converge_first_quarter() {
    run_quarter(0);
}

#[test]
fn nodes_converge_second_quarter() {
    run_quarter(1);
}

#[test]
fn nodes_converge_third_quarter() {
    run_quarter(2);
}

#[test]
fn nodes_converge_last_quarter() {
    run_quarter(3);
}

/// `PADSVC_NODES_SIMULATION=SEED,STEPS` runs that one.
#[test]
fn a_seed_of_nodes_is_replayed() {
    let Ok(wanted) = std::env::var("PADSVC_NODES_SIMULATION") else {
        return;
    };
    let (seed, steps) = wanted.split_once(',').expect("SEED,STEPS");
    if let Err(report) = run(seed.parse().unwrap(), steps.parse().unwrap()) {
        panic!("{report}");
    }
}

#[test]
fn a_seed_of_nodes_does_the_same_every_time() {
    for seed in [5, 6] {
        let [first, second] = [(); 2].map(|()| run(seed, STEPS).unwrap());
        for (line, (first, second)) in first.iter().zip(&second).enumerate() {
            assert_eq!(first, second, "line {line} of seed {seed}");
        }
        assert_eq!(first.len(), second.len());
    }
}
