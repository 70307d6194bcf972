//! Processor time: how much of it one message may take, and who stops it after that.
//!
//! The engine asks at every loop and call whether the slice is over. Some of its built-in
//! functions do not ask, such as a search in an object that says it is endless, so the kernel
//! watches too: it ends a process that goes on for more than a second beyond its slice.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// The processor time that this process has used.
pub(crate) fn used() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

/// A slice of processor time, shared with the engine's interrupt handler.
#[derive(Clone, Default)]
pub(crate) struct Slice {
    end: Rc<Cell<Duration>>,
    is_over: Rc<Cell<bool>>,
}

impl Slice {
    pub(crate) fn begin(&self, length: Duration) {
        let now = used();
        self.end.set(now + length);
        self.is_over.set(false);
        arm_watchdog(now + length);
    }

    /// Whether the time is used up. It stays so until the next slice begins.
    pub(crate) fn is_over(&self) -> bool {
        if !self.is_over.get() && used() > self.end.get() {
            self.is_over.set(true);
        }
        self.is_over.get()
    }
}

/// The kernel counts whole seconds. Without a watchdog the service ends a worker that is stuck.
fn arm_watchdog(end: Duration) {
    let limit = Rlimit {
        current: Some(end.as_secs() + 2),
        maximum: getrlimit(Resource::Cpu).maximum,
    };
    let _ = setrlimit(Resource::Cpu, limit);
}
