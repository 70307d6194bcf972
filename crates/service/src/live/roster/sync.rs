//! Comparing a roster with what all nodes have stored of a pad's members.

use std::collections::HashSet;

use pad::{Author, Colour};
use store::{NodeId, SeatRecord};

use crate::live::roster::{MemberId, Presence, Roster, Seat};

/// What a comparison has changed in a roster, and what it found missing in the store.
#[derive(Debug, Default)]
pub(crate) struct RosterChanges {
    /// Members that have come to other nodes.
    pub came: Vec<Presence>,
    /// The last members of authors that are gone.
    pub left: Vec<Presence>,
    /// Members of this node whose author has come to another node.
    pub taken: Vec<MemberId>,
    /// Members of this node that other nodes do not know, or know no longer.
    pub unknown: Vec<(Presence, Seat)>,
}

impl Roster {
    /// The members of this node that are stored. Taken before the store is read: those who come
    /// in between are not missing there.
    pub(crate) fn stored(&self) -> HashSet<MemberId> {
        let members = self.lock();
        let stored = members.local.iter().filter(|(_, it)| it.seats().is_some());
        stored.map(|(presence, _)| presence.member).collect()
    }

    /// Makes the roster what the store has, besides members of this node that came after `known`.
    pub(crate) fn sync(
        &self,
        node: NodeId,
        known: &HashSet<MemberId>,
        rows: &[SeatRecord],
        authors: &[Author],
    ) -> RosterChanges {
        let mut changes = RosterChanges::default();
        let mut members = self.lock();
        let has_moved = |presence: &Presence| {
            let moved = |row: &SeatRecord| {
                row.node != node && row.author == presence.author && !row.looks_only
            };
            !presence.looks_only && rows.iter().any(moved)
        };
        let is_here = |member: MemberId| {
            let same = |row: &SeatRecord| row.node == node && row.member == member.number();
            rows.iter().any(same)
        };
        let mut gone = Vec::new();
        members.local.retain(|(presence, seat)| {
            if is_here(presence.member) {
                return true;
            }
            if known.contains(&presence.member) && has_moved(presence) {
                seat.take();
                changes.taken.push(presence.member);
                gone.push(presence.clone());
                return false;
            }
            if known.contains(&presence.member) || seat.seats().is_none() {
                changes.unknown.push((presence.clone(), seat.clone()));
            }
            true
        });
        let before = std::mem::take(&mut members.remote);
        for row in rows.iter().filter(|row| row.node != node) {
            let presence = remote(row, authors);
            let known = before.iter().find(|it| it.member == presence.member);
            let is_changed = known.is_none_or(|known| known != &presence);
            if is_changed {
                changes.came.push(presence.clone());
            }
            members.remote.push(presence);
        }
        gone.extend(before);
        for presence in gone {
            let is_listed = |left: &Presence| left.author == presence.author;
            if !members.has_author(&presence.author) && !changes.left.iter().any(is_listed) {
                changes.left.push(presence);
            }
        }
        changes
    }
}

fn remote(row: &SeatRecord, authors: &[Author]) -> Presence {
    let author = authors.iter().find(|author| author.id == row.author);
    Presence {
        member: MemberId {
            node: Some(row.node),
            number: row.member,
        },
        author: row.author.clone(),
        name: author.and_then(|author| author.name.clone()),
        colour: author.map_or(Colour::Palette(0), |author| author.colour.clone()),
        joined: row.joined,
        session: None,
        looks_only: row.looks_only,
    }
}
