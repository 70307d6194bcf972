//! `cargo xtask test`: everything CI does, as a row of stages.
//!
//! A failed stage does not stop the ones after it, so one run tells all that is wrong. What a
//! stage prints is shown only when it failed; its log stays in `target/xtask/`. The last line is
//! always the counts, alone.

mod counts;
pub mod server;
mod stages;
mod tools;

use std::io::Write;
use std::time::{Duration, Instant};

pub use stages::BUILD_FOR_TESTS;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell::Log;
use counts::Counts;

/// A named part of the test run.
struct Stage {
    name: &'static str,
    run: fn(&mut Run) -> Result<()>,
}

/// What a stage works with: the project, its log, and the counts it adds to.
struct Run<'a> {
    project: &'a Project,
    log: Log,
    counts: Counts,
}

pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let (verbose, stages) = parse(arguments)?;
    let start = Instant::now();
    let mut total = Counts::default();
    let mut failed = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        print!("{:>2}/{} {:<15}", index + 1, stages.len(), stage.name);
        let _ = std::io::stdout().flush();
        if verbose {
            println!();
        }
        let (counts, passed) = run_stage(project, stage, verbose)?;
        total.add(counts);
        if !passed {
            failed.push(stage.name);
        }
    }
    if !failed.is_empty() {
        println!(
            "\nfailed: {}; logs in {}",
            failed.join(", "),
            project.scratch().display()
        );
    }
    println!("\ntotal time {}", readable(start.elapsed()));
    println!("{total}");
    match failed.is_empty() {
        true => Ok(()),
        // All is said; the exit code alone is missing.
        false => Err(Failure::printed()),
    }
}

fn run_stage(project: &Project, stage: &Stage, verbose: bool) -> Result<(Counts, bool)> {
    let path = project.scratch().join(format!("{}.log", stage.name));
    let mut run = Run {
        project,
        log: Log::create(&path, verbose)?,
        counts: Counts::default(),
    };
    let start = Instant::now();
    let result = (stage.run)(&mut run);
    if result.is_err() && run.counts.failed == 0 {
        // A stage that is not made of tests counts as one when it fails.
        run.counts.failed = 1;
    }
    let verdict = if result.is_ok() { "ok" } else { "FAILED" };
    let details = match run.counts == Counts::default() {
        true => String::new(),
        false => format!("   {}", run.counts),
    };
    println!("{verdict:<7}{:>12}{details}", readable(start.elapsed()));
    if let Err(reason) = &result {
        if !verbose {
            print!("{}", run.log.text());
        }
        println!("{reason}\n");
    }
    Ok((run.counts, result.is_ok()))
}

/// The names of all stages, in the order they run.
pub fn stage_names() -> Vec<&'static str> {
    stages::ALL.iter().map(|stage| stage.name).collect()
}

/// Whether to print everything, and the stages to run. An option nobody knows must not run all.
fn parse(arguments: &[&str]) -> Result<(bool, Vec<&'static Stage>)> {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|word| word.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != "--verbose") {
        return Err(format!(
            "test has no option {unknown}; there is --verbose, and the stages: {}",
            stage_names().join(" ")
        )
        .into());
    }
    Ok((!options.is_empty(), select(&names)?))
}

/// The stages named, or all. `web` stands for every `web-…`.
fn select(names: &[&str]) -> Result<Vec<&'static Stage>> {
    let named = |stage: &Stage, name: &str| {
        stage.name == name
            || stage
                .name
                .strip_prefix(name)
                .is_some_and(|r| r.starts_with('-'))
    };
    for name in names {
        if !stages::ALL.iter().any(|stage| named(stage, name)) {
            return Err(format!(
                "no stage is named {name}; there are: {}",
                stage_names().join(" ")
            )
            .into());
        }
    }
    let is_wanted =
        |stage: &&Stage| names.is_empty() || names.iter().any(|name| named(stage, name));
    Ok(stages::ALL.iter().filter(is_wanted).collect())
}

fn readable(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", duration.as_secs_f32()),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_chosen_by_name_or_by_group() {
        let names = |wanted: &[&str]| -> Vec<&str> {
            select(wanted)
                .unwrap()
                .iter()
                .map(|stage| stage.name)
                .collect()
        };
        assert_eq!(names(&[]).len(), stages::ALL.len());
        assert_eq!(names(&["tidy", "fmt"]), ["fmt", "tidy"]);
        assert_eq!(names(&["web"]), ["web-types", "web-lint", "web-test"]);
        assert_eq!(names(&["api"]), ["api-clients", "api-properties"]);
        assert!(select(&["we"]).is_err());
    }

    #[test]
    fn unknown_options_are_refused_and_not_passed_over() {
        let (verbose, stages) = parse(&["tidy", "--verbose"]).ok().unwrap();
        assert!(verbose && stages.len() == 1);
        for wrong in [&["--quick"][..], &["tidy", "-v"], &["--verbos", "tidy"]] {
            let error = parse(wrong).err().unwrap().to_string();
            assert!(error.contains("--verbose"), "{error}");
            assert!(error.contains(" clippy "), "{error}");
        }
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(readable(Duration::from_millis(1250)), "1.2 s");
        assert_eq!(readable(Duration::from_secs(125)), "2 min 05 s");
    }
}
