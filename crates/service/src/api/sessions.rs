//! Sessions: which author may open the pads of which group, and until when.

use contract::{AUTHOR_ID, Error, GROUP_ID, Param, SESSION_ID, Version};
use pad::{AuthorId, GroupId, Session, SessionId, Timestamp};
use serde_json::{Map, Value, json};

use crate::Service;
use crate::api::function::{Function, Heading, value};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// # Sessions
///
/// Which author may open the pads of which group, and until when.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = open().await?;
/// let group = service.create_group().await?;
/// let ada = service.create_author(Some("Ada")).await?;
/// let in_an_hour = service.now().millis() / 1000 + 3600;
/// let session = service.create_session(&group, &ada, in_an_hour).await?;
///
/// assert_eq!(service.get_session_info(&session).await?.author, ada);
/// assert_eq!(service.list_sessions_of_group(&group).await?.len(), 1);
/// // Ends the session, and disconnects those who entered with it.
/// service.delete_session(&session).await?;
/// assert!(service.get_session_info(&session).await.is_err());
/// # service.stop().await;
/// # Ok(())
/// # }
/// ```
impl Service {
    /// Lets an author into the pads of a group until a point in time, in Unix seconds.
    pub async fn create_session(
        &self,
        group: &GroupId,
        author: &AuthorId,
        valid_until: i64,
    ) -> Result<SessionId, Error> {
        if !self.store.group_exists(group).await? {
            return Err(Error::SessionGroupMissing);
        }
        if self.store.author(author).await?.is_none() {
            return Err(Error::SessionAuthorMissing);
        }
        if valid_until < 0 {
            return Err(Error::Negative("validUntil"));
        }
        let session = Session {
            id: SessionId::random(self.entropy()),
            group: group.clone(),
            author: author.clone(),
            valid_until,
        };
        if !session.is_valid(self.now()) {
            return Err(Error::ValidUntilInThePast);
        }
        self.store.create_session(&session).await?;
        Ok(session.id)
    }

    pub async fn delete_session(&self, session: &SessionId) -> Result<(), Error> {
        if !self.store.delete_session(session).await? {
            return Err(Error::SessionMissing);
        }
        self.expel_session(session).await;
        Ok(())
    }

    pub async fn get_session_info(&self, session: &SessionId) -> Result<Session, Error> {
        self.store
            .session(session)
            .await?
            .ok_or(Error::SessionMissing)
    }

    /// Removes sessions that ended a day ago or earlier. Until then they are listed.
    pub async fn remove_expired_sessions(&self) -> Result<u64, Error> {
        let yesterday = Timestamp(self.now().millis() - DAY_MILLIS);
        Ok(self.store.remove_expired_sessions(yesterday).await?)
    }

    pub async fn list_sessions_of_group(&self, group: &GroupId) -> Result<Vec<Session>, Error> {
        self.require_group(group).await?;
        Ok(self.store.sessions_of_group(group).await?)
    }

    pub async fn list_sessions_of_author(&self, author: &AuthorId) -> Result<Vec<Session>, Error> {
        self.require_author(author).await?;
        Ok(self.store.sessions_of_author(author).await?)
    }
}

const SESSION: &str = "{groupID: string, authorID: string, validUntil: integer}";
const SESSIONS: &str = "{*: {groupID: string, authorID: string, validUntil: integer}}";

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "createSession",
        heading: Heading::Sessions,
        since: Version::V1,
        params: &[
            GROUP_ID,
            AUTHOR_ID,
            Param::integer("validUntil", "when the session ends, in Unix seconds"),
        ],
        about: "Lets an author into the pads of a group.",
        result: "{sessionID: string}",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let group = arguments.id("groupID", GroupId::parse, Error::SessionGroupMissing)?;
                if !service.store.group_exists(&group).await? {
                    return Err(Error::SessionGroupMissing);
                }
                let author =
                    arguments.id("authorID", AuthorId::parse, Error::SessionAuthorMissing)?;
                if service.store.author(&author).await?.is_none() {
                    return Err(Error::SessionAuthorMissing);
                }
                let valid_until = arguments.integer("validUntil")?;
                let valid_until = valid_until.ok_or(Error::NotANumber("validUntil"))?;
                let session = service.create_session(&group, &author, valid_until).await?;
                Ok(json!({ "sessionID": session.as_str() }))
            })
        },
    },
    Function {
        name: "deleteSession",
        heading: Heading::Sessions,
        since: Version::V1,
        params: &[SESSION_ID],
        about: "Ends a session.",
        result: "null",
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let session = arguments.id("sessionID", SessionId::parse, Error::SessionMissing)?;
                service.delete_session(&session).await?;
                Ok(Value::Null)
            })
        },
    },
    Function {
        name: "getSessionInfo",
        heading: Heading::Sessions,
        since: Version::V1,
        params: &[SESSION_ID],
        about: "Tells whom a session lets in where, and until when.",
        result: SESSION,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let session = arguments.id("sessionID", SessionId::parse, Error::SessionMissing)?;
                Ok(session_data(&service.get_session_info(&session).await?))
            })
        },
    },
    Function {
        name: "listSessionsOfGroup",
        heading: Heading::Sessions,
        since: Version::V1,
        params: &[GROUP_ID],
        about: "Lists the sessions of a group.",
        result: SESSIONS,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let group = arguments.id("groupID", GroupId::parse, Error::GroupMissing)?;
                Ok(sessions_data(
                    &service.list_sessions_of_group(&group).await?,
                ))
            })
        },
    },
    Function {
        name: "listSessionsOfAuthor",
        heading: Heading::Sessions,
        since: Version::V1,
        params: &[AUTHOR_ID],
        about: "Lists the sessions of an author.",
        result: SESSIONS,
        authorizes_itself: false,
        run: |service, arguments| {
            value(async move {
                let author = arguments.id("authorID", AuthorId::parse, Error::AuthorMissing)?;
                Ok(sessions_data(
                    &service.list_sessions_of_author(&author).await?,
                ))
            })
        },
    },
];

fn session_data(session: &Session) -> Value {
    json!({
        "groupID": session.group.as_str(),
        "authorID": session.author.as_str(),
        "validUntil": session.valid_until,
    })
}

fn sessions_data(sessions: &[Session]) -> Value {
    let entry = |session: &Session| (session.id.as_str().to_owned(), session_data(session));
    Value::Object(sessions.iter().map(entry).collect::<Map<String, Value>>())
}
