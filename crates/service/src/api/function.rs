//! Row of the function table.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;

use serde_json::Value;

use crate::Service;
use crate::api::arguments::CallArguments;
use crate::api::data::Data;
use crate::error::Error;

/// A version of the API, as a place in [`VERSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u8);

/// Every version that there has been, oldest first.
pub const VERSIONS: [&str; 16] = [
    "1", "1.1", "1.2", "1.2.1", "1.2.7", "1.2.8", "1.2.9", "1.2.10", "1.2.11", "1.2.12", "1.2.13",
    "1.2.14", "1.2.15", "1.3.0", "1.3.1", "2.0.0",
];

impl Version {
    /// The newest version, which has all functions.
    pub const LATEST: Version = Version(VERSIONS.len() as u8 - 1);
    /// The newest version that Etherpad has. Clients that ask for the current version get this
    /// one: they compare it with those they know.
    pub const CURRENT: Version = Version::V1_3_1;
    pub(crate) const V1: Version = Version(0);
    pub(crate) const V1_1: Version = Version(1);
    pub(crate) const V1_2: Version = Version(2);
    pub(crate) const V1_2_1: Version = Version(3);
    pub(crate) const V1_2_7: Version = Version(4);
    pub(crate) const V1_2_8: Version = Version(5);
    pub(crate) const V1_2_9: Version = Version(6);
    pub(crate) const V1_2_10: Version = Version(7);
    pub(crate) const V1_2_11: Version = Version(8);
    pub(crate) const V1_2_12: Version = Version(9);
    pub(crate) const V1_2_13: Version = Version(10);
    pub(crate) const V1_2_14: Version = Version(11);
    pub(crate) const V1_2_15: Version = Version(12);
    pub(crate) const V1_3_0: Version = Version(13);
    pub(crate) const V1_3_1: Version = Version(14);
    pub(crate) const V2_0_0: Version = Version(15);

    pub fn all() -> impl Iterator<Item = Version> {
        (0..VERSIONS.len() as u8).map(Version)
    }

    pub fn as_str(self) -> &'static str {
        VERSIONS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or_default()
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Version, Error> {
        Version::all()
            .find(|version| version.as_str() == text)
            .ok_or(Error::NoSuchFunction)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The headings of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    Groups,
    Authors,
    Sessions,
    Content,
    Chat,
    Pads,
}

impl Heading {
    pub fn title(self) -> &'static str {
        match self {
            Heading::Groups => "Groups",
            Heading::Authors => "Authors",
            Heading::Sessions => "Sessions",
            Heading::Content => "Pad content",
            Heading::Chat => "Chat",
            Heading::Pads => "Pad management",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Heading::Groups => "Sets of pads that only holders of a session may open.",
            Heading::Authors => "The people who write, each known by an id.",
            Heading::Sessions => "Which author may open the pads of which group, and until when.",
            Heading::Content => "What pads say now and said before, as text and as HTML.",
            Heading::Chat => "What people say beside the text.",
            Heading::Pads => "Creating, finding, copying and deleting pads, and the whole server.",
        }
    }
}

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
    pub(crate) const fn text(name: &'static str, about: &'static str) -> Param {
        Param {
            name,
            kind: Kind::Text,
            required: true,
            since: Version::V1,
            about,
        }
    }

    pub(crate) const fn integer(name: &'static str, about: &'static str) -> Param {
        Param {
            kind: Kind::Integer,
            ..Param::text(name, about)
        }
    }

    pub(crate) const fn boolean(name: &'static str, about: &'static str) -> Param {
        Param {
            kind: Kind::Boolean,
            ..Param::text(name, about)
        }
    }

    pub(crate) const fn optional(self) -> Param {
        Param {
            required: false,
            ..self
        }
    }

    pub(crate) const fn since(self, since: Version) -> Param {
        Param { since, ..self }
    }
}

pub(crate) const PAD_ID: Param = Param::text("padID", "the id of the pad");
pub(crate) const GROUP_ID: Param = Param::text("groupID", "the id of the group");
pub(crate) const AUTHOR_ID: Param = Param::text("authorID", "the id of the author");
pub(crate) const SESSION_ID: Param = Param::text("sessionID", "the id of the session");
pub(crate) const REV: Param = Param::integer("rev", "the number of a revision").optional();
pub(crate) const EDITING_AUTHOR: Param = Param::text(
    "authorId",
    "the author of the change; the system author if left out",
)
.optional()
.since(Version::V1_3_0);

pub(crate) type Answer<'a> = Pin<Box<dyn Future<Output = Result<Data, Error>> + Send + 'a>>;

/// What a function answers, for one that answers a value.
pub(crate) fn value<'a>(
    answer: impl Future<Output = Result<Value, Error>> + Send + 'a,
) -> Answer<'a> {
    Box::pin(async move { answer.await.map(Data::Value) })
}

/// One function of the contract.
pub struct Function {
    pub name: &'static str,
    pub heading: Heading,
    pub since: Version,
    pub params: &'static [Param],
    pub about: &'static str,
    /// The `data` of a success, in the short form that [`crate::api::schema`] reads.
    pub result: &'static str,
    /// Whether the function itself authorizes callers without a credential.
    pub authorizes_itself: bool,
    pub(crate) run: for<'a> fn(&'a Service, &'a CallArguments) -> Answer<'a>,
}
