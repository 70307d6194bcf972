//! Pads.

use std::ops::Range;

use changeset::Document;
use pad::{AuthorId, Head, PadId, ReadOnlyId, Rev, Revision, Step, Timestamp, TokenHash};

use crate::{Appended, Error, NewPad, PadKey, PadRecord, SavedRevision, Store, Transfer, missing};

#[allow(unused_variables)]
impl Store {
    /// `None`: the name is taken.
    pub async fn create_pad(&self, new: NewPad<'_>) -> Result<Option<PadKey>, Error> {
        missing()
    }
    pub async fn pad(&self, id: &PadId) -> Result<Option<PadRecord>, Error> {
        missing()
    }
    pub async fn load_head(&self, key: PadKey) -> Result<Option<Head>, Error> {
        missing()
    }
    pub async fn append(&self, key: PadKey, before: &Head, step: &Step) -> Result<Appended, Error> {
        missing()
    }
    pub async fn revisions(&self, key: PadKey, range: Range<Rev>) -> Result<Vec<Revision>, Error> {
        missing()
    }
    pub async fn document_at(&self, key: PadKey, rev: Rev) -> Result<Option<Document>, Error> {
        missing()
    }
    pub async fn delete_pad(&self, key: PadKey) -> Result<bool, Error> {
        missing()
    }
    pub async fn move_pad(
        &self,
        key: PadKey,
        to: &PadId,
        replace: bool,
    ) -> Result<Transfer, Error> {
        missing()
    }
    pub async fn copy_pad(
        &self,
        key: PadKey,
        to: &PadId,
        replace: bool,
        deletion: Option<TokenHash>,
        now: Timestamp,
    ) -> Result<Transfer, Error> {
        missing()
    }
    /// `None`: the pad moved on meanwhile; nothing changed.
    pub async fn compact_pad(
        &self,
        key: PadKey,
        keep: Option<u64>,
    ) -> Result<Option<PadKey>, Error> {
        missing()
    }
    pub async fn set_public(&self, key: PadKey, public: bool) -> Result<bool, Error> {
        missing()
    }
    pub async fn set_settings(&self, key: PadKey, settings: &str) -> Result<bool, Error> {
        missing()
    }
    pub async fn read_only_id(
        &self,
        key: PadKey,
        candidate: ReadOnlyId,
    ) -> Result<Option<ReadOnlyId>, Error> {
        missing()
    }
    pub async fn pad_of_read_only_id(&self, id: &ReadOnlyId) -> Result<Option<PadId>, Error> {
        missing()
    }
    pub async fn issue_deletion_token(&self, key: PadKey, hash: &TokenHash) -> Result<bool, Error> {
        missing()
    }
    pub async fn save_revision(&self, key: PadKey, saved: &SavedRevision) -> Result<bool, Error> {
        missing()
    }
    pub async fn saved_revisions(&self, key: PadKey) -> Result<Vec<SavedRevision>, Error> {
        missing()
    }
    pub async fn list_pads(&self, after: Option<&str>, limit: usize) -> Result<Vec<PadId>, Error> {
        missing()
    }
    pub async fn count_pads(&self) -> Result<u64, Error> {
        missing()
    }
    pub async fn authors_of_pad(&self, key: PadKey) -> Result<Vec<AuthorId>, Error> {
        missing()
    }
}
