//! What the worker gives up before it reads a script: new privileges, files, network, processes.
//!
//! Each layer is for itself, since kernels and containers differ in what they allow, and none is
//! believed: in the end the worker tries what it must not be able to do, and reports what it saw.

#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod layers;
mod probe;

use plugin::wire::SandboxReport;

pub(crate) struct Sandbox {
    report: SandboxReport,
    /// Address space that the program itself takes, in bytes.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only limited there")
    )]
    occupied: Option<u64>,
}

impl Sandbox {
    /// There is no way back out of it.
    pub(crate) fn enter() -> Sandbox {
        let occupied = probe::address_space();
        let mut report = SandboxReport {
            inherited: probe::inherited(),
            ..SandboxReport::default()
        };
        #[cfg(target_os = "linux")]
        layers::enter(&mut report);
        if report.seccomp {
            // They are open, and the filter lets nothing be done with them.
            report.inherited = 0;
        }
        probe::try_everything(&mut report);
        Sandbox { report, occupied }
    }

    pub(crate) fn report(&self) -> SandboxReport {
        self.report.clone()
    }

    /// Bounds the address space, for what the engine's own limit does not count. Whether it is.
    pub(crate) fn limit_memory(&self, memory: u64) -> bool {
        #[cfg(target_os = "linux")]
        return self
            .occupied
            .is_some_and(|occupied| layers::limit_address_space(occupied, memory));
        #[cfg(not(target_os = "linux"))]
        return memory == 0;
    }
}
