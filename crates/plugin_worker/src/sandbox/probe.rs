//! What the process can still do, seen by trying, and what it had at the beginning.

use std::fs::{self, File};
use std::net::{TcpListener, UdpSocket};
use std::process::{Command, Stdio};

use plugin::wire::SandboxReport;

/// Tries what a plugin must not be able to do.
pub(super) fn try_everything(report: &mut SandboxReport) {
    report.no_files = File::open("/").is_err()
        && File::open("/proc/self/status").is_err()
        && File::create("/dev/null").is_err();
    report.no_network =
        TcpListener::bind("127.0.0.1:0").is_err() && UdpSocket::bind("127.0.0.1:0").is_err();
    let mut program = Command::new("/bin/true");
    program
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    report.no_processes = program.spawn().is_err();
}

/// Files that the service has left open for this process beyond the three pipes.
pub(super) fn inherited() -> u32 {
    let open = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    // Three pipes, and the folder that is being read.
    u32::try_from(open.saturating_sub(4)).unwrap_or(u32::MAX)
}

/// The address space of the process, in bytes.
pub(super) fn address_space() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_sandbox_the_attempts_succeed() {
        let mut report = SandboxReport::default();
        try_everything(&mut report);
        assert_eq!(report, SandboxReport::default());
        assert!(!report.is_tight());
        assert!(address_space().is_some_and(|bytes| bytes > 1024 * 1024));
    }
}
