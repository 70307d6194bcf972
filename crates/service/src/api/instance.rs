//! Questions about the whole instance, and about who is connected.

use pad::PadId;
use serde_json::{Value, json};

use crate::Service;
use crate::api::function::{Function, Heading, PAD_ID, Param, Version};
use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    pub pads: u64,
    /// Connections that are in a pad.
    pub members: u64,
    /// Pads that somebody is in.
    pub active_pads: u64,
}

/// How many names are read from the store at a time.
const PAGE: usize = 10_000;

impl Service {
    pub async fn list_all_pads(&self) -> Result<Vec<PadId>, Error> {
        let mut pads: Vec<PadId> = Vec::new();
        loop {
            let after = pads.last().map(|pad| pad.as_str().to_owned());
            let page = self.store.list_pads(after.as_deref(), PAGE).await?;
            let complete = page.len() < PAGE;
            pads.extend(page);
            if complete {
                return Ok(pads);
            }
        }
    }

    pub async fn get_stats(&self) -> Result<Stats, Error> {
        // Nobody can connect to a pad yet, so nobody is counted.
        Ok(Stats {
            pads: self.store.count_pads().await?,
            members: 0,
            active_pads: 0,
        })
    }
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "padUsersCount",
        heading: Heading::Pads,
        since: Version::V1,
        params: &[PAD_ID],
        about: "Tells how many people are in a pad.",
        result: "{padUsersCount: integer}",
        judges_callers: false,
        run: |service, arguments| {
            Box::pin(async move {
                service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "padUsersCount": 0 }))
            })
        },
    },
    Function {
        name: "padUsers",
        heading: Heading::Pads,
        since: Version::V1_1,
        params: &[PAD_ID],
        about: "Lists the people who are in a pad.",
        result: "{padUsers: [{colorId: string, name: string, timestamp: integer, id: string}]}",
        judges_callers: false,
        run: |service, arguments| {
            Box::pin(async move {
                service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "padUsers": [] }))
            })
        },
    },
    Function {
        name: "sendClientsMessage",
        heading: Heading::Pads,
        since: Version::V1_1,
        params: &[PAD_ID, Param::text("msg", "the type of the message")],
        about: "Sends a message of a type of one's own to everybody who is in a pad.",
        result: "{}",
        judges_callers: false,
        run: |service, arguments| {
            Box::pin(async move {
                let pad = arguments.pad("padID")?;
                arguments.text("msg")?;
                service.find_pad(&pad).await?;
                Ok(json!({}))
            })
        },
    },
    Function {
        name: "checkToken",
        heading: Heading::Pads,
        since: Version::V1_2,
        params: &[],
        about: "Succeeds if the credential is valid.",
        result: "null",
        judges_callers: false,
        run: |_, _| Box::pin(async move { Ok(Value::Null) }),
    },
    Function {
        name: "listAllPads",
        heading: Heading::Pads,
        since: Version::V1_2_1,
        params: &[],
        about: "Lists all pads.",
        result: super::pads::PAD_IDS,
        judges_callers: false,
        run: |service, _| {
            Box::pin(async move { Ok(super::pads::pad_ids(&service.list_all_pads().await?)) })
        },
    },
    Function {
        name: "getStats",
        heading: Heading::Pads,
        since: Version::V1_2_14,
        params: &[],
        about: "Counts pads, connections and pads in use.",
        result: "{totalPads: integer, totalSessions: integer, totalActivePads: integer}",
        judges_callers: false,
        run: |service, _| {
            Box::pin(async move {
                let stats = service.get_stats().await?;
                Ok(json!({
                    "totalPads": stats.pads,
                    "totalSessions": stats.members,
                    "totalActivePads": stats.active_pads,
                }))
            })
        },
    },
];
