//! Windows of a member's author: several write at once, and one takes up what another has left.

use contract::Error;
use pad::{Rev, WindowId};
use store::Arrival;

use crate::Service;
use crate::cluster::arrival;
use crate::live::{Event, Expulsion, LivePad, MemberId, Presence};
use crate::members::Member;

impl Service {
    /// Ends the seats that other windows of the member's author have on any node, because they are
    /// gone and the member sends what they have left. On return nothing that came through them can
    /// be stored any more, and what is stored of it is part of the head.
    pub async fn end_windows(&self, member: &Member, windows: &[WindowId]) -> Result<(), Error> {
        let (pad, own) = (member.live(), member.presence());
        let tags = windows.iter().map(WindowId::tag);
        let tags: Vec<u32> = tags.filter(|tag| *tag != own.member.window()).collect();
        expel(pad, own, pad.roster().end_windows(&own.author, &tags));
        if self.cluster.is_some() {
            for window in windows.iter().filter(|it| tags.contains(&it.tag())) {
                // Comes in place of the window, and goes at once.
                let number = MemberId::next(Some(window)).number();
                let arrival = Arrival {
                    member: number,
                    ..arrival(pad, own, true)
                };
                self.store.arrive(&arrival, self.now()).await?;
                self.store.depart(pad.key, number, self.now()).await?;
            }
            pad.catch_up(None).await.map_err(|_| Error::PadMissing)?;
        }
        pad.settled().await.map_err(|_| Error::PadMissing)
    }
}

impl Member {
    /// The name of what is remembered of the member's window. As long as it is the same, the server
    /// knows which revision the window made last. `None`: the client has named no window.
    pub fn record(&self) -> Option<u128> {
        self.seat.record()
    }

    /// Whether the last change of the member's window became that revision.
    pub fn made_last(&self, rev: Rev) -> bool {
        self.seat.made_last(rev)
    }

    /// What the author is called now, in all windows.
    pub(super) fn name(&self) -> Option<String> {
        self.pad.roster().name_of(self.author())
    }

    /// The newest revision of the pad.
    pub fn newest(&self) -> Rev {
        self.pad.head().rev.unwrap_or_default()
    }
}

/// Sends members away whose seats were taken. Where they were is forgotten, unless it is the window
/// that has come.
pub(super) fn expel(pad: &LivePad, newcomer: &Presence, members: Vec<MemberId>) {
    if members.is_empty() {
        return;
    }
    let window = newcomer.member.window();
    let mut closed = members.clone();
    closed.retain(|member| member.window() != window);
    pad.close_windows(&newcomer.author, &closed);
    pad.tell(Event::Expel {
        members: members.into(),
        reason: Expulsion::Duplicate,
    });
}
