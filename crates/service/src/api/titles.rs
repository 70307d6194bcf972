//! Titles: what pads are called, apart from their addresses.

use contract::{Error, PAD_ID, Param, Version};
use pad::limits::TITLE;
use pad::{PadId, Title};
use serde_json::{Value, json};

use crate::Service;
use crate::admission::Visit;
use crate::api::function::{Function, Heading, value};
use crate::live::CommandError;

impl Service {
    /// The title of a pad, if somebody has set one.
    pub async fn get_title(&self, pad: &PadId) -> Result<Option<Title>, Error> {
        Ok(self.record(pad).await?.title)
    }

    /// What the pad is called for a visitor.
    pub async fn title_for(&self, visit: &Visit) -> Result<String, Error> {
        let title = self.get_title(&visit.pad).await?;
        Ok(Title::shown(title.as_ref(), &visit.name))
    }

    /// Gives a pad a title, or takes it away. Everybody in the pad sees it.
    pub async fn set_title(&self, pad: &PadId, title: Option<Title>) -> Result<(), Error> {
        let live = self.open(pad).await?;
        match live.set_title(title).await {
            Ok(()) => Ok(()),
            Err(CommandError::Closed) => Err(Error::PadMissing),
            Err(CommandError::Failed(error)) => Err(error),
        }
    }
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "getTitle",
        heading: Heading::Pads,
        since: Version::V2_0_0,
        params: &[PAD_ID],
        about: "Gives the title of a pad. Without one it is the id, made readable.",
        result: "{title: string, isDefault: boolean}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let title = service.get_title(&pad).await?;
                Ok(json!({
                    "title": Title::shown(title.as_ref(), pad.as_str()),
                    "isDefault": title.is_none(),
                }))
            })
        },
    },
    Function {
        name: "setTitle",
        heading: Heading::Pads,
        since: Version::V2_0_0,
        params: &[
            PAD_ID,
            Param::text("title", "one line; an empty one takes the title away"),
        ],
        about: "Gives a pad a title, which everybody in it sees.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let title = Title::parse(arguments.text("title")?);
                let title = title.map_err(|_| Error::TooLong("title", TITLE))?;
                service.set_title(&pad, title).await?;
                Ok(Value::Null)
            })
        },
    },
];
