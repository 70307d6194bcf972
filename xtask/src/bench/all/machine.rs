//! The machine that measures, and the day.

use std::process::Command;

use crate::failure::Result;
use crate::shell;

/// A line for people. It names no host.
pub(super) fn and_day() -> Result<String> {
    let mut date = Command::new("date");
    date.args(["-u", "+%Y-%m-%d"]);
    let day = shell::capture(date).ok_or("there is no `date`")?;
    let processors = std::thread::available_parallelism()?;
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    Ok(format!(
        "Measured on {}, on {processors} processors ({}); load before: {load}.",
        day.trim(),
        model(&cpuinfo)
    ))
}

fn model(cpuinfo: &str) -> &str {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':'));
    name.map_or(std::env::consts::ARCH, |(_, name)| name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_a_model_or_an_architecture() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n";
        assert_eq!(model(cpuinfo), "Some CPU @ 2 GHz");
        assert_eq!(model(""), std::env::consts::ARCH);
    }
}
