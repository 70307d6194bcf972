//! Comparing a roster with what all nodes have stored of a pad's members.

use std::collections::{BTreeSet, HashMap, HashSet};

use pad::{Author, AuthorId, Colour};
use store::{NodeId, SeatRecord};

use crate::live::roster::{MemberId, Presence, Roster, Seat};

/// What a comparison has changed in a roster, and what it found missing in the store.
#[derive(Debug, Default)]
pub(crate) struct RosterChanges {
    /// Members that have come to other nodes.
    pub came: Vec<Presence>,
    /// The last members of authors that are gone.
    pub left: Vec<Presence>,
    /// Members that are gone while their author is still there in another window.
    pub closed: Vec<Presence>,
    /// Members of this node whose window has come to another node.
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

    /// The authors of some rows of which nothing is known here.
    pub(crate) fn unknown_authors(&self, rows: &[SeatRecord]) -> Vec<AuthorId> {
        let members = self.lock();
        let known: HashSet<&AuthorId> = members.remote.iter().map(|it| &it.author).collect();
        let unknown = rows.iter().map(|row| &row.author);
        let unknown: BTreeSet<&AuthorId> = unknown.filter(|it| !known.contains(it)).collect();
        unknown.into_iter().cloned().collect()
    }

    /// Makes the roster what the store has, besides members of this node that came after `known`.
    /// `authors` are those of which something may be new.
    pub(crate) fn sync(
        &self,
        node: NodeId,
        known: &HashSet<MemberId>,
        rows: &[SeatRecord],
        authors: &[Author],
    ) -> RosterChanges {
        let mut changes = RosterChanges::default();
        let mut members = self.lock();
        let (own, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.node == node);
        let own: HashSet<u64> = own.iter().map(|row| row.member).collect();
        let seated = others.iter().filter(|row| !row.looks_only);
        let seated: HashSet<(&AuthorId, u32)> = seated
            .map(|row| (&row.author, remote_id(row).window()))
            .collect();
        let has_moved =
            |it: &Presence| !it.looks_only && seated.contains(&(&it.author, it.member.window()));
        let mut gone = Vec::new();
        members.local.retain(|(presence, seat)| {
            if own.contains(&presence.member.number()) {
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
        let mut before: HashMap<MemberId, Presence> =
            before.into_iter().map(|it| (it.member, it)).collect();
        let authors: HashMap<&AuthorId, &Author> =
            authors.iter().map(|author| (&author.id, author)).collect();
        for row in others {
            let known = before.remove(&remote_id(row));
            let author = authors.get(&row.author).copied();
            let presence = match (&known, author) {
                (Some(known), None) => known.clone(),
                _ => remote(row, author),
            };
            if known.as_ref() != Some(&presence) {
                changes.came.push(presence.clone());
            }
            members.remote.push(presence);
        }
        let mut before: Vec<Presence> = before.into_values().collect();
        before.sort_by_key(|it| it.member);
        gone.extend(before);
        for presence in gone {
            let is_listed = |left: &Presence| left.author == presence.author;
            if members.has_author(&presence.author) {
                changes.closed.push(presence);
            } else if !changes.left.iter().any(is_listed) {
                changes.left.push(presence);
            }
        }
        changes
    }
}

fn remote_id(row: &SeatRecord) -> MemberId {
    MemberId {
        node: Some(row.node),
        number: row.member,
    }
}

fn remote(row: &SeatRecord, author: Option<&Author>) -> Presence {
    Presence {
        member: remote_id(row),
        author: row.author.clone(),
        name: author.and_then(|author| author.name.clone()),
        colour: author.map_or(Colour::Palette(0), |author| author.colour.clone()),
        joined: row.joined,
        session: None,
        looks_only: row.looks_only,
    }
}
