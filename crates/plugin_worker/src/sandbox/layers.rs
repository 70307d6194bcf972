//! The layers of the sandbox on Linux, from the one that every kernel has to the strictest.

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use plugin::wire::SandboxReport;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use rustix::thread::set_no_new_privs;

use super::filter;

/// The newest rules of landlock that are known here. Older kernels take what they know of them.
const LANDLOCK: ABI = ABI::V9;

/// What messages and their copies take beside the engine: a few frames.
const MESSAGES: u64 = 64 * 1024 * 1024;

pub(super) fn enter(report: &mut SandboxReport) {
    report.no_new_privileges = set_no_new_privs(true).is_ok();
    // Nobody with the same rights reads this process's memory, and no dump of it is written.
    let is_private = set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok();
    report.landlock = restrict_with_landlock();
    // After landlock, which opens a file for its rules.
    let resources = [
        Resource::Core,
        Resource::Fsize,
        Resource::Nofile,
        Resource::Nproc,
        Resource::Memlock,
        Resource::Msgqueue,
    ];
    report.limits = is_private && resources.map(forbid).iter().all(|is_set| *is_set);
    report.seccomp = filter::apply();
}

/// The kernel refuses memory beyond the plugin's own and what messages take. The engine can hold
/// all of a message twice while it reads it.
pub(super) fn limit_address_space(occupied: u64, memory: u64) -> bool {
    set_both(Resource::As, occupied + 2 * memory + MESSAGES)
}

fn forbid(resource: Resource) -> bool {
    set_both(resource, 0)
}

fn set_both(resource: Resource, value: u64) -> bool {
    let limit = Rlimit {
        current: Some(value),
        maximum: Some(value),
    };
    setrlimit(resource, limit).is_ok()
}

/// Rules without a single exception: no file, no port, no signal to others.
fn restrict_with_landlock() -> bool {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(LANDLOCK))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(LANDLOCK)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(LANDLOCK)))
        .and_then(Ruleset::create)
        .and_then(|ruleset| ruleset.restrict_self());
    ruleset.is_ok_and(|status| status.ruleset != RulesetStatus::NotEnforced)
}
