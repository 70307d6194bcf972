//! Backups that the service makes itself.

#[derive(Clone, Debug)]
pub struct Backups {
    /// 0: none on schedule.
    pub every_hours: u64,
    pub keep: usize,
    pub folder: String,
}

impl Default for Backups {
    fn default() -> Backups {
        Backups {
            every_hours: 0,
            keep: 7,
            folder: "var/backups".to_owned(),
        }
    }
}
