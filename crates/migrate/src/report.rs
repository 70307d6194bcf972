//! The report of a migration: counts, and an entry for everything that is not the same here.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// So many entries are kept; the others are counted.
const MOST_ENTRIES: usize = 100_000;

/// What the records of well-known plugins are, by the beginnings of their keys.
const PLUGIN_RECORDS: [(&str, &str); 5] = [
    ("comments", "texts of comments, of ep_comments_page"),
    (
        "comment-replies",
        "replies to comments, of ep_comments_page",
    ),
    ("links", "addresses of links, of ep_full_hyperlinks"),
    ("mypads", "users, groups and settings of ep_mypads"),
    ("pad:…:syntax", "languages of source code, of ep_hljs"),
];

/// What the records of plugins are whose keys begin so.
pub fn plugin_record(kind: &str) -> &'static str {
    let known = PLUGIN_RECORDS.iter().find(|(known, _)| *known == kind);
    known.map_or("of a plugin that is not known", |(_, what)| what)
}

/// What became of a record, or of a pad with all its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It is here, repaired without losing anything.
    Repaired,
    /// It is here, and something of it is lost.
    RepairedWithLoss,
    /// What is here is not what the source has.
    Different,
    /// It is not here.
    LeftOut,
}

impl Outcome {
    pub fn is_loss(self) -> bool {
        self != Outcome::Repaired
    }

    pub fn name(self) -> &'static str {
        match self {
            Outcome::Repaired => "repaired",
            Outcome::RepairedWithLoss => "repaired with loss",
            Outcome::Different => "different",
            Outcome::LeftOut => "left out",
        }
    }
}

/// Something that is not the same here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A pad's name, or the key of another record.
    pub key: String,
    pub outcome: Outcome,
    pub reason: String,
}

impl Entry {
    pub fn text(&self) -> String {
        format!("{}: {}: {}", self.key, self.outcome.name(), self.reason)
    }

    pub fn json(&self) -> Value {
        json!({
            "key": self.key,
            "outcome": self.outcome.name(),
            "loss": self.outcome.is_loss(),
            "reason": self.reason,
        })
    }
}

/// Pads by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PadCounts {
    pub same: u64,
    pub repaired: u64,
    pub different: u64,
    pub left_out: u64,
}

/// How often attributes of an extension occur in the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    pub pads: u64,
    pub spans: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Pads that were brought now, with their revisions and messages.
    pub pads: u64,
    pub revisions: u64,
    pub messages: u64,
    pub authors: u64,
    /// Browsers that are known again, and names of other applications for authors and groups.
    pub tokens: u64,
    pub mappers: u64,
    pub groups: u64,
    pub sessions: u64,
    /// Pads that were here already.
    pub present: u64,
    /// Of the pads brought now, those that replaced an older state of them.
    pub updated: u64,
    /// Pads removed here because the source no longer has them.
    pub removed: u64,
    pub counts: PadCounts,
    pub entries: Vec<Entry>,
    pub entries_left_out: u64,
    /// How much could not be brought, or not as it was.
    pub losses: u64,
    /// Attributes of extensions, which are kept.
    pub attributes: BTreeMap<&'static str, Uses>,
    /// Records of plugins, which have no place here, by the beginnings of their keys.
    pub plugin_records: BTreeMap<String, u64>,
}

impl Report {
    /// A record other than a pad's that is not brought.
    pub(crate) fn leave_out(&mut self, key: &str, reason: impl std::fmt::Display) {
        self.add(key, Outcome::LeftOut, reason);
    }

    pub(crate) fn add(&mut self, key: &str, outcome: Outcome, reason: impl std::fmt::Display) {
        self.losses += u64::from(outcome.is_loss());
        if self.entries.len() < MOST_ENTRIES {
            self.entries.push(Entry {
                key: key.to_owned(),
                outcome,
                reason: reason.to_string(),
            });
        } else {
            self.entries_left_out += 1;
        }
    }

    /// Counts a pad by the worst that became of it.
    pub(crate) fn count_pad(&mut self, outcome: Option<Outcome>) {
        let count = match outcome {
            None => &mut self.counts.same,
            Some(Outcome::Repaired | Outcome::RepairedWithLoss) => &mut self.counts.repaired,
            Some(Outcome::Different) => &mut self.counts.different,
            Some(Outcome::LeftOut) => &mut self.counts.left_out,
        };
        *count += 1;
    }

    pub fn lost_something(&self) -> bool {
        self.losses > 0 || !self.plugin_records.is_empty()
    }

    /// Without the entries.
    pub fn json(&self) -> Value {
        let attributes = self.attributes.iter();
        let attributes = attributes.map(|(name, it)| {
            (
                (*name).to_owned(),
                json!({"pads": it.pads, "spans": it.spans}),
            )
        });
        let plugin_records = self.plugin_records.iter().map(|(kind, count)| {
            let record = json!({"records": count, "what": plugin_record(kind)});
            (kind.clone(), record)
        });
        json!({
            "pads": self.pads,
            "revisions": self.revisions,
            "messages": self.messages,
            "authors": self.authors,
            "tokens": self.tokens,
            "mappers": self.mappers,
            "groups": self.groups,
            "sessions": self.sessions,
            "present": self.present,
            "updated": self.updated,
            "removed": self.removed,
            "same": self.counts.same,
            "repaired": self.counts.repaired,
            "different": self.counts.different,
            "leftOut": self.counts.left_out,
            "losses": self.losses,
            "nothingLost": !self.lost_something(),
            "attributes": attributes.collect::<serde_json::Map<_, _>>(),
            "pluginRecords": plugin_records.collect::<serde_json::Map<_, _>>(),
        })
    }
}
