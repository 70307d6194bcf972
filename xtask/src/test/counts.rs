//! Counting tests: reading the numbers out of what each test runner prints.

use std::fmt;

use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// nextest: `Summary [ 1.2s] 9 tests run: 7 passed (1 slow), 1 failed, 1 timed out, 2 skipped`.
    pub fn from_nextest(output: &str) -> Self {
        let summary = output
            .lines()
            .rev()
            .find(|line| line.trim_start().starts_with("Summary ["));
        let mut counts = Self::default();
        let parts = summary
            .and_then(|line| line.split_once("run: "))
            .map_or("", |(_, rest)| rest);
        for part in parts.split(", ") {
            counts.add_part(part);
        }
        counts
    }

    /// The standard runner, once for each binary:
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; …`.
    pub fn from_libtest(output: &str) -> Self {
        let mut counts = Self::default();
        for line in output.lines() {
            let Some(rest) = line.strip_prefix("test result: ") else {
                continue;
            };
            let parts = rest.split_once(". ").map_or("", |(_, parts)| parts);
            for part in parts.split("; ") {
                counts.add_part(part);
            }
        }
        counts
    }

    /// vitest's JSON report.
    pub fn from_vitest(report: &str) -> Self {
        let report: Value = serde_json::from_str(report).unwrap_or_default();
        let number = |field: &str| report.get(field).and_then(Value::as_u64).unwrap_or(0);
        Self {
            passed: number("numPassedTests"),
            failed: number("numFailedTests"),
            skipped: number("numPendingTests") + number("numTodoTests"),
        }
    }

    /// Node's runner in the form of TAP, which ends with lines such as `# pass 3`.
    pub fn from_tap(output: &str) -> Self {
        let number = |what: &str| -> u64 {
            let line = output.lines().rev();
            line.filter_map(|line| line.strip_prefix("# ")?.strip_prefix(what))
                .find_map(|rest| rest.trim().parse().ok())
                .unwrap_or(0)
        };
        Self {
            passed: number("pass "),
            failed: number("fail ") + number("cancelled "),
            skipped: number("skipped ") + number("todo "),
        }
    }

    /// Python's unittest: `Ran 9 tests in 0.1s`, then `OK` or
    /// `FAILED (failures=1, errors=1, skipped=2)`.
    pub fn from_unittest(output: &str) -> Self {
        let mut lines = output.lines();
        let ran = lines.find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse().ok());
        let parts = lines.find_map(|line| line.split_once('(')?.1.strip_suffix(')'));
        let number = |what: &str| -> u64 {
            let mut parts = parts.unwrap_or_default().split(", ");
            let value = parts.find_map(|part| part.strip_prefix(what)?.strip_prefix('='));
            value.and_then(|value| value.parse().ok()).unwrap_or(0)
        };
        let failed = number("failures") + number("errors");
        let skipped = number("skipped");
        let ran: u64 = ran.unwrap_or(0);
        Self {
            passed: ran.saturating_sub(failed + skipped),
            failed,
            skipped,
        }
    }

    /// schemathesis' JSON report.
    pub fn from_schemathesis(report: &str) -> Self {
        let report: Value = serde_json::from_str(report).unwrap_or_default();
        let number = |path: &str| report.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        let failed = number("/test_cases/unique_failures") + number("/operations/errored");
        Self {
            passed: number("/operations/tested").saturating_sub(failed),
            failed,
            skipped: number("/operations/skipped"),
        }
    }

    /// Adds one part of a summary, such as `7 passed (1 slow)`.
    fn add_part(&mut self, part: &str) {
        let Some((number, what)) = part.trim().split_once(' ') else {
            return;
        };
        let Ok(number) = number.parse::<u64>() else {
            return;
        };
        if what.starts_with("passed") {
            self.passed += number;
        } else if ["failed", "timed out", "exec failed"]
            .iter()
            .any(|w| what.starts_with(w))
        {
            self.failed += number;
        } else if what.starts_with("skipped") || what.starts_with("ignored") {
            self.skipped += number;
        }
    }
}

/// The form the whole run ends with; scripts read it.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: Counts, shown: &str) {
        assert_eq!(counts.to_string(), shown);
    }

    #[test]
    fn nextest_summary() {
        let output =
            "    PASS [ 0.0s] a\n     Summary [   0.054s] 15 tests run: 15 passed, 0 skipped\n";
        check(
            Counts::from_nextest(output),
            "15 passed, 0 failed, 0 skipped",
        );
        let output = "     Summary [   1.2s] 9/12 tests run: 7 passed (1 slow, 1 flaky), 1 failed, \
                      1 timed out, 2 skipped\n        FAIL [ 0.0s] padsvc it\n";
        check(
            Counts::from_nextest(output),
            "7 passed, 2 failed, 2 skipped",
        );
        check(
            Counts::from_nextest("error: could not compile"),
            "0 passed, 0 failed, 0 skipped",
        );
    }

    #[test]
    fn libtest_results_are_summed() {
        let output = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\
                      test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n";
        check(
            Counts::from_libtest(output),
            "4 passed, 2 failed, 1 skipped",
        );
    }

    #[test]
    fn tap_summary() {
        let output = "ok 1 - # pass\n1..3\n# tests 4\n# pass 2\n# fail 1\n# skipped 1\n# todo 0\n";
        check(Counts::from_tap(output), "2 passed, 1 failed, 1 skipped");
        check(Counts::from_tap(""), "0 passed, 0 failed, 0 skipped");
    }

    #[test]
    fn unittest_summary() {
        let check_output = |output: &str, shown: &str| check(Counts::from_unittest(output), shown);
        check_output(
            "...\nRan 3 tests in 0.1s\n\nOK\n",
            "3 passed, 0 failed, 0 skipped",
        );
        check_output(
            "Ran 9 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n",
            "5 passed, 3 failed, 1 skipped",
        );
        check_output("Traceback (most", "0 passed, 0 failed, 0 skipped");
    }

    #[test]
    fn schemathesis_report() {
        let report = r#"{"operations":{"tested":100,"errored":1,"skipped":0},
                         "test_cases":{"generated":4000,"unique_failures":2}}"#;
        check(
            Counts::from_schemathesis(report),
            "97 passed, 3 failed, 0 skipped",
        );
    }

    #[test]
    fn vitest_report() {
        let report =
            r#"{"numPassedTests":4,"numFailedTests":1,"numPendingTests":2,"numTodoTests":1}"#;
        check(Counts::from_vitest(report), "4 passed, 1 failed, 3 skipped");
        check(
            Counts::from_vitest("no report"),
            "0 passed, 0 failed, 0 skipped",
        );
    }
}
