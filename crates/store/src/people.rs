//! Authors.

use pad::{Author, AuthorId, AuthorToken, Colour, Erasure, PadId, Timestamp};

use crate::{Error, Store, missing};

#[allow(unused_variables)]
impl Store {
    pub async fn create_author(&self, author: &Author) -> Result<(), Error> {
        missing()
    }
    pub async fn author(&self, id: &AuthorId) -> Result<Option<Author>, Error> {
        missing()
    }
    pub async fn authors(&self, ids: &[AuthorId]) -> Result<Vec<Author>, Error> {
        missing()
    }
    pub async fn author_of_mapper(&self, mapper: &str, new: &Author) -> Result<AuthorId, Error> {
        missing()
    }
    pub async fn author_of_token(
        &self,
        token: &AuthorToken,
        new: &Author,
    ) -> Result<AuthorId, Error> {
        missing()
    }
    pub async fn find_author_of_token(
        &self,
        token: &AuthorToken,
    ) -> Result<Option<AuthorId>, Error> {
        missing()
    }
    pub async fn set_author_name(
        &self,
        id: &AuthorId,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        missing()
    }
    pub async fn set_author_colour(
        &self,
        id: &AuthorId,
        colour: &Colour,
        now: Timestamp,
    ) -> Result<bool, Error> {
        missing()
    }
    pub async fn pads_of_author(&self, id: &AuthorId) -> Result<Vec<PadId>, Error> {
        missing()
    }
    pub async fn erase_author(
        &self,
        id: &AuthorId,
        now: Timestamp,
        dry_run: bool,
    ) -> Result<Erasure, Error> {
        missing()
    }
}
