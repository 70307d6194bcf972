//! Usage of the commands, and what `--help` prints.

use crate::failure::Result;
use crate::{bench, test};

const OVERVIEW: &str = "\
Usage: cargo xtask <command>

  test [--verbose] [STAGE…]   everything CI does, or only the stages named
  web                         the stages of web/: types, lint, unit tests
  tidy                        the rules of the tree that no compiler checks
  bench [CASE…]               instruction counts, under valgrind
  bench growth [OPERATION…]   the same for operations of the service, on small and on large data
  bench admin                 the pages of the admin area, with many pads and a long series
  bench all [CASE…]           measures what docs/performance.md shows, and writes it there
  bench api [--seconds N] [--large] [CASE…]  the running server under load
  bench cluster [--quick]     several nodes on one PostgreSQL, as ratios
  bench crowds [--seconds N] [CASE…]  many people in one pad, and two in each of many
  bench exports               the memory that exports of a large pad take
  bench imports               the memory that hostile files take
  bench page                  the pad page in a browser, beside the bare editor
  bench plugins               commits beside plugins, the start, and the memory of workers
  bench store commits|size|open|list [N] [--postgres CONNECTION]  what the store costs
  fuzz [--seconds N] [TARGET…]  each fuzz target for a while (needs a nightly toolchain)
  soak [--minutes N]          the long versions: more cases, more fuzzing
  soak hostile [--minutes N] [--seed N]  a hostile crowd beside loyal editors
  image [--quick]             the steps of the Dockerfile, without a container engine
  deb [--quick]               the Debian package: built, unpacked, started
  update-rehearsal [--quick]  a clone of this repository updates itself, and back
";

/// The help to print in place of running anything, if the arguments ask for it. They may do so
/// anywhere: some commands take an hour, and none has an argument of that name.
pub fn help(arguments: &[&str]) -> Option<Result<String>> {
    let is_help = |word: &&str| matches!(*word, "--help" | "-h");
    match arguments {
        [] | ["help"] => Some(Ok(OVERVIEW.to_owned())),
        ["help", command, ..] => Some(of(command)),
        [first, ..] if is_help(first) => Some(Ok(OVERVIEW.to_owned())),
        [command, rest @ ..] => rest.iter().any(is_help).then(|| of(command)),
    }
}

/// The error for a command that does not exist.
pub fn unknown(command: &str) -> String {
    format!("unknown command: {command}\n\n{OVERVIEW}")
}

/// Refuses arguments of a command that has none.
pub fn none(command: &str, arguments: &[&str]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => {
            Err(format!("{command} has no argument {argument}; it takes none").into())
        }
    }
}

/// Whether `--quick` is given, which is all that some commands take.
pub fn quick(command: &str, arguments: &[&str]) -> Result<bool> {
    match arguments {
        [] => Ok(false),
        ["--quick"] => Ok(true),
        _ => Err(format!("usage: cargo xtask {command} [--quick]").into()),
    }
}

/// The rows of one command, and the names it takes.
fn of(command: &str) -> Result<String> {
    let is_about =
        |row: &&str| row.starts_with("  ") && row.split_whitespace().next() == Some(command);
    let rows: Vec<&str> = OVERVIEW.lines().filter(is_about).collect();
    if rows.is_empty() {
        return Err(unknown(command).into());
    }
    let names = match command {
        "test" => format!("\nStages: {}\n", test::stage_names().join(" ")),
        "bench" => format!("\nCases: {}\n", bench::case_names().join(" ")),
        _ => String::new(),
    };
    let rows = rows.join("\n");
    Ok(format!("Usage: cargo xtask <command>\n\n{rows}\n{names}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_given_wherever_it_is_asked_for() {
        for arguments in [&[][..], &["help"], &["--help"], &["-h"]] {
            assert_eq!(
                help(arguments),
                Some(Ok(OVERVIEW.to_owned())),
                "{arguments:?}"
            );
        }
        for arguments in [
            &["test", "--help"][..],
            &["test", "-h"],
            &["test", "tidy", "--help"],
            &["help", "test"],
        ] {
            let text = help(arguments).unwrap().unwrap();
            assert!(text.contains("test [--verbose] [STAGE…]"), "{text}");
            assert!(text.contains(" fmt clippy tidy "), "{text}");
            assert!(!text.contains("update-rehearsal"), "{text}");
        }
        for command in ["web", "fuzz", "soak", "image", "deb", "update-rehearsal"] {
            assert!(help(&[command, "--help"]).unwrap().is_ok(), "{command}");
            assert_eq!(help(&[command]), None);
        }
    }

    #[test]
    fn unknown_commands_and_arguments_are_errors_that_list_what_there_is() {
        let error = help(&["tset", "--help"]).unwrap().unwrap_err().to_string();
        assert!(error.starts_with("unknown command: tset"), "{error}");
        assert!(error.contains("  tidy  "), "{error}");
        assert!(none("tidy", &["--fix"]).is_err());
        assert_eq!(quick("deb", &["--quick"]), Ok(true));
        assert!(quick("deb", &["--quack"]).is_err());
    }
}
