//! Processor time of processes, from `/proc`.

use std::path::Path;

use crate::Outcome;

/// Seconds for which processors have worked for a process so far.
pub(crate) fn seconds(pid: u32) -> Outcome<f64> {
    ticks(pid, 2)
}

/// The first process of PostgreSQL. All others are its children.
#[derive(Clone, Copy)]
pub(crate) struct Postmaster(u32);

impl Postmaster {
    /// From the folder that the server was started in.
    pub(crate) fn read(folder: &Path) -> Outcome<Postmaster> {
        let file = std::fs::read_to_string(folder.join("data/postmaster.pid"))?;
        let pid = file.lines().next().ok_or("no process id")?;
        Ok(Postmaster(pid.trim().parse()?))
    }

    /// The same for the server, without the process of one of its clients. Those that have ended
    /// count too.
    pub(crate) fn seconds(self, without: Option<u32>) -> Outcome<f64> {
        let Postmaster(pid) = self;
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
        let children = children.split_whitespace().map(str::parse);
        let mut sum = ticks(pid, 4)?;
        for child in children {
            let child: u32 = child?;
            if Some(child) != without {
                // One that ends meanwhile is found with the next reading.
                sum += seconds(child).unwrap_or_default();
            }
        }
        Ok(sum)
    }
}

/// The first two are of the process itself, the others of children that have ended.
fn ticks(pid: u32, fields: usize) -> Outcome<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name of the program, in brackets, may contain anything.
    let (_, rest) = stat.rsplit_once(") ").ok_or("no fields")?;
    let ticks = rest.split(' ').skip(11).take(fields);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    // Linux has counted in hundredths for programs since long ago.
    Ok(ticks as f64 / 100.0)
}
