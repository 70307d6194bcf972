//! Storage failures: a member stays and reads, and its change waits here.
//!
//! A client sends one change at a time and waits for the answer, so one is all there is to keep.
//! It is stored when storing works again, unless the connection ends first: then the client sends
//! it again with the next one. A seat that another connection has taken stores nothing.

use pad::Submission;

use super::{ConnectionTask, End, Reply, refused};
use crate::wire;

impl ConnectionTask {
    /// Storing has begun to fail, or works again.
    pub(super) async fn storage_changed(&mut self) -> Result<(), End> {
        let is_failing = self.storage.borrow_and_update().is_failing();
        if self.seat.is_none() {
            return Ok(());
        }
        let now = self.context.service.now();
        self.send(&[wire::storage(is_failing, now)]).await?;
        if is_failing {
            return Ok(());
        }
        match self.unstored.take() {
            Some(submission) => {
                self.recheck_access()?;
                self.store_change(submission, false).await.map(drop)
            }
            None => Ok(()),
        }
    }

    /// Tells a newcomer if storing fails.
    pub(super) async fn send_storage_state(&mut self) -> Result<(), End> {
        let is_failing = self.storage.borrow_and_update().is_failing();
        if is_failing {
            let now = self.context.service.now();
            self.send(&[wire::storage(true, now)]).await?;
        }
        Ok(())
    }

    /// Keeps a change that could not be stored. A client that asked for an answer gets that, and
    /// decides itself when to send it again.
    pub(super) fn keep(
        &mut self,
        submission: Submission,
        wants_answer: bool,
    ) -> Result<Reply, End> {
        if wants_answer {
            return refused(service::Error::NotStored.to_string());
        }
        self.unstored = Some(submission);
        Ok(Reply::Accepted)
    }
}
