//! The stages, in the order they run: what is quick to fail comes first.
//!
//! To add one, write a function and name it in `ALL`. It runs commands through `run.log` and adds
//! what it counted to `run.counts`.

use super::counts::Counts;
use super::server::Server;
use super::{Run, Stage, tools};
use crate::failure::Result;
use crate::{bench, clients, deny, differential, fuzz, npm, packaging, shell, tidy};

/// Long enough to run the kept inputs and some new ones; `soak` is for finding things.
const FUZZ_SECONDS: u32 = 5;
/// About ten calls of each function in each way; `soak` makes many more.
const PROPERTIES_SECONDS: u32 = 60;

/// In the order in which they would have to be published.
const PUBLISHED: [&str; 9] = [
    "changeset",
    "pad",
    "codec",
    "store",
    "hints",
    "wtf_json",
    "convert",
    "contract",
    "service",
];

/// Tests that need a program which a variable says to go without, by a part of their names.
const NEEDED: [(&str, &str); 3] = [
    ("PADSVC_SKIP_POSTGRES", "postgres"),
    ("PADSVC_SKIP_SOFFICE", "libreoffice"),
    ("PADSVC_SKIP_STRACE", "strace"),
];

/// The program, and the example that fills a store for the tests of the admin area. Named in this
/// way cargo takes what the tests were built from; with `--package` it would choose other features
/// of the dependencies and build most of them again.
pub const BUILD_FOR_TESTS: &str =
    "cargo build --locked --workspace --bin padsvc --example many_pads";

pub const ALL: &[Stage] = &[
    stage("tools", tools::install),
    stage("fmt", fmt),
    stage("clippy", clippy),
    stage("tidy", tidy),
    stage("deny", deny),
    stage("docs", docs),
    stage("test", test),
    stage("doctest", doctest),
    stage("web-types", web_types),
    stage("web-lint", web_lint),
    stage("web-test", web_test),
    stage("differential", differential),
    stage("page-size", page_size),
    stage("e2e", e2e),
    stage("api-clients", api_clients),
    stage("api-properties", api_properties),
    stage("crates", crates),
    stage("packaging", packaging),
    stage("bench", bench),
    stage("fuzz", fuzz_briefly),
];

const fn stage(name: &'static str, run: fn(&mut Run) -> Result<()>) -> Stage {
    Stage { name, run }
}

fn fmt(run: &mut Run) -> Result<()> {
    cargo(run, "fmt --all --check").map(drop)
}

fn clippy(run: &mut Run) -> Result<()> {
    cargo(
        run,
        "clippy --locked --workspace --all-targets -- -D warnings",
    )
    .map(drop)
}

fn tidy(run: &mut Run) -> Result<()> {
    let findings = tidy::findings(run.project)?;
    report(run, "tidy", &findings)
}

/// Licences, banned crates, duplicate versions and sources of dependencies.
fn deny(run: &mut Run) -> Result<()> {
    let findings = deny::findings(run.project)?;
    report(run, "deny", &findings)
}

fn report(run: &mut Run, stage: &str, findings: &[String]) -> Result<()> {
    for finding in findings {
        run.log.line(finding);
    }
    match findings.len() {
        0 => Ok(()),
        count => Err(format!("{stage} found {count} things to put right").into()),
    }
}

fn docs(run: &mut Run) -> Result<()> {
    // With the examples, so that the dependencies are those that clippy has read.
    let mut command = run.project.command(
        "cargo doc --locked --workspace --no-deps --document-private-items --lib --bins --examples",
    );
    command.env("RUSTDOCFLAGS", "-D warnings");
    run.log.run(command).map(drop)
}

fn test(run: &mut Run) -> Result<()> {
    if shell::on_path("cargo-nextest") {
        let mut command = run
            .project
            .command("cargo nextest run --locked --workspace --no-fail-fast");
        // Most of the tests of the program wait for it more than they compute.
        let processors = std::thread::available_parallelism()?;
        command.arg(format!("--test-threads={}", 2 * processors.get()));
        let is_unwanted = |name: &str| std::env::var(name).is_ok_and(|value| value == "1");
        command.args(filter(is_unwanted));
        let result = run.log.run(command);
        run.counts = Counts::from_nextest(run.log.text());
        return result.map(drop);
    }
    let result = cargo(
        run,
        "test --locked --workspace --no-fail-fast --lib --bins --tests",
    );
    run.counts = Counts::from_libtest(run.log.text());
    result.map(drop)
}

/// Leaves out the tests of programs that are not wanted, by their names, so that they are counted
/// as skipped. They return at once by themselves where no filter is given.
fn filter(is_unwanted: impl Fn(&str) -> bool) -> Option<String> {
    let unwanted = NEEDED.iter().filter(|(variable, _)| is_unwanted(variable));
    let unwanted: Vec<String> = unwanted.map(|(_, name)| format!("test({name})")).collect();
    (!unwanted.is_empty()).then(|| format!("--filterset=not ({})", unwanted.join(" + ")))
}

fn doctest(run: &mut Run) -> Result<()> {
    let result = cargo(run, "test --locked --workspace --no-fail-fast --doc");
    run.counts = Counts::from_libtest(run.log.text());
    result.map(drop)
}

/// The crate for embedders and what it needs, as `cargo publish` would send them. They are not
/// built again: the stages above have done that.
fn crates(run: &mut Run) -> Result<()> {
    let mut command = run
        .project
        .command("cargo package --locked --offline --no-verify --allow-dirty");
    for name in PUBLISHED {
        command.args(["--package", name]);
    }
    run.log.run(command).map(drop)
}

fn web_types(run: &mut Run) -> Result<()> {
    npm_script(run, "check")
}

fn web_lint(run: &mut Run) -> Result<()> {
    npm_script(run, "lint")
}

fn web_test(run: &mut Run) -> Result<()> {
    vitest(run, "test", None)
}

fn differential(run: &mut Run) -> Result<()> {
    npm::install_if_stale(&run.project.web())?;
    for command in differential::commands(run.project) {
        run.log.run(command)?;
    }
    run.counts.passed = 1;
    Ok(())
}

fn build(run: &mut Run) -> Result<()> {
    run.log.run(run.project.command(BUILD_FOR_TESTS)).map(drop)
}

/// What the pages weigh, as they are embedded in the program.
fn page_size(run: &mut Run) -> Result<()> {
    build(run)?;
    npm_script(run, "size")
}

/// The pages in a browser, served by a program of their own in a folder of their own.
fn e2e(run: &mut Run) -> Result<()> {
    build(run)?;
    let server = Server::start(run.project, "e2e", "{}")?;
    vitest(run, "e2e", Some(&server))
}

/// Client libraries that others have written, unchanged.
fn api_clients(run: &mut Run) -> Result<()> {
    build(run)?;
    let result = clients::test_libraries(run.project, &mut run.log);
    run.counts = Counts::from_tap(run.log.text());
    run.counts.add(Counts::from_unittest(run.log.text()));
    result
}

/// Every operation of the OpenAPI document counts as one test.
fn api_properties(run: &mut Run) -> Result<()> {
    build(run)?;
    let result = clients::test_properties(run.project, &mut run.log, PROPERTIES_SECONDS);
    let report = std::fs::read_to_string(clients::properties_report(run.project));
    run.counts = Counts::from_schemathesis(&report.unwrap_or_default());
    result
}

/// The image and the Debian package: made, and started.
fn packaging(run: &mut Run) -> Result<()> {
    run.counts.passed = packaging::check(run.project, &mut run.log)?;
    Ok(())
}

/// Not the figures, only the promises about how they grow.
fn bench(run: &mut Run) -> Result<()> {
    run.counts.passed = bench::check_growth(run.project, &mut run.log)?;
    Ok(())
}

fn fuzz_briefly(run: &mut Run) -> Result<()> {
    let targets = fuzz::targets(run.project)?;
    if !fuzz::is_possible(run.project) {
        run.counts.skipped = targets.len() as u64;
        run.log
            .line("no nightly toolchain with cargo-fuzz; the targets are not run");
        return Ok(());
    }
    let mut failed = Vec::new();
    for target in targets {
        match run
            .log
            .run(fuzz::command(run.project, &target, FUZZ_SECONDS)?)
        {
            Ok(_) => run.counts.passed += 1,
            Err(_) => {
                run.counts.failed += 1;
                failed.push(target);
            }
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("fuzz targets that failed: {}", failed.join(", ")).into()),
    }
}

fn cargo(run: &mut Run, arguments: &str) -> Result<String> {
    run.log
        .run(run.project.command(&format!("cargo {arguments}")))
}

fn npm_script(run: &mut Run, script: &str) -> Result<()> {
    npm::install_if_stale(&run.project.web())?;
    let mut command = run.project.command(&format!("npm run --silent {script}"));
    command.current_dir(run.project.web());
    run.log.run(command).map(drop)
}

/// A script that is a run of vitest: counted by its own report.
fn vitest(run: &mut Run, script: &str, server: Option<&Server>) -> Result<()> {
    npm::install_if_stale(&run.project.web())?;
    let report = run.project.scratch().join(format!("{script}.json"));
    // An old report must not be taken for the one of a run that never got that far.
    let _ = std::fs::remove_file(&report);
    let mut command = run.project.command(&format!(
        "npm run --silent {script} -- --reporter=default --reporter=json --outputFile={}",
        report.display()
    ));
    command.current_dir(run.project.web());
    if let Some(server) = server {
        command.env("PADSVC_URL", &server.url);
        command.env("PADSVC_KEY", server.api_key()?);
    }
    let result = run.log.run(command);
    run.counts = Counts::from_vitest(&std::fs::read_to_string(&report).unwrap_or_default());
    result.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_are_not_wanted_are_left_out_by_name() {
        assert_eq!(filter(|_| false), None);
        let without = filter(|name| name != "PADSVC_SKIP_SOFFICE");
        let expected = "--filterset=not (test(postgres) + test(strace))";
        assert_eq!(without.as_deref(), Some(expected));
    }
}
