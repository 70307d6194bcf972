//! Row of the function table.

use std::future::Future;
use std::pin::Pin;

use contract::{CallArguments, Data, Error, Param, Version};
use serde_json::Value;

use crate::Service;

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
