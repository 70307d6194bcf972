//! The filter of system calls: what memory, the three pipes and the clock of the processor take.
//!
//! Anything else fails with `EPERM` and does not end the process: the C library may try a file,
//! such as that of the time zone, and goes on without.

use std::collections::BTreeMap;

use libc::{MAP_ANONYMOUS, PROT_EXEC, RLIMIT_AS, RLIMIT_CPU};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// Calls that are allowed with any arguments.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];

/// Whether the kernel has taken it.
pub(super) fn apply() -> bool {
    let program = program();
    program.is_some_and(|program| apply_filter(&program).is_ok())
}

fn program() -> Option<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    // Memory that is never code.
    let no_code = || argument(2, SeccompCmpOp::MaskedEq(u64::try_from(PROT_EXEC).ok()?), 0);
    let anonymous = u64::try_from(MAP_ANONYMOUS).ok()?;
    let no_file = argument(3, SeccompCmpOp::MaskedEq(anonymous), anonymous)?;
    rules.insert(libc::SYS_mmap, vec![all(vec![no_code()?, no_file])?]);
    rules.insert(libc::SYS_mprotect, vec![all(vec![no_code()?])?]);
    // The three pipes and no other file, whatever the service was started with: what is open there
    // may be open here too. Closing it by its number would take unsafe code.
    let file = |number: u64| all(vec![argument(0, SeccompCmpOp::Eq, number)?]);
    rules.insert(libc::SYS_read, vec![file(0)?]);
    for write in [libc::SYS_write, libc::SYS_writev] {
        rules.insert(write, vec![file(1)?, file(2)?]);
    }
    // Limits of this process, which can only be lowered: the watchdog and the address space.
    let limit = |resource: u32| {
        let own = argument(0, SeccompCmpOp::Eq, 0)?;
        all(vec![own, argument(1, SeccompCmpOp::Eq, resource.into())?])
    };
    rules.insert(
        libc::SYS_prlimit64,
        vec![limit(RLIMIT_CPU)?, limit(RLIMIT_AS)?],
    );
    let refused = SeccompAction::Errno(u32::try_from(libc::EPERM).ok()?);
    let target = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, target).ok()?;
    filter.try_into().ok()
}

fn argument(index: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompCondition> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value).ok()
}

fn all(conditions: Vec<SeccompCondition>) -> Option<SeccompRule> {
    SeccompRule::new(conditions).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{ErrorKind, Read, Write, pipe};

    /// A file that was open before, as one that the service has left open for its workers.
    #[test]
    fn only_the_three_pipes_can_be_used() {
        let mut zero = File::open("/dev/zero").unwrap();
        let (_reader, mut writer) = pipe().unwrap();
        // The filter is that of one thread.
        let tried = std::thread::spawn(move || {
            rustix::thread::set_no_new_privs(true).unwrap();
            let is_on = apply();
            let mut byte = [1];
            let read = zero.read(&mut byte).map_err(|error| error.kind());
            let written = writer.write(b"x").map_err(|error| error.kind());
            (is_on, read, written)
        });
        let (is_on, read, written) = tried.join().unwrap();
        if is_on {
            assert_eq!(read, Err(ErrorKind::PermissionDenied));
            assert_eq!(written, Err(ErrorKind::PermissionDenied));
        } else {
            println!("this kernel refuses the filter of system calls");
        }
    }
}
