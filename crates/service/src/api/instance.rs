//! Questions about the whole instance, and about who is connected.

use contract::{Error, PAD_ID, Param, Version};
use pad::PadId;
use serde_json::{Value, json};
use store::Note;

use crate::Service;
use crate::api::function::{Function, Heading, value};
use crate::cluster::Message;
use crate::live::{Event, Presence};

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
        let pads = self.store.count_pads().await?;
        let occupied = self.occupied_pads().await;
        let active_pads = occupied.len() as u64;
        Ok(Stats {
            pads,
            members: occupied.values().map(|members| *members as u64).sum(),
            active_pads,
        })
    }

    /// The people in a pad, each author once.
    pub async fn pad_users(&self, pad: &PadId) -> Result<Vec<Presence>, Error> {
        let live = self.open(pad).await?;
        self.sync_presence(&live).await?;
        let mut members = self.present(&live).await?;
        members.sort_by(|a, b| a.author.cmp(&b.author));
        members.dedup_by(|a, b| a.author == b.author);
        Ok(members)
    }

    /// Sends a message of the caller's own type to everybody in a pad.
    pub async fn send_clients_message(&self, pad: &PadId, kind: &str) -> Result<(), Error> {
        let (live, time) = (self.open(pad).await?, self.now());
        if self.cluster.is_some() {
            let note = Note::Message(Some(live.key), Message::custom(kind, time));
            self.store.leave_note(note, time).await?;
        }
        let kind = kind.into();
        live.tell(Event::Custom { kind, time });
        Ok(())
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
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                Ok(json!({ "padUsersCount": service.pad_users(&pad).await?.len() }))
            })
        },
    },
    Function {
        name: "padUsers",
        heading: Heading::Pads,
        since: Version::V1_1,
        params: &[PAD_ID],
        about: "Lists the people who are in a pad.",
        result: "{padUsers: [{colorId: string, name: string|null, timestamp: integer, \
                 id: string}]}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = service.find_pad(&arguments.pad("padID")?).await?;
                let users = service.pad_users(&pad).await?;
                Ok(json!({ "padUsers": users.iter().map(user_data).collect::<Vec<_>>() }))
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
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let pad = arguments.pad("padID")?;
                let kind = arguments.text("msg")?;
                let pad = service.find_pad(&pad).await?;
                service.send_clients_message(&pad, kind).await?;
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
        authorizes_itself: false,
        run: |_, _| value(async move { Ok(Value::Null) }),
    },
    Function {
        name: "listAllPads",
        heading: Heading::Pads,
        since: Version::V1_2_1,
        params: &[],
        about: "Lists all pads.",
        result: super::pads::PAD_IDS,
        authorizes_itself: false,
        run: |service, _| Box::pin(service.listing()),
    },
    Function {
        name: "getStats",
        heading: Heading::Pads,
        since: Version::V1_2_14,
        params: &[],
        about: "Counts pads, connections and pads in use.",
        result: "{totalPads: integer, totalSessions: integer, totalActivePads: integer}",
        authorizes_itself: false,
        run: |service, _| {
            value(async move {
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

fn user_data(presence: &Presence) -> Value {
    json!({
        "colorId": presence.colour.to_css(),
        "name": presence.name,
        "timestamp": presence.joined.millis(),
        "id": presence.author.as_str(),
    })
}
