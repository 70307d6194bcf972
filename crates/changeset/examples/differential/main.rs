//! Compares this crate with its twin, another program that claims to do the same.
//!
//! `differential [--seed N] <command> <argument>…` starts the command, sends it random requests as
//! lines of JSON, and compares its answers with what this crate says. It ends with an error if one
//! differs. `PADSVC_SOAK` multiplies the number of requests.
//!
//! `requests` says what is asked, `answers` what this crate says to it.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a program for developers, which shares its generators with the tests"
)]

mod requests;

mod answers;

#[path = "../../tests/it/generate.rs"]
#[allow(dead_code, reason = "the laws use the rest of it")]
mod generate;

#[path = "../../tests/it/json.rs"]
#[allow(dead_code, reason = "the vectors use the rest of it")]
mod json;

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

const USAGE: &str = "usage: differential [--seed N] <command> <argument>…";
const REQUESTS: u32 = 10_000;
/// Differences shown; usually all have the same cause.
const SHOWN: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (seed, command) = match arguments.as_slice() {
        [option, seed, command @ ..] if option == "--seed" => (seed.parse()?, command),
        command => (1, command),
    };
    let [program, arguments @ ..] = command else {
        return Err(USAGE.into());
    };
    let mut twin = Twin::start(program, arguments)?;
    let mut runner = runner(seed);
    let requests = requests::requests();
    let (mut asked, mut refused, mut differences) = (0, 0, 0);
    let total = REQUESTS * generate::soak_factor();
    while asked < total {
        let request = requests.new_tree(&mut runner).unwrap().current();
        let Some(ours) = answers::answer(&request) else {
            continue;
        };
        asked += 1;
        refused += u32::from(ours.get("error").is_some());
        let theirs = twin.ask(&request)?;
        if ours != theirs {
            differences += 1;
            if differences <= SHOWN {
                println!("asked  {request}\n  ours   {ours}\n  theirs {theirs}");
            }
        }
    }
    twin.stop()?;
    println!("seed {seed}: {total} requests, {refused} refused, {differences} answers differ");
    match differences {
        0 => Ok(()),
        _ => Err("the two implementations disagree".into()),
    }
}

/// Generates the same requests for the same seed.
fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), random)
}

/// The other program. It answers every line with a line.
struct Twin {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Twin {
    fn start(program: &str, arguments: &[String]) -> Result<Twin, Box<dyn Error>> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {program}: {error}"))?;
        let requests = process.stdin.take().ok_or("no standard input")?;
        let answers = process.stdout.take().ok_or("no standard output")?;
        Ok(Twin {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    fn ask(&mut self, request: &Value) -> Result<Value, Box<dyn Error>> {
        writeln!(self.requests, "{request}")?;
        let mut answer = String::new();
        match self.answers.read_line(&mut answer)? {
            0 => Err(format!("no answer to {request}").into()),
            _ => Ok(serde_json::from_str(&answer)?),
        }
    }

    fn stop(self) -> Result<(), Box<dyn Error>> {
        let Twin {
            mut process,
            requests,
            ..
        } = self;
        // The end of its input is the end of the program.
        drop(requests);
        process.wait()?;
        Ok(())
    }
}
