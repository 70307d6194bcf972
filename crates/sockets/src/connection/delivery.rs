//! Packets for what a member's feed delivers.

use std::sync::Arc;

use service::{Caret, Delivery, Ending, Event, Expulsion, LiveRevision};
use socketio::Packet;

use super::{End, Seat, dismissed};
use crate::wire;

/// What a delivery is on the wire. The end of the pad is the end of the connection.
pub(super) fn packets(delivery: &Delivery, seat: &Seat) -> Result<Vec<Packet>, End> {
    let event = match delivery {
        Delivery::Revisions(revisions) => {
            return Ok(revisions.iter().map(|live| revision(live, seat)).collect());
        }
        Delivery::Batch(batch) => {
            // First what is this member's own: the batch is the same for everybody.
            let own = batch.made_by(seat.member.id()).map(wire::accept_commit);
            let all = batch.encoded(wire::changes_batch);
            return Ok(own.chain([all]).collect());
        }
        Delivery::Carets(carets) => {
            let encode = |caret: &Arc<Caret>| caret.encoded.get_or_make(|| wire::caret(caret));
            return Ok(carets.iter().map(encode).collect());
        }
        Delivery::Event(event) => event,
        Delivery::Behind | Delivery::Ended(Ending::Interrupted) => {
            return Err(End::Interrupted(None));
        }
        Delivery::Ended(Ending::Gone) => return Err(dismissed("deleted")),
        // Clients know no reason for this; with this one they reload the page.
        Delivery::Ended(Ending::Replaced) => return Err(dismissed("rejected")),
    };
    Ok(match event {
        Event::Chat(entry) => vec![wire::chat(entry)],
        Event::Info { presence } => vec![wire::user_info(presence)],
        Event::Left { presence } => vec![wire::user_left(presence)],
        Event::CaretGone { author, window } => match seat.member.record() {
            Some(_) => vec![wire::caret_gone(author, *window)],
            None => Vec::new(),
        },
        Event::Saved(saved) => vec![wire::saved(saved)],
        Event::SavedNamed(saved) => match &seat.address {
            Some(_) => vec![wire::saved_revisions([&**saved])],
            None => Vec::new(),
        },
        Event::Titled(title) => match &seat.address {
            Some(address) => vec![wire::title(title.as_ref(), address)],
            None => Vec::new(),
        },
        Event::NameSuggested { to, name } => vec![wire::name_suggested(to, name)],
        Event::OptionsChanged { options, by } => {
            vec![wire::options_changed(options, by.as_deref())]
        }
        Event::Restart {
            key,
            seconds_left,
            time,
        } => vec![wire::restarting(key, *seconds_left, *time)],
        Event::Announcement { text, sticky, time } => {
            vec![wire::announced(text, *sticky, *time)]
        }
        Event::PageParts(parts) if seat.shows_plugins => vec![wire::page_plugins(parts)],
        Event::PageParts(_) => Vec::new(),
        Event::Custom { kind, time } => vec![wire::custom(kind, *time)],
        Event::Expel {
            reason: Expulsion::Duplicate,
            ..
        } => return Err(dismissed("userdup")),
        // Makes the page load again, as somebody else.
        Event::Expel {
            reason: Expulsion::Erased,
            ..
        } => return Err(dismissed("rejected")),
        Event::Expel {
            reason: Expulsion::Denied,
            ..
        } => {
            return Err(End::Dismissed(wire::denied()));
        }
    })
}

pub(super) fn revision(live: &LiveRevision, seat: &Seat) -> Packet {
    if live.origin == Some(seat.member.id()) {
        return wire::accept_commit(live.rev);
    }
    live.encoded(wire::new_changes)
}
