//! Parameter of a function, and those that several functions have.

use crate::Version;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Boolean,
}

#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// The first version that has it.
    pub since: Version,
    pub about: &'static str,
}

impl Param {
    pub const fn text(name: &'static str, about: &'static str) -> Param {
        Param {
            name,
            kind: Kind::Text,
            required: true,
            since: Version::V1,
            about,
        }
    }

    pub const fn integer(name: &'static str, about: &'static str) -> Param {
        Param {
            kind: Kind::Integer,
            ..Param::text(name, about)
        }
    }

    pub const fn boolean(name: &'static str, about: &'static str) -> Param {
        Param {
            kind: Kind::Boolean,
            ..Param::text(name, about)
        }
    }

    pub const fn optional(self) -> Param {
        Param {
            required: false,
            ..self
        }
    }

    pub const fn since(self, since: Version) -> Param {
        Param { since, ..self }
    }
}

pub const PAD_ID: Param = Param::text("padID", "the id of the pad");
pub const GROUP_ID: Param = Param::text("groupID", "the id of the group");
pub const AUTHOR_ID: Param = Param::text("authorID", "the id of the author");
pub const SESSION_ID: Param = Param::text("sessionID", "the id of the session");
pub const REV: Param = Param::integer("rev", "the number of a revision").optional();
pub const EDITING_AUTHOR: Param = Param::text(
    "authorId",
    "the author of the change; the system author if left out",
)
.optional()
.since(Version::V1_3_0);
