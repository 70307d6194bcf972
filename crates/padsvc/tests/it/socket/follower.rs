//! Somebody who reads along: the text that all messages together make.

use changeset::{Changeset, Document, Pool};
use serde_json::Value;

use crate::json::{document, pool, string};
use crate::socket_client::Member;

pub(super) struct Follower {
    pub member: Member,
    document: Document,
    pool: Pool,
    pub rev: u64,
}

impl Follower {
    pub(super) fn new(member: Member) -> Follower {
        let vars = &member.vars["collab_client_vars"];
        let pool = pool(&vars["apool"]);
        Follower {
            document: document(&vars["initialAttributedText"]),
            pool,
            rev: vars["rev"].as_u64().unwrap(),
            member,
        }
    }

    /// Reads on until that revision.
    pub(super) fn read_to(&mut self, rev: u64) {
        while self.rev < rev {
            let change = self.member.room("NEW_CHANGES");
            assert_eq!(change["newRev"], self.rev + 1, "without a hole");
            self.apply(&change);
            self.rev += 1;
        }
    }

    fn apply(&mut self, change: &Value) {
        let (text, numbers) = (string(&change["changeset"]), pool(&change["apool"]));
        let parsed = Changeset::parse(text).unwrap();
        let own = numbers.move_changeset(&parsed, &mut self.pool);
        self.document = self.document.apply(&own, &self.pool).unwrap();
    }

    pub(super) fn text(&self) -> String {
        self.document.text().to_string()
    }
}
