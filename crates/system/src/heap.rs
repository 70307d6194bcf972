//! The heap. The C library keeps what a crowd has left behind until it is asked to give it back.
//!
//! Invariant: the only unsafe code of this repository; tidy finds any other.

/// Gives pages that nothing uses back to the machine. While it looks, which takes milliseconds,
/// other threads may wait for memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a function of C")]
pub fn give_back() {
    // SAFETY: it takes no pointer, leaves what is in use where it is, and any thread may call it.
    unsafe { libc::malloc_trim(0) };
}

/// Other C libraries give back by themselves, or cannot be asked.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
