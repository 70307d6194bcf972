//! A value that the caller keeps until it ends.

/// What is going on is kept by the caller, under keys that tell nothing: hashes. Each step of a
/// request takes what was kept and gives what to keep next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub value: Vec<u8>,
    /// In seconds since 1970.
    pub ends: u64,
}

/// What something is kept under.
pub type KeptKey = [u8; 32];
