//! Windows of the authors in a pad: how many an author has, and how they end.

use pad::AuthorId;

use super::{MemberId, Members, Presence, Roster};
use crate::limits::WINDOWS;

impl Members {
    /// Takes the seats of some members of this node, which are no longer there.
    pub(super) fn take(&mut self, is_meant: impl Fn(&Presence) -> bool) -> Vec<MemberId> {
        let taken = self
            .local
            .extract_if(.., |(presence, _)| is_meant(presence));
        let taken = taken.map(|(presence, seat)| {
            seat.take();
            presence.member
        });
        taken.collect()
    }

    /// Makes room for another window of an author who has as many as may be.
    pub(super) fn take_oldest_window(&mut self, author: &AuthorId) -> Vec<MemberId> {
        let windows = self.local.iter().map(|(presence, _)| presence);
        let windows = windows.filter(|it| it.author == *author && it.member.window() != 0);
        let windows: Vec<MemberId> = windows.map(|it| it.member).collect();
        match windows.first() {
            Some(oldest) if windows.len() >= WINDOWS => self.take(|it| it.member == *oldest),
            _ => Vec::new(),
        }
    }
}

impl Roster {
    /// Ends the seats that windows of an author have on this node.
    pub(crate) fn end_windows(&self, author: &AuthorId, windows: &[u32]) -> Vec<MemberId> {
        self.lock()
            .take(|it| it.author == *author && windows.contains(&it.member.window()))
    }

    /// What an author is called now, in all windows.
    pub(crate) fn name_of(&self, author: &AuthorId) -> Option<String> {
        let members = self.lock();
        let mut members = members.local.iter();
        let found = members.find(|(presence, _)| presence.author == *author)?;
        found.0.name.clone()
    }
}
