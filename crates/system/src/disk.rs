//! Room on the disk that a folder is on.

use std::path::Path;

/// In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// For programs that are not root.
    pub free: u64,
    pub total: u64,
}

/// `None`: there is no such folder, or the system does not tell.
pub fn space(folder: &Path) -> Option<DiskSpace> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(DiskSpace {
        free: found.f_bavail.saturating_mul(found.f_frsize),
        total: found.f_blocks.saturating_mul(found.f_frsize),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_a_disk() {
        let space = space(&std::env::temp_dir()).unwrap();
        assert!(space.total >= space.free);
        assert!(space.total > 0);
        assert_eq!(super::space(Path::new("/no/such/folder")), None);
    }
}
