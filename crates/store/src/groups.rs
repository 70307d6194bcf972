//! Groups and sessions.

use pad::{AuthorId, GroupId, PadId, Session, SessionId, Timestamp};

use crate::{Error, Store, missing};

#[allow(unused_variables)]
impl Store {
    pub async fn create_group(&self, id: &GroupId, now: Timestamp) -> Result<(), Error> {
        missing()
    }
    pub async fn group_of_mapper(
        &self,
        mapper: &str,
        new: &GroupId,
        now: Timestamp,
    ) -> Result<GroupId, Error> {
        missing()
    }
    pub async fn group_exists(&self, id: &GroupId) -> Result<bool, Error> {
        missing()
    }
    pub async fn list_groups(&self) -> Result<Vec<GroupId>, Error> {
        missing()
    }
    pub async fn delete_group(&self, id: &GroupId) -> Result<bool, Error> {
        missing()
    }
    pub async fn pads_of_group(&self, id: &GroupId) -> Result<Vec<PadId>, Error> {
        missing()
    }
    pub async fn create_session(&self, session: &Session) -> Result<(), Error> {
        missing()
    }
    pub async fn session(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        missing()
    }
    pub async fn sessions(&self, ids: &[SessionId]) -> Result<Vec<Session>, Error> {
        missing()
    }
    pub async fn delete_session(&self, id: &SessionId) -> Result<bool, Error> {
        missing()
    }
    pub async fn sessions_of_group(&self, id: &GroupId) -> Result<Vec<Session>, Error> {
        missing()
    }
    pub async fn sessions_of_author(&self, id: &AuthorId) -> Result<Vec<Session>, Error> {
        missing()
    }
    pub async fn count_sessions(&self) -> Result<u64, Error> {
        missing()
    }
    pub async fn remove_expired_sessions(&self, before: Timestamp) -> Result<u64, Error> {
        missing()
    }
}
