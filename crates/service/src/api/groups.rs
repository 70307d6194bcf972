//! Groups: sets of pads that only holders of a session may open.

use changeset::Text;
use contract::{EDITING_AUTHOR, Error, GROUP_ID, Param, Version};
use pad::{AuthorId, DeletionToken, GroupId, PadId};
use serde_json::{Value, json};

use crate::Service;
use crate::api::authors::check_mapper;
use crate::api::function::{Function, Heading, value};

/// # Groups
///
/// Sets of pads that only holders of a session may open.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// use service::pad::GroupId;
///
/// // The application's own name for the group leads to the same group every time.
/// let group: GroupId = service.create_group_if_not_exists_for("physics").await?;
/// assert_eq!(service.create_group_if_not_exists_for("physics").await?, group);
///
/// let (pad, _deletion_token) = service
///     .create_group_pad(&group, "minutes", Some("Agenda".into()), None)
///     .await?;
/// assert_eq!(service.list_pads(&group).await?, [pad]);
/// service.delete_group(&group).await?;
/// assert!(service.list_all_groups().await?.is_empty());
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    pub async fn create_group(&self) -> Result<GroupId, Error> {
        let group = GroupId::random(self.entropy());
        self.store.create_group(&group, self.now()).await?;
        Ok(group)
    }

    /// The group that stands for a group of the calling application.
    pub async fn create_group_if_not_exists_for(&self, mapper: &str) -> Result<GroupId, Error> {
        check_mapper("groupMapper", mapper)?;
        let new = GroupId::random(self.entropy());
        Ok(self.store.group_of_mapper(mapper, &new, self.now()).await?)
    }

    /// Deletes a group with its pads and sessions.
    pub async fn delete_group(&self, group: &GroupId) -> Result<(), Error> {
        self.require_group(group).await?;
        for pad in self.store.pads_of_group(group).await? {
            match self.remove_pad(&pad).await {
                Ok(()) | Err(Error::PadMissing) => {}
                Err(error) => return Err(error),
            }
        }
        if self.store.delete_group(group).await? {
            Ok(())
        } else {
            Err(Error::GroupMissing)
        }
    }

    pub async fn list_pads(&self, group: &GroupId) -> Result<Vec<PadId>, Error> {
        self.require_group(group).await?;
        Ok(self.store.pads_of_group(group).await?)
    }

    pub async fn list_all_groups(&self) -> Result<Vec<GroupId>, Error> {
        Ok(self.store.list_groups().await?)
    }

    /// Creates a pad in a group, and gives its id and deletion token.
    pub async fn create_group_pad(
        &self,
        group: &GroupId,
        name: &str,
        text: Option<Text>,
        author: Option<&AuthorId>,
    ) -> Result<(PadId, DeletionToken), Error> {
        self.require_group(group).await?;
        let pad = PadId::in_group(group, name).ok_or(Error::PadIdForm)?;
        let pad = self.name_for_new(pad).await?;
        let token = self
            .new_pad(&pad, text, author, None)
            .await?
            .ok_or(Error::PadNameExists)?;
        Ok((pad, token.0))
    }

    pub(crate) async fn require_group(&self, group: &GroupId) -> Result<(), Error> {
        if self.store.group_exists(group).await? {
            Ok(())
        } else {
            Err(Error::GroupMissing)
        }
    }
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "createGroup",
        heading: Heading::Groups,
        since: Version::V1,
        params: &[],
        about: "Creates a group.",
        result: GROUP,
        authorizes_itself: false,
        run: |service, _| value(async move { Ok(group_data(service.create_group().await?)) }),
    },
    Function {
        name: "createGroupIfNotExistsFor",
        heading: Heading::Groups,
        since: Version::V1,
        params: &[Param::text(
            "groupMapper",
            "the calling application's name for the group",
        )],
        about: "Gives the group that stands for a group of the calling application.",
        result: GROUP,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let mapper = arguments.text("groupMapper")?;
                Ok(group_data(
                    service.create_group_if_not_exists_for(mapper).await?,
                ))
            })
        },
    },
    Function {
        name: "deleteGroup",
        heading: Heading::Groups,
        since: Version::V1,
        params: &[GROUP_ID],
        about: "Deletes a group with all its pads and sessions.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let group = arguments.id("groupID", GroupId::parse, Error::GroupMissing)?;
                service.delete_group(&group).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "listPads",
        heading: Heading::Groups,
        since: Version::V1,
        params: &[GROUP_ID],
        about: "Lists the pads of a group.",
        result: super::pads::PAD_IDS,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let group = arguments.id("groupID", GroupId::parse, Error::GroupMissing)?;
                Ok(super::pads::pad_ids(service.list_pads(&group).await?))
            })
        },
    },
    Function {
        name: "createGroupPad",
        heading: Heading::Groups,
        since: Version::V1,
        params: &[
            GROUP_ID,
            Param::text("padName", "the name of the pad within the group"),
            Param::text("text", "the first text; the default text if left out").optional(),
            EDITING_AUTHOR,
        ],
        about: "Creates a pad in a group.",
        result: "{padID: string, deletionToken: string|null}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let group = arguments.id("groupID", GroupId::parse, Error::GroupMissing)?;
                let name = arguments.text("padName")?;
                let text = arguments.optional_content("text")?;
                let author = arguments.editing_author()?;
                let (pad, token) = service
                    .create_group_pad(&group, name, text, author.as_ref())
                    .await?;
                Ok(json!({ "padID": pad.as_str(), "deletionToken": token.as_str() }))
            })
        },
    },
    Function {
        name: "listAllGroups",
        heading: Heading::Groups,
        since: Version::V1_1,
        params: &[],
        about: "Lists all groups.",
        result: "{groupIDs: [string]}",
        authorizes_itself: false,
        run: |service, _| {
            value(async move {
                let groups = service.list_all_groups().await?;
                let ids: Vec<&str> = groups.iter().map(GroupId::as_str).collect();
                Ok(json!({ "groupIDs": ids }))
            })
        },
    },
];

const GROUP: &str = "{groupID: string}";

fn group_data(group: GroupId) -> Value {
    json!({ "groupID": group.as_str() })
}
