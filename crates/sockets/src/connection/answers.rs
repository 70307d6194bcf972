//! Answers to requests of members. Large ones wait for their share of the memory budget.

use pad::{HistoryRequest, Rev};
use wtf_json::Json;

use super::{ConnectionTask, End, Reply, refused};
use crate::wire;

/// What the room for is reserved before it is known how large an answer is. Of the history because
/// it may have a hundred revisions with large changes, of the chat a hundred long messages.
const HISTORY: usize = 8_000_000;
const CHAT: usize = 2_000_000;

/// About the bytes that so many UTF-16 units of a text take with their attributes.
pub(super) fn bytes_of_text(units: usize) -> usize {
    units.saturating_mul(5) / 4
}

impl ConnectionTask {
    pub(super) async fn answer_history(
        &mut self,
        request: HistoryRequest,
        id: &Json,
    ) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        let reserved = self.reserve(HISTORY).await?;
        match seat.member.history(request).await {
            Ok((stretch, history)) => {
                let packet = wire::history(stretch, request.granularity, &history, id);
                drop(history);
                self.send_within(reserved, packet).await?;
                Ok(Reply::Accepted)
            }
            Err(error) => refused(error.to_string()),
        }
    }

    /// The content at a revision, which may have been longer than it is now.
    pub(super) async fn answer_past(&mut self, rev: Rev, id: &Json) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        let reserved = self
            .reserve(bytes_of_text(seat.member.text_length()))
            .await?;
        match seat.member.past(rev).await {
            Ok(past) => {
                let packet = wire::past(&past, id);
                drop(past);
                self.send_within(reserved, packet).await?;
                Ok(Reply::Accepted)
            }
            Err(error) => refused(error.to_string()),
        }
    }

    /// Which revision wrote a unit of the text.
    pub(super) async fn answer_origin(
        &mut self,
        rev: Rev,
        position: u64,
        id: &Json,
    ) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        let unit = usize::try_from(position).unwrap_or(usize::MAX);
        match seat.member.origin(rev, unit).await {
            Ok(origin) => {
                self.send(&[wire::origin(origin, id)]).await?;
                Ok(Reply::Accepted)
            }
            Err(error) => refused(error.to_string()),
        }
    }

    /// Who wrote when. Small, however long the history is.
    pub(super) async fn answer_periods(
        &mut self,
        before: Option<Rev>,
        id: &Json,
    ) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        match seat.member.periods(before.unwrap_or(Rev(u64::MAX))).await {
            Ok((periods, next)) => {
                self.send(&[wire::periods(&periods, next, id)]).await?;
                Ok(Reply::Accepted)
            }
            Err(error) => refused(error.to_string()),
        }
    }

    pub(super) async fn answer_chat(&mut self, start: u64, end: u64) -> Result<Reply, End> {
        let Some(seat) = &self.seat else {
            return Ok(Reply::Accepted);
        };
        let reserved = self.reserve(CHAT).await?;
        match seat.member.chat_messages(start, end).await {
            Ok(entries) => {
                let packet = wire::chat_messages(&entries);
                self.send_within(reserved, packet).await?;
                Ok(Reply::Accepted)
            }
            Err(error) => refused(error.to_string()),
        }
    }
}
