//! The filter of system calls: what memory, pipes and the clock of the processor take.
//!
//! Anything else fails with `EPERM` and does not end the process: the C library may try a file,
//! such as that of the time zone, and goes on without.

use std::collections::BTreeMap;

use libc::{PROT_EXEC, RLIMIT_AS, RLIMIT_CPU};
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
    libc::SYS_read,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
    libc::SYS_write,
    libc::SYS_writev,
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
    rules.insert(libc::SYS_mmap, vec![all(vec![no_code()?])?]);
    rules.insert(libc::SYS_mprotect, vec![all(vec![no_code()?])?]);
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
