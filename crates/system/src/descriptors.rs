//! The limit of open file descriptors, which is also one of connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the soft limit to the hard one: many systems start programs with 1024, for the sake of
/// old ones that cannot handle more. Returns the limit that holds then; `None` is no limit.
pub fn raise_limit() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(_) => current,
    }
}
