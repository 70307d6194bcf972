//! `cargo xtask bench`: what an operation costs, in instructions.
//!
//! Instructions and not seconds, because they are the same on a busy machine. Each case is run
//! twice under valgrind, with n and with 2n operations; the difference divided by n is the cost
//! of one, and everything done before the first operation cancels out.
//!
//! `bench growth` counts them for operations of the service on small and on large data, and
//! `bench plugins` for commits with plugins beside them. `bench admin`, `bench api`, `bench
//! cluster`, `bench crowds`, `bench exports`, `bench idle`, `bench imports`, `bench page` and
//! `bench store` are another matter: they measure seconds and bytes. `bench all` writes
//! docs/performance.md.

mod admin;
mod all;
mod api;
mod cluster;
mod growth;
mod page;
mod plugins;
mod server;
mod store;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell::{self, Log};

/// A case of `bench <case> <size> <iterations>`, an example of the crate that is measured.
struct Case {
    package: &'static str,
    name: &'static str,
    /// Of the document, in UTF-16 units.
    sizes: &'static [u64],
    iterations: u64,
    /// How many times the cost of the cheapest size the dearest may cost.
    growth_limit: Option<f64>,
}

const CASES: &[Case] = &[
    Case {
        package: "changeset",
        name: "edit",
        sizes: &[1_000, 100_000, 1_000_000],
        // A multiple of the pattern of edits after which the document is what it was.
        iterations: 1_280,
        growth_limit: Some(2.0),
    },
    one_size("compose100"),
    one_size("follow100"),
    one_size("parse"),
    one_size("print"),
];

/// A case whose cost is a matter of the change and not of the document.
const fn one_size(name: &'static str) -> Case {
    Case {
        package: "changeset",
        name,
        sizes: &[100_000],
        iterations: 500,
        growth_limit: None,
    }
}

/// Names of cases or of packages choose what is run; without any, everything is.
pub fn run(project: &Project, wanted: &[&str]) -> Result<()> {
    match wanted {
        ["admin"] => return admin::run(project),
        ["all", blocks @ ..] => return all::run(project, blocks),
        ["api", arguments @ ..] => return api::run(project, arguments),
        ["cluster", arguments @ ..] => return cluster::run(project, arguments),
        ["growth", operations @ ..] => {
            return growth::run(project, &mut open_log(project)?, operations);
        }
        ["page"] => return page::run(project),
        ["plugins"] => return plugins::run(project, &mut open_log(project)?),
        [
            example @ ("crowds" | "exports" | "idle" | "imports"),
            arguments @ ..,
        ] => {
            return server::run(project, example, arguments);
        }
        ["store", arguments @ ..] => return store::run(project, arguments),
        _ => {}
    }
    let cases = select(wanted)?;
    let mut log = open_log(project)?;
    println!("| case | document | instructions for one |");
    println!("|---|---:|---:|");
    measure_all(project, &mut log, &cases, |case, size, cost| {
        let (size, cost) = (grouped(size), grouped(cost));
        println!("| {} | {size} | {cost} |", case.name);
    })
}

/// The names that choose what is run, without those of packages.
pub fn case_names() -> Vec<&'static str> {
    let alone = [
        "admin", "all", "api", "cluster", "crowds", "exports", "growth", "idle", "imports", "page",
        "plugins", "store",
    ];
    CASES.iter().map(|case| case.name).chain(alone).collect()
}

/// The cases named, by themselves or by their package, or all.
fn select(wanted: &[&str]) -> Result<Vec<&'static Case>> {
    let named = |case: &Case, name: &str| case.name == name || case.package == name;
    for name in wanted {
        if !CASES.iter().any(|case| named(case, name)) {
            let known = case_names().join(" ");
            return Err(format!("no such case: {name}; there are: {known}").into());
        }
    }
    let is_wanted = |case: &&Case| wanted.is_empty() || wanted.iter().any(|name| named(case, name));
    Ok(CASES.iter().filter(is_wanted).collect())
}

/// The cases with a limit on their growth: a check that gives the same answer every time.
pub fn check_growth(project: &Project, log: &mut Log) -> Result<u64> {
    let cases: Vec<&Case> = CASES
        .iter()
        .filter(|case| case.growth_limit.is_some())
        .collect();
    let mut lines = Vec::new();
    let result = measure_all(project, log, &cases, |case, size, cost| {
        lines.push(format!(
            "{} at {}: {} instructions",
            case.name,
            grouped(size),
            grouped(cost)
        ));
    });
    for line in &lines {
        log.line(line);
    }
    result?;
    Ok(cases.len() as u64 + growth::check(project, log)?)
}

fn open_log(project: &Project) -> Result<Log> {
    Log::create(&project.scratch().join("bench.log"), false)
}

fn measure_all(
    project: &Project,
    log: &mut Log,
    cases: &[&Case],
    mut report: impl FnMut(&Case, u64, u64),
) -> Result<()> {
    for case in cases {
        let program = build(project, log, case.package)?;
        let mut costs = Vec::new();
        for &size in case.sizes {
            let cost = cost_of_one(log, &program, case, size)?;
            report(case, size, cost);
            costs.push(cost);
        }
        check_limit(case, &costs)?;
    }
    Ok(())
}

fn check_limit(case: &Case, costs: &[u64]) -> Result<()> {
    match case.growth_limit {
        Some(limit) => check_growth_of(case.name, costs, limit),
        None => Ok(()),
    }
}

fn check_growth_of(name: &str, costs: &[u64], limit: f64) -> Result<()> {
    let (Some(&least), Some(&most)) = (costs.iter().min(), costs.iter().max()) else {
        return Ok(());
    };
    let growth = most as f64 / least.max(1) as f64;
    match growth <= limit {
        true => Ok(()),
        false => Err(format!(
            "{name}: the dearest size costs {growth:.2} times the cheapest; the limit is {limit}"
        )
        .into()),
    }
}

fn build(project: &Project, log: &mut Log, package: &str) -> Result<PathBuf> {
    let line = format!("cargo build --locked --release --package {package} --example bench");
    log.run(project.command(&line))?;
    Ok(project.target.join("release/examples/bench"))
}

fn cost_of_one(log: &mut Log, program: &Path, case: &Case, size: u64) -> Result<u64> {
    let n = case.iterations;
    let once = instructions(log, program, case.name, size, n)?;
    let twice = instructions(log, program, case.name, size, 2 * n)?;
    Ok(twice.saturating_sub(once) / n)
}

fn instructions(
    log: &mut Log,
    program: &Path,
    case: &str,
    size: u64,
    iterations: u64,
) -> Result<u64> {
    let mut command = Command::new(program);
    command.arg(case);
    command.args([size.to_string(), iterations.to_string()]);
    count_instructions(log, &command)
}

/// Runs a program under valgrind.
fn count_instructions(log: &mut Log, program: &Command) -> Result<u64> {
    if !shell::on_path("valgrind") {
        return Err("valgrind is not installed; `cargo xtask test tools` installs it".into());
    }
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(program.get_program()).args(program.get_args());
    let output = log.run(command)?;
    let count = collected(&output);
    Ok(count.ok_or_else(|| format!("valgrind printed no count for {program:?}"))?)
}

/// From valgrind's last lines: `==1234== Collected : 567890`.
fn collected(output: &str) -> Option<u64> {
    let (_, count) = output
        .lines()
        .rev()
        .find_map(|line| line.split_once("Collected : "))?;
    count.trim().parse().ok()
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_is_read_from_the_end_of_the_output() {
        let output = "Collected : no\n==7== Events    : Ir\n==7== Collected : 7364911\n==7== \n";
        assert_eq!(collected(output), Some(7_364_911));
        assert_eq!(collected("valgrind: not found"), None);
    }

    #[test]
    fn cases_are_chosen_by_name_and_unknown_names_are_refused() {
        assert_eq!(select(&[]).ok().unwrap().len(), CASES.len());
        assert_eq!(select(&["edit", "parse"]).ok().unwrap().len(), 2);
        for wrong in [&["--large"][..], &["edit", "edits"], &["page", "--quick"]] {
            assert!(
                select(wrong)
                    .err()
                    .unwrap()
                    .to_string()
                    .contains("compose100")
            );
        }
    }

    #[test]
    fn growth_beyond_the_limit_is_refused() {
        let case = &CASES[0];
        assert!(check_limit(case, &[100, 110, 200]).is_ok());
        assert!(check_limit(case, &[100, 110, 201]).is_err());
    }

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [
            (7, "7"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
