//! Authors: the people who write, as the calling application knows them.

use contract::{AUTHOR_ID, Error, Param, Version};
use pad::limits::{AUTHOR_NAME, MAPPER, fits};
use pad::{Author, AuthorId, Erasure, PadId, any_given_colour};
use serde_json::{Value, json};

use crate::Service;
use crate::api::function::{Function, Heading, value};

/// # Authors
///
/// The people who write, each known by an id.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// let ada = service.create_author_if_not_exists_for("user-17", Some("Ada")).await?;
/// assert_eq!(service.get_author_name(&ada).await?.as_deref(), Some("Ada"));
/// assert!(service.list_pads_of_author(&ada).await?.is_empty());
///
/// // What identifies a person can be erased; what they wrote stays.
/// let erased = service.anonymize_author(&ada).await?;
/// assert_eq!(erased.removed_external_mappings, 1);
/// assert_eq!(service.get_author_name(&ada).await?, None);
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    pub async fn create_author(&self, name: Option<&str>) -> Result<AuthorId, Error> {
        check_name(name)?;
        let author = self.new_author(name);
        self.store.create_author(&author).await?;
        Ok(author.id)
    }

    /// The author that stands for a user of the calling application. A name that is given replaces
    /// the one the author has.
    pub async fn create_author_if_not_exists_for(
        &self,
        mapper: &str,
        name: Option<&str>,
    ) -> Result<AuthorId, Error> {
        check_name(name)?;
        check_mapper("authorMapper", mapper)?;
        let new = self.new_author(name);
        let author = self.store.author_of_mapper(mapper, &new).await?;
        if author != new.id && name.is_some() {
            let known = self.store.author(&author).await?;
            if known.is_some_and(|known| known.name.as_deref() != name) {
                self.store
                    .set_author_name(&author, name, self.now())
                    .await?;
            }
        }
        Ok(author)
    }

    pub async fn list_pads_of_author(&self, author: &AuthorId) -> Result<Vec<PadId>, Error> {
        self.require_author(author).await?;
        Ok(self.store.pads_of_author(author).await?)
    }

    pub async fn get_author_name(&self, author: &AuthorId) -> Result<Option<String>, Error> {
        Ok(self.require_author(author).await?.name)
    }

    pub(crate) async fn require_author(&self, author: &AuthorId) -> Result<Author, Error> {
        self.store.author(author).await?.ok_or(Error::AuthorMissing)
    }

    pub(crate) fn new_author(&self, name: Option<&str>) -> Author {
        let now = self.now();
        Author {
            id: AuthorId::random(self.entropy()),
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            colour: any_given_colour(self.entropy()),
            created: now,
            last_seen: now,
            erased: None,
        }
    }
}

/// Refuses a name of an author that is too long.
pub(crate) fn check_name(name: Option<&str>) -> Result<(), Error> {
    if name.is_none_or(|name| fits(name, AUTHOR_NAME)) {
        Ok(())
    } else {
        Err(Error::TooLong("name", AUTHOR_NAME))
    }
}

/// Refuses a name by which an application knows somebody, if it is too long.
pub(super) fn check_mapper(argument: &'static str, mapper: &str) -> Result<(), Error> {
    if fits(mapper, MAPPER) {
        Ok(())
    } else {
        Err(Error::TooLong(argument, MAPPER))
    }
}

const NAME: Param = Param::text("name", "the name shown for the author").optional();
const AUTHOR: &str = "{authorID: string}";

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "createAuthor",
        heading: Heading::Authors,
        since: Version::V1,
        params: &[NAME],
        about: "Creates an author.",
        result: AUTHOR,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let author = service
                    .create_author(arguments.optional_text("name")?)
                    .await?;
                Ok(author_data(&author))
            })
        },
    },
    Function {
        name: "createAuthorIfNotExistsFor",
        heading: Heading::Authors,
        since: Version::V1,
        params: &[
            Param::text(
                "authorMapper",
                "the calling application's name for the user",
            ),
            NAME,
        ],
        about: "Gives the author that stands for a user of the calling application.",
        result: AUTHOR,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let mapper = arguments.text("authorMapper")?;
                let name = arguments.optional_text("name")?;
                Ok(author_data(
                    &service
                        .create_author_if_not_exists_for(mapper, name)
                        .await?,
                ))
            })
        },
    },
    Function {
        name: "listPadsOfAuthor",
        heading: Heading::Authors,
        since: Version::V1,
        params: &[AUTHOR_ID],
        about: "Lists the pads an author has written in.",
        result: super::pads::PAD_IDS,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let author = arguments.id("authorID", AuthorId::parse, Error::AuthorMissing)?;
                Ok(super::pads::pad_ids(
                    service.list_pads_of_author(&author).await?,
                ))
            })
        },
    },
    Function {
        name: "getAuthorName",
        heading: Heading::Authors,
        since: Version::V1_1,
        params: &[AUTHOR_ID],
        about: "Gives the name of an author; null if there is none.",
        result: "{authorName: string|null}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let author = arguments.id("authorID", AuthorId::parse, Error::AuthorMissing)?;
                Ok(json!({ "authorName": service.get_author_name(&author).await? }))
            })
        },
    },
    Function {
        name: "anonymizeAuthor",
        heading: Heading::Authors,
        since: Version::V1_3_1,
        params: &[AUTHOR_ID],
        about: "Removes an author's name, colour, tokens and mappings; the texts stay.",
        result: "{affectedPads: integer, removedTokenMappings: integer, \
                 removedExternalMappings: integer, clearedChatMessages: integer}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                if !service.config.erasure {
                    return Err(Error::ErasureDisabled);
                }
                match arguments.optional_text("authorID")? {
                    None | Some("") => Err(Error::AuthorRequired),
                    Some(text) => match AuthorId::parse(text) {
                        Some(author) => Ok(erasure_data(service.anonymize_author(&author).await?)),
                        // Nobody of that name, so nothing to remove.
                        None => Ok(erasure_data(Erasure::default())),
                    },
                }
            })
        },
    },
];

fn author_data(author: &AuthorId) -> Value {
    json!({ "authorID": author.as_str() })
}

fn erasure_data(erasure: Erasure) -> Value {
    json!({
        "affectedPads": erasure.affected_pads,
        "removedTokenMappings": erasure.removed_token_mappings,
        "removedExternalMappings": erasure.removed_external_mappings,
        "clearedChatMessages": erasure.cleared_chat_messages,
    })
}
