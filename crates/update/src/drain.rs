//! Schedule of the announcements before a restart.

/// One warning: how many seconds are left, and the name of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub seconds_left: u64,
    pub key: &'static str,
}

const MARKS: [(u64, &str); 3] = [
    (60, "update.drain.t60"),
    (30, "update.drain.t30"),
    (10, "update.drain.t10"),
];

/// In the order of time. The first is sent when the drain begins, however long it is.
pub fn announcements(drain_seconds: u64) -> Vec<Announcement> {
    let first = Announcement {
        seconds_left: drain_seconds,
        key: "update.drain.t60",
    };
    let later = MARKS.into_iter().filter(|(mark, _)| *mark < drain_seconds);
    let later = later.map(|(seconds_left, key)| Announcement { seconds_left, key });
    [first].into_iter().chain(later).collect()
}
